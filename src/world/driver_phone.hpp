/// What a driver's phone shows, and how she answers it.
///
/// Pure: it reads no clock and draws nothing. An offer is answered once, however often it comes.
/// One whose deadline is over stays for a while, for she may still answer, too late, and copies of
/// it may still come.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "events/offer_facts.hpp"
#include "world/pickup_effect.hpp"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace dibs::world {

/// What becomes of an offer that she has just seen.
struct answer_plan {
  events::offer_response answer{};
  sim_duration after{};      ///< until she answers, if she does
  bool is_due = false;       ///< an answer comes, be it too late
  bool in_time = false;      ///< it comes before the deadline
  bool is_foregone = false;  ///< declined at once, since it would not be accepted in time
};

/// How drivers of a class answer: the shares of offers, and what they do with those that will fail.
struct answer_habits {
  double accept = 1;
  double ignore = 0;           ///< the rest is declined
  bool answers_late = false;   ///< a late answer is sent whatever it says; else an accept alone
  bool fails_at_once = false;  ///< what would not be accepted in time is declined at once
  double slower = 1;           ///< each answer takes so many times as long

  /// The same drivers, asked about a ride whose pick-up is so far away. Of what they do not accept
  /// they ignore the same share.
  [[nodiscard]] answer_habits asked_from(sim_duration pickup, const pickup_effect& effect) const;
};

/// `draws`: of this driver, the ride, and how often it was offered to her. `window`: how long the
/// offer truly is on her screen.
[[nodiscard]] answer_plan plan_answer(const answer_habits& habits,
                                      const distribution& response,
                                      stream& draws,
                                      sim_duration window);

class driver_phone {
 public:
  struct shown_offer {
    token_id token;
    ride_id ride;
    node_id from;
    events::offer_response answer{};
    bool visible = true;  ///< false once its deadline is over
    bool is_due = false;  ///< an answer, some time; else it stays a while, for late copies of it
  };
  using tokens = boost::container::small_vector<token_id, 2>;

  /// Whether the offer is on it, or was answered: then this is a copy.
  [[nodiscard]] bool knows(token_id offer) const;
  [[nodiscard]] const shown_offer* find(token_id offer) const;
  /// Whether she has an offer before her eyes.
  [[nodiscard]] bool is_looked_at() const;

  void show(const shown_offer& o);
  /// She answers: it leaves the screen. Nothing if it has left before. `copies_come`: more of it
  /// may come later.
  [[nodiscard]] std::optional<shown_offer> answer(token_id offer, bool copies_come);
  /// The deadline is over. False if the offer has left the screen before.
  [[nodiscard]] bool time_out(token_id offer);
  /// It is taken back. True if she still saw it.
  [[nodiscard]] bool take_back(token_id offer);
  /// What she sees makes room for another offer, or is gone with her connection.
  [[nodiscard]] tokens drop_visible();
  /// All that is on it, seen or not.
  void clear() { screen_.clear(); }

 private:
  // Nearly always one offer, which then lies where she does.
  using screen = boost::container::small_vector<shown_offer, 1>;

  [[nodiscard]] screen::iterator place_of(token_id offer);
  /// All but the last few of those that ran out and that she will not answer.
  void forget_ignored();

  screen screen_;
  token_id last_answered_;
  std::unique_ptr<std::vector<token_id>> answered_;  ///< before the last, if copies may come
};

}  // namespace dibs::world
