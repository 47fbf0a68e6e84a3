#include "checkers/clients.hpp"

#include "events/jsonl.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace dibs::checkers {
namespace {

using events::call;
using events::call_answer;

/// What an answer says; an unanswered call is taken for the deed that it asked for.
deed deed_of(call what, call_answer answer) {
  const bool no = answer == call_answer::no;
  switch (what) {
    case call::acquire:
      return no ? deed::denial : deed::grant;
    case call::confirm:
      return no ? deed::refusal : deed::confirm;
    case call::renew:
      return no ? deed::refusal : deed::renewal;
    case call::release:
    case call::write:
      break;
  }
  return deed::release;
}

/// An answer that never comes keeps all later calls open, and each answer is looked for among them.
constexpr std::size_t calls_max = 2000;

bool is_about_a_lease(call what, driver_id d) { return what != call::write && d.is_some(); }

std::string told(const attempt& a, driver_id d) {
  const auto words = [&](std::string_view what) {
    return fmt::format("{} token {} of driver {}", what, a.token.value, ordinal(d));
  };
  switch (a.what) {
    case deed::grant:
      return words("was granted");
    case deed::denial:
      return fmt::format("was denied driver {}", ordinal(d));
    case deed::confirm:
      return words("could confirm");
    case deed::refusal:
      return words("was refused");
    case deed::renewal:
      return words("could renew");
    case deed::release:
      break;
  }
  return words("released");
}

std::string where_she_stood(const standing& s) {
  switch (s.is) {
    case standing::phase::free:
      return "she was free";
    case standing::phase::leased:
      return fmt::format("she was leased under token {}, for {:.3f} s more at least",
                         s.token.value,
                         std::max(0.0, in_seconds(s.over_from - s.now)));
    case standing::phase::kept:
      return fmt::format("she was kept for token {}, which was confirmed", s.token.value);
  }
  return {};
}

}  // namespace

void clients::judge(const events::call_made& f, const scene& s) {
  if (!is_about_a_lease(f.what, f.driver)) {
    return;
  }
  dossier* const of = opened(f.driver, s);
  if (of == nullptr) {
    return;
  }
  if (of->attempts.size() == calls_max) {
    give_up(*of);
    return;
  }
  const auto which = static_cast<std::uint32_t>(of->attempts.size());
  of->attempts.push_back(
      {.what = deed_of(f.what, call_answer::yes), .token = f.token, .called = s.t});
  of->callers.push_back({f.client, f.request, f.what, s.index});
  ++of->unanswered;
  of->steps.push_back({step_kind::called, which, f.token, s.t});
}

// A copy of a call may have an effect of its own: an acquire that arrives again when its lease is
// over is granted once more. Its call lies before anything that is known; if younger tokens are in
// order already, so does its lease.
void clients::judge(const events::call_answered& f, const scene& s) {
  dossier* const of = is_about_a_lease(f.what, f.driver) ? opened(f.driver, s) : nullptr;
  if (of == nullptr) {
    return;
  }
  auto which = call_of(*of, f);
  if (which) {
    --of->unanswered;
  } else if (f.what == call::acquire && is_news(*of, f.token)) {
    which = static_cast<std::uint32_t>(of->attempts.size());
    of->attempts.push_back({.what = deed::grant});
    of->callers.push_back({f.client, f.request, f.what, s.index, true});
    of->steps.push_back({step_kind::called, *which, f.token, s.t});
  } else {
    return;
  }
  of->callers[*which].index = s.index;
  complete(of->attempts[*which], *of, f, s);
  note(f.driver, {step_kind::answered, *which, f.token, s.t}, s);
}

void clients::judge(const events::lease_granted& f, const scene& s) {
  if (dossier* const of = opened(f.driver, s)) {
    of->lengths.push_back({f.token, f.ttl});
  }
}

void clients::judge(const events::lease_renewed& f, const scene& s) {
  if (dossier* const of = opened(f.driver, s)) {
    of->lengths.push_back({f.token, span(s.local, f.expires)});
  }
}

void clients::judge(const events::trip_committed& f, const scene& s) {
  note(f.driver, {step_kind::trip_began, 0, f.token, s.t}, s);
}

void clients::judge(const events::trip_ended& f, const scene& s) {
  note(f.driver, {step_kind::may_be_free, 0, f.token, s.t}, s);
}

void clients::judge(const events::assignment_revoked& f, const scene& s) {
  note(f.driver, {step_kind::may_be_free, 0, f.token, s.t}, s);
}

void clients::judge(const events::write_refused& f, const scene& s) {
  note(f.driver, {step_kind::may_be_free, 0, f.token, s.t}, s);
}

void clients::finish(const scene& s) {
  std::uint64_t undecided = 0;
  for (std::uint32_t d = 0; d < dossiers_.size(); ++d) {
    put_in_order(driver_id{d}, dossiers_[d], s);
    undecided += dossiers_[d].undecided ? 1U : 0U;
  }
  if (undecided > 0) {
    s.breaches.leave_open(invariant::one_order_of_calls, undecided);
  }
}

clients::dossier* clients::opened(driver_id d, const scene& s) {
  if (!s.breaches.judges(invariant::one_order_of_calls)) {
    return nullptr;
  }
  if (d.value >= dossiers_.size()) {
    terms_ = {s.what.drift_ppm, s.what.confirm_hold, s.what.overstay, s.what.ends_on_sight};
    dossiers_.resize(
        std::max({d.value + std::size_t{1}, dossiers_.size() * 2, std::size_t{s.what.drivers}}),
        dossier(terms_));
  }
  dossier& of = dossiers_[d.value];
  return of.undecided ? nullptr : &of;
}

