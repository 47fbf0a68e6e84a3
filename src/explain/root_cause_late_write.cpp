// Root causes of confirmed leases that were over before their write came, and faults that lay in
// wait for a message.

#include "explain/lost_message.hpp"
#include "explain/root_cause_parts.hpp"
#include "history/display_names.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::try_record;

bool is_unwritten(const try_record& t) {
  return t.ended && t.ending == events::lease_ending::unwritten;
}

bool strikes(const scenario::fault& f, events::tampering what) {
  switch (what) {
    case events::tampering::dropped:
      return std::holds_alternative<scenario::drop_fault>(f.what);
    case events::tampering::delayed:
      return std::holds_alternative<scenario::delay_fault>(f.what);
    case events::tampering::doubled:
      return std::holds_alternative<scenario::duplicate_fault>(f.what);
  }
  return false;
}

std::string_view name_of(events::tampering what) {
  return what == events::tampering::dropped   ? "drop"
         : what == events::tampering::delayed ? "delay"
                                              : "second copy";
}

/// The fault that held up its write; null if none did.
const events::message_tampered* held_up(const history::indexed_run& c,
                                        const try_record& t,
                                        const late_write& w) {
  const auto* found =
      history::first_of<events::message_tampered>(c.of(), [&](const auto& each, sim_time at) {
        return each.token == t.token && each.what == events::tampering::delayed &&
               each.to.kind() == node_kind::ledger && at >= w.asked && at <= w.there;
      });
  return found == nullptr ? nullptr : &std::get<events::message_tampered>(found->what);
}

}  // namespace

late_write write_of(const history::indexed_run& c, const try_record& t) {
  const auto* asked =
      history::first_of<events::call_made>(c.of(), [&](const auto& made, sim_time at) {
        return made.what == events::call::write && made.token == t.token && at >= t.decided;
      });
  const auto* refused =
      history::first_of<events::write_refused>(c.of(), [&](const auto& no, sim_time at) {
        return no.token == t.token && at >= history::time_of(asked);
      });
  return {history::time_of(asked), std::min(history::time_of(refused), t.committed)};
}

std::optional<remedy> longer_hold(const history::indexed_run& c,
                                  const try_record& t,
                                  const std::string& metric) {
  const late_write w = write_of(c, t);
  if (!is_unwritten(t) || w.asked == never) {
    return std::nullopt;
  }
  const sim_time latest = w.there == never ? w.asked : w.there;
  const sim_duration hold = c.of().scenario.lease.confirm_hold + (latest - t.over) + 1s;
  return remedy{
      "a lease manager that keeps a confirmed lease for longer while the write is due "
      "(`confirm_hold`)",
      {{"lease.confirm_hold", tenths_up(hold)}},
      metric};
}

std::optional<root_cause> root_cause_of_late_write(const history::indexed_run& c,
                                                   const try_record& t,
                                                   const std::string& metric) {
  const late_write w = write_of(c, t);
  if (!is_unwritten(t) || w.asked == never || w.there == never || w.there < t.over) {
    return std::nullopt;
  }
  const events::message_tampered* struck = held_up(c, t, w);
  root_cause l;
  l.decided = t.over;
  l.reason = fmt::format(
      "the lease manager keeps a confirmed lease for {} while the write is due (`confirm_hold`), "
      "and that of {}{} came {} after it was over, {}",
      text::duration(c.of().scenario.lease.confirm_hold),
      history::name_of(t.token),
      struck != nullptr ? fmt::format(", which a fault held up for {},", text::duration(struck->by))
                        : "",
      text::duration(w.there - t.over),
      t.committed != never ? "when the trip began" : "when the ledger refused it");
  add(l.remedies, longer_hold(c, t, metric));
  if (struck != nullptr) {
    add(l.remedies, without_strike(c, *struck, metric));
  }
  add_measures(c, {remedy_kind::confirm_is_commit}, metric, l.remedies);
  return l;
}

std::optional<remedy> without_strike(const history::indexed_run& c,
                                     const events::message_tampered& how,
                                     const std::string& metric) {
  for (const scenario::fault& f : c.of().scenario.faults) {
    const sim::trigger* when = sim::trigger_of(f);
    const bool is_it =
        when != nullptr && when->message && strikes(f, how.what) &&
        (*when->message == 0 || *when->message == static_cast<std::uint8_t>(how.message)) &&
        (!when->from || when->from->covers(how.from)) && (!when->to || when->to->covers(how.to));
    if (is_it) {
      return without_fault(c, f, name_of(how.what), metric);
    }
  }
  return std::nullopt;
}

std::optional<remedy> without_drop(const history::indexed_run& c,
                                   const lost_message& lost,
                                   const std::string& metric) {
  const auto* by =
      history::first_of<events::message_tampered>(c.of(), [&](const auto& each, sim_time at) {
        return at == lost.last && each.what == events::tampering::dropped &&
               each.from == lost.how.from && each.to == lost.how.to && each.token == lost.how.token;
      });
  return by == nullptr ? std::nullopt
                       : without_strike(c, std::get<events::message_tampered>(by->what), metric);
}

}  // namespace dibs::explain
