/// The life of each try for a driver, under a lease or without one, as the events tell it.
///
/// Only writes down; what a life means is judged when the run is over, since a late event can
/// change it: a commit may follow the end of its lease. Whether the lease became a trip is decided
/// with its end (`starvation_rule.hpp` rests on it).
#pragma once

#include "base/block_table.hpp"
#include "base/ids.hpp"
#include "base/prefetch.hpp"
#include "base/time.hpp"
#include "base/time_interval.hpp"
#include "base/token_index.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"
#include "metrics/metrics.hpp"

#include <tsl/hopscotch_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace dibs::metrics {

inline constexpr try_index no_try = token_index::none;

struct try_record {
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id matcher;
  try_index earlier_of_ride = no_try;
  try_index earlier_of_driver = no_try;
  try_index next_held = no_try;  ///< another lease on the same driver, live at the same time

  sim_time granted = never;   ///< never: a try without a lease
  sim_time deadline = never;  ///< the lease's own: the grant plus the TTL
  sim_time known = never;     ///< the deadline as far as its holder has heard of renewals
  local_time expires{};       ///< on the lease manager's clock
  /// The first of commit and end at the lease manager; without a lease, the first of commit, the
  /// try's end at the matcher and the matcher's crash.
  sim_time over = never;
  sim_time sent = never;
  sim_time shown = never;
  sim_time left_screen = never;  ///< answered or dismissed
  sim_time decided = never;
  local_time phone_deadline = local_time::max();
  sim_time promised = never;
  sim_time committed = never;
  sim_time trip_over = never;  ///< the first of the trip's end and the revocation
  /// Nothing could come of it any more: its holder was done with it, or the ride was gone, or the
  /// lease manager or the ledger had said no. What failed later had no part in what became of it.
  sim_time closed = never;
  sim_time asked = never;  ///< for the last confirm or write before that
  /// The first of the messages about it that were, while it was live: of those after the offer was
  /// shown, if there are any.
  sim_time lost = never;
  sim_time in_vain = never;  ///< the driver went offline or the ride was gone, while leased
  std::uint32_t spell = 0;   ///< while it holds the driver: in which spell
  node_id lost_from;         ///< whose message that was

  events::lease_ending ending{};  ///< if ended
  bool ended : 1 = false;         ///< at the lease manager, before any commit
  bool converted : 1 = false;     ///< the lease became a trip
  bool confirmed : 1 = false;
  bool accepted : 1 = false;   ///< the answer, if decided
  bool in_time : 1 = false;    ///< by the driver's own clock
  bool withdrawn : 1 = false;  ///< the withdrawal reached the screen
  bool revoked : 1 = false;
  bool broken : 1 = false;           ///< revoked after a promise, and nobody had called off
  bool decided_against : 1 = false;  ///< by a fact; a commit may come all the same
  bool doubtful : 1 = false;  ///< a word since her yes was lost, and nothing has come through since
  /// The ride had no use for it, before it was decided against or became doubtful.
  bool unwanted : 1 = false;
  /// What that would be had the word not been lost, while doubtful, up to a crash of its holder.
  bool unwanted_if_heard : 1 = false;
  bool failed : 1 = false;       ///< its holder's work on it ended with an error, while it was open
  bool given_up : 1 = false;     ///< by its holder's clock, with time left as far as it knew
  bool unanswered : 1 = false;   ///< its holder closed it for want of a reply to what it had asked
  bool cut_short : 1 = false;    ///< so, by a clock that ran ahead: the yes came in its time
  bool given_back : 1 = false;   ///< its holder did so while it was live, heard or not
  bool refused : 1 = false;      ///< the lease manager or the ledger said no while it was open
  bool shares_ride : 1 = false;  ///< with another try that was committed, as this one was

  [[nodiscard]] bool is_leased() const { return granted != never; }
  /// With its lease, or with its offer where there is none.
  [[nodiscard]] sim_time begin() const { return is_leased() ? granted : sent; }
  [[nodiscard]] bool is_live() const { return over == never; }
  /// A copy of the offer, or what the holder needed to send it; the offer came all the same.
  [[nodiscard]] bool lost_before_shown() const { return shown != never && lost < shown; }
  [[nodiscard]] time_interval lease() const { return {granted, over}; }
  [[nodiscard]] time_interval commitment() const { return {committed, trip_over}; }

  /// While the offer could be answered on the screen. A withdrawal that arrived counts from the end
  /// of the lease.
  [[nodiscard]] time_interval on_screen() const {
    const bool is_cut = withdrawn && is_leased() && over < left_screen;
    return {shown, is_cut ? over : left_screen};
  }
};

using try_list = block_table<try_record>;

class try_table {
 public:
  explicit try_table(std::uint32_t drivers) : drivers_(drivers) {}

  [[nodiscard]] try_record& at(try_index i) { return records_[i]; }
  [[nodiscard]] const try_record& at(try_index i) const { return records_[i]; }
  [[nodiscard]] const try_list& all() const { return records_; }

  /// Has memory bring which try is the driver's newest, and when that is there (near) its record.
  void fetch(driver_id d, events::distance how_far) const {
    if (d.value >= drivers_.size()) {
      return;
    }
    if (how_far == events::distance::far) {
      fetch_line(&drivers_[d.value]);
    } else if (const try_index newest = drivers_[d.value].newest; newest != no_try) {
      fetch_whole(records_[newest]);
    }
  }

  /// The newest record of a token for this driver, or `no_try`.
  [[nodiscard]] try_index find(token_id token, driver_id d) const;
  /// The newest try for this driver; earlier ones are linked.
  [[nodiscard]] try_index latest_of(driver_id d) const;
  [[nodiscard]] try_index add(token_id token, driver_id d, ride_id r);
  /// How many offers are on the driver's screen, as the records of her tries say.
  [[nodiscard]] std::uint32_t& on_screen(driver_id d) { return drivers_[d.value].on_screen; }

 private:
  struct driver_record {
    token_id newest_token;  ///< here too, which spares a look at the try's own record
    try_index newest = no_try;
    std::uint32_t on_screen = 0;  ///< offers
  };
  struct key {
    token_id token;
    driver_id driver;
    friend constexpr bool operator==(const key&, const key&) = default;
  };
  struct key_hash {
    std::size_t operator()(const key& k) const noexcept {
      return std::hash<token_id>{}(k.token) ^ k.driver.value;
    }
  };

  try_list records_;
  std::vector<driver_record> drivers_;
  token_index index_;  ///< for the first driver of each token
  /// A broken lease manager may issue a token to more drivers: these are the others.
  tsl::hopscotch_map<key, try_index, key_hash> shared_;
};

}  // namespace dibs::metrics
