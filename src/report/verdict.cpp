#include "report/verdict.hpp"

#include "lease/protocol.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "report/json_cells.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/word_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace dibs::report {
namespace {

using results::difference_status;
using results::paired_difference;

std::string name_of(const paired_difference& d) { return metrics::title_of(d.metric); }

std::string from_to(const paired_difference& d) {
  return fmt::format("{} ({} to {}{})",
                     name_of(d),
                     text::format_value(d.a, d.unit),
                     text::format_value(d.b, d.unit),
                     d.unit == text::unit::count ? " a run" : "");
}

/// The headlines by what became of them from A to B.
struct parts {
  std::vector<std::string> better;
  std::vector<std::string> worse;
  std::vector<std::string> unseen;
  std::vector<std::string> alike;  ///< every pair differs by the same, and they are few
};

parts parts_of(const sweep::comparison& c) {
  parts all;
  std::vector<std::string_view> figures{"double.rides"};
  for (const headline& h : headlines) {
    figures.push_back(h.metric);
  }
  for (const std::string_view metric : figures) {
    const auto d = std::ranges::find(c.differences, metric, &paired_difference::metric);
    if (d == c.differences.end() || d->what == difference_status::same) {
      continue;
    }
    if (d->what == difference_status::alike) {
      all.alike.push_back(from_to(*d));
      continue;
    }
    if (d->what != difference_status::changed) {
      all.unseen.push_back(name_of(*d));
      continue;
    }
    const bool wants_more =
        metrics::find(metric)->meaning.direction == metrics::direction::more_is_better;
    (wants_more == (d->change.value > 0) ? all.better : all.worse).push_back(from_to(*d));
  }
  return all;
}

/// Drivers and rides promised twice, and promises to riders that were not kept.
std::vector<std::string> doubles(const results::metric_estimates& f) {
  const auto each_run = [&](const char* metric) {
    return text::significant(f.total({metric}) / static_cast<double>(f.replications()));
  };
  const std::string per = f.replications() > 1 ? " a run" : "";
  std::vector<std::string> all;
  if (f.total({"double.commits"}) > 0) {
    // Pairs of trips: three at once on one driver are three.
    const std::string times = each_run("double.commits");
    all.push_back(fmt::format("drivers were sent on two trips at once {} {}{}",
                              times,
                              times == "1" ? "time" : "times",
                              per));
  }
  if (f.total({"double.rides"}) > 0) {
    all.push_back(fmt::format("{} rides{} got two drivers", each_run("double.rides"), per));
  }
  if (all.empty()) {
    all.emplace_back("no driver was sent on two trips at once");
  }
  if (f.total({"double.offers"}) > 0) {
    const std::string pairs = each_run("double.offers");
    all.push_back(fmt::format("{} {} of offers{} {} in conflict",
                              pairs,
                              pairs == "1" ? "pair" : "pairs",
                              per,
                              pairs == "1" ? "was" : "were"));
  }
  if (f.total({"promises.broken"}) > 0) {
    all.push_back(
        fmt::format("{} promises to riders{} were broken", each_run("promises.broken"), per));
  }
  return all;
}

std::string whether_kept(const results::run_results& a) {
  const auto judged = results::promises_of(a);
  const auto broken = std::ranges::count(judged, false, &results::promise_check::kept);
  const std::string_view protocol = lease::rules_of(a.scenario.lease.protocol).name;
  return judged.empty() ? fmt::format("The protocol {} guarantees nothing", protocol)
         : broken == 0  ? fmt::format("What {} guarantees was kept", protocol)
                        : fmt::format("BROKEN of {}: {}",
                                     protocol,
                                     text::plural(static_cast<std::uint64_t>(broken), "promise"));
}

std::string whether_met(const std::vector<results::bound_check>& bounds) {
  std::vector<std::string> missed;
  for (const results::bound_check& each : bounds) {
    if (!each.met) {
      missed.push_back(metrics::title_of(each.bound.metric));
    }
  }
  return bounds.empty()   ? ""
         : missed.empty() ? ", and every bound of the scenario met"
                          : fmt::format(". Bounds that were missed: {}", fmt::join(missed, "; "));
}

/// What the harms cost by the scenario's prices, and of what that is made. Empty without prices.
std::string costs_of(const results::run_results& a, const results::metric_estimates& f) {
  const auto all = f.find("costs.per_ride");
  const double rides = f.total({"rides.requested"});
  if (!all || rides == 0) {
    return "";
  }
  const scenario::cost_options& p = a.scenario.costs;
  struct cost {
    double amount;
    const char* of;
  };
  std::vector<std::string> parts;
  for (const cost& each :
       {cost{p.missed_accept * f.total({"accepts.missed"}), "missed accepts"},
        {p.double_assignment * f.total({"double.commits", "double.rides"}), "double assignments"},
        {p.hidden_driver_hour * f.total({"supply.hidden_s"}) / 3600, "hidden drivers"},
        {p.starved_rider_minute * f.total({"supply.starved_s"}) / 60, "starved riders"}}) {
    if (each.amount > 0) {
      parts.push_back(fmt::format("{} for {}", text::significant(each.amount / rides), each.of));
    }
  }
  return fmt::format(" By the scenario's prices the harms cost {} a ride{}.",
                     text::format_value(all->value, all->unit),
                     parts.empty() ? "" : ": " + text::word_list(parts));
}

/// How the costs differ, where the scenarios have prices.
std::string costs_of(const sweep::comparison& c) {
  const auto d = std::ranges::find(
      c.differences, std::string_view("costs.per_ride"), &paired_difference::metric);
  if (d == c.differences.end() || d->what == difference_status::same) {
    return "";
  }
  if (d->what != difference_status::changed) {
    return " No difference is seen in what the harms cost.";
  }
  const bool is_dearer = d->change.value > 0;
  const double low = is_dearer ? d->change.low() : -d->change.high();
  const double high = is_dearer ? d->change.high() : -d->change.low();
  return fmt::format(" By the scenario's prices the harms cost {} to {} {} a ride in B ({} to {}).",
                     text::format_value(low, d->unit),
                     text::format_value(high, d->unit),
                     is_dearer ? "more" : "less",
                     text::format_value(d->a, d->unit),
                     text::format_value(d->b, d->unit));
}

}  // namespace

