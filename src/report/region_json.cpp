#include "report/region_json.hpp"

#include "text/number.hpp"

#include <nlohmann/json.hpp>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

json seconds(sim_duration d) { return d == forever ? json() : json(in_seconds(d)); }

json bound_json(const sweep::ttl_bound& b) {
  return {{"decision_s", seconds(b.decision)},
          {"latency_s", seconds(b.latency)},
          {"skew_s", seconds(b.skew)},
          {"cleanup_s", seconds(b.cleanup)},
          {"ttl_s", b.decision == forever ? json() : seconds(b.ttl())}};
}

json cell_json(const sweep::region& r, std::size_t ix, std::size_t iy) {
  const sweep::region_cell& c = r.at(ix, iy);
  json rooms = json::array();
  json halves = json::array();
  json met = json::array();
  for (std::size_t i = 0; i < r.required.size(); ++i) {
    const auto room = i < c.room.size() ? c.room[i] : std::nullopt;
    rooms.push_back(room ? json(room->value) : json());
    halves.push_back(room && room->margin ? json(room->half_width()) : json());
    met.push_back(room ? json(r.required[i].room.is_met(room->value)) : json());
  }
  json j{{"x", r.xs[ix]},
         {"y", r.ys[iy]},
         {"verdict", sweep::verdict_of(c)},
         {"found", sweep::name_of(c.found)},
         {"room", rooms},
         {"half", halves},
         {"met", met},
         {"bound", bound_json(c.bound)},
         {"sure", c.sure},
         {"long_enough", c.long_enough},
         {"differs", c.differs()}};
  for (std::size_t i = 0; i < c.shown.size(); ++i) {
    j["metrics"][r.shown[i].text()] = c.shown[i] ? json(*c.shown[i]) : json();
  }
  if (c.broken) {
    j["broken"] = {{"seed", c.broken->seed}, {"promise", c.broken->violation}};
  }
  return j;
}

}  // namespace

json json_of(const sweep::region& r) {
  json required = json::array();
  json units = json::array();
  for (const sweep::requirement& q : r.required) {
    required.push_back(q.text);
    units.push_back(text::name_of(q.room.unit()));
  }
  json cells = json::array();
  for (std::size_t iy = 0; iy < r.ys.size(); ++iy) {
    for (std::size_t ix = 0; ix < r.xs.size(); ++ix) {
      cells.push_back(cell_json(r, ix, iy));
    }
  }
  json implied = json::object();
  for (const sweep::derivation& d : r.implied) {
    implied[d.path] = d.expression;
  }
  json idle = json::array();
  for (const sweep::without_effect& each : r.idle) {
    idle.push_back({{"fields", each.fields}, {"why", each.why}});
  }
  return {{"kind", "region"},
          {"scenario", r.name},
          {"x", {{"path", r.x}, {"values", r.xs}}},
          {"y", {{"path", r.y}, {"values", r.ys}}},
          {"required", required},
          {"units", units},
          {"implied", implied},
          {"seeds", r.seeds},
          {"runs", r.runs},
          {"quantile", r.quantile},
          {"draws", sweep::bound_draws},
          {"cells", cells},
          {"without_effect", idle}};
}

}  // namespace dibs::report
