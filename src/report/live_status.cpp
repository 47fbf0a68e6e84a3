#include "report/live_status.hpp"

#include "engine/run.hpp"
#include "history/event_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <variant>

namespace dibs::report {
namespace {

template <class T>
T& slot(std::vector<T>& all, std::size_t i) {
  if (i >= all.size()) {
    all.resize(std::max(i + 1, all.size() * 2));
  }
  return all[i];
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : text::format_value(static_cast<double>(part) / static_cast<double>(whole),
                                         text::unit::share);
}

std::string short_time(sim_time t) {
  const std::string text = history::clock_time(t.time_since_epoch());
  return text.substr(0, text.size() - 4);
}

/// At most so many columns of it; a colour that was begun is ended.
std::string cut(const std::string& text, int columns_max) {
  if (text::columns(text) <= columns_max) {
    return text;
  }
  std::string kept;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_escape = text[i] == '\x1b';
    std::size_t end = is_escape ? std::min(text.find('m', i), text.size() - 1) + 1 : i + 1;
    while (!is_escape && end < text.size() &&
           (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) {
      ++end;
    }
    if (is_escape || text::columns(kept) < columns_max) {
      kept += text.substr(i, end - i);
    }
    i = end;
  }
  return kept;
}

/// All parts, in as many lines as leave the last column free: some terminals wrap as soon as that
/// is written. What does not fit goes on below, under the first word.
void add_lines(std::vector<std::string>& to,
               int width,
               const std::string& first,
               const std::vector<std::string>& others) {
  constexpr std::string_view indent = "        ";
  std::string line = cut(first, width - 1);
  for (const std::string& each : others) {
    if (text::columns(line) + 2 + text::columns(each) < width) {
      line += ", " + each;
    } else {
      to.push_back(std::move(line));
      line = cut(std::string(indent) + each, width - 1);
    }
  }
  to.push_back(std::move(line));
}

}  // namespace

live_status::live_status(const scenario::scenario& s)
    : window_{s.measured_from(), s.measured_until()},
      ends_(s.ends()),
      tables_(engine::metrics_options_of(s), found_) {}

void live_status::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    if (!has_begun_ && e.t >= window_.begin) {
      has_begun_ = true;
      count_open_pairs();
    }
    tables_.write(e);
    count(e);
  }
}

void live_status::count(const events::event& e) {
  const bool is_measured = window_.holds(e.t);
  const auto asked_in_window = [&](ride_id r) {
    return window_.holds(tables_.rides()[r.value].requested);
  };
  if (std::holds_alternative<events::ride_requested>(e.what)) {
    counts_.asked += is_measured ? 1U : 0U;
  } else if (const auto* gone = std::get_if<events::ride_abandoned>(&e.what)) {
    counts_.gave_up += asked_in_window(gone->ride) ? 1U : 0U;
  } else if (std::holds_alternative<events::lease_ended>(e.what)) {
    counts_.in_vain += is_measured ? 1U : 0U;
  } else if (const auto* off = std::get_if<events::assignment_revoked>(&e.what)) {
    const metrics::try_index i = tables_.tries().find(off->token, off->driver);
    const bool is_broken = i != metrics::no_try && tables_.tries().at(i).broken &&
                           window_.holds(tables_.tries().at(i).promised);
    counts_.broken += is_broken ? 1U : 0U;
    end_trip(off->driver, off->token);
  } else if (const auto* done = std::get_if<events::trip_ended>(&e.what)) {
    end_trip(done->driver, done->token);
  } else if (const auto* commit = std::get_if<events::trip_committed>(&e.what)) {
    count_commit(*commit, e.t);
  }
}

void live_status::count_commit(const events::trip_committed& f, sim_time t) {
  std::vector<trip>& open = slot(trips_, f.driver.value);
  if (window_.holds(t)) {
    counts_.doubled += static_cast<std::uint64_t>(std::count_if(
        open.begin(), open.end(), [&](const trip& other) { return other.ride != f.ride; }));
  }
  open.push_back({f.token, f.ride});
  const metrics::ride_record& ride = tables_.rides()[f.ride.value];
  if (f.ride.value >= matched_.size()) {
    matched_.resize(std::max<std::size_t>(f.ride.value + std::size_t{1}, matched_.size() * 2));
  }
  const bool is_first = !matched_[f.ride.value] && ride.first_commit == t;
  counts_.matched += is_first && window_.holds(ride.requested) ? 1U : 0U;
  matched_[f.ride.value] = matched_[f.ride.value] || is_first;
}

void live_status::end_trip(driver_id d, token_id token) {
  std::vector<trip>& open = slot(trips_, d.value);
  const auto found =
      std::find_if(open.begin(), open.end(), [&](const trip& each) { return each.token == token; });
  if (found != open.end()) {
    open.erase(found);
  }
}

void live_status::count_open_pairs() {
  for (const std::vector<trip>& open : trips_) {
    for (std::size_t i = 0; i < open.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        counts_.doubled += open[i].ride != open[j].ride ? 1U : 0U;
      }
    }
  }
}

std::string live_status::phase(sim_time reached) const {
  if (reached < window_.begin) {
    return "warm-up, counted from " + short_time(window_.begin) + " on";
  }
  return reached < window_.end ? "measured since " + short_time(window_.begin)
                               : "drain, counted until " + short_time(window_.end);
}

std::vector<std::string> live_status::lines(sim_time reached, const text::terminal_style& l) const {
  const metrics::driver_time& drivers = tables_.drivers();
  const auto number = [](std::uint64_t n) { return text::with_thousands(n); };
  const auto harm = [&](std::uint64_t n) {
    return text::coloured(
        l, n > 0 ? text::text_colour::bad : text::text_colour::good, text::with_thousands(n));
  };
  const auto state = [&](metrics::driver_state s) { return number(drivers.count(s)); };
  using metrics::driver_state;
  const double done = in_seconds(reached) / std::max(in_seconds(ends_), 1e-9);
  const std::string time = short_time(reached) + " of " + short_time(ends_);
  const std::string head = time + "  " + phase(reached);
  const int bar = std::clamp(l.width - 1 - text::columns(head) - 2, 0, 40);
  const std::string drawn = text::left(text::bar(l, std::min(done, 1.0), bar), bar);
  std::vector<std::string> all;
  if (text::columns(head) < l.width) {
    all.push_back(bar > 4 ? head + "  " + drawn : head);
  } else {
    add_lines(all, l.width, time, {phase(reached)});
  }
  add_lines(
      all,
      l.width,
      "supply  on trip " + state(driver_state::on_trip),
      {"leased " + state(driver_state::leased), "available " + state(driver_state::available)});
  add_lines(all,
            l.width,
            "rides   " + number(counts_.asked) + " asked",
            {share(counts_.matched, counts_.asked) + " matched",
             share(counts_.gave_up, counts_.asked) + " gave up",
             number(tables_.riders().count()) + " wait"});
  add_lines(all,
            l.width,
            "harms   pairs on one driver " + harm(counts_.doubled),
            {"broken promises " + harm(counts_.broken),
             "leases without a trip " + number(counts_.in_vain)});
  return all;
}

std::string live_status::line(sim_time reached) const {
  text::terminal_style plain;
  plain.width = INT_MAX;
  auto all = lines(reached, plain);
  // A bar says nothing where lines follow each other.
  all[0] = short_time(reached) + " of " + short_time(ends_) + ", " + phase(reached);
  std::string text;
  for (const std::string& each : all) {
    text += (text.empty() ? "" : "; ") + each;
  }
  return text;
}

}  // namespace dibs::report
