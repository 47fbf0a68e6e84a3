#include "checkers/client_calls.hpp"

#include "events/jsonl.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace dibs::checkers {
namespace {

using events::call;
using events::call_answer;

/// What an answer says; an unanswered call is taken for the operation that it asked for.
operation_kind operation_of(call what, call_answer answer) {
  const bool no = answer == call_answer::no;
  switch (what) {
    case call::acquire:
      return no ? operation_kind::denial : operation_kind::grant;
    case call::confirm:
      return no ? operation_kind::refusal : operation_kind::confirm;
    case call::renew:
      return no ? operation_kind::refusal : operation_kind::renewal;
    case call::release:
    case call::write:
      break;
  }
  return operation_kind::release;
}

bool is_about_a_lease(call what, driver_id d) { return what != call::write && d.is_some(); }

sim_duration with_grace(sim_duration ttl, const event_context& s) {
  return ttl == forever ? forever : ttl + s.what.grace;
}

/// A phone learns only that it was heard, and not which of its calls was.
bool is_never_answered(node_id client) { return client.kind() == node_kind::driver; }

std::string describe(const operation& a, driver_id d) {
  const auto words = [&](std::string_view what) {
    return fmt::format("{} token {} of driver {}", what, a.token.value, ordinal(d));
  };
  switch (a.what) {
    case operation_kind::grant:
      return words("was granted");
    case operation_kind::denial:
      return fmt::format("was denied driver {}", ordinal(d));
    case operation_kind::confirm:
      return words("could confirm");
    case operation_kind::refusal:
      return words("was refused");
    case operation_kind::renewal:
      return words("could renew");
    case operation_kind::release:
      break;
  }
  return words("released");
}

std::string where_she_stood(const model_state& s) {
  switch (s.is) {
    case model_state::phase::free:
      return "she was free";
    case model_state::phase::leased:
      return fmt::format("she was leased under token {}, for {:.3f} s more at least",
                         s.token.value,
                         std::max(0.0, in_seconds(s.over_from - s.now)));
    case model_state::phase::kept:
      return fmt::format("she was kept for token {}, which was confirmed", s.token.value);
  }
  return {};
}

}  // namespace

void client_call_checker::judge(const events::call_made& f, const event_context& s) {
  driver_calls* const of = is_about_a_lease(f.what, f.driver) ? opened(f.driver, s) : nullptr;
  if (of == nullptr) {
    return;
  }
  operation a{.what = operation_of(f.what, call_answer::yes), .token = f.token, .called = s.t};
  if (is_never_answered(f.client) && of->backlog == no_backlog) {
    put_call(a, {}, *of, s);
    return;
  }
  backlog& b = backlog_of(*of);
  const auto which = static_cast<std::uint32_t>(b.calls.size());
  b.steps.push_back({step_kind::called, which});
  b.calls.push_back({.said = a,
                     .client = f.client,
                     .request = f.request,
                     .length = f.what == call::renew ? length_of(b, *of, f.token) : no_length,
                     .call = f.what});
  if (!is_never_answered(f.client)) {
    b.unanswered.push_back({f.token, f.client, f.request, which, f.what});
  }
}

// A copy of a call may have an effect of its own: an acquire that arrives again when its lease is
// over is granted once more. Its call lies before anything that is known; if younger tokens are in
// order already, so does its lease. Else its lease may have begun as soon as she was free: whoever
// looked since, and changed nothing, may have looked while it stood.
void client_call_checker::judge(const events::call_answered& f, const event_context& s) {
  const bool is_heard = is_about_a_lease(f.what, f.driver) && !is_never_answered(f.client);
  driver_calls* const of = is_heard ? opened(f.driver, s) : nullptr;
  if (of == nullptr) {
    return;
  }
  auto which = of->backlog == no_backlog ? std::nullopt : take_call(backlogs_[of->backlog], f);
  if (!which && f.what == call::acquire && is_news(*of, f.token)) {
    backlog& b = backlog_of(*of);
    which = static_cast<std::uint32_t>(b.calls.size());
    b.calls.push_back({.said = {.what = operation_kind::grant, .is_copy = true},
                       .index = s.index,
                       .client = f.client,
                       .request = f.request,
                       .call = f.what});
    b.steps.push_back({step_kind::called, *which});
  }
  if (!which) {
    return;
  }
  backlog& b = backlogs_[of->backlog];
  call_sequence& c = b.calls[*which];
  c.index = s.index;
  complete(c.said, *of, f, s);
  b.steps.push_back({step_kind::answered, *which});
  put_in_order_if_answered(f.driver, *of, s);
}