bool clients::is_news(const dossier& d, token_id granted) {
  return std::any_of(d.lengths.begin(), d.lengths.end(), [granted](const length& l) {
    return l.token == granted && !l.was_told;
  });
}

std::optional<std::uint32_t> clients::call_of(const dossier& d, const events::call_answered& f) {
  for (std::size_t i = d.attempts.size(); i-- > 0;) {
    const caller& who = d.callers[i];
    const bool same = who.client == f.client && who.call == f.what && who.request == f.request &&
                      (f.what == call::acquire || d.attempts[i].token == f.token);
    if (same && d.attempts[i].is_open()) {
      return static_cast<std::uint32_t>(i);
    }
  }
  return std::nullopt;
}

/// Why else a driver may be denied or a confirm refused, the caller says.
void clients::complete(attempt& a, dossier& of, const events::call_answered& f, const scene& s) {
  a.what = deed_of(f.what, f.answer);
  a.token = f.token;
  a.answered = s.t;
  // A renewal may be refused for its count, too.
  a.excused = a.what != deed::refusal ? !s.what.denials_tell
                                      : f.what == call::renew || (s.what.commit_at_manager &&
                                                                  s.so_far.ride(f.ride).was_taken);
  of.had_doubtful_confirm =
      of.had_doubtful_confirm ||
      (s.what.calls_repeat && f.what == call::confirm && f.answer == call_answer::no);
  const auto known = std::find_if(
      of.lengths.rbegin(), of.lengths.rend(), [&](const length& l) { return l.token == f.token; });
  if (known != of.lengths.rend()) {
    known->was_told = true;
    a.ttl = known->ttl == forever ? forever : known->ttl + s.what.grace;
  }
}

void clients::note(driver_id d, const step& what, const scene& s) {
  if (dossier* const of = opened(d, s)) {
    of->steps.push_back(what);
    if (of->unanswered == 0) {
      put_in_order(d, *of, s);
    }
  }
}

void clients::give_up(dossier& of) {
  of.undecided = true;
  of.steps.clear();
  of.attempts.clear();
  of.callers.clear();
  of.lengths.clear();
}

void clients::put_in_order(driver_id d, dossier& of, const scene& s) {
  for (const step& next : of.steps) {
    if (!of.undecided) {
      put(next, d, of, s);
    }
  }
  of.steps.clear();
  of.attempts.clear();
  of.callers.clear();
  of.unanswered = 0;
  if (of.lengths.size() > 1) {
    of.lengths.erase(of.lengths.begin(), of.lengths.end() - 1);
  }
}

bool clients::is_past(const step& next, dossier& of) {
  const bool is_call = next.kind == step_kind::called || next.kind == step_kind::answered;
  if (!is_call || !of.callers[next.which].is_copy) {
    return false;
  }
  const auto& states = of.order.states();
  const auto younger = std::count_if(
      states.begin(), states.end(), [&](const standing& at) { return at.highest >= next.token; });
  of.undecided = younger > 0 && std::cmp_less(younger, states.size());
  return younger > 0;
}

void clients::put(const step& next, driver_id d, dossier& of, const scene& s) {
  if (is_past(next, of)) {
    return;
  }
  switch (next.kind) {
    case step_kind::trip_began: {
      const auto& states = of.order.states();
      const bool expected = std::all_of(states.begin(), states.end(), [&](const standing& at) {
        return at.is == standing::phase::kept && at.token == next.token &&
               s.what.word_surely_takes < at.over_from - next.t;
      });
      of.on_trip = true;
      if (!expected) {
        of.was_dropped = true;
        of.order.may_be_free_of_any(next.t);
      }
      return;
    }
    case step_kind::may_be_free:
      of.order.may_be_free(next.token, next.t);
      return;
    case step_kind::called:
      // Who never heard whether she was granted the driver holds her or not: nobody will ask again.
      if (of.attempts[next.which].is_open() && of.attempts[next.which].what == deed::grant) {
        of.acquire_lost = true;
      } else {
        attempt& a = of.attempts[next.which];
        a.excused = a.excused || (a.is_open() && s.what.commit_at_manager);
        of.order.begin(a);
      }
      return;
    case step_kind::answered:
      break;
  }
  attempt& a = of.attempts[next.which];
  a.excused = a.excused || (a.what == deed::denial && (of.on_trip || of.acquire_lost)) ||
              (a.what != deed::grant && of.was_dropped);
  const standing before = of.order.states().front();
  const auto verdict = of.order.answer(a);
  of.undecided = verdict == linear_order::verdict::too_many;
  // A manager that commits may have seen the trip to its end before the answer arrived.
  const token_record* const said = s.so_far.find(a.token, d);
  const bool has_ridden = a.what == deed::confirm && said != nullptr && said->committed;
  if (verdict == linear_order::verdict::contradicts && (of.had_doubtful_confirm || has_ridden)) {
    of.undecided = true;
  } else if (verdict == linear_order::verdict::contradicts) {
    s.breaches.enter(invariant::one_order_of_calls,
                     a.answered,
                     of.callers[next.which].index,
                     "{} {}, but {}",
                     events::node_name(of.callers[next.which].client),
                     told(a, d),
                     where_she_stood(before));
  }
}

}  // namespace dibs::checkers
