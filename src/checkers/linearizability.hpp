/// Is there one order of the calls about a driver's lease, each taking effect at some instant
/// between its call and its answer, in which every answer is right by the model of one driver?
///
/// The search of Wing and Gong in the form of Lowe (Testing for linearizability, 2017): calls are
/// put in order as late as they can be, before the answer that needs them, and of the orders that
/// fit only the states that they lead to are kept: those that no other one allows all of.
///
/// A call that is never answered stays under way for good. Of those that can do the same, the one
/// that was called first does it first, so what is kept of renewals that nobody heard of is how
/// many took place, and of confirms and releases the first.
#pragma once

#include "checkers/driver_model.hpp"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dibs::checkers {

/// However many have room in the vector itself.
using some_standings = boost::container::small_vector_base<standing>;
using standings = boost::container::small_vector<standing, 4>;

/// The calls about one driver, put in order piece by piece.
class linear_order {
 public:
  enum class verdict : std::uint8_t { fits, contradicts, too_many };

  /// More states than this, or calls under way at once, are not looked through.
  static constexpr std::size_t states_max = 512;
  static constexpr std::size_t under_way_max = 64;

  /// Of a call that is under way, among all about the driver.
  using place_number = std::uint8_t;
  static constexpr place_number no_place = UINT8_MAX;

  /// `terms` outlive it.
  explicit linear_order(const lease_terms& terms) : model_(terms) {}

  /// `a` was called. Where it is, until it is answered; one that is never answered has its place
  /// only as long as it may matter.
  place_number begin(const attempt& a);
  /// The lease of this token may be renewed once, at any instant from `called` on, and nobody is
  /// going to hear of it. `all`: how long any such renewal may be said to be.
  void may_be_renewed(token_id token, sim_time called, const lease_lengths& all);
  /// `a` was answered: the states in which it could be are kept. `contradicts`: there is none, and
  /// what the answer says is believed from here on. `too_many`: given up for good. Requires: it
  /// began there, with an answer to come.
  [[nodiscard]] verdict answer(place_number where, const attempt& a);

  /// From `t` on the driver may be free of this token without anybody's call: its trip is over, or
  /// the ledger refused it.
  void may_be_free(token_id token, sim_time t);
  /// From `t` on, and of any token: the manager may hear at any time of a trip that it did not
  /// expect, and end the lease that it meets.
  void may_be_free_of_any(sim_time t);

  [[nodiscard]] std::span<const standing> states() const {
    return {states_.data(), states_.size()};
  }

 private:
  verdict answer_alone(const attempt& a);
  /// Whether the call is in order already, in every state.
  [[nodiscard]] bool was_expected(std::size_t goal) const;
  void strike_off(std::size_t place);
  [[nodiscard]] token_id highest() const;
  /// Whether an earlier call, never answered either, can do all that this one can.
  [[nodiscard]] bool is_spare(const attempt& a) const;
  [[nodiscard]] std::uint64_t open_places() const;
  [[nodiscard]] unheard_renewals* unheard_of(token_id token) const;
  void forget_the_futile(some_standings& states);
  void let_look(standing& s) const;
  bool extend(const standing& from, std::size_t goal, standings& reached);

  driver_model model_;
  // Nearly always one state and two calls at most, which lie where the driver's other data do.
  boost::container::small_vector<standing, 1> states_{standing{}};
  boost::container::small_vector<attempt, 2> places_;
  std::uint64_t taken_ = 0;  ///< which places hold a call that is under way, one bit each
  /// Of leases that are current somewhere; null where there are none, as nearly always.
  std::unique_ptr<std::vector<unheard_renewals>> unheard_;
};

}  // namespace dibs::checkers
