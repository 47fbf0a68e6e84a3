/// Which of two lease managers leads, and what the one that follows knows.
///
/// The leader tells the follower of each change of a lease or a trip, and sends heartbeats. When no
/// word has come for long enough, the follower takes the lead in a new term. One that comes back
/// from a crash, or hears of a newer term, follows. Without a standby the one manager always leads.
///
///     leads --hears of a newer term, or crashes--> follows, behind --catches up--> follows
///       ^                                              |                              |
///       +-------------- no word from a leader ---------+------------------------------+
///
/// Words may overtake each other. Each has a number, and one that is not newer than what is known
/// changes nothing. Were it believed, the follower would forget what it knew and, once it leads,
/// end leases that are long over and grant drivers who are confirmed. A leader's words count as
/// newer than those of an earlier one, who may not have heard that it is replaced.
#pragma once

#include "base/ids.hpp"
#include "lease/lease_machine.hpp"
#include "lease/manager_rules.hpp"
#include "lease/manager_turn.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::lease {

class leadership_machine {
 public:
  /// `rules` outlive it.
  explicit leadership_machine(const manager_rules& rules)
      : rules_(rules), leads_(rules.self == 0) {}

  [[nodiscard]] bool leads() const { return leads_; }
  /// A leader that was replaced may still act on the leases that it sees run out.
  [[nodiscard]] bool acts_on_expiry() const {
    return leads_ || (is_behind_ && rules_.lease.standby->old_leader_acts);
  }
  [[nodiscard]] node_id other() const { return {node_kind::lease_manager, 1 - rules_.self}; }

  /// The manager begins to work: the leader sends heartbeats, the other waits for them.
  void start(turn& t) const;
  /// It comes back, and follows until it turns out that nobody else leads.
  void come_back();

  // what the leader tells
  void tell_lease(turn& t, const machine& leases, driver_id d);
  void tell_trip(turn& t, driver_id d, token_id trip);
  void tell_all(turn& t, const machine& leases);
  /// A word to the follower that this one leads, and the next one in its time.
  void beat(turn& t) const;

  // what the follower hears
  void hear(const messages::follow_lease& m, machine& leases);
  void hear(const messages::follow_trip& m, machine& leases);
  void hear(turn& t, const messages::lead_heartbeat& m, const machine& leases);

  void on(turn& t, const messages::heartbeat_due& m) const;
  /// Nobody leads any more: this one does, in a new term, once it has heard no word since.
  [[nodiscard]] bool takes_the_lead(turn& t, const messages::leader_silent& m, machine& leases);
  /// A lease of which a leader that was replaced alone knows; nothing if this one knows better.
  [[nodiscard]] std::optional<ended> forget_doubtful(const messages::lease_in_doubt& m);

 private:
  /// The newest word about a driver that one manager told the other.
  struct words {
    std::uint32_t of_lease = 0;
    std::uint32_t of_trip = 0;
  };

  [[nodiscard]] words& words_about(driver_id d);
  [[nodiscard]] std::uint32_t next_word(std::uint32_t newest) const;
  void step_down(turn& t, const machine& leases);
  void begin_term(turn& t, machine& leases);

  const manager_rules& rules_;
  std::vector<words> words_;  ///< by driver, once there was one
  /// By driver, once it has replaced another leader: the newest token that it had heard of then,
  /// or in doubt since.
  std::vector<token_id> newest_known_;
  std::uint32_t term_ = 1;
  std::uint32_t heard_ = 0;  ///< heartbeats of the leader
  bool leads_;
  bool is_behind_ = false;  ///< its table misses what another leader did
};

}  // namespace dibs::lease
