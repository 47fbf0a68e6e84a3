#include "history/fault_intervals.hpp"

#include "events/enum_names.hpp"
#include "events/jsonl.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <variant>

namespace dibs::history {
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

std::string text_of(const distribution& d) {
  using text::duration;
  struct teller {
    std::string operator()(const constant_duration& c) { return duration(c.value); }
    std::string operator()(const uniform_duration& u) {
      return duration(u.min) + " to " + duration(u.max);
    }
    std::string operator()(const exponential_duration& e) {
      return duration(e.mean) + " on the average";
    }
    std::string operator()(const normal_duration& n) {
      return duration(n.mean) + " \u00b1 " + duration(n.sd);
    }
    std::string operator()(const lognormal_duration& l) { return "about " + duration(l.median); }
    std::string operator()(const weibull_duration& w) { return "about " + duration(w.scale); }
    std::string operator()(const gamma_duration& g) { return "about " + duration(g.mean); }
    std::string operator()(const quantiles_duration& q) {
      return duration(q.knots.front().value) + " to " + duration(q.knots.back().value);
    }
    std::string operator()(const never_duration&) { return "for ever"; }
  };
  return std::visit(teller{}, d);
}

bool is_nothing(const distribution& d) {
  const auto* c = std::get_if<constant_duration>(&d);
  return c != nullptr && c->value == sim_duration::zero();
}

void add_lanes(std::vector<std::string>& to, const scenario::node_group& g) {
  for (const scenario::node_pattern& p : g.nodes) {
    to.push_back(text_of(p));
  }
}

fault_interval band_between(const char* what,
                            const std::array<scenario::node_group, 2>& between,
                            bool both_ways,
                            const time_interval& when,
                            std::string detail) {
  fault_interval f{what,
                   text_of(between[0]) + (both_ways ? " - " : " -> ") + text_of(between[1]),
                   when,
                   fault_form::link,
                   std::move(detail),
                   {}};
  add_lanes(f.on, between[0]);
  add_lanes(f.on, between[1]);
  return f;
}

std::string detail_of(const scenario::slow_fault& slow) {
  std::string detail = slow.factor != 1 ? fmt::format("{:.3g} times as long", slow.factor) : "";
  if (!is_nothing(slow.plus)) {
    detail += (detail.empty() ? "" : ", ") + ("and " + text_of(slow.plus) + " more");
  }
  return detail;
}

std::string_view word_of(sim::life_step s) {
  constexpr std::array<std::string_view, sim::life_steps> words{"after the pick",
                                                                "after the grant",
                                                                "after the offer",
                                                                "after the accept",
                                                                "after the confirm",
                                                                "after the write"};
  return words[static_cast<std::size_t>(s)];
}

/// `each 3rd acquire from matcher/1`
std::string detail_of(const sim::trigger& when) {
  std::string text = when.step ? std::string(word_of(*when.step))
                               : std::string(sim::message_words[*when.message]) + " message";
  if (when.nth) {
    text += fmt::format(", number {}", *when.nth);
  }
  if (when.every) {
    text += fmt::format(", each {}.", *when.every);
  }
  if (when.share < 1) {
    text += fmt::format(", {} %", text::significant(100 * when.share));
  }
  return spaced(text);
}

struct trap {
  const char* what;
  bool strikes_nodes;  ///< the events tell when
};

trap trap_of(const scenario::fault& f) {
  struct namer {
    trap operator()(const scenario::pause_fault&) { return {"pause", true}; }
    trap operator()(const scenario::crash_fault&) { return {"crash", true}; }
    trap operator()(const scenario::partition_fault&) { return {"partition", true}; }
    trap operator()(const scenario::slow_fault&) { return {"slow link", true}; }
    trap operator()(const scenario::drop_fault&) { return {"drop", false}; }
    trap operator()(const scenario::delay_fault&) { return {"delay", false}; }
    trap operator()(const scenario::duplicate_fault&) { return {"duplicate", false}; }
    trap operator()(const scenario::throw_fault&) { return {"error", false}; }
  };
  return std::visit(namer{}, f.what);
}

/// Open bands by what and node.
class opened {
 public:
  explicit opened(std::vector<fault_interval>& to) : to_(to) {}

  void begin(const char* what, node_id node, sim_time t) { open_.insert({{what, node}, t}); }

