#include "explain/counterfactual.hpp"

#include "engine/run.hpp"
#include "explain/harm_detector.hpp"
#include "history/display_names.hpp"
#include "metrics/catalogue.hpp"
#include "results/assessment.hpp"
#include "scenario/field_paths.hpp"
#include "scenario/profiles.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace dibs::explain {
namespace {

constexpr double much_better = 0.9;
constexpr double far_fewer = 0.8;
constexpr double most_gone = 0.5;
constexpr const char* service = "rides.match_rate";
constexpr const char* doubles = "double.commits";

scenario::reading changed_by(const history::indexed_run& c,
                             const std::vector<scenario::override_value>& set) {
  const scenario::scenario& s = c.of().scenario;
  return scenario::read_text(scenario::dump(s), "the scenario of the run", s.folder, set, s.rows);
}

bool changes(const history::indexed_run& c, const std::vector<scenario::override_value>& set) {
  const scenario::reading changed = changed_by(c, set);
  return !changed.ok() || scenario::dump(changed.value) != scenario::dump(c.of().scenario);
}

/// With the fields that the scenario's profile may fill otherwise as soon as one beside them is
/// set, as a grace that is as long as the TTL, or the rest of a mapping of which one field is
/// given: the command, typed, then runs what was tried.
void pin_profile(const history::indexed_run& c, std::vector<scenario::override_value>& set) {
  const auto profiles = scenario::profiles();
  const auto named =
      std::ranges::find(profiles, c.of().scenario.lease.profile, &scenario::profile::name);
  if (named == profiles.end()) {
    return;
  }
  const scenario::field_values tried(changed_by(c, set).value);
  const std::vector<scenario::override_value> asked = set;
  for (const std::string_view setting : named->settings) {
    const std::string path(setting.substr(0, setting.find('=')));
    const bool follows_ttl = setting.find("TTL") != std::string_view::npos;
    const auto moves = [&](const scenario::override_value& o) {
      return (follows_ttl && o.path == "lease.ttl") || o.path.starts_with(path + ".");
    };
    const auto is_it = [&](const scenario::override_value& o) { return o.path == path; };
    const auto value = tried.find(path);
    if (value && std::ranges::any_of(asked, moves) && std::ranges::none_of(asked, is_it)) {
      std::erase_if(set, [&](const auto& o) { return o.path.starts_with(path + "."); });
      set.push_back({path, *value});
    }
  }
}

/// Without the fields that are so already; nothing if no change is left, or none that is allowed.
std::optional<remedy> trimmed(const history::indexed_run& c, remedy r) {
  if (r.set.empty()) {
    return r;
  }
  std::erase_if(r.set, [&](const scenario::override_value& o) { return !changes(c, {o}); });
  if (r.set.empty() || !changed_by(c, r.set).ok()) {
    return std::nullopt;
  }
  pin_profile(c, r.set);
  return r;
}

/// What becomes of one ride.
class follower final : public events::observer {
 public:
  explicit follower(ride_id r) : ride_(r) {}

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      const auto* trip = std::get_if<events::trip_committed>(&e.what);
      const auto* off = std::get_if<events::assignment_revoked>(&e.what);
      const auto* left = std::get_if<events::ride_abandoned>(&e.what);
      const auto* sent = std::get_if<events::offer_sent>(&e.what);
      if (sent != nullptr && sent->ride == ride_) {
        asked_.insert(sent->driver);
      }
      if (trip != nullptr && trip->ride == ride_ && matched_ == never) {
        matched_ = e.t;
        driver_ = trip->driver;
      }
      if (off != nullptr && off->ride == ride_ && off->driver == driver_ &&
          off->cause != events::revocation::rider_cancelled) {
        matched_ = never;  // she does not come
      }
      has_left_ = has_left_ || (left != nullptr && left->ride == ride_);
    }
  }

  [[nodiscard]] bool goes_with(driver_id d) const {
    return d.is_some() && matched_ != never && driver_ == d;
  }

  [[nodiscard]] bool asks(driver_id d) const { return asked_.contains(d); }

  [[nodiscard]] bool leaves() const { return has_left_ && matched_ == never; }

  /// `as_ever`: it left without a driver in the run as well.
  [[nodiscard]] std::string fate(bool as_ever) const {
    if (leaves()) {
      return history::name_of(ride_) +
             (as_ever ? " leaves without a driver all the same" : " then leaves without a driver");
    }
    return matched_ == never ? ""
                             : fmt::format("{} gets {} at {}",
                                           history::name_of(ride_),
                                           history::name_of(driver_),
                                           history::clock_time(matched_.time_since_epoch()));
  }

 private:
  ride_id ride_;
  driver_id driver_;
  std::set<driver_id> asked_;
  sim_time matched_ = never;
  bool has_left_ = false;
};

