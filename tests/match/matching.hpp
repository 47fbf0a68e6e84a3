/// A matcher whose questions a test answers.
#pragma once

#include "catch.hpp"
#include "listed_actions.hpp"
#include "match/search_machine.hpp"

#include <algorithm>
#include <deque>
#include <vector>

namespace dibs::match {

inline constexpr ride_id the_ride{7};
inline constexpr driver_id first_choice{1};
inline constexpr driver_id second_choice{2};
inline constexpr token_id first_token{11};

inline matcher_rules plain_rules() { return {.self = matcher_id{2}}; }

/// A matcher whose questions a test answers: what it asks for is noted, in its order.
class matching {
 public:
  explicit matching(const matcher_rules& rules) : machine(rules) {}

  template <class M>
  void hear(const M& m) {
    done.clear();
    turn t(now);
    machine.on(t, m);
    carry_out(t);
  }
  void want(ride_id r, std::uint32_t wait = 1) {
    done.clear();
    turn t(now);
    machine.on(t, messages::want_ride{r, 0, wait}, {.key = r.value, .zone = zone_id{0}});
    carry_out(t);
  }
  /// From the request to an open offer.
  void offer(ride_id r, token_id token) {
    want(r);
    hear(messages::lease_given{r, first_choice, last<messages::acquire>().request, token, 15s});
  }
  /// From there to the write.
  void accept(ride_id r, token_id token) {
    hear(messages::offer_answer{r, first_choice, token, events::offer_response::accepted});
    hear(messages::confirm_taken{r, first_choice, token});
  }
  /// The one message of the kind since the machine last heard something.
  template <class M>
  M last() const {
    const auto all = sent<M>(done);
    REQUIRE(all.size() == 1);
    return all[0].what;
  }
  template <class M>
  std::size_t count() const {
    return sent<M>(done).size();
  }
  [[nodiscard]] std::vector<events::try_ending> endings() const {
    std::vector<events::try_ending> all;
    for (const auto& each : facts<events::try_closed>(done)) {
      all.push_back(each.what.cause);
    }
    return all;
  }

  search_machine machine;
  local_time now = local_time{} + 1h;
  std::deque<driver_id> view{first_choice, second_choice};  ///< who is there, the nearest first
  std::vector<action> done;
  bool is_stopped = false;  ///< by a fault, wherever it may be
  std::vector<take_step> steps;

 private:
  void carry_out(const turn& t) {
    for (const action& each : t.actions()) {
      done.push_back(each);
      answer(each);
    }
  }
  void answer(const action& a) {
    turn t(now);
    if (const auto* next = std::get_if<try_ride>(&a)) {
      machine.called(t, *next);
    } else if (const auto* question = std::get_if<find_driver>(&a)) {
      const auto is_free = [&](driver_id d) { return machine.may_try(*question->search, d, now); };
      const auto found = std::find_if(view.begin(), view.end(), is_free);
      machine.found(t, *question->search, found == view.end() ? driver_id::none() : *found, 0);
    } else if (const auto* line = std::get_if<join_waiting_line>(&a)) {
      (void)machine.joins_line(*line->search);
      machine.joins_waiting_line(t, *line->search, {}, std::nullopt);
    } else if (const auto* step = std::get_if<take_step>(&a)) {
      steps.push_back(*step);
      if (!is_stopped) {
        machine.go_on(t, *step->search, step->here, step->left, zone_id::none());
      }
    }
    carry_out(t);
  }
};

}  // namespace dibs::match