std::string verdict_of(const results::run_results& a,
                       const results::metric_estimates& f,
                       const std::vector<results::bound_check>& bounds) {
  const auto matched = f.find("rides.match_rate");
  if (!matched) {
    return "";
  }
  std::vector<std::string> parts = doubles(f);
  if (const auto hidden = f.find("supply.hidden_share")) {
    parts.push_back(fmt::format("{} of drivers' time was hidden for nothing",
                                text::format_value(hidden->value, hidden->unit)));
  }
  parts.push_back(
      fmt::format("{} of riders were matched", text::format_value(matched->value, matched->unit)));
  parts.front().front() =
      static_cast<char>(std::toupper(static_cast<unsigned char>(parts.front().front())));
  return fmt::format(
      "{}.{} {}{}.", text::word_list(parts), costs_of(a, f), whether_kept(a), whether_met(bounds));
}

std::string verdict_of(const sweep::comparison& c) {
  const std::string pairs = text::plural(c.seeds.size(), "pair");
  if (c.is_same) {
    return fmt::format("A and B are the same, event by event, in all {} of runs.", pairs);
  }
  const parts p = parts_of(c);
  const std::string rest =
      (p.alike.empty()
           ? ""
           : fmt::format(" Every pair differs by the same in {}, but they are too few for an "
                         "interval.",
                         text::word_list(p.alike))) +
      costs_of(c);
  std::string text;
  if (p.better.empty() && p.worse.empty() && p.unseen.empty() && !p.alike.empty()) {
    return rest.substr(1);
  }
  if (p.better.empty() && p.worse.empty()) {
    text = p.unseen.empty()
               ? fmt::format(
                     "A and B are the same in both harms and in what riders get, in all {}.", pairs)
               : fmt::format("No difference is seen in {} pairs between A and B in {}.",
                             c.seeds.size(),
                             text::word_list(p.unseen));
    return text + rest;
  }
  if (p.better.empty()) {
    text = fmt::format("B is worse in {}, and better in none of the main figures.",
                       text::word_list(p.worse));
  } else {
    text = fmt::format("B is better in {}", text::word_list(p.better));
    text += p.worse.empty() ? ", and worse in none of the main figures."
                            : fmt::format("; it is worse in {}.", text::word_list(p.worse));
  }
  if (!p.unseen.empty()) {
    text += fmt::format(" No difference is seen in {}.", text::word_list(p.unseen));
  }
  return text + rest;
}

}  // namespace dibs::report
