#include "show/fault_bands.hpp"

#include "events/jsonl.hpp"
#include "events/names.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace dibs::show {
namespace {

std::string text_of(const scenario::node_pattern& p) {
  const std::string kind(events::name_of(p.kind));
  const bool is_one_of_many =
      p.kind == node_kind::driver || p.kind == node_kind::rider || p.kind == node_kind::matcher;
  if (!p.index) {
    return is_one_of_many ? kind + "/*" : kind;
  }
  return events::node_name({p.kind, *p.index});
}

std::string text_of(const scenario::node_group& g) {
  std::string all;
  for (const scenario::node_pattern& p : g.nodes) {
    all += (all.empty() ? "" : ", ") + text_of(p);
  }
  return all;
}

/// Open bands by what and node.
class opened {
 public:
  explicit opened(std::vector<fault_band>& to) : to_(to) {}

  void begin(const char* what, node_id node, sim_time t) { open_.insert({{what, node}, t}); }

  void end(const char* what, node_id node, sim_time t) {
    const auto found = open_.find({what, node});
    if (found != open_.end()) {
      to_.push_back({what, events::node_name(node), {found->second, t}});
      open_.erase(found);
    }
  }

  void end_all(sim_time t) {
    while (!open_.empty()) {
      const auto [what, node] = open_.begin()->first;
      end(what.c_str(), node, t);
    }
  }

 private:
  std::vector<fault_band>& to_;
  std::map<std::pair<std::string, node_id>, sim_time> open_;
};

}  // namespace

std::vector<fault_band> fault_bands(const history& h) {
  std::vector<fault_band> all;
  opened spells(all);
  for (const events::event& e : h.events) {
    if (const auto* crash = std::get_if<events::node_crashed>(&e.what)) {
      spells.begin("crash", crash->node, e.t);
    } else if (const auto* up = std::get_if<events::node_restarted>(&e.what)) {
      spells.end("crash", up->node, e.t);
    } else if (const auto* pause = std::get_if<events::node_paused>(&e.what)) {
      spells.begin("pause", pause->node, e.t);
    } else if (const auto* on = std::get_if<events::node_resumed>(&e.what)) {
      spells.end("pause", on->node, e.t);
    }
  }
  spells.end_all(h.end);
  for (const scenario::fault& f : h.scenario.faults) {
    if (const auto* cut = std::get_if<scenario::partition_fault>(&f.what)) {
      all.push_back({"partition",
                     text_of(cut->between[0]) + " - " + text_of(cut->between[1]),
                     {at(cut->at), std::min(at(cut->at + cut->length), h.end)}});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const fault_band& a, const fault_band& b) {
    return a.when.begin < b.when.begin;
  });
  return all;
}

nlohmann::ordered_json fault_bands_json(const chronicle& c) {
  auto list = nlohmann::ordered_json::array();
  for (const fault_band& f : fault_bands(c.of())) {
    list.push_back({{"what", f.what},
                    {"who", f.who},
                    {"from", in_seconds(f.when.begin)},
                    {"until", in_seconds(f.when.end)}});
  }
  return list;
}

}  // namespace dibs::show
