#include "report/check_json.hpp"

#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

std::string_view name_of(check::origin from) {
  switch (from) {
    case check::origin::environment:
      return "environment";
    case check::origin::own_rule:
      return "own rule";
    case check::origin::other_rule:
      return "other rule";
  }
  return "";
}

json change_json(const incidents::paired_change& c) {
  return {{"metric", c.metric},
          {"with_cause", c.with_cause},
          {"without", c.without},
          {"change", c.change.value},
          {"low_95", c.change.low()},
          {"high_95", c.change.high()}};
}

json changes_json(const std::vector<incidents::paired_change>& changes) {
  json all = json::array();
  for (const incidents::paired_change& each : changes) {
    all.push_back(change_json(each));
  }
  return all;
}

/// A setting as `--set` takes it.
json settings_json(const std::vector<scenario::override_value>& set) {
  json all = json::object();
  for (const scenario::override_value& each : set) {
    all[each.path] = each.value;
  }
  return all;
}

json mend_json(const check::tried_mend& m) {
  return {{"set", settings_json(m.what.set)},
          {"undone", m.undone},
          {"left", changes_json(m.left)},
          {"matched", change_json(m.service)},
          {"hidden", change_json(m.hidden)},
          {"missed", change_json(m.missed)},
          {"waits", change_json(m.waits)}};
}

json together_json(const check::joint_mend& t) {
  return {{"set", settings_json(t.told.what.set)},
          {"breaking_causes", t.of},
          {"breaks_still", t.breaks},
          {"matched", change_json(t.told.service)},
          {"hidden", change_json(t.told.hidden)},
          {"missed", change_json(t.told.missed)},
          {"waits", change_json(t.told.waits)}};
}

json row_json(const check::row& r) {
  json also = json::array();
  for (const check::mend& each : r.also) {
    also.push_back({{"setting", each.flaw}, {"set", settings_json(each.set)}});
  }
  return {{"name", r.name},
          {"cause", r.sentence},
          {"from", name_of(r.from)},
          {"as_it_stands", r.as_it_stands},
          {"counts", r.counts()},
          {"verdict", incidents::name_of(r.outcome)},
          {"worse", changes_json(r.worse)},
          {"runs_with_broken_promises", r.broken},
          {"thresholds_missed", r.missed},
          {"set", settings_json(r.set)},
          {"seed", r.seed},
          {"changes_tried", r.tried},
          {"mend", r.mended ? mend_json(*r.mended) : json()},
          {"other_mends", std::move(also)}};
}

json ttls_json(const std::vector<check::ttl_trial>& ttls) {
  json all = json::array();
  for (const check::ttl_trial& each : ttls) {
    all.push_back({{"ttl_s", in_seconds(each.ttl)},
                   {"holds", each.holds},
                   {"broken_by", each.holds ? json() : json(each.broken_by)}});
  }
  return all;
}

json column_json(const checked_column& column) {
  const check::checked& c = column.found;
  json rows = json::array();
  for (const check::row& each : c.rows) {
    rows.push_back(row_json(each));
  }
  json idle = json::array();
  for (const check::row& each : c.idle) {
    idle.push_back({{"name", each.name}, {"cause", each.sentence}, {"why", each.why_not}});
  }
  return {{"name", column.name},
          {"verdict", verdict_of(c, "+/-")},
          {"exit_code", static_cast<int>(c.code())},
          {"promises_of", c.promises_of},
          {"runs", c.runs},
          {"runs_in_all", c.replications},
          {"rides", c.rides},
          {"runs_with_broken_promises", c.broken},
          {"thresholds_missed", c.missed},
          {"rows", std::move(rows)},
          {"do_not_apply", std::move(idle)},
          {"together", c.together ? together_json(*c.together) : json()},
          {"ttls", ttls_json(c.ttls)},
          {"worst", {{"what", column.worst.what}, {"why", column.worst.why}}},
          {"judge", column.judge}};
}

}  // namespace

std::string json_of(std::span<const checked_column> columns) {
  json all = json::array();
  for (const checked_column& each : columns) {
    all.push_back(column_json(each));
  }
  return text::json_as_text(all, 2) + "\n";
}

}  // namespace dibs::report
