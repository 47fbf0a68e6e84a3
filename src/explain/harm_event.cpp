// The fact in which a harm came true.

#include "explain/harm.hpp"
#include "history/event_text.hpp"

#include <algorithm>
#include <variant>

namespace dibs::explain {
namespace {

using metrics::harm_kind;
using metrics::try_record;

/// Whether a harm of this kind comes true in such a fact about its last try.
bool is_of_harm(harm_kind kind, const try_record& t, const events::fact& what) {
  switch (kind) {
    case harm_kind::double_commit:
      return std::holds_alternative<events::trip_committed>(what);
    case harm_kind::broken_promise:
      return std::holds_alternative<events::assignment_revoked>(what);
    case harm_kind::stale_confirm:
      return std::holds_alternative<events::confirm_accepted>(what);
    case harm_kind::double_accept:
      return std::holds_alternative<events::offer_answered>(what);
    case harm_kind::double_offer:
      return std::holds_alternative<events::offer_shown>(what);
    case harm_kind::lost_accept:
      return std::holds_alternative<events::write_refused>(what) ||
             std::holds_alternative<events::lease_ended>(what) ||
             (!t.is_leased() && std::holds_alternative<events::try_closed>(what));
    case harm_kind::hiding_lease:
      return std::holds_alternative<events::lease_ended>(what);
    case harm_kind::starved_ride:
      break;
  }
  return false;
}

}  // namespace

const events::event* harm_event(const history::indexed_run& c, const harm& b) {
  const auto& all = c.of().events;
  if (b.event) {
    return &all[*b.event];
  }
  if (b.broken || b.tries.empty()) {
    return nullptr;
  }
  const try_record& last = c.tries()[b.tries.back()];
  const sim_time t = harm_instant(c, b);
  const auto first = std::lower_bound(
      all.begin(), all.end(), t, [](const events::event& e, sim_time at) { return e.t < at; });
  const events::event* found = nullptr;
  for (auto e = first; e != all.end() && e->t == t; ++e) {
    const history::subjects about = history::subjects_of(e->what, false);
    const bool is_its = about.token == last.token && about.driver == last.driver;
    found = is_its && is_of_harm(b.harm, last, e->what) ? &*e : found;
  }
  return found;
}

}  // namespace dibs::explain
