/// Is there one order of the calls about a driver's lease, each taking effect at some instant
/// between its call and its answer, in which every answer is right by the model of one driver?
///
/// The search of Wing and Gong in the form of Lowe (Testing for linearizability, 2017). A call is
/// put in order as late as possible: before the answer that needs it. Of the orders that fit, only
/// the states to which they lead are kept, and of these only those that no other state covers.
///
/// A call that is never answered stays under way for good. Among unanswered calls that can do the
/// same, the earliest takes effect first. So of unanswered renewals only their number is kept, and
/// of unanswered confirms and releases only the first.
#pragma once

#include "checkers/driver_model.hpp"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dibs::checkers {

/// The same as `model_states`, whatever number the vector holds without allocating.
using some_model_states = boost::container::small_vector_base<model_state>;
using model_states = boost::container::small_vector<model_state, 4>;

/// The calls about one driver, put in order piece by piece.
class linear_order {
 public:
  enum class order_found : std::uint8_t { fits, contradicts, too_many };

  /// With more states than this, or more calls under way at once, the search is given up.
  static constexpr std::size_t states_max = 512;
  static constexpr std::size_t under_way_max = 64;

  /// The number of a call among those that are under way for the driver.
  using place_number = std::uint8_t;
  static constexpr place_number no_place = UINT8_MAX;

  /// `bounds` outlive it.
  explicit linear_order(const lease_time_bounds& bounds) : model_(bounds) {}

  /// The call `a` began. Returns its place, which it has until it is answered; a call that is never
  /// answered has it only as long as it may matter.
  place_number begin(const operation& a);
  /// An unanswered call may renew the lease of this token once, at any instant from `called` on.
  /// `all`: the lengths that such a renewal may have.
  void may_be_renewed(token_id token, sim_time called, const lease_lengths& all);
  /// The call `a` was answered. Keeps the states in which the answer is right. `contradicts`: there
  /// is none; the answer is believed from here on. `too_many`: the search is given up for good.
  /// Requires: the call began at this place, with an answer to come.
  [[nodiscard]] order_found answer(place_number where, const operation& a);

  /// From `t` on the driver may be free of this token without anybody's call: its trip is over, or
  /// the ledger refused it.
  void may_be_free(token_id token, sim_time t);
  /// From `t` on, and of any token: the manager may hear at any time of a trip that it did not
  /// expect, and end the lease that it meets.
  void may_be_free_of_any(sim_time t);

  [[nodiscard]] std::span<const model_state> states() const {
    return {states_.data(), states_.size()};
  }

 private:
  order_found answer_alone(const operation& a);
  /// Whether the call is in order already, in every state.
  [[nodiscard]] bool was_expected(std::size_t goal) const;
  void strike_off(std::size_t place);
  [[nodiscard]] token_id highest() const;
  /// Whether an earlier call, never answered either, can do all that this one can.
  [[nodiscard]] bool is_spare(const operation& a) const;
  [[nodiscard]] std::uint64_t open_places() const;
  [[nodiscard]] unheard_renewals* unheard_of(token_id token) const;
  void forget_the_futile(some_model_states& states);
  void let_look(model_state& s) const;
  bool extend(const model_state& from, std::size_t goal, model_states& reached);

  driver_model model_;
  // Nearly always one state and two calls at most, which lie where the driver's other data do.
  boost::container::small_vector<model_state, 1> states_{model_state{}};
  boost::container::small_vector<operation, 2> places_;
  std::uint64_t taken_ = 0;  ///< which places hold a call that is under way, one bit each
  /// Unanswered renewals of leases that are current in some state. Nearly always there are none,
  /// and this is null.
  std::unique_ptr<std::vector<unheard_renewals>> unheard_;
};

}  // namespace dibs::checkers
