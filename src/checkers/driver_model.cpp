#include "checkers/driver_model.hpp"

#include "base/saturating_add.hpp"
#include "checkers/clock_drift.hpp"

#include <algorithm>

namespace dibs::checkers {
namespace {

using phase = model_state::phase;

bool may_be_free_by(const model_state& s, sim_time until) {
  return s.is == phase::free || until >= s.over_from;
}

model_state freed(model_state s) {
  s.is = phase::free;
  s.token = token_id::none();
  s.unheard = 0;
  s.over_from = std::min(s.over_from, s.now);
  s.valid_by = s.held_by = sim_time{};
  return s;
}

}  // namespace

// The instant of the effect lies between the latest that must come before it and the earliest that
// must come after. Where that leaves a choice, the answer is right if it is right at one of them.
std::optional<model_state> driver_model::after(const model_state& s,
                                               const operation& a,
                                               sim_time until) const {
  model_state next = s;
  next.now = std::max(s.now, a.called);
  const bool current = s.is != phase::free && s.token == a.token;
  const bool in_time = s.is == phase::kept || next.now < s.valid_by;
  switch (a.what) {
    case operation_kind::grant:
      if (!may_be_free_by(s, until) || a.token <= s.highest) {
        return std::nullopt;
      }
      if (a.is_copy) {
        return leased(next, a.token, {a.ttl, a.ttl}, std::max(a.called, s.over_from), until);
      }
      next.now = s.is == phase::free ? next.now : std::max(next.now, s.over_from);
      return leased(next, a.token, {a.ttl, a.ttl}, next.now, until);
    case operation_kind::denial:
      if (a.excused || (s.is != phase::free && (s.is == phase::kept || next.now < s.held_by))) {
        return next;
      }
      return std::nullopt;
    case operation_kind::confirm:
      if (!current || !in_time) {
        return std::nullopt;
      }
      if (s.is == phase::leased) {
        next.is = phase::kept;
        next.over_from = a.excused ? next.now : kept_until(a.token, next.now);
      }
      return next;
    case operation_kind::refusal:
      if (!current) {
        return next;
      }
      if (a.excused) {
        next.over_from = std::min(s.over_from, next.now);
        return a.may_have_renewed && s.is == phase::leased && in_time
                   ? perhaps_renewed(next, a.ttl, until)
                   : next;
      }
      return lapsed(next, until);
    case operation_kind::renewal:
      if (!current || s.is != phase::leased || !in_time) {
        return std::nullopt;
      }
      return renewed(next, {a.ttl, a.ttl}, until);
    case operation_kind::release:
      if (current) {
        return terms_->release_frees ? freed(next) : next;
      }
      return a.is_open() ? std::nullopt : std::optional(next);
  }
  return std::nullopt;
}

std::optional<model_state> driver_model::renewed_unheard(const model_state& s,
                                                         const unheard_renewals& all,
                                                         sim_time until) const {
  if (s.is != phase::leased || s.token != all.token || s.unheard >= all.called.size()) {
    return std::nullopt;
  }
  model_state next = s;
  next.now = std::max(s.now, all.called[s.unheard]);
  if (next.now >= s.valid_by) {
    return std::nullopt;
  }
  next = renewed(next, all.lengths, until);
  ++next.unheard;
  return next;
}

// Its time was up; or a copy of the call was taken, its answer was lost, and the hold ran out
// before the next copy came.
std::optional<model_state> driver_model::lapsed(model_state s, sim_time until) const {
  s.now = std::min(std::max(s.now, s.over_from),
                   saturating_add(s.now, shortest(terms_->confirm_hold, terms_->drift_ppm)));
  return s.now <= until ? std::optional(spent(s)) : std::nullopt;
}

// Where nothing but a sweep ends leases, one that has run out still keeps the driver from others.
model_state driver_model::spent(const model_state& s) const {
  if (terms_->ends_on_sight) {
    return freed(s);
  }
  model_state over = s;
  over.over_from = std::min(s.over_from, s.now);
  over.valid_by = std::min(s.valid_by, s.now);
  return over;
}

model_state driver_model::perhaps_renewed(model_state s, sim_duration ttl, sim_time until) const {
  const model_state longer = renewed(s, {ttl, ttl}, until);
  s.valid_by = std::max(s.valid_by, longer.valid_by);
  s.held_by = std::max(s.held_by, longer.held_by);
  return s;
}

model_state driver_model::renewed(const model_state& s,
                                  const lease_lengths& ttl,
                                  sim_time until) const {
  return leased(s, s.token, ttl, s.now, std::min(until, s.valid_by));
}

model_state driver_model::leased(
    model_state s, token_id token, const lease_lengths& ttl, sim_time from, sim_time until) const {
  s.is = phase::leased;
  s.unheard = s.token == token ? s.unheard : 0;
  s.token = token;
  s.highest = std::max(s.highest, token);
  s.over_from = may_drop_any()
                    ? from
                    : unless_dropped(token, from, shortest(ttl.shortest, terms_->drift_ppm));
  s.valid_by = terms_->stretches ? sim_time::max()
                                 : saturating_add(until, longest(ttl.longest, terms_->drift_ppm));
  s.held_by = terms_->overstay ? saturating_add(s.valid_by, *terms_->overstay) : sim_time::max();
  return s;
}

sim_time driver_model::kept_until(token_id token, sim_time from) const {
  return may_drop_any()
             ? from
             : unless_dropped(token, from, shortest(terms_->confirm_hold, terms_->drift_ppm));
}

// The word that ends it may be older than the answer to the call that began it.
sim_time driver_model::unless_dropped(token_id token, sim_time from, sim_duration length) const {
  const sim_time whole = saturating_add(from, length);
  return token == dropped_ ? std::min(whole, std::max(from, dropped_at_)) : whole;
}

model_state driver_model::believed(const operation& a, token_id highest) const {
  model_state s;
  s.now = a.called;
  s.highest = highest;
  if (a.what == operation_kind::grant || a.what == operation_kind::renewal) {
    return leased(s, a.token, {a.ttl, a.ttl}, a.called, a.answered);
  }
  if (a.what == operation_kind::confirm) {
    s.is = phase::kept;
    s.token = a.token;
    s.over_from = saturating_add(a.called, shortest(terms_->confirm_hold, terms_->drift_ppm));
  }
  return s;
}

void driver_model::may_be_free(token_id token, sim_time t) {
  if (token > dropped_ && dropped_at_ != any_token) {
    dropped_ = token;
    dropped_at_ = t;
  }
}

bool driver_model::allows_all_of(const model_state& a, const model_state& b) {
  const auto as_long = [&b](sim_time as, sim_time bs) { return as >= bs || bs <= b.now; };
  return a.is == b.is && a.token == b.token && a.highest == b.highest && a.unheard <= b.unheard &&
         a.now <= b.now && a.over_from <= b.over_from &&
         (a.is != phase::leased ||
          (as_long(a.valid_by, b.valid_by) && as_long(a.held_by, b.held_by)));
}

bool driver_model::only_looks(const model_state& s, const operation& a) {
  const bool current = s.is != phase::free && s.token == a.token;
  switch (a.what) {
    case operation_kind::denial:
      return a.excused || s.is == phase::kept ||
             (s.is == phase::leased && std::max(s.now, a.called) < s.held_by);
    case operation_kind::refusal:
    case operation_kind::release:
      return !current && a.token <= s.highest && !a.is_open();  // over for good
    case operation_kind::grant:
    case operation_kind::confirm:
    case operation_kind::renewal:
      return false;
  }
  return false;
}

bool driver_model::fits_anywhere(const operation& a) {
  return a.what == operation_kind::denial && a.excused;
}

}  // namespace dibs::checkers
