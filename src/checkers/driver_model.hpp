/// The model of one driver that her clients' calls are held against: she is free, leased under a
/// token, or kept for the token that was confirmed.
///
/// Tokens grow. A lease may be over from a shortest time after its grant on, and is surely over a
/// longest time after it: the clocks of clients and manager do not agree, so between the two either
/// answer is right. Nothing that the lease manager says of itself is believed here but the length
/// of a lease.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::checkers {

enum class operation_kind : std::uint8_t {
  grant,
  denial,
  confirm,
  refusal,  ///< of a confirm or a renewal
  renewal,
  release,  ///< whether or not it found something to release
};

/// One call and its answer. A call that was never answered may have had its effect or not.
struct operation {
  static constexpr sim_time unanswered = sim_time::max();

  operation_kind what{};
  /// The refusal or denial has a known reason other than the lease, so it says nothing of the
  /// lease; the lease may be over for that reason. An unanswered confirm is excused if such a
  /// refusal was possible.
  bool excused = false;
  /// A refused renewal of which a copy may have been taken, and its answer lost.
  bool may_have_renewed = false;
  /// A copy of a call that was answered before: its grant may lie before any call that found the
  /// driver free.
  bool is_copy = false;
  token_id token{};
  sim_time called{};
  sim_time answered = unanswered;
  sim_duration ttl =
      forever;  ///< the lease's length, with the manager's grace, also where it is refused

  [[nodiscard]] bool is_open() const { return answered == unanswered; }
};

/// How long a lease may be said to be, the manager's grace included; by default nothing is known.
struct lease_lengths {
  sim_duration shortest{};
  sim_duration longest = forever;
};

/// How far clocks and clean-up may stretch what a lease says of itself.
struct lease_time_bounds {
  double drift_ppm = 0;                 ///< of the manager's clock, either way
  sim_duration confirm_hold = forever;  ///< a kept driver may be free again after this
  std::optional<sim_duration>
      overstay{};             ///< a lease may stand so long after its end; absent: ever
  bool ends_on_sight = true;  ///< a refusal because a lease has run out ends it
  bool ends_early = false;    ///< a lease may be over before its time without anybody's call
  bool stretches = false;     ///< and may be good for longer than it says
  bool release_frees = true;  ///< else a lease that is given back stands until it expires
};

/// Where a driver may stand, after the calls that are in order so far.
struct model_state {
  enum class phase : std::uint8_t { free, leased, kept };

  token_id token;    ///< of the lease or the confirm; none if free
  token_id highest;  ///< the highest token that was granted
  phase is = phase::free;
  std::uint32_t unheard = 0;  ///< unanswered renewals of the lease that took place
  sim_time now{};             ///< the last call took effect at this instant or later
  sim_time over_from{};       ///< the driver may be free from this instant on
  sim_time valid_by{};        ///< leased: a confirm at this instant or later is too late
  sim_time held_by{};         ///< leased: surely free from this instant on
  std::uint64_t ahead = 0;    ///< calls in order already whose answer is yet to come, one bit each

  friend bool operator==(const model_state&, const model_state&) = default;
};

/// Renewals of one lease that were never answered: each may take place once, at any instant from
/// its call on, or never. Of those that can take place, nobody can tell which one does, so they
/// take place in the order in which they were called.
struct unheard_renewals {
  token_id token;
  lease_lengths lengths;
  std::vector<sim_time> called;
};

/// The transitions of one driver's state by calls.
class driver_model {
 public:
  /// `bounds` outlive it.
  explicit driver_model(const lease_time_bounds& bounds) : terms_(&bounds) {}

  /// The state after the call, which takes effect after all that must come before it, and by
  /// `until`. Nothing if the answer would be wrong.
  [[nodiscard]] std::optional<model_state> after(const model_state& s,
                                                 const operation& a,
                                                 sim_time until) const;
  /// The same for the next of these renewals. Nothing if none is left, or if it comes too late.
  [[nodiscard]] std::optional<model_state> renewed_unheard(const model_state& s,
                                                           const unheard_renewals& all,
                                                           sim_time until) const;
  /// The state if the answer is believed, whatever came before. `highest`: the highest token that
  /// was granted.
  [[nodiscard]] model_state believed(const operation& a, token_id highest) const;

  /// From `t` on the driver may be free of this token without a call, whatever her state: its trip
  /// is over, or the ledger refused it.
  void may_be_free(token_id token, sim_time t);
  /// The same of any token: the manager may hear at any time of a trip that it did not expect, and
  /// end the lease that it meets.
  void may_be_free_of_any() { dropped_at_ = any_token; }

  /// Whether `a` allows all that `b` allows: every answer that is right after `b` is right after
  /// `a`, and the same holds of the states that follow. Each bound of `a` is at least as wide.
  [[nodiscard]] static bool allows_all_of(const model_state& a, const model_state& b);
  /// Whether the call is right where things stand, and changes nothing.
  [[nodiscard]] static bool only_looks(const model_state& s, const operation& a);
  /// Whether it is right in every state, before and after every other call.
  [[nodiscard]] static bool fits_anywhere(const operation& a);

 private:
  [[nodiscard]] std::optional<model_state> lapsed(model_state s, sim_time until) const;
  /// What is left of a lease that a refusal has shown to be over.
  [[nodiscard]] model_state spent(const model_state& s) const;
  /// May be over as before, or stand as long as a renewal lets it.
  [[nodiscard]] model_state perhaps_renewed(model_state s, sim_duration ttl, sim_time until) const;
  /// From the instant of `s` on, or up to `until`, but not when it is too late for that.
  [[nodiscard]] model_state renewed(const model_state& s,
                                    const lease_lengths& ttl,
                                    sim_time until) const;
  [[nodiscard]] model_state leased(
      model_state s, token_id token, const lease_lengths& ttl, sim_time from, sim_time until) const;
  /// The earliest that a confirmed lease, or one so long, may be over.
  [[nodiscard]] sim_time kept_until(token_id token, sim_time from) const;
  [[nodiscard]] sim_time unless_dropped(token_id token, sim_time from, sim_duration length) const;

  /// In place of an instant: she may be free of whatever token.
  static constexpr sim_time any_token = sim_time::min();
  [[nodiscard]] bool may_drop_any() const { return dropped_at_ == any_token || terms_->ends_early; }

  const lease_time_bounds* terms_;
  token_id dropped_;  ///< the last token of which she may be free without a call
  sim_time dropped_at_{};
};

}  // namespace dibs::checkers
