#include "checkers/accepts.hpp"

#include <algorithm>

namespace dibs::checkers {
namespace {

constexpr bool makes_assignments(node_kind to) {
  return to == node_kind::matcher || to == node_kind::lease_manager || to == node_kind::ledger;
}

}  // namespace

// -- offers and answers --------------------------------------------------------------------------

void accepts::judge(const events::lease_granted& f, const event_context& s) {
  (void)find_or_add(f.token, f.driver, f.ride, s);
}

void accepts::judge(const events::offer_sent& f, const event_context& s) {
  offer* const o = find_or_add(f.token, f.driver, f.ride, s);
  if (o != nullptr && o->sent == never) {
    o->sent = s.index;
    o->matcher = f.matcher;
  }
}

void accepts::judge(const events::offer_shown& f, const event_context& s) {
  offer* const o = find_or_add(f.token, f.driver, f.ride, s);
  if (o != nullptr && !o->shown) {
    o->deadline = f.deadline;
    o->shown = true;
  }
}

void accepts::judge(const events::offer_dismissed& f, const event_context& s) {
  if (offer* const o = find(f.token, f.driver)) {
    o->off_screen = o->shown;
    close_done(*o, s);
  }
}

void accepts::judge(const events::offer_answered& f, const event_context& s) {
  offer* o = find(f.token, f.driver);
  if (o == nullptr && f.in_time) {  // else she answers when all is over
    o = find_or_add(f.token, f.driver, f.ride, s);
  }
  if (o == nullptr || o->accepted) {
    return;
  }
  o->off_screen = true;
  o->accepted = f.answer == events::offer_response::accepted;
  const bool in_time = f.in_time && (!o->shown || s.local < o->deadline);
  o->counts = o->accepted && in_time && s.t >= s.what.measured_from && s.t < s.what.measured_until;
  account_.in_time += o->counts ? 1U : 0U;
  close_done(*o, s);
}

// -- what decides ---------------------------------------------------------------------------------

void accepts::judge(const events::lease_ended& f, const event_context& s) {
  decide_against(f.token, f.driver, s);
}

void accepts::judge(const events::try_closed& f, const event_context& s) {
  if (!f.token.is_some() || f.cause == events::try_ending::committed) {
    return;
  }
  if (offer* const o = find(f.token, f.driver)) {
    const bool is_open = o->decided_against == never && o->doubted == never;
    o->called_off = o->called_off || (is_open && f.cause == events::try_ending::withdrawn);
  }
  decide_against(f.token, f.driver, s);
}

void accepts::judge(const events::call_made& f, const event_context& /*s*/) {
  if (f.what == events::call::confirm || f.what == events::call::write) {
    come_through(f.token, f.driver);
  }
}

void accepts::judge(const events::confirm_accepted& f, const event_context& /*s*/) {
  come_through(f.token, f.driver);
}

void accepts::judge(const events::confirm_refused& f, const event_context& s) {
  come_through(f.token, f.driver);
  decide_against(f.token, f.driver, s);
}

void accepts::judge(const events::write_refused& f, const event_context& s) {
  come_through(f.token, f.driver);
  decide_against(f.token, f.driver, s);
}

void accepts::judge(const events::trip_committed& f, const event_context& s) {
  if (s.token() != nullptr && s.token()->committed) {
    return;
  }
  if (!s.was_revoked()) {
    ++state_of(f.ride).drivers;
    note_want(f.ride, s.index);
  }
  if (offer* const o = find(f.token, f.driver)) {
    account_.trips += o->counts ? 1U : 0U;
    erase(*o);
  } else if (const auto known = closed_.find(f.token);
             known != closed_.end() && known->second.driver == f.driver) {
    account_.trips += known->second.what == fate::uncounted ? 0U : 1U;
    count(known->second.what, -1);
    closed_.erase(known);
  }
}

void accepts::judge(const events::assignment_revoked& /*f*/, const event_context& s) {
  if (s.token() != nullptr && s.token()->committed && !s.was_revoked()) {
    --state_of(s.token()->ride).drivers;
    note_want(s.token()->ride, s.index);
  }
}

void accepts::judge(const events::ride_abandoned& f, const event_context& s) {
  state_of(f.ride).is_gone = true;
  note_want(f.ride, s.index);
}

void accepts::judge(const events::ride_cancelled& f, const event_context& s) {
  state_of(f.ride).is_gone = true;
  note_want(f.ride, s.index);
}

void accepts::judge(const events::work_failed& f, const event_context& s) {
  decide_against(f.token, f.driver, s);
}

void accepts::judge(const events::node_crashed& f, const event_context& s) {
  if (f.node.kind() != node_kind::matcher) {
    return;
  }
  if (f.node.index() >= crashes_.size()) {
    crashes_.resize(f.node.index() + std::size_t{1});
  }
  crashes_[f.node.index()].push_back(s.index);
}

void accepts::judge(const events::message_lost& f, const event_context& s) {
  // What lease manager and ledger tell each other makes no assignment.
  const bool is_between_records = f.from.kind() != node_kind::driver &&
                                  f.from.kind() != node_kind::matcher &&
                                  f.to.kind() != node_kind::matcher;
  if (is_between_records || !makes_assignments(f.to.kind())) {
    return;
  }
  for (slot i = latest(f.token); i != none; i = offers_[i].earlier) {
    offer& o = offers_[i];
    if (o.ride == f.ride && o.accepted && o.decided_against == never) {
      o.doubted = std::min(o.doubted, s.index);
    }
  }
}

// -- the account ----------------------------------------------------------------------------------

accept_account accepts::finish(const event_context& s) {
  for (const offer& o : offers_) {
    count(o.is_open && o.counts ? fate_of(o) : fate::uncounted, 1);
  }
  if (account_.in_time != account_.trips + account_.unwanted + account_.lost) {
    s.report_violation(
        invariant::accepts_accounted,
        "of {} accepts in time {} became trips, {} were no longer wanted and {} were lost",
        account_.in_time,
        account_.trips,
        account_.unwanted,
        account_.lost);
  }
  return account_;
}

accepts::slot accepts::latest(token_id token) const {
  const auto found = open_.find(token);
  return found == open_.end() ? none : found->second;
}

accepts::offer* accepts::find(token_id token, driver_id d) {
  slot i = latest(token);
  while (i != none && offers_[i].driver != d) {
    i = offers_[i].earlier;
  }
  return i == none ? nullptr : &offers_[i];
}

accepts::offer* accepts::find_or_add(token_id token,
                                     driver_id d,
                                     ride_id r,
                                     const event_context& s) {
  if (offer* const known = find(token, d)) {
    return known;
  }
  const auto closed = closed_.find(token);
  if ((closed != closed_.end() && closed->second.driver == d) ||
      (s.token() != nullptr && s.token()->committed)) {
    return nullptr;
  }
  forget_old(s);
  if (free_.empty()) {
    free_.push_back(static_cast<slot>(offers_.size()));
    offers_.emplace_back();
  }
  const slot room = free_.back();
  free_.pop_back();
  offers_[room] = {.token = token, .driver = d, .ride = r, .earlier = latest(token), .begun = s.t};
  open_[token] = room;
  return &offers_[room];
}

void accepts::decide_against(token_id token, driver_id d, const event_context& s) {
  if (offer* const o = find(token, d)) {
    o->decided_against = std::min(o->decided_against, s.index);
    close_done(*o, s);
  }
}

void accepts::come_through(token_id token, driver_id d) {
  if (offer* const o = find(token, d); o != nullptr && o->decided_against == never) {
    o->doubted = never;
  }
}

// Where copies of an offer may come, one that was declined or taken back may be accepted yet.
void accepts::close_done(offer& o, const event_context& s) {
  if (o.decided_against == never || !o.off_screen || (!o.accepted && s.what.offers_repeat)) {
    return;
  }
  if (o.accepted) {
    const fate f = o.counts ? fate_of(o) : fate::uncounted;
    count(f, 1);
    closed_.insert_or_assign(o.token, closed_accept{o.driver, f});
  }
  erase(o);
}

void accepts::erase(offer& o) {
  const auto found = open_.find(o.token);
  slot* link = &found.value();
  while (&offers_[*link] != &o) {
    link = &offers_[*link].earlier;
  }
  free_.push_back(*link);
  *link = o.earlier;
  if (found->second == none) {
    open_.erase(found);
  }
  o.is_open = false;
}

// What nobody has answered in so long is not answered in time any more.
void accepts::forget_old(const event_context& s) {
  constexpr sim_duration long_enough = 1h;
  if (open_.size() < sweep_at_) {
    return;
  }
  for (offer& o : offers_) {
    const bool is_old = o.decided_against != never && s.t - o.begun > long_enough;
    if (o.is_open && is_old && !o.accepted) {
      erase(o);
    }
  }
  sweep_at_ = std::max<std::size_t>(64, 2 * open_.size());
}

accepts::fate accepts::fate_of(const offer& o) const {
  const place when = std::min({o.decided_against, o.doubted, crash_of(o.matcher, o.sent)});
  const bool is_unwanted = o.called_off || !was_wanted(o.ride, when);
  return is_unwanted ? fate::unwanted : fate::lost;
}

void accepts::count(fate f, std::int64_t by) {
  if (f != fate::uncounted) {
    (f == fate::lost ? account_.lost : account_.unwanted) += static_cast<std::uint64_t>(by);
  }
}

// -- rides and matchers ---------------------------------------------------------------------------

accepts::ride_state& accepts::state_of(ride_id r) { return rides_.grown(r.value); }

void accepts::note_want(ride_id r, place now) {
  ride_state& of = state_of(r);
  const bool is_wanted = !of.is_gone && of.drivers == 0;
  if (is_wanted && of.unwanted != never) {
    unwanted_before_[r].emplace_back(of.unwanted, now);
    of.unwanted = never;
  } else if (!is_wanted) {
    of.unwanted = std::min(of.unwanted, now);
  }
}

bool accepts::was_wanted(ride_id r, place when) const {
  const place unwanted = r.value < rides_.size() ? rides_[r.value].unwanted : never;
  if (unwanted < when) {
    return false;
  }
  const auto before = unwanted_before_.find(r);
  return before == unwanted_before_.end() ||
         std::ranges::none_of(before->second, [when](const auto& each) {
           return each.first < when && when < each.second;
         });
}

accepts::place accepts::crash_of(matcher_id m, place since) const {
  if (m.value >= crashes_.size()) {
    return never;
  }
  const auto& all = crashes_[m.value];
  const auto first = std::upper_bound(all.begin(), all.end(), since);
  return first == all.end() ? never : *first;
}

}  // namespace dibs::checkers
