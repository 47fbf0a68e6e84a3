#include "store/etcd_driver.hpp"

#include "base/ensure.hpp"

#include <type_traits>
#include <utility>

namespace dibs::store::etcd {
namespace {

namespace command = lease::command;
using events::confirm_refusal;
using events::lease_ending;

sim_duration sum(sim_duration ttl, sim_duration longer) {
  return ttl == forever ? forever : ttl + longer;
}

class deciding {
 public:
  deciding(const driver_keys& keys, const terms& t, local_time now)
      : keys_(keys), r_(keys.record), terms_(t), now_(now) {}

  plan operator()(const command::acquire& c) const {
    const bool is_retry = has_live(phase::leased) && c.request != 0 && r_.request == c.request &&
                          r_.ride == c.ride && r_.holder == c.holder;
    if (is_retry) {
      return just(lease::acquire_outcome{
          lease::granted{.token = r_.token, .previous = {}, .repeated = true}});
    }
    const auto previous = run_out(c.driver);
    if (r_.trip.is_some()) {
      return ending_on_sight(
          lease::acquire_outcome{lease::denied{events::denial::on_trip, previous}});
    }
    if (has_live(r_.state)) {
      return just(lease::acquire_outcome{lease::denied{events::denial::leased, previous}});
    }
    plan p;
    p.step = next_step::keep;
    p.length = sum(terms_.ttl, c.longer);
    p.record = {phase::leased, {}, c.ride, c.holder, c.request, false, r_.trip, r_.last_trip};
    lease::granted given;
    given.previous = previous;
    p.outcome = lease::acquire_outcome{given};
    return p;
  }

  plan operator()(const command::confirm& c) const {
    const bool is_same = r_.token == c.token;
    if ((is_same && (r_.was_committed || has_live(phase::confirmed))) ||
        (c.token == r_.last_trip && c.token.is_some())) {
      return just(lease::confirm_outcome{lease::confirmed{
          .repeated = true, .holder = r_.holder, .lease = r_.token, .hold_until = keys_.due}});
    }
    if (const auto over = run_out(c.driver)) {
      return ending_on_sight(
          lease::confirm_outcome{lease::refused{confirm_refusal::expired, over, {}}});
    }
    if (r_.state == phase::leased && !is_same) {
      return just(refusal<lease::confirm_outcome>(confirm_refusal::other_token));
    }
    if (r_.trip.is_some()) {
      return just(refusal<lease::confirm_outcome>(confirm_refusal::on_trip));
    }
    if (r_.state != phase::leased) {
      return just(refusal<lease::confirm_outcome>(confirm_refusal::no_lease));
    }
    plan p;
    p.step = next_step::keep;
    p.length = terms_.confirm_hold;
    p.record = r_;
    p.record.state = phase::confirmed;
    p.outcome = lease::confirm_outcome{lease::confirmed{.holder = r_.holder, .lease = r_.token}};
    return p;
  }

  plan operator()(const command::renew& c) const {
    const bool is_same = r_.token == c.token;
    if (const auto over = run_out(c.driver)) {
      return ending_on_sight(lease::renew_outcome{lease::refused{
          is_same ? confirm_refusal::expired : confirm_refusal::other_token, over, {}}});
    }
    if (r_.state != phase::leased) {
      return just(refusal<lease::renew_outcome>(confirm_refusal::no_lease));
    }
    if (!is_same) {
      return just(refusal<lease::renew_outcome>(confirm_refusal::other_token));
    }
    plan p;
    p.step = next_step::extend;
    p.outcome = lease::renew_outcome{lease::renewed{.token = r_.token}};
    return p;
  }

  plan operator()(const command::release& c) const { return give_back(c.driver, c.token, c.cause); }
  plan operator()(const command::write_refused& c) const {
    return give_back(c.driver, c.token, lease_ending::denied_by_ledger);
  }

  plan operator()(const command::expire& c) const {
    if (r_.state == phase::free || r_.token != c.token) {
      return nothing_ended();
    }
    if (const auto over = run_out(c.driver)) {
      return ending_on_sight(over);
    }
    plan p = nothing_ended();
    p.step = keys_.due > now_ ? next_step::answer : next_step::wait;
    return p;
  }