/// What is bad about it is that the ride goes without a driver, now or for good.
bool costs_a_driver(const harm& b) {
  return !b.broken &&
         (b.harm == metrics::harm_kind::lost_accept || b.harm == metrics::harm_kind::starved_ride);
}

/// As `harm_detector` sees harms that are a matter of time.
void tell_length(const harm& b, counterfactual& tried) {
  if (!b.broken && b.harm == metrics::harm_kind::starved_ride) {
    tried.effect = history::name_of(b.ride) + " is blocked for less than half as long";
    tried.suffered =
        history::name_of(b.ride) + " is blocked for half as long or longer all the same";
  } else if (!b.broken && b.harm == metrics::harm_kind::hiding_lease) {
    tried.effect =
        "no lease of " + history::name_of(b.ride) + " hides a driver for two thirds as long";
    tried.suffered = "a lease of " + history::name_of(b.ride) +
                     " hides a driver for two thirds as long all the same";
  }
}

/// A remedy may leave a lease as it has to be while she thinks, and no longer. It is one if it
/// hides a driver for clearly less, though not for so little that the harm would be another, and
/// the whole run has clearly less of it too.
void see_what_is_left(const harm& b, sim_duration longest, counterfactual& tried) {
  if (b.broken || b.harm != metrics::harm_kind::hiding_lease || !*tried.happens) {
    return;
  }
  const auto clearly_less = [](double after, double before) {
    return after < before * much_better;
  };
  if (clearly_less(in_seconds(longest), in_seconds(b.size)) && tried.before && tried.after &&
      clearly_less(*tried.after, *tried.before)) {
    tried.happens = false;
    tried.effect = fmt::format("no lease of {} hides a driver for longer than {}, of {}",
                               history::name_of(b.ride),
                               text::duration(longest),
                               text::duration(b.size));
  }
}

/// Both harms and the service, before and after; and what the run met and the trial misses.
void weigh(const scenario::scenario& s,
           const metrics::report& before,
           const metrics::report& after,
           counterfactual& tried) {
  for (const char* metric : {doubles, "supply.hidden_share", "accepts.missed_rate", service}) {
    const auto was = before.value(metric);
    const auto is = after.value(metric);
    if (was && is) {
      tried.besides.push_back({metric, *was, *is});
    }
  }
  for (const scenario::bound& b : s.thresholds) {
    const auto was = before.value(b.metric);
    const auto is = after.value(b.metric);
    if (was && results::meets(*was, b) && (!is || !results::meets(*is, b))) {
      const metrics::entry* entry = metrics::find(b.metric);
      tried.missed.push_back(
          fmt::format("{} {} ({})",
                      b.metric,
                      b.text,
                      is && entry != nullptr ? text::format_value(*is, entry->unit) : "-"));
    }
  }
}

/// Runs the same seed with what the remedy changes; tells nothing if it cannot be run, and returns
/// whether the run took any other course.
bool try_out(const history::indexed_run& c,
             const harm& b,
             const std::atomic<bool>* stop,
             counterfactual& tried) {
  const scenario::reading changed = changed_by(c, tried.what.set);
  harm_detector looks(c, b, changed.value, {.until = changed.value.ends(), .stopped = stop});
  follower ride(b.ride);
  engine::run_options how;
  how.seed = c.of().seed;
  how.observers = {&looks, &ride};
  how.stop = looks.stop();
  const auto again = engine::run(changed.value, how);
  if (!again || again->interrupted) {
    return true;
  }
  tried.after = again->metrics.value(tried.what.metric);
  tried.happens = looks.found();
  follower as_it_was(b.ride);
  as_it_was.observe(c.of().events);
  tried.ride_outcome = ride.fate(as_it_was.leaves());
  tried.loses_ride = ride.leaves() && (costs_a_driver(b) || !as_it_was.leaves());
  tell_length(b, tried);
  see_what_is_left(b, looks.longest(), tried);
  tried.is_apart = b.driver.is_some() && as_it_was.asks(b.driver) && !ride.asks(b.driver);
  tried.is_very_yes = !b.broken && b.harm == metrics::harm_kind::lost_accept && !*tried.happens &&
                      ride.goes_with(b.driver);
  weigh(changed.value, c.of().metrics, again->metrics, tried);
  return again->history != c.of().digest;
}

