#include "work/postgres_journal.hpp"

#include "base/stopwatch.hpp"
#include "store/postgres_session.hpp"
#include "text/json_text.hpp"
#include "work/postgres_statements.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <poll.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dibs::work {
namespace {

using json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds patience{20'000};
constexpr int between_attempts_ms = 250;
constexpr double between_words_s = 30;
/// Of a statement that the server refused though it is there: two that met each other's locks.
constexpr int attempts_max = 3;
/// Sent with one statement.
constexpr std::size_t rows_max = 1000;

template <class T>
T number_in(const std::string& text) {
  T n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

std::optional<error> failure_in(const std::string& code, const std::string& text) {
  return code.empty() ? std::nullopt
                      : std::optional(error{static_cast<exit_code>(number_in<int>(code)), text});
}

/// An array as a parameter.
class array_text {
 public:
  void add(std::string_view value) {
    next();
    text_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
      }
      text_ += c;
    }
    text_ += '"';
  }
  void add_null() {
    next();
    text_ += "NULL";
  }
  [[nodiscard]] std::string whole() const { return text_ + "}"; }

 private:
  void next() { text_ += text_.size() > 1 ? "," : ""; }

  std::string text_ = "{";
};

std::string array_of(std::span<const taken_run> held, std::int64_t taken_run::*which) {
  std::vector<std::int64_t> all;
  for (const taken_run& each : held) {
    all.push_back(each.*which);
  }
  return fmt::format("{{{}}}", fmt::join(all, ","));
}

std::string array_of(const std::vector<std::string>& texts) {
  array_text all;
  for (const std::string& each : texts) {
    all.add(each);
  }
  return all.whole();
}

class postgres_journal : public journal {
 public:
  postgres_journal(store::address where, teller tell, const std::atomic<bool>* stop)
      : where_(std::move(where)), tell_(std::move(tell)), stop_(stop) {}

  [[nodiscard]] result<void> connect();

  [[nodiscard]] result<void> enter(const study& s) override;
  [[nodiscard]] result<study> study_of(const std::string& id) override;
  [[nodiscard]] result<std::vector<std::int64_t>> want(const std::string& study,
                                                       std::span<const point> points,
                                                       std::span<const wanted_run> runs,
                                                       bool again) override;
  [[nodiscard]] result<void> withdraw(const std::string& study) override;
  [[nodiscard]] result<std::vector<taken_run>> take(const claim& c) override;
  [[nodiscard]] result<std::vector<std::int64_t>> renew(std::span<const taken_run> held,
                                                        double lease_s) override;
  [[nodiscard]] result<void> give_back(std::span<const taken_run> held) override;
  [[nodiscard]] result<std::vector<arrival>> put(std::span<const finished_run> runs) override;
  [[nodiscard]] result<std::vector<kept_run>> look_up(std::span<const std::int64_t> ids) override;
  [[nodiscard]] result<std::vector<std::int64_t>> differing_runs(const std::string& study) override;
  [[nodiscard]] result<open_runs> open_runs_for(const std::string& build,
                                                const std::vector<std::string>& refused) override;

 private:
  /// Asks until there is an answer.
  [[nodiscard]] result<store::sql_rows> ask(const char* sql,
                                            const std::vector<std::string>& parameters);
  [[nodiscard]] result<void> do_it(const char* sql, const std::vector<std::string>& parameters) {
    return ask(sql, parameters).map([](const auto&) {});
  }
  [[nodiscard]] result<void> wait_for_server();
  [[nodiscard]] bool is_stopped() const { return stop_ != nullptr && stop_->load(); }

