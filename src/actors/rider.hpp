/// A rider: wants a ride, waits as long as her patience lasts, gets in or goes away.
///
/// One actor serves one ride after another: when a person is gone the seat is free for the next.
/// Messages about an earlier ride are told by its number.
#pragma once

#include "messages/messages.hpp"
#include "runtime/context.hpp"

#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace dibs::actors {

class rider {
 public:
  using context = runtime::context;
  using inbox = messages::message_list<messages::appear,
                                       messages::assigned,
                                       messages::unserved,
                                       messages::arrived,
                                       messages::dropped_off,
                                       messages::patience_over,
                                       messages::ask_again,
                                       messages::cancellation_due,
                                       messages::still_waiting,
                                       messages::late_cancellation_due,
                                       messages::ask_next,
                                       messages::confirm_wanted,
                                       messages::confirm_due,
                                       messages::confirm_missed>;

  void on(context& x, const messages::appear& m);
  void on(context& x, const messages::assigned& m);
  void on(context& x, const messages::unserved& m);
  void on(context& x, const messages::arrived& m);
  void on(context& x, const messages::dropped_off& m);
  void on(context& x, const messages::patience_over& m);
  void on(context& x, const messages::ask_again& m);
  void on(context& x, const messages::cancellation_due& m);
  void on(context& x, const messages::still_waiting& m);
  void on(context& x, const messages::late_cancellation_due& m);
  void on(context& x, const messages::ask_next& m);
  void on(context& x, const messages::confirm_wanted& m);
  void on(context& x, const messages::confirm_due& m);
  void on(context& x, const messages::confirm_missed& m);

  /// She opens the app again: it knows her ride, and starts to wait afresh.
  void restart(context& x);

 private:
  enum class state : std::uint8_t { gone, waiting, promised, riding };

  [[nodiscard]] bool is(state s, ride_id r) const { return state_ == s && ride_ == r; }
  /// Whether she is on the trip, or it is over.
  [[nodiscard]] bool rode(ride_id ride, token_id token) const;
  void wait(context& x);
  void ask(context& x);
  /// Of those who are asked one after another, while the offers of the others are open.
  void ask_next(context& x, std::uint32_t place);
  void leave(context& x);
  void give_up(context& x, events::abandonment why);
  void call_off_promised(context& x);
  /// The matchers that pursue her ride: one, or several side by side.
  using matcher_list = boost::container::small_vector<node_id, 4>;
  [[nodiscard]] matcher_list matchers(const context& x) const;
  /// Those, and the ones whose turn has not come.
  [[nodiscard]] matcher_list all_matchers(const context& x) const;
  /// Tells all of them, but for one that knows, that the ride is no longer theirs to serve.
  void withdraw(context& x, node_id but_for = {});

  ride_id ride_;
  std::uint32_t asks_ = 0;
  std::uint32_t waits_ = 0;
  std::uint32_t asked_in_ = 0;  ///< in which wait they are asked one after another
  std::uint32_t asked_ = 0;     ///< how many of them so far
  std::uint32_t refusals_ = 0;  ///< matchers that gave the ride up since she last asked
  sim_time expected_{};         ///< when the promised driver should be there
  token_id token_;
  state state_ = state::gone;
};

}  // namespace dibs::actors