bool is_stopped(const counterfactual_options& how) {
  return how.stop != nullptr && how.stop->load();
}

/// Appends the trial of a remedy, if it comes to anything.
void add_trial(const history::indexed_run& c,
               const harm& b,
               const remedy& which,
               const counterfactual_options& how,
               bool is_further,
               std::vector<counterfactual>& to) {
  const auto what = trimmed(c, which);
  if (!what) {
    return;
  }
  const bool is_there = std::ranges::any_of(to, [&](const counterfactual& t) {
    return std::equal(
        t.what.set.begin(),
        t.what.set.end(),
        what->set.begin(),
        what->set.end(),
        [](const auto& x, const auto& y) { return x.path == y.path && x.value == y.value; });
  });
  if (is_there) {
    return;
  }
  counterfactual tried;
  tried.what = *what;
  tried.is_further = is_further;
  bool is_other = true;
  if (!what->set.empty()) {
    tried.command = c.of().command;
    for (const scenario::override_value& o : what->set) {
      tried.command += " --set " + text::shell_word(o.path + "=" + o.value);
    }
    tried.before = c.of().metrics.value(what->metric);
    is_other = !how.run || try_out(c, b, how.stop, tried);
  }
  if (is_other) {
    to.push_back(std::move(tried));
  }
}

}  // namespace

bool serves_far_fewer(const counterfactual& t) {
  return std::ranges::any_of(t.besides, [](const change& each) {
    return each.metric == service && each.after < each.before * far_fewer;
  });
}

bool serves_nobody(const counterfactual& t) {
  return std::ranges::any_of(
      t.besides, [](const change& each) { return each.metric == service && !(each.after > 0); });
}

bool has_more_of_it(const counterfactual& t) { return t.after && *t.after > t.before.value_or(0); }

bool has_less_of_it(const counterfactual& t) { return t.before && t.after && *t.after < *t.before; }

bool helps_others(const counterfactual& t) {
  const counterfactual_outcome o = outcome_of(t);
  const bool takes_most = t.before && t.after && *t.after < *t.before * most_gone;
  return (o == counterfactual_outcome::fails || o == counterfactual_outcome::loses) && takes_most &&
         !has_more_doubles(t) && !serves_far_fewer(t);
}

bool has_more_doubles(const counterfactual& t) {
  return std::ranges::any_of(t.besides, [](const change& each) {
    return each.metric == doubles && each.after > each.before;
  });
}

counterfactual_outcome outcome_of(const counterfactual& t) {
  if (!t.happens) {
    return counterfactual_outcome::untried;
  }
  if (*t.happens) {
    return counterfactual_outcome::fails;
  }
  if (t.loses_ride) {
    return counterfactual_outcome::loses;
  }
  const bool by_chance = (t.is_further || t.is_apart) && !t.is_very_yes;
  const bool is_as_much = by_chance && t.after && *t.after > t.before.value_or(0) * much_better;
  const bool is_too_dear = serves_far_fewer(t) && !t.is_very_yes;
  return !has_less_of_it(t) || has_more_doubles(t) || is_as_much || is_too_dear || t.is_outdone
             ? counterfactual_outcome::trades
             : counterfactual_outcome::prevents;
}

std::vector<counterfactual> counterfactuals_of(const history::indexed_run& c,
                                               const harm& b,
                                               const root_cause& learnt,
                                               const counterfactual_options& how) {
  std::vector<counterfactual> all;
  for (const remedy& each : learnt.remedies) {
    add_trial(c, b, each, how, false, all);
  }
  // That it does not happen without the fault is no feature that would have prevented it.
  const auto helps = [&] {
    return std::ranges::any_of(all, [](const counterfactual& t) {
      return outcome_of(t) == counterfactual_outcome::prevents && !t.what.is_without_fault &&
             !serves_nobody(t);
    });
  };
  for (const remedy& each : learnt.further) {
    if (!how.run || is_stopped(how) || helps()) {
      break;
    }
    add_trial(c, b, each, how, true, all);
  }
  const bool some_serve = std::ranges::any_of(all, [](const counterfactual& t) {
    return outcome_of(t) == counterfactual_outcome::prevents && !serves_nobody(t);
  });
  for (counterfactual& each : all) {
    each.is_outdone = some_serve && serves_nobody(each);
  }
  return all;
}

}  // namespace dibs::explain