  plan operator()(const command::trip_began& c) const {
    if (c.token <= r_.last_trip) {
      return nothing_ended();
    }
    plan p = nothing_ended();
    p.record = r_;
    p.record.trip = c.token;
    p.record.last_trip = c.token;
    p.step = next_step::write;
    if (r_.token == c.token) {
      p.record.was_committed = true;
      p.record.state = phase::free;
      p.step = next_step::drop;
    } else if (r_.state == phase::leased) {
      p.record.state = phase::free;
      p.step = next_step::drop;
      p.outcome = std::optional(ended(c.driver, lease_ending::cancelled));
    }
    return p;
  }

  plan operator()(const command::trip_ended& c) const {
    plan p;
    p.outcome = r_.trip == c.token;
    p.record = r_;
    if (r_.trip == c.token) {
      p.record.trip = token_id::none();
      p.step = next_step::write;
    } else if (c.token > r_.last_trip) {
      // The end overtook the beginning, whose word then comes too late to mean anything.
      p.record.last_trip = c.token;
      p.step = next_step::write;
      if (r_.token == c.token && r_.state != phase::free) {
        p.record.state = phase::free;
        p.record.was_committed = true;
        p.step = next_step::drop;
      }
    }
    return p;
  }

  template <class OfLedger>
  plan operator()(const OfLedger& /*c*/) const {
    ensure(false, "etcd is asked for leases only");
    return {};
  }

 private:
  [[nodiscard]] bool has_live(phase p) const {
    return r_.state == p && p != phase::free && keys_.is_live();
  }

  [[nodiscard]] lease::ended ended(driver_id d, lease_ending cause) const {
    return {r_.token, d, r_.ride, r_.holder, cause};
  }

  /// The lease, or the hold, that etcd has ended and of which nothing has been told.
  [[nodiscard]] std::optional<lease::ended> run_out(driver_id d) const {
    if (r_.state == phase::free || keys_.is_live()) {
      return std::nullopt;
    }
    return ended(d, r_.state == phase::leased ? lease_ending::expired : lease_ending::unwritten);
  }

  static plan just(lease::any_outcome o) {
    plan p;
    p.outcome = std::move(o);
    return p;
  }
  static plan nothing_ended() { return just(std::optional<lease::ended>()); }

  template <class Outcome>
  static lease::any_outcome refusal(confirm_refusal cause) {
    return Outcome{lease::refused{cause, {}, {}}};
  }

  /// The answer tells of a lease that has run out, if there is one, which is written down.
  [[nodiscard]] plan ending_on_sight(lease::any_outcome o) const {
    plan p = just(std::move(o));
    if (r_.state != phase::free && !keys_.is_live()) {
      p.step = next_step::write;
      p.record = r_;
      p.record.state = phase::free;
    }
    return p;
  }

  [[nodiscard]] plan give_back(driver_id d, token_id token, lease_ending cause) const {
    if (r_.state == phase::free || r_.token != token) {
      return nothing_ended();
    }
    plan p = just(std::optional(ended(d, cause)));
    p.step = next_step::drop;
    p.record = r_;
    p.record.state = phase::free;
    return p;
  }

  const driver_keys& keys_;
  const driver_record& r_;
  const terms& terms_;
  local_time now_;
};

}  // namespace

plan decide(const lease::any_command& c, const driver_keys& keys, const terms& t, local_time now) {
  return std::visit(deciding(keys, t, now), c);
}

lease::any_outcome concluded(lease::any_outcome planned,
                             token_id token,
                             local_time due,
                             local_time now) {
  if (auto* const a = std::get_if<lease::acquire_outcome>(&planned)) {
    if (auto* const g = std::get_if<lease::granted>(a)) {
      g->token = token;
    }
  }
  const lease::time_limit limit = lease::limit_in(planned);
  if (limit.until != nullptr) {
    *limit.until = due;
  }
  if (limit.left != nullptr) {
    *limit.left = due == local_time::max() ? forever : due - now;
  }
  return planned;
}

}  // namespace dibs::store::etcd