void client_call_checker::judge(const events::lease_granted& f, const event_context& s) {
  learn(f.token, f.ttl, f.driver, s);
}

void client_call_checker::judge(const events::lease_renewed& f, const event_context& s) {
  learn(f.token, span(s.local, f.expires), f.driver, s);
}

void client_call_checker::judge(const events::lease_reset& f, const event_context& s) {
  judge(events::lease_renewed{f.token, f.driver, f.expires}, s);
}

void client_call_checker::judge(const events::trip_committed& f, const event_context& s) {
  note(step_kind::trip_began, f.token, f.driver, s);
}

void client_call_checker::judge(const events::trip_ended& f, const event_context& s) {
  note(step_kind::may_be_free, f.token, f.driver, s);
}

void client_call_checker::judge(const events::assignment_revoked& f, const event_context& s) {
  note(step_kind::may_be_free, f.token, f.driver, s);
}

void client_call_checker::judge(const events::write_refused& f, const event_context& s) {
  note(step_kind::may_be_free, f.token, f.driver, s);
}

void client_call_checker::finish(const event_context& s) {
  std::uint64_t undecided = 0;
  for (std::uint32_t d = 0; d < place_of_.size(); ++d) {
    if (place_of_[d] == nowhere) {
      continue;
    }
    driver_calls& of = driver_calls_[place_of_[d]];
    if (of.backlog != no_backlog) {
      put_in_order(driver_id{d}, of, s);
    }
    undecided += of.undecided ? 1U : 0U;
  }
  if (undecided > 0) {
    s.violations.leave_undecided(invariant::one_order_of_calls, undecided, s.what.is_stopped());
  }
}

client_call_checker::driver_calls* client_call_checker::opened(driver_id d,
                                                               const event_context& s) {
  if (!s.violations.judges(invariant::one_order_of_calls)) {
    return nullptr;
  }
  const bool is_open = d.value < place_of_.size() && place_of_[d.value] != nowhere;
  driver_calls& of = is_open ? driver_calls_[place_of_[d.value]] : open(d, s);
  return of.undecided ? nullptr : &of;
}

client_call_checker::driver_calls& client_call_checker::open(driver_id d, const event_context& s) {
  bounds_ = {s.what.drift_ppm,
             s.what.confirm_hold,
             s.what.overstay,
             s.what.ends_on_sight,
             s.what.ends_early,
             s.what.stretches,
             s.what.release_frees};
  if (d.value >= place_of_.size()) {
    place_of_.resize(
        std::max({d.value + std::size_t{1}, place_of_.size() * 2, std::size_t{s.what.drivers}}),
        nowhere);
  }
  place_of_[d.value] = static_cast<place>(driver_calls_.size());
  return driver_calls_.push_back(driver_calls(bounds_));
}

client_call_checker::backlog& client_call_checker::backlog_of(driver_calls& of) {
  if (of.backlog == no_backlog) {
    if (free_backlogs_.empty()) {
      free_backlogs_.push_back(static_cast<backlog_index>(backlogs_.size()));
      backlogs_.push_back({});
    }
    of.backlog = free_backlogs_.back();
    free_backlogs_.pop_back();
  }
  return backlogs_[of.backlog];
}

void client_call_checker::close_backlog(driver_calls& of) {
  if (of.backlog == no_backlog) {
    return;
  }
  backlog& b = backlogs_[of.backlog];
  b.calls.clear();
  b.steps.clear();
  b.lengths.clear();
  b.unanswered.clear();
  b.words.clear();
  free_backlogs_.push_back(std::exchange(of.backlog, no_backlog));
}

