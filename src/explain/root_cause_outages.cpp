// Root causes in nodes that were down or stood still while a lease waited for them: a phone, a
// matcher, the lease manager, the ledger.

#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "metrics/worst_harms.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

/// A stretch in which something that the try needed lay with a node.
struct leg {
  node_id node;
  time_interval when;
  std::string_view what;
};

std::vector<leg> legs_of(const history::indexed_run& c, const try_record& t, sim_time until) {
  std::vector<leg> all;
  if (t.is_leased() && t.matcher.is_some()) {
    all.push_back({node_of(t.matcher), {t.granted, std::min(t.sent, until)}, "the grant"});
  }
  if (t.sent != never) {
    all.push_back({node_of(t.driver),
                   {t.sent, t.decided != never ? t.decided : until},
                   t.shown == never || t.shown >= until ? "the offer" : "her answer"});
  }
  if (const sim_time greeted = greeted_at(c, t); greeted < std::min(until, t.closed)) {
    all.push_back({node_of(t.driver), {greeted, std::min(until, t.closed)}, "the handshake"});
  }
  const std::vector<pending_call> calls = calls_of(c, t, until);
  if (t.decided != never && t.matcher.is_some()) {
    leg own{node_of(t.matcher), {t.decided, std::min(until, t.closed)}, "her answer"};
    for (const pending_call& call : calls) {
      if (call.when.begin >= own.when.begin) {
        all.push_back({own.node, {own.when.begin, call.when.begin}, own.what});
        own.when.begin = call.when.end;
        own.what = "what followed";
      }
    }
    all.push_back(own);
  }
  for (const pending_call& call : calls) {
    all.push_back({call.to, call.when, call.what});
  }
  return all;
}

/// What outages of one kind cost the try in one leg.
struct cost {
  sim_duration sum{};
  std::uint32_t times = 0;
  const outage* longest = nullptr;
  sim_time first = never;
  sim_duration most{};
};

/// A phone that crashes forgets the offer for good.
bool forgets(const leg& of, const outage& out) {
  return out.is_crash && of.node.kind() == node_kind::driver;
}

cost cost_of(const leg& of, const std::vector<outage>& all, bool is_crash) {
  cost found;
  for (const outage& out : all) {
    const sim_time end = forgets(of, out) ? never : out.when.end;
    const time_interval lost = common(of.when, {out.when.begin, end});
    if (out.is_crash != is_crash || lost.is_empty()) {
      continue;
    }
    found.sum += lost.length();
    ++found.times;
    found.first = std::min(found.first, lost.begin);
    if (lost.length() > found.most) {
      found.most = lost.length();
      found.longest = &out;
    }
  }
  return found;
}

/// What else the time of a try went to: to her, who thought it over, and to all that waited.
struct other_time {
  sim_duration thought{};
  sim_duration waited{};
};

other_time time_besides(const history::indexed_run& c, const try_record& t, sim_time until) {
  const time_interval asked{t.shown, std::min(t.decided, until)};
  other_time all{asked.length(), {}};
  for (const outage& out : outages_of(c, node_of(t.driver))) {
    all.thought -= common(asked, out.when).length();
  }
  all.waited = time_interval{t.begin(), until}.length() - all.thought;
  return all;
}

std::string told_of(const history::indexed_run& c,
                    const try_record& t,
                    const leg& of,
                    const cost& lost) {
  const outage& out = *lost.longest;
  const bool is_phone = of.node.kind() == node_kind::driver;
  const std::string who =
      is_phone ? "the phone of " + history::name_of(t.driver) : metrics::describe(of.node);
  if (forgets(of, out)) {
    return fmt::format("{} crashed at {}, and {}: nobody could answer it any more",
                       who,
                       history::clock_time(out.when.begin.time_since_epoch()),
                       t.shown <= out.when.begin ? "forgot the offer" : "never got the offer");
  }
  const auto* closed =
      history::first_of<events::try_closed>(c.of(), [&](const auto& done, sim_time at) {
        return done.token == t.token && done.driver == t.driver && at >= of.when.begin &&
               at <= of.when.end && done.cause == events::try_ending::no_reply;
      });
  const std::string again =
      lost.times > 1 ? fmt::format(", the longest of {} times", lost.times) : "";
  const std::string gave_up = closed == nullptr
                                  ? ""
                                  : fmt::format(
                                        ": {} had given it up at {}, for want of a reply "
                                        "(`reply_timeout`)",
                                        history::name_of(t.matcher),
                                        history::clock_time(closed->t.time_since_epoch()));
  return fmt::format("{} {}{}, and {} waited for that for {}{}",
                     who,
                     told_of_outage(out),
                     again,
                     of.what,
                     text::duration(lost.sum),
                     gave_up);
}

/// How surely the fault of the scenario made the outage: 2 at its instant, 1 at random, 0 not.
int makes(const scenario::fault& f, const outage& out) {
  const auto made = [&](const auto& one, bool is_crash) {
    const bool fits = out.is_crash == is_crash && one.node.covers(out.node);
    return !fits ? 0 : !one.at ? 1 : out.when.begin.time_since_epoch() == *one.at ? 2 : 0;
  };
  const auto* crash = std::get_if<scenario::crash_fault>(&f.what);
  const auto* pause = std::get_if<scenario::pause_fault>(&f.what);
  return crash != nullptr ? made(*crash, true) : pause != nullptr ? made(*pause, false) : 0;
}

}  // namespace