  store::address where_;
  teller tell_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<store::postgres_session> session_;
};

result<void> postgres_journal::connect() {
  session_.reset();
  auto s = store::postgres_session::open(where_, patience);
  if (!s) {
    return tl::unexpected(s.error());
  }
  auto ready =
      store::check_durability(**s).and_then([&] { return store::check_encoding(**s, where_); });
  ready =
      ready.and_then([&] { return (*s)->run(statements::make_tables).map([](const auto&) {}); });
  if (ready) {
    session_ = std::move(*s);
  } else if (ready.error().code == exit_code::store_unreachable && (*s)->is_open()) {
    return failure(exit_code::internal_error, ready.error().text);  // it is there, and refuses
  }
  return ready;
}

result<void> postgres_journal::wait_for_server() {
  const stopwatch watch;
  std::optional<double> told_s;
  while (!is_stopped()) {
    const auto there = connect();
    if (there || there.error().code != exit_code::store_unreachable) {
      if (there && told_s) {
        tell_(fmt::format("{} is back after {:.0f} s", where_.text, watch.seconds()));
      }
      return there;
    }
    if (!told_s || watch.seconds() - *told_s >= between_words_s) {
      tell_(told_s
                ? fmt::format("{} is away for {:.0f} s", where_.text, watch.seconds())
                : fmt::format("{} is away, waiting for it: {}", where_.text, there.error().text));
      told_s = watch.seconds();
    }
    ::poll(nullptr, 0, between_attempts_ms);
  }
  return failure(exit_code::interrupted, "interrupted");
}

result<store::sql_rows> postgres_journal::ask(const char* sql,
                                              const std::vector<std::string>& parameters) {
  for (int attempt = 1;; ++attempt) {
    if (session_ == nullptr || !session_->is_open()) {
      if (const auto there = wait_for_server(); !there) {
        return tl::unexpected(there.error());
      }
    }
    auto rows = session_->run(sql, parameters);
    if (rows) {
      return rows;
    }
    const auto is_gone = [&] {
      // A server that is shutting down or starting up refuses in words before it hangs up.
      return !session_->is_open() || !session_->run("SELECT 1");
    };
    if (is_gone()) {
      attempt = 0;
      session_.reset();
    } else if (attempt >= attempts_max) {
      return failure(exit_code::internal_error, rows.error().text);
    }
  }
}

result<void> postgres_journal::enter(const study& s) {
  return do_it(statements::enter,
               {s.id(),
                s.name,
                s.file,
                s.folder,
                s.text,
                std::to_string(s.seed),
                fmt::format("{}", fmt::join(s.metrics, " ")),
                s.build.binary,
                results::words_of(s.build)});
}

result<study> postgres_journal::study_of(const std::string& id) {
  const auto rows = ask(statements::study_of, {id});
  if (!rows) {
    return tl::unexpected(rows.error());
  }
  if (rows->size() != 1) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} has runs of a study that it does not know", where_.text));
  }
  return study_in(rows->front());
}

result<std::vector<std::int64_t>> postgres_journal::want(const std::string& study,
                                                         std::span<const point> points,
                                                         std::span<const wanted_run> runs,
                                                         bool again) {
  std::vector<std::int64_t> ids(runs.size());
  for (std::size_t from = 0; from < runs.size(); from += rows_max) {
    json rows = json::array();
    std::map<std::string, json> used;
    for (std::size_t i = from; i < std::min(from + rows_max, runs.size()); ++i) {
      const point& p = points[runs[i].point];
      used.try_emplace(p.hash, json{{"hash", p.hash}, {"overrides", text_of(p.overrides)}});
      rows.push_back({{"place", i}, {"point", p.hash}, {"seed", std::to_string(runs[i].seed)}});
    }
    json of_points = json::array();
    for (auto& [hash, each] : used) {
      of_points.push_back(std::move(each));
    }
    const std::string sent = text::json_as_text(rows);
    auto done = do_it(statements::want_points, {study, text::json_as_text(of_points)});
    done = done.and_then([&] {
      return do_it(statements::want_runs, {study, sent, again ? "t" : "f"});
    });
    const auto known =
        done ? ask(statements::ids_of, {study, sent}) : tl::unexpected<error>(done.error());
    if (!known) {
      return tl::unexpected(known.error());
    }
    for (const auto& r : *known) {
      ids[number_in<std::size_t>(r[0])] = number_in<std::int64_t>(r[1]);
    }
  }
  return ids;
}

result<void> postgres_journal::withdraw(const std::string& study) {
  return do_it(statements::withdraw, {study});
}

