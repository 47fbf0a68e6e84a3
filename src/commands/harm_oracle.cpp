#include "commands/harm_oracle.hpp"

#include "commands/stop_signal.hpp"
#include "engine/run.hpp"
#include "events/observer.hpp"
#include "results/assessment.hpp"
#include "scenario/scalar_types.hpp"
#include "scenario/written_tree.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>
#include <variant>

namespace dibs::commands {
namespace {

/// Writes down when rides were asked for, and who was out of action.
class strike_recorder final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (std::holds_alternative<events::ride_requested>(e.what)) {
        requests_.push_back(e.t);
      } else if (const auto* c = std::get_if<events::node_crashed>(&e.what)) {
        begin(c->node, e.t, true);
      } else if (const auto* p = std::get_if<events::node_paused>(&e.what)) {
        begin(p->node, e.t, false);
      }
    }
  }

  void tell(shrink::sighting& s, sim_time until) && {
    s.rides = requests_.size();
    std::erase_if(requests_, [&](sim_time t) { return t > until; });
    std::erase_if(outages_, [&](const shrink::outage& o) { return o.from > until; });
    s.requests = std::move(requests_);
    s.outages = std::move(outages_);
  }

 private:
  void begin(node_id who, sim_time t, bool is_crash) {
    const bool is_one_of_many = who.kind() == node_kind::driver || who.kind() == node_kind::rider ||
                                who.kind() == node_kind::matcher;
    const auto index = is_one_of_many ? std::optional(who.index()) : std::nullopt;
    outages_.push_back({is_crash, scenario::print(sim::node_pattern{who.kind(), index}), t});
  }

  std::vector<sim_time> requests_;
  std::vector<shrink::outage> outages_;
};

std::optional<lease::invariant> invariant_called(std::string_view code) {
  for (int i = 0; i < lease::invariants; ++i) {
    if (lease::code_of(static_cast<lease::invariant>(i)) == code) {
      return static_cast<lease::invariant>(i);
    }
  }
  return std::nullopt;
}

std::string trimmed(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(' '), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

/// Of the promise, in the wanted way; null if there is none.
const checkers::violation* found_in(const checkers::check_result& checks,
                                    const wanted_harm& wanted) {
  const auto it = std::ranges::find_if(checks.violations, [&](const checkers::violation& v) {
    return v.broken == wanted.broken && (wanted.kind.empty() || kind_of(v.what) == wanted.kind);
  });
  return it == checks.violations.end() ? nullptr : &*it;
}

bool meets_bound(const scenario::scenario& s,
                 const metrics::report& figures,
                 const std::string& metric) {
  const auto value = figures.value(metric);
  return value && std::ranges::all_of(s.expect, [&](const scenario::bound& b) {
           return b.metric != metric || results::meets(*value, b);
         });
}

}  // namespace

result<wanted_harm> wanted_harm_of(std::string_view text) {
  if (const auto broken = invariant_called(text)) {
    return wanted_harm{.broken = *broken};
  }
  const auto sign = text.find_first_of("<>=");
  if (sign != std::string_view::npos && sign > 0) {
    return wanted_harm{.bound = scenario::override_value{trimmed(text.substr(0, sign)),
                                                         trimmed(text.substr(sign))}};
  }
  return failure(exit_code::usage,
                 fmt::format("shrink: --while takes a promise, such as S4, or the bound of a "
                             "metric, such as `double.commits >= 1` (got {})",
                             text::display_text(text, 200)));
}

std::string kind_of(std::string_view words) {
  std::string kind;
  for (const char c : words) {
    const bool is_digit = (c >= '0' && c <= '9') || (c == '.' && kind.ends_with('#'));
    if (!is_digit) {
      kind += c;
    } else if (!kind.ends_with('#')) {
      kind += '#';
    }
  }
  return kind;
}

std::string words_of(const wanted_harm& harm) {
  return harm.broken ? std::string(lease::code_of(*harm.broken))
                     : harm.bound->path + " " + harm.bound->value;
}

scenario::node with_expectation(scenario::node root, const wanted_harm& harm) {
  if (harm.bound) {
    scenario::node bound = scenario::empty_mapping();
    bound.add(harm.bound->path, scenario::quoted(harm.bound->value));
    root.add("expect", std::move(bound));
  }
  return root;
}

harm_oracle::harm_oracle(wanted_harm harm, std::filesystem::path folder, double seconds)
    : harm_(std::move(harm)), folder_(std::move(folder)), seconds_(seconds) {}

std::optional<shrink::sighting> harm_oracle::look(const scenario::node& root,
                                                  std::uint64_t seed,
                                                  std::uint64_t events_max) {
  if (stop_flag()->load() || ran_out_of_time()) {
    return std::nullopt;
  }
  const scenario::reading read =
      scenario::read_text(scenario::readable_yaml(with_expectation(root, harm_)),
                          "a smaller scenario",
                          folder_,
                          {},
                          rows_);
  shrink::sighting seen;
  seen.seed = seed;
  if (!read.ok()) {
    return seen;
  }
  rows_ = read.value.rows;
  strike_recorder strikes;
  std::atomic<bool> stop{false};
  engine::run_options how;
  how.seed = seed;
  how.observers = {&strikes};
  how.stop = &stop;
  how.on_progress = [&](const engine::progress& p) {
    stop = p.events > events_max || stop_flag()->load();
  };
  const auto ran = engine::run(read.value, how);
  if (stop_flag()->load()) {
    return std::nullopt;
  }
  seen.events = ran ? ran->events : 0;
  if (!ran || ran->interrupted || ran->stuck || ran->events > events_max) {
    return seen;
  }
  if (harm_.broken) {
    const checkers::violation* found = found_in(ran->checks, harm_);
    if (found != nullptr) {
      harm_.kind = kind_of(found->what);
      last_words_ = found->what;
      seen.at = found->t;
    }
    seen.harmful = found != nullptr;
  } else {
    seen.harmful = meets_bound(read.value, ran->metrics, harm_.bound->path);
  }
  std::move(strikes).tell(seen, seen.at.value_or(sim_time::max()));
  return seen;
}

}  // namespace dibs::commands