std::vector<pending_call> calls_of(const history::indexed_run& c,
                                   const try_record& t,
                                   sim_time until) {
  const bool at_manager = c.of().scenario.lease.commit == scenario::commit_at::manager;
  std::vector<pending_call> all;
  for (const events::event& e : c.of().events) {
    const auto* made = std::get_if<events::call_made>(&e.what);
    if (made == nullptr || made->token != t.token || made->driver != t.driver || e.t >= until ||
        made->what == events::call::acquire || made->what == events::call::release) {
      continue;
    }
    const auto* answered =
        history::first_of<events::call_answered>(c.of(), [&](const auto& told, sim_time at) {
          return told.token == t.token && told.what == made->what && at >= e.t;
        });
    const bool is_write = made->what == events::call::write;
    all.push_back(
        {made->client,
         is_write && !at_manager ? node_id{node_kind::ledger, 0} : c.lead().of(t.token, e.t),
         {e.t, std::min({history::time_of(answered), t.closed, until})},
         is_write                              ? "the write"
         : made->what == events::call::confirm ? "the confirm"
                                               : "the renewal"});
  }
  return all;
}

std::vector<outage> outages_of(const history::indexed_run& c, node_id n) {
  std::vector<outage> all;
  const auto begin = [&](sim_time t, bool is_crash) {
    if (all.empty() || all.back().when.end != never || is_crash != all.back().is_crash) {
      all.push_back({n, {t, never}, is_crash});
    }
  };
  const auto end = [&](sim_time t) {
    for (outage& each : all) {
      each.when.end = std::min(each.when.end, t);
    }
  };
  for (const events::event& e : c.of().events) {
    if (const auto* crashed = std::get_if<events::node_crashed>(&e.what);
        crashed != nullptr && crashed->node == n) {
      end(e.t);
      begin(e.t, true);
    } else if (const auto* paused = std::get_if<events::node_paused>(&e.what);
               paused != nullptr && paused->node == n) {
      begin(e.t, false);
    } else if (const auto* up = std::get_if<events::node_restarted>(&e.what);
               up != nullptr && up->node == n) {
      end(e.t);
    } else if (const auto* on = std::get_if<events::node_resumed>(&e.what);
               on != nullptr && on->node == n) {
      end(e.t);
    }
  }
  return all;
}

std::optional<outage> outage_at(const history::indexed_run& c, node_id n, sim_time t) {
  for (const outage& each : outages_of(c, n)) {
    if (each.when.begin == t || each.when.holds(t)) {
      return each;
    }
  }
  return std::nullopt;
}

std::string told_of_outage(const outage& out) {
  return fmt::format("{} from {} {}",
                     out.is_crash ? "was down" : "stood still",
                     history::clock_time(out.when.begin.time_since_epoch()),
                     out.when.end == never
                         ? "to the end of the run"
                         : "to " + history::clock_time(out.when.end.time_since_epoch()));
}

std::optional<remedy> without_outage(const history::indexed_run& c,
                                     node_id n,
                                     sim_time t,
                                     const std::string& metric) {
  const auto out = outage_at(c, n, t);
  const scenario::scenario& s = c.of().scenario;
  const auto by = std::ranges::max_element(
      s.faults, {}, [&](const scenario::fault& f) { return out ? makes(f, *out) : 0; });
  if (by == s.faults.end() || !out || makes(*by, *out) == 0) {
    return std::nullopt;
  }
  return without_fault(c, *by, out->is_crash ? "crash" : "pause", metric);
}

remedy without_fault(const history::indexed_run& c,
                     const scenario::fault& f,
                     std::string_view what,
                     const std::string& metric) {
  const scenario::scenario& s = c.of().scenario;
  const std::string path = fmt::format("faults.{}.", &f - s.faults.data() + 1);
  const scenario::override_value later{path + "at", tenths_up(s.ends().time_since_epoch())};
  const scenario::override_value never_drawn{path + "when.share", "0"};
  const auto off = [&](const auto& one) {
    if constexpr (requires { one.rate_per_h; }) {
      return one.at     ? later
             : one.when ? never_drawn
                        : scenario::override_value{path + "rate", "0/h"};
    } else if constexpr (requires { one.at; }) {
      return later;
    } else {
      return never_drawn;
    }
  };
  remedy without{fmt::format("no such {}, that is, without the fault `{}`", what, f.id),
                 {std::visit(off, f.what)},
                 metric};
  without.is_without_fault = true;
  return without;
}

std::optional<root_cause> root_cause_of_outage(const history::indexed_run& c,
                                               const try_record& t,
                                               sim_time until,
                                               const std::string& metric) {
  const other_time rest = time_besides(c, t, std::min(until, t.closed));
  std::optional<root_cause> longest;
  for (const leg& of : legs_of(c, t, until)) {
    const std::vector<outage> all = outages_of(c, of.node);
    for (const bool is_crash : {false, true}) {
      const cost lost = cost_of(of, all, is_crash);
      const bool is_most = 2 * lost.sum >= std::max(of.when.length(), rest.waited) &&
                           (lost.sum >= rest.thought || (t.accepted && t.in_time));
      if (lost.longest == nullptr || lost.sum < 50ms || (!is_most && !forgets(of, *lost.longest)) ||
          (longest && lost.sum <= longest->took)) {
        continue;
      }
      root_cause l;
      l.decided = lost.first;
      l.took = lost.sum;
      l.lasts = true;
      l.reason = told_of(c, t, of, lost);
      const node_kind kind = of.node.kind();
      if (kind != node_kind::driver) {
        add_measures(c,
                     {kind == node_kind::lease_manager ? remedy_kind::holder_judges
                      : kind == node_kind::ledger      ? remedy_kind::confirm_is_commit
                                                       : remedy_kind::driver_confirms},
                     metric,
                     l.remedies);
      }
      add(l.remedies, without_outage(c, of.node, lost.longest->when.begin, metric));
      longest = std::move(l);
    }
  }
  return longest;
}

}  // namespace dibs::explain