void client_call_checker::learn(token_id token,
                                sim_duration ttl,
                                driver_id d,
                                const event_context& s) {
  driver_calls* const of = opened(d, s);
  if (of == nullptr) {
    return;
  }
  backlog& b = backlog_of(*of);
  if (const length_index known = length_of(b, *of, token); known != no_length) {
    known_length& l = b.lengths[known];
    l.newest.ttl = ttl;
    l.all = {std::min(l.all.shortest, ttl), std::max(l.all.longest, ttl)};
  } else {
    b.lengths.push_back({{token, ttl}, {ttl, ttl}});
  }
}

client_call_checker::length_index client_call_checker::length_of(backlog& b,
                                                                 const driver_calls& of,
                                                                 token_id token) {
  length_index known = length_of(b, token);
  if (known == no_length && token.is_some() && of.last.token == token) {
    known = static_cast<length_index>(b.lengths.size());
    b.lengths.push_back({of.last, {of.last.ttl, of.last.ttl}, of.last_was_told});
  }
  return known;
}

client_call_checker::length_index client_call_checker::length_of(const backlog& b, token_id token) {
  const auto known = std::find_if(b.lengths.rbegin(), b.lengths.rend(), [token](const auto& l) {
    return l.newest.token == token;
  });
  return known == b.lengths.rend()
             ? no_length
             : static_cast<length_index>(std::distance(known, b.lengths.rend()) - 1);
}

std::optional<sim_duration> client_call_checker::told_length(driver_calls& d, token_id token) {
  if (d.backlog != no_backlog) {
    auto& lengths = backlogs_[d.backlog].lengths;
    if (const length_index known = length_of(backlogs_[d.backlog], token); known != no_length) {
      lengths[known].was_told = true;
      return lengths[known].newest.ttl;
    }
  }
  if (token.is_some() && d.last.token == token) {
    d.last_was_told = true;
    return d.last.ttl;
  }
  return std::nullopt;
}

bool client_call_checker::is_news(const driver_calls& d, token_id granted) const {
  if (!granted.is_some()) {
    return false;
  }
  if (d.backlog != no_backlog) {
    const backlog& b = backlogs_[d.backlog];
    if (const length_index known = length_of(b, granted); known != no_length) {
      return !b.lengths[known].was_told;
    }
  }
  return d.last.token == granted && !d.last_was_told;
}

std::optional<std::uint32_t> client_call_checker::take_call(backlog& b,
                                                            const events::call_answered& f) {
  for (std::size_t i = b.unanswered.size(); i-- > 0;) {
    const expected_answer& e = b.unanswered[i];
    if (e.client == f.client && e.call == f.what && e.request == f.request &&
        (f.what == call::acquire || e.token == f.token)) {
      const std::uint32_t which = e.which;
      b.unanswered.erase(b.unanswered.begin() + static_cast<std::ptrdiff_t>(i));
      return which;
    }
  }
  return std::nullopt;
}

/// Why else a driver may be denied or a confirm refused, the caller says.
void client_call_checker::complete(operation& a,
                                   driver_calls& of,
                                   const events::call_answered& f,
                                   const event_context& s) {
  a.what = operation_of(f.what, f.answer);
  a.token = f.token;
  a.answered = s.t;
  // A renewal may be refused for its count, too. Nothing else that was granted needs an excuse.
  a.excused = a.what == operation_kind::refusal
                  ? (f.what == call::renew && !s.what.renewals_tell) ||
                        (s.what.commit_at_manager && s.so_far.ride(f.ride).was_taken)
                  : a.what == operation_kind::denial && !s.what.denials_tell;
  a.may_have_renewed =
      s.what.calls_repeat && f.what == call::renew && a.what == operation_kind::refusal;
  of.had_doubtful_confirm =
      of.had_doubtful_confirm ||
      (s.what.calls_repeat && f.what == call::confirm && f.answer == call_answer::no);
  if (const auto ttl = told_length(of, f.token)) {
    a.ttl = with_grace(*ttl, s);
  }
}

void client_call_checker::note(step_kind what,
                               token_id token,
                               driver_id d,
                               const event_context& s) {
  driver_calls* const of = s.what.trips_tell ? opened(d, s) : nullptr;
  if (of == nullptr) {
    return;
  }
  if (of->backlog == no_backlog) {
    put(what, {token, s.t}, *of, s);
    return;
  }
  backlog& b = backlogs_[of->backlog];
  b.steps.push_back({what, static_cast<std::uint32_t>(b.words.size())});
  b.words.push_back({token, s.t});
  put_in_order_if_answered(d, *of, s);
}

