/// Every accept in time is accounted for (S14): it became a trip, or nobody wanted it any more
/// before it was decided against, or it was lost.
///
/// This is double-entry bookkeeping. An accept is entered when the driver gives it, and one of
/// three outcomes when that is known. The metrics of the same run must come to the same four
/// numbers: an accept that is counted twice or left out breaks the invariant.
///
/// An accept is decided against by the first of these: the end of its lease, a refusal of the lease
/// manager or the ledger, a crash of its holder, the end of the try at the holder, or the loss of a
/// message since the accept if none has come through after it. A commit saves it even then.
#pragma once

#include "base/block_table.hpp"
#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace dibs::checkers {

class accepts {
 public:
  void judge(const events::lease_granted& f, const event_context& s);
  void judge(const events::offer_sent& f, const event_context& s);
  void judge(const events::offer_shown& f, const event_context& s);
  void judge(const events::offer_dismissed& f, const event_context& s);
  void judge(const events::offer_answered& f, const event_context& s);
  void judge(const events::lease_ended& f, const event_context& s);
  void judge(const events::try_closed& f, const event_context& s);
  void judge(const events::call_made& f, const event_context& s);
  void judge(const events::confirm_accepted& f, const event_context& s);
  void judge(const events::confirm_refused& f, const event_context& s);
  void judge(const events::write_refused& f, const event_context& s);
  void judge(const events::trip_committed& f, const event_context& s);
  void judge(const events::assignment_revoked& f, const event_context& s);
  void judge(const events::ride_abandoned& f, const event_context& s);
  void judge(const events::ride_cancelled& f, const event_context& s);
  void judge(const events::work_failed& f, const event_context& s);
  void judge(const events::node_crashed& f, const event_context& s);
  void judge(const events::message_lost& f, const event_context& s);

  /// At the end of the run: does the account add up?
  [[nodiscard]] accept_account finish(const event_context& s);

 private:
  using place = std::uint64_t;  ///< in the history
  using slot = std::uint32_t;   ///< of an open offer
  static constexpr place never = UINT64_MAX;
  static constexpr slot none = UINT32_MAX;

  struct offer {
    token_id token;
    driver_id driver;
    ride_id ride;
    slot earlier = none;  ///< open under the same number, of a lease manager that counts anew
    matcher_id matcher{};
    local_time deadline{};  ///< on the phone that shows it
    sim_time begun{};
    bool is_open = true;
    place sent = never;
    place decided_against = never;
    place doubted = never;  ///< a word was lost then, and none has come through since
    bool shown = false;
    bool off_screen = false;
    bool accepted = false;
    bool counts = false;      ///< in time, in the measured time
    bool called_off = false;  ///< its matcher took it back with the ride
  };

  /// Since when nobody wants the ride: it is gone, or has drivers that were not called off.
  struct ride_state {
    place unwanted = never;
    std::uint32_t drivers = 0;
    bool is_gone = false;
  };

  enum class fate : std::uint8_t { uncounted, unwanted, lost };

  struct closed_accept {
    driver_id driver;
    fate what{};
  };

  [[nodiscard]] slot latest(token_id token) const;
  [[nodiscard]] offer* find(token_id token, driver_id d);
  /// Null where a copy of an offer comes when all is over.
  offer* find_or_add(token_id token, driver_id d, ride_id r, const event_context& s);
  void decide_against(token_id token, driver_id d, const event_context& s);
  void come_through(token_id token, driver_id d);
  /// Takes it off the list of open offers where nothing can change any more but for a commit.
  void close_done(offer& o, const event_context& s);
  void erase(offer& o);
  void forget_old(const event_context& s);
  [[nodiscard]] fate fate_of(const offer& o) const;
  void count(fate f, std::int64_t by);
  [[nodiscard]] ride_state& state_of(ride_id r);
  /// After its drivers, or whether it is gone, have changed.
  void note_want(ride_id r, place now);
  [[nodiscard]] bool was_wanted(ride_id r, place when) const;
  [[nodiscard]] place crash_of(matcher_id m, place since) const;

  std::vector<offer> offers_;  ///< open ones, and room for later ones
  std::vector<slot> free_;
  tsl::hopscotch_map<token_id, slot, std::hash<token_id>> open_;  ///< the latest of each number
  /// Accepts that were decided against, for a commit to save.
  tsl::hopscotch_map<token_id, closed_accept, std::hash<token_id>> closed_;
  block_table<ride_state> rides_;
  /// Stretches after which the ride was wanted again.
  std::map<ride_id, std::vector<std::pair<place, place>>> unwanted_before_;
  std::vector<std::vector<place>> crashes_;  ///< by matcher
  accept_account account_;
  std::size_t sweep_at_ = 64;
};

}  // namespace dibs::checkers
