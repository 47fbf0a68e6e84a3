/// The faults of a run that have a trigger. It asks each trigger, in the scenario's order, and says
/// which faults happen now. It changes nothing itself: the transport carries the faults out.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/causes.hpp"
#include "messages/messages.hpp"
#include "sim/faults.hpp"
#include "sim/trigger_counter.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::runtime {

/// Whom a step in the life of a ride is about.
struct step_topic {
  node_id matcher;  ///< who takes the step
  ride_id ride;
  node_id rider;
  driver_id driver;
  token_id token;  ///< of the lease, if there is one
};

/// What one fault does to a message: held up by so much, or a copy so long after it.
struct fault_effect {
  events::tampering what{};
  sim_duration by{};
};

/// What all of them do to it, in the scenario's order; a message that is dropped takes no other.
struct message_tampering {
  std::vector<fault_effect> effects;

  [[nodiscard]] bool drops() const {
    return !effects.empty() && effects.back().what == events::tampering::dropped;
  }
  [[nodiscard]] sim_duration delay() const {
    sim_duration sum{};
    for (const fault_effect& b : effects) {
      sum = as_if_drawn(sum + (b.what == events::tampering::delayed ? b.by : sim_duration::zero()));
    }
    return sum;
  }
};

/// A node is to be struck.
struct strike {
  node_id node;
  sim::outage_kind kind{};
  sim_duration length{};
  std::optional<sim_duration> until_expiry;  ///< counts instead of `length`
  ride_id ride;
  token_id token;
};

/// What becomes of a matcher that takes a step.
enum class step_interruption : std::uint8_t {
  none,
  outage,     ///< it stops here; what it was about to do comes after a pause, or never
  error,      ///< what it does for this ride ends here
  tidy_error  ///< the same, but for a last act that gives the lease back
};

class triggered_faults {
 public:
  triggered_faults(const std::vector<sim::fault>& faults, std::uint64_t seed);

  [[nodiscard]] bool empty() const { return faults_.empty(); }
  /// Whether some pause is to last until an expiry.
  [[nodiscard]] bool needs_expiries() const { return needs_expiries_; }
  /// The kinds of nodes that may be struck.
  [[nodiscard]] const std::vector<node_kind>& may_strike() const { return may_strike_; }

  /// Those that have not struck, by their place among the faults that it was made of.
  [[nodiscard]] std::vector<std::size_t> idle() const;

  /// A matcher takes a step. Adds the outages that strike now to `faults`.
  step_interruption at_step(sim::life_step step,
                            const step_topic& about,
                            sim_time now,
                            std::vector<strike>& strikes);

  /// A message is sent; `about` is its ride, if it has one.
  message_tampering at_sending(const sim::sighting& m,
                               ride_id about,
                               token_id token,
                               sim_time now,
                               std::vector<strike>& strikes);

  /// It arrives: those that strike its receiver.
  void at_arrival(const sim::sighting& m,
                  ride_id about,
                  token_id token,
                  sim_time now,
                  std::vector<strike>& strikes);

 private:
  struct triggered_fault {
    sim::watch watch;
    sim::fault_kind action;
    stream draws;
  };

  void tamper(triggered_fault& t, message_tampering& done);

  std::vector<triggered_fault> faults_;
  std::vector<node_kind> may_strike_;
  bool needs_expiries_ = false;
};

/// The word for the message of this number; none for timers and the like.
[[nodiscard]] std::optional<std::uint8_t> message_name_index(std::uint16_t number);

}  // namespace dibs::runtime
