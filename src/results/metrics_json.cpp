#include "results/metrics_json.hpp"

#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

namespace dibs::results {
namespace {

using json = nlohmann::ordered_json;

/// A whole count as an integer; what is not finite as null.
json number(double value, text::unit unit) {
  constexpr double exact_max = 9007199254740992.0;  // 2^53
  if (unit == text::unit::count && value == std::trunc(value) && std::fabs(value) < exact_max) {
    return static_cast<std::int64_t>(value);
  }
  return std::isfinite(value) ? json(value) : json();
}

/// Nanoseconds as seconds: 120, not 120.00000000000001. A division rounds once; multiplying by
/// 1e-9, which is no binary fraction, would round twice.
json seconds(sim_time t) {
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t ns = t.time_since_epoch().count();
  return ns % second == 0 ? json(ns / second) : json(static_cast<double>(ns) / second);
}

json values_json(const metrics::report& r) {
  json all = json::object();
  for (const auto& [name, value] : r.values()) {
    const metrics::entry* entry = metrics::find(name);
    all[name] = number(value, entry != nullptr ? entry->unit : text::unit::ratio);
  }
  return all;
}

json violation_json(const checkers::violation& v, std::uint64_t seed) {
  return {{"promise", lease::code_of(v.broken)},
          {"t_s", seconds(v.t)},
          {"event", v.event_index + 1},
          {"seed", seed},
          {"what", v.what}};
}

json undecided_json(const run_results& a) {
  json all = json::array();
  for (const undecided& u : undecided_of(a)) {
    all.push_back({{"code", lease::code_of(u.invariant)}, {"drivers", u.drivers}});
  }
  return all;
}

json stuck_json(const run_results& a) {
  json all = json::array();
  for (const engine::run_result& r : a.runs) {
    if (r.stuck) {
      all.push_back({{"seed", r.seed},
                     {"t_s", seconds(r.stuck->t)},
                     {"since_s", seconds(r.stuck->since)},
                     {"why", r.stuck->why},
                     {"waits", r.stuck->waits}});
    }
  }
  return all;
}

json idle_faults_json(const run_results& a) {
  json all = json::array();
  for (const idle_fault& f : idle_faults_of(a)) {
    all.push_back(f.id);
  }
  return all;
}

json promises_json(const run_results& a) {
  json judged = json::array();
  for (const promise_check& p : promises_of(a)) {
    judged.push_back({{"code", lease::code_of(p.invariant)},
                      {"promise", lease::sentence_of(p.invariant)},
                      {"kept", p.kept}});
  }
  json violations = json::array();
  for (const violation_record& b : violations_of(a)) {
    violations.push_back(violation_json(*b.violation, a.runs[b.replication].seed));
  }
  return {{"protocol", lease::rules_of(a.scenario.lease.protocol).name},
          {"judged", judged},
          {"undecided", undecided_json(a)},
          {"violation_count", violation_count(a)},
          {"violations", violations}};
}

json verdicts_json(const run_results& a,
                   const std::vector<bound_check>& verdicts,
                   bound_source kind) {
  json all = json::array();
  for (const bound_check& v : verdicts) {
    if (v.kind == kind) {
      all.push_back({{"metric", v.bound.metric},
                     {"bound", v.bound.text},
                     {"value", v.found ? number(v.found->value, v.found->unit) : json()},
                     // What a part of a run meets or misses says nothing of the whole.
                     {"met", a.interrupted() ? json() : json(v.met)}});
    }
  }
  return all;
}

json replications_json(const run_results& a) {
  json all = json::array();
  for (const engine::run_result& r : a.runs) {
    json one = {{"seed", r.seed},
                {"history", r.history},
                {"status", r.interrupted ? "interrupted" : "complete"},
                {"reached_s", seconds(r.reached)},
                {"facts", r.facts},
                {"events", r.events}};
    if (a.runs_asked > 1) {
      one["metrics"] = values_json(r.metrics);
    }
    all.push_back(std::move(one));
  }
  return all;
}

json notables_json(const run_results& a) {
  json all = json::array();
  for (const engine::run_result& r : a.runs) {
    for (const metrics::harm_case& n : r.metrics.notables) {
      all.push_back({{"seed", r.seed},
                     {"harm", metrics::name_of(n.kind)},
                     {"t_s", seconds(n.t)},
                     {"ride", n.ride},
                     {"severity", n.severity},
                     {"what", n.sentence}});
    }
  }
  return all;
}

void add_figures(json& to, const metric_estimates& f) {
  json values = json::object();
  json intervals = json::object();
  json causes = json::object();
  for (const auto& [name, figure] : f.all()) {
    values[name] = number(figure.value, figure.unit);
    if (figure.margin) {
      intervals[name] = {{"half_width", number(figure.half_width(), text::unit::ratio)}};
      if (figure.margin->lopsided) {
        intervals[name]["low"] = number(figure.low(), text::unit::ratio);
        intervals[name]["high"] = number(figure.high(), text::unit::ratio);
      }
    }
    if (name.starts_with(cause_prefix)) {
      causes[name.substr(cause_prefix.size())] = values[name];
    }
  }
  to["metrics"] = std::move(values);
  if (!intervals.empty()) {
    to["intervals_95"] = std::move(intervals);
  }
  to["hidden_s_by_cause"] = std::move(causes);
}

}  // namespace

json metrics_object(const run_results& a,
                    const metric_estimates& f,
                    const std::vector<bound_check>& verdicts) {
  json all = {{"metrics_of", "dibs run"},
              {"schema", metrics_schema},
              {"scenario", a.scenario.name},
              {"question", a.scenario.question},
              {"status", a.interrupted() ? "interrupted" : "complete"},
              {"seed", a.seed},
              {"runs", a.runs_asked},
              {"runs_counted", f.replications()},
              {"measured_from_s", seconds(a.scenario.measured_from())},
              {"measured_until_s", seconds(a.scenario.measured_until())},
              {"ends_s", seconds(a.scenario.ends())}};
  if (a.runs.size() == 1 && a.runs_asked == 1) {
    all["history"] = a.runs.front().history;
    all["reached_s"] = seconds(a.runs.front().reached);
  }
  all["replications"] = replications_json(a);
  all["stuck"] = stuck_json(a);
  all["idle_faults"] = idle_faults_json(a);
  all["notes"] = notes_of(a);
  add_figures(all, f);
  all["promises"] = promises_json(a);
  all["thresholds"] = verdicts_json(a, verdicts, bound_source::threshold);
  all["expect"] = verdicts_json(a, verdicts, bound_source::expectation);
  all["notables"] = notables_json(a);
  return all;
}

std::string metrics_json(const run_results& a,
                         const metric_estimates& f,
                         const std::vector<bound_check>& verdicts) {
  return text::json_as_text(metrics_object(a, f, verdicts), 2) + "\n";
}

std::vector<std::string> differences(const std::string& before,
                                     const std::string& now,
                                     std::size_t lines_max) {
  const auto flat = [](const std::string& text) {
    const auto parsed = nlohmann::json::parse(text, nullptr, false);
    return parsed.is_structured() ? parsed.flatten() : nlohmann::json::object();
  };
  const nlohmann::json old_values = flat(before);
  const nlohmann::json new_values = flat(now);
  std::vector<std::string> lines;
  const auto say = [&](const std::string& key, const std::string& was, const std::string& is) {
    std::string path = key.empty() ? key : key.substr(1);
    for (char& c : path) {
      c = c == '/' ? ' ' : c;
    }
    if (lines.size() < lines_max) {
      lines.push_back(fmt::format("{}: {} before, {} now", path, was, is));
    }
  };
  for (const auto& [key, value] : old_values.items()) {
    const auto other = new_values.find(key);
    if (other == new_values.end()) {
      say(key, value.dump(), "nothing");
    } else if (*other != value) {
      say(key, value.dump(), other->dump());
    }
  }
  for (const auto& [key, value] : new_values.items()) {
    if (!old_values.contains(key)) {
      say(key, "nothing", value.dump());
    }
  }
  if (lines.empty() && before != now) {
    lines.push_back("the bytes differ, though not in any value");
  }
  return lines;
}

}  // namespace dibs::results