result<std::vector<taken_run>> postgres_journal::take(const claim& c) {
  const auto rows = ask(statements::take,
                        {c.holder,
                         fmt::format("{}", c.lease_s),
                         c.build,
                         c.study,
                         std::to_string(c.runs),
                         array_of(c.refused)});
  if (!rows) {
    return tl::unexpected(rows.error());
  }
  std::vector<taken_run> taken;
  for (const auto& r : *rows) {
    taken.push_back({.id = number_in<std::int64_t>(r[0]),
                     .token = number_in<std::int64_t>(r[1]),
                     .study = r[2],
                     .what = {r[3], overrides_in(r[5])},
                     .seed = number_in<std::uint64_t>(r[4])});
  }
  std::ranges::sort(taken, {}, &taken_run::id);
  return taken;
}

result<std::vector<std::int64_t>> postgres_journal::renew(std::span<const taken_run> held,
                                                          double lease_s) {
  const auto rows = ask(statements::renew,
                        {array_of(held, &taken_run::id),
                         array_of(held, &taken_run::token),
                         fmt::format("{}", lease_s)});
  if (!rows) {
    return tl::unexpected(rows.error());
  }
  std::vector<std::int64_t> tokens;
  for (const auto& r : *rows) {
    tokens.push_back(number_in<std::int64_t>(r[0]));
  }
  return tokens;
}

result<void> postgres_journal::give_back(std::span<const taken_run> held) {
  return do_it(statements::give_back,
               {array_of(held, &taken_run::id), array_of(held, &taken_run::token)});
}

result<std::vector<arrival>> postgres_journal::put(std::span<const finished_run> runs) {
  array_text ids;
  std::vector<std::string_view> results;
  array_text codes;
  array_text failures;
  for (const finished_run& r : runs) {
    ids.add(std::to_string(r.id));
    results.push_back(r.failed ? "" : std::string_view(r.result));
    if (r.failed) {
      codes.add(std::to_string(static_cast<int>(r.failed->code)));
      failures.add(r.failed->text);
    } else {
      codes.add_null();
      failures.add_null();
    }
  }
  const auto answered = ask(
      statements::put,
      {ids.whole(), fmt::format("{}", fmt::join(results, "\n")), codes.whole(), failures.whole()});
  if (!answered) {
    return tl::unexpected(answered.error());
  }
  std::map<std::int64_t, arrival> found;
  for (const auto& r : *answered) {
    found[number_in<std::int64_t>(r[0])] = r[1] == "t" ? arrival::kept : arrival::differs;
  }
  std::vector<arrival> all;
  for (const finished_run& r : runs) {
    const auto known = found.find(r.id);
    all.push_back(known == found.end() ? arrival::unwanted : known->second);
  }
  return all;
}

result<std::vector<kept_run>> postgres_journal::look_up(std::span<const std::int64_t> ids) {
  const auto rows = ask(statements::look_up, {fmt::format("{{{}}}", fmt::join(ids, ","))});
  if (!rows) {
    return tl::unexpected(rows.error());
  }
  std::vector<kept_run> all;
  for (const auto& r : *rows) {
    all.push_back({number_in<std::int64_t>(r[0]), r[1], failure_in(r[2], r[3]), r[4] == "t"});
  }
  return all;
}

result<std::vector<std::int64_t>> postgres_journal::differing_runs(const std::string& study) {
  return ask(statements::differing_runs, {study}).map([](const store::sql_rows& rows) {
    std::vector<std::int64_t> all;
    for (const auto& row : rows) {
      all.push_back(number_in<std::int64_t>(row[0]));
    }
    return all;
  });
}

result<open_runs> postgres_journal::open_runs_for(const std::string& build,
                                                  const std::vector<std::string>& refused) {
  const auto rows = ask(statements::open_runs, {build, array_of(refused)});
  if (!rows) {
    return tl::unexpected(rows.error());
  }
  return open_runs{number_in<std::uint64_t>(rows->front()[0]), rows->front()[1]};
}

}  // namespace

result<std::unique_ptr<journal>> open_postgres_journal(const store::address& where,
                                                       teller tell,
                                                       const std::atomic<bool>* stop) {
  auto made = std::make_unique<postgres_journal>(where, std::move(tell), stop);
  if (const auto there = made->connect(); !there) {
    return tl::unexpected(there.error());
  }
  return std::unique_ptr<journal>(std::move(made));
}

}  // namespace dibs::work