void client_call_checker::put_in_order_if_answered(driver_id d,
                                                   driver_calls& of,
                                                   const event_context& s) {
  if (backlogs_[of.backlog].unanswered.empty()) {
    put_in_order(d, of, s);
  }
}

void client_call_checker::put_in_order(driver_id d, driver_calls& of, const event_context& s) {
  backlog& b = backlogs_[of.backlog];
  for (const step& next : b.steps) {
    of.undecided = of.undecided || s.what.is_stopped();
    if (of.undecided) {
      break;
    }
    if (next.kind != step_kind::called && next.kind != step_kind::answered) {
      put(next.kind, b.words[next.which], of, s);
      continue;
    }
    call_sequence& c = b.calls[next.which];
    if (is_past(c, of)) {
      continue;
    }
    if (next.kind == step_kind::called) {
      c.place = put_call(
          c.said, c.length == no_length ? lease_lengths{} : b.lengths[c.length].all, of, s);
    } else {
      put_answer(c, d, of, s);
    }
  }
  // What is in order asks for no length any more, but copies of its calls for that of the last.
  if (!b.lengths.empty()) {
    of.last = b.lengths.back().newest;
    of.last_was_told = b.lengths.back().was_told;
  }
  close_backlog(of);
}

bool client_call_checker::is_past(const call_sequence& c, driver_calls& of) {
  if (!c.said.is_copy) {
    return false;
  }
  const auto& states = of.order.states();
  const auto younger = std::ranges::count_if(
      states, [&](const model_state& at) { return at.highest >= c.said.token; });
  of.undecided = younger > 0 && std::cmp_less(younger, states.size());
  return younger > 0;
}

// Who never heard whether she was granted the driver holds her or not: nobody will ask again.
linear_order::place_number client_call_checker::put_call(operation& a,
                                                         const lease_lengths& all,
                                                         driver_calls& of,
                                                         const event_context& s) {
  if (a.is_open() && a.what == operation_kind::grant) {
    of.acquire_lost = true;
    return linear_order::no_place;
  }
  if (a.is_open() && a.what == operation_kind::renewal) {
    of.order.may_be_renewed(
        a.token, a.called, {with_grace(all.shortest, s), with_grace(all.longest, s)});
    return linear_order::no_place;
  }
  a.excused = a.excused || (a.is_open() && s.what.commit_at_manager);
  return of.order.begin(a);
}

void client_call_checker::put(step_kind what,
                              const word& next,
                              driver_calls& of,
                              const event_context& s) {
  if (what == step_kind::may_be_free) {
    of.order.may_be_free(next.token, next.t);
    return;
  }
  const auto& states = of.order.states();
  const bool expected = std::ranges::all_of(states, [&](const model_state& at) {
    return at.is == model_state::phase::kept && at.token == next.token &&
           s.what.word_surely_takes < at.over_from - next.t;
  });
  of.on_trip = true;
  if (!expected) {
    of.was_dropped = true;
    of.order.may_be_free_of_any(next.t);
  }
}

void client_call_checker::put_answer(call_sequence& c,
                                     driver_id d,
                                     driver_calls& of,
                                     const event_context& s) {
  operation& a = c.said;
  a.excused = a.excused || (a.what == operation_kind::denial && (of.on_trip || of.acquire_lost)) ||
              (a.what != operation_kind::grant && of.was_dropped);
  const model_state before = of.order.states().front();
  const auto verdict = of.order.answer(c.place, a);
  of.undecided = verdict == linear_order::order_found::too_many;
  if (verdict != linear_order::order_found::contradicts) {
    return;
  }
  // A manager that commits may have seen the trip to its end before the answer arrived.
  const token_record* const said = s.so_far.find(a.token, d);
  const bool has_ridden = a.what == operation_kind::confirm && said != nullptr && said->committed;
  if (of.had_doubtful_confirm || has_ridden) {
    of.undecided = true;
  } else {
    s.violations.enter(invariant::one_order_of_calls,
                       a.answered,
                       c.index,
                       "{} {}, but {}",
                       events::node_name(c.client),
                       describe(a, d),
                       where_she_stood(before));
  }
}

}  // namespace dibs::checkers
