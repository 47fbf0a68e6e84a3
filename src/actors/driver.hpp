/// A driver and her phone: sees offers, decides on each on its own, and drives.
///
/// How she answers an offer depends on (seed, driver, ride, k-th offer of that ride to her) alone.
/// She thinks, drives and works in true time; only the deadline on her phone runs on its clock.
/// Of two rides committed to her she drives the one written last, unless someone is on board.
#pragma once

#include "base/point.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <vector>

namespace dibs::actors {

class alignas(64) driver {
 public:
  using context = runtime::context;
  using inbox = message_list<offer,
                             answer_seen,
                             withdraw_offer,
                             drive,
                             boarded,
                             trip_off,
                             answer_due,
                             screen_over,
                             at_pickup,
                             at_drop_off,
                             shift_over,
                             greet,
                             connection_lost,
                             connection_back>;

  void on(context& x, const offer& m);
  void on(context&, const answer_seen&) {}
  void on(context& x, const withdraw_offer& m);
  void on(context& x, const greet& m) { x.answer(phone_there{m.ride, m.token}); }
  void on(context& x, const drive& m);
  void on(context& x, const boarded& m);
  void on(context& x, const trip_off& m);
  void on(context& x, const answer_due& m);
  void on(context& x, const screen_over& m);
  void on(context& x, const at_pickup& m);
  void on(context& x, const at_drop_off& m);
  /// Also how a driver first comes to work.
  void on(context& x, const shift_over& m);
  void on(context& x, const connection_lost& m);
  void on(context& x, const connection_back& m);

  /// The phone forgets what it showed; she goes on driving.
  void crash() { screen_.clear(); }

 private:
  struct shown_offer {
    token_id token;
    ride_id ride;
    node_id from;
    events::verdict answer{};
    bool visible = true;  ///< false once its deadline is over
    bool is_due = false;  ///< an answer, some time; else it stays a while, for late copies of it
  };

  // Nearly always one offer, which then lies where she does.
  using screen = boost::container::small_vector<shown_offer, 1>;

  enum class leg : std::uint8_t { none, to_pickup, boarding, with_rider };

  struct trip {
    token_id token;
    ride_id ride;
  };

  // phone
  [[nodiscard]] screen::iterator find(token_id token);
  [[nodiscard]] bool admits(context& x);
  void dismiss(context& x, token_id token, events::dismissal cause);
  void decide(context& x, const offer& m, sim_duration window);
  /// All but the last few of those that ran out and that she will not answer.
  void forget_ignored();
  void send_answer(context& x, const shown_offer& o);

  // wheel
  void set_out(context& x, trip t);
  /// Whether she has driven that trip, or was told that it is off, or is on it: a late copy of the
  /// word, or one that was overtaken, sends nobody on the road again.
  [[nodiscard]] bool knows(token_id trip) const;
  void remember(token_id trip);
  void end_trip(context& x);
  [[nodiscard]] point place_on_the_way(context& x) const;

  // work
  void leave_if_due(context& x);
  void come_to_work(context& x);
  void reconnect(context& x);

  /// An offer is answered once, however often it comes.
  [[nodiscard]] bool has_answered(token_id offer) const;
  void remember_answer(const context& x, token_id offer);

  /// What may go wrong around the offer that she has just seen, the `nth` of its ride to her, which
  /// she accepts after so long; `forever` if she does not.
  void tempt_fate(context& x, const shown_offer& o, std::uint32_t nth, sim_duration accepts_after);

  struct other_memories {
    std::array<token_id, 8> over;  ///< the last that are over, in a ring
    std::uint8_t next_over = 0;
    trip next;                       ///< as soon as the one with a rider on board is over
    std::vector<token_id> answered;  ///< offers, before the last, if copies of them may come

    [[nodiscard]] bool has_ended(token_id t) const {
      return std::find(over.begin(), over.end(), t) != over.end();
    }
  };
  /// Made if there are none yet.
  [[nodiscard]] other_memories& others();

  screen screen_;
  token_id last_answered_;
  std::unique_ptr<other_memories> others_;
  point place_;
  trip now_;
  sim_time set_out_at_{};
  std::uint32_t person_ = 0;  ///< the how-manieth at this wheel
  leg leg_ = leg::none;
  std::uint8_t driver_class_ = 0;
  bool leaving_ = false;
  bool cut_off_ = false;  ///< at work, but without a connection
};
static_assert(sizeof(driver) <= 128, "a driver lies in two lines of the cache");

}  // namespace dibs::actors