  void end(const char* what, node_id node, sim_time t) {
    const auto found = open_.find({what, node});
    if (found != open_.end()) {
      const std::string who = events::node_name(node);
      to_.push_back({what, who, {found->second, t}, fault_form::outage, "", {who}});
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
  std::vector<fault_interval>& to_;
  std::map<std::pair<std::string, node_id>, sim_time> open_;
};

void add_outages(const recorded_run& h, std::vector<fault_interval>& to) {
  opened spells(to);
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
}

void add_links(const recorded_run& h, const scenario::fault& f, std::vector<fault_interval>& to) {
  const auto within = [&](sim_duration from, sim_duration length) {
    return time_interval{at(from), std::min(at(from + length), h.end)};
  };
  if (const auto* cut = std::get_if<scenario::partition_fault>(&f.what)) {
    const std::string part =
        cut->loss < 1 ? fmt::format("{} % of the messages", text::significant(100 * cut->loss))
                      : "";
    to.push_back(band_between(
        "partition", cut->between, cut->both_ways, within(cut->at, cut->length), part));
  } else if (const auto* slow = std::get_if<scenario::slow_fault>(&f.what)) {
    to.push_back(band_between("slow link",
                              slow->between,
                              slow->both_ways,
                              within(slow->at, slow->length),
                              detail_of(*slow)));
  }
}

void add_trap(const recorded_run& h, const scenario::fault& f, std::vector<fault_interval>& to) {
  const sim::trigger* when = sim::trigger_of(f);
  const trap t = trap_of(f);
  if (when == nullptr || t.strikes_nodes) {
    return;
  }
  const sim_time until = when->until ? std::min(at(*when->until), h.end) : h.end;
  fault_interval b{t.what, "", {at(when->since), until}, fault_form::armed, detail_of(*when), {}};
  if (when->message) {
    for (const auto& side : {when->from, when->to}) {
      if (side) {
        b.on.push_back(text_of(*side));
      }
    }
    if (b.on.empty()) {
      b.on.push_back("matcher/*");  // who sends or gets nearly every message
    }
    b.who = (when->from ? text_of(*when->from) : "anyone") + " -> " +
            (when->to ? text_of(*when->to) : "anyone");
  } else {
    b.who = "matcher/*";
    b.on.push_back(b.who);
  }
  to.push_back(std::move(b));
}

void add_clock(const recorded_run& h,
               const scenario::clock_error& c,
               std::vector<fault_interval>& to) {
  const std::string who = text_of(c.node);
  const auto add = [&](const char* what, sim_time from, sim_time until, std::string detail) {
    if (from < h.end) {
      to.push_back(
          {what, who, {from, std::min(until, h.end)}, fault_form::clock, std::move(detail), {who}});
    }
  };
  if (!is_nothing(c.offset.shape) || !is_nothing(c.drift.shape)) {
    std::string detail = is_nothing(c.offset.shape) ? "" : "by " + text_of(c.offset.shape);
    if (!is_nothing(c.drift.shape)) {
      detail +=
          (detail.empty() ? "drifts by " : ", drifts by ") + text_of(c.drift.shape) + " a second";
    }
    add("clock off", at(c.from), h.end, detail);
  }
  for (const scenario::clock_step& s : c.steps) {
    add("clock step", at(s.at), at(s.at), "by " + text_of(s.by.shape));
  }
  if (c.strobe) {
    add("clock strobe",
        at(c.strobe->from),
        c.strobe->until ? at(*c.strobe->until) : h.end,
        "by " + text_of(c.strobe->by.shape) + " every " + text::duration(c.strobe->every));
  }
}

}  // namespace

std::string_view name_of(fault_form f) {
  constexpr std::array<std::string_view, 4> names{"outage", "link", "clock", "armed"};
  return names[static_cast<std::size_t>(f)];
}

std::vector<fault_interval> fault_bands(const recorded_run& h) {
  std::vector<fault_interval> all;
  add_outages(h, all);
  for (const scenario::fault& f : h.scenario.faults) {
    add_links(h, f, all);
    add_trap(h, f, all);
  }
  for (const scenario::clock_error& c : h.scenario.clocks) {
    add_clock(h, c, all);
  }
  std::ranges::stable_sort(all, [](const fault_interval& a, const fault_interval& b) {
    return a.when.begin < b.when.begin;
  });
  for (fault_interval& each : all) {
    each.who = spaced(each.who);
  }
  return all;
}

std::string_view sign_of(const fault_interval& f) {
  constexpr auto signs = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"crash", "\u2716"},
      {"pause", "\u2759\u2759"},
      {"partition", "\u2702"},
      {"slow link", "\u2248"},
      {"clock off", "\u25f4"},
      {"clock step", "\u21e5"},
      {"clock strobe", "\u21c4"},
      {"drop", "\u2298"},
      {"delay", "\u2192"},
      {"duplicate", "\u21c9"},
      {"error", "\u26a0"},
  });
  const auto found = std::ranges::find_if(signs, [&](const auto& s) { return s.first == f.what; });
  return found == signs.end() ? "!" : found->second;
}

bool lies_on(const fault_interval& f, node_id node) {
  const std::string all_of_kind = std::string(events::name_of(node.kind())) + "/*";
  return std::ranges::any_of(f.on, [&](const std::string& each) {
    return each == all_of_kind || each == events::node_name(node);
  });
}

}  // namespace dibs::history
