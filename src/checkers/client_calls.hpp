/// Linearizability (L): for each driver there is one order of the calls to the lease manager in
/// which every answer is right.
///
/// Only calls and answers count, as an outsider sees them. So it catches a manager whose own record
/// is flawless and whose answers do not agree with it. Each driver is judged alone. Her calls are
/// put in order as soon as none is under way, which is nearly always at once. A call whose answer
/// never comes makes the later ones wait for the end of the run. The phone's own calls are never
/// answered, so nothing waits for them.
#pragma once

#include "base/block_table.hpp"
#include "base/prefetch.hpp"
#include "checkers/event_context.hpp"
#include "checkers/linearizability.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::checkers {

class client_call_checker {
 public:
  void judge(const events::call_made& f, const event_context& s);
  void judge(const events::call_answered& f, const event_context& s);
  void judge(const events::lease_granted& f, const event_context& s);
  void judge(const events::lease_renewed& f, const event_context& s);
  void judge(const events::lease_reset& f, const event_context& s);
  void judge(const events::trip_committed& f, const event_context& s);
  void judge(const events::trip_ended& f, const event_context& s);
  void judge(const events::assignment_revoked& f, const event_context& s);
  void judge(const events::write_refused& f, const event_context& s);

  /// At the end of the run: a call without an answer by now has none. Once `options::stop` is set,
  /// drivers whose calls are not in order yet stay undecided.
  void finish(const event_context& s);

  /// Prefetches the record of the driver: first its place, then the record itself.
  void fetch(driver_id d, events::distance how_far) const {
    if (d.value >= place_of_.size()) {
      return;
    }
    if (how_far == events::distance::far) {
      fetch_line(&place_of_[d.value]);
    } else if (place_of_[d.value] != nowhere) {
      fetch_whole(driver_calls_[place_of_[d.value]]);
    }
  }

 private:
  using length_index = std::uint32_t;
  static constexpr length_index no_length = static_cast<length_index>(-1);

  /// A call that is not in order yet, and its answer: one line of the cache.
  struct alignas(64) call_sequence {
    operation said;
    std::uint64_t index = 0;  ///< of the answer, in the history
    node_id client;
    std::uint32_t request = 0;
    length_index length = no_length;  ///< of the lease that a renewal is of
    linear_order::place_number place = linear_order::no_place;  ///< once it is put in order
    events::call call{};
  };
  static_assert(sizeof(call_sequence) == 64);

  enum class step_kind : std::uint8_t { called, answered, trip_began, may_be_free };

  /// One step in the driver's order of events. `which` is the number of a call, or of a `word` if
  /// the step is no call. A lease that is renewed often while one answer is out has many.
  struct step {
    step_kind kind{};
    std::uint32_t which = 0;
  };
  static_assert(sizeof(step) == 8);

  /// An event about a token that is neither a call nor an answer.
  struct word {
    token_id token;
    sim_time t{};
  };

  /// The key of an answer that is still to come, so that finding its call touches no other call.
  struct expected_answer {
    token_id token;
    node_id client;
    std::uint32_t request = 0;
    std::uint32_t which = 0;  ///< of the calls
    events::call call{};
  };

  /// The length of a lease, as the manager said last.
  struct length {
    token_id token;
    sim_duration ttl{};
  };

  /// The same, and all lengths that the manager said since calls were last put in order.
  struct known_length {
    length newest;
    lease_lengths all;
    bool was_told = false;  ///< whether a client was told
  };

  /// The calls of one driver that are not in order yet. Few drivers have any at a time, so backlogs
  /// are used again with their memory.
  struct backlog {
    std::vector<call_sequence> calls;
    std::vector<step> steps;
    std::vector<known_length> lengths;  ///< of the leases since, each once
    std::vector<expected_answer> unanswered;
    std::vector<word> words;
  };
  using backlog_index = std::uint32_t;
  static constexpr backlog_index no_backlog = static_cast<backlog_index>(-1);

  /// The record of one driver. Flags are bits, so that it fits into four cache lines.
  struct alignas(64) driver_calls {
    explicit driver_calls(const lease_time_bounds& bounds) : order(bounds) {}

    linear_order order;
    length last;  ///< of the last lease that is in order, for copies of its calls
    backlog_index backlog = no_backlog;
    bool on_trip : 1 =
        false;  ///< she had a trip: only the ledger knows when the manager hears of it
    bool acquire_lost : 1 = false;  ///< she may be leased to a client who never heard of it
    bool was_dropped : 1 = false;   ///< a trip came between her and a lease
    /// A confirm was refused of which an earlier copy may have been taken.
    bool had_doubtful_confirm : 1 = false;
    bool last_was_told : 1 = false;
    bool undecided : 1 = false;
  };
  static_assert(sizeof(driver_calls) <= 256);

  /// Null if the driver is not judged: L was not promised, or she stays undecided.
  driver_calls* opened(driver_id d, const event_context& s);
  driver_calls& open(driver_id d, const event_context& s);
  backlog& backlog_of(driver_calls& of);
  void close_backlog(driver_calls& of);
  /// The manager gave the lease, or gave it so long from now on.
  void learn(token_id token, sim_duration ttl, driver_id d, const event_context& s);
  static length_index length_of(const backlog& b, token_id token);
  /// The same, which the last lease in order has from here on if it is that one.
  static length_index length_of(backlog& b, const driver_calls& of, token_id token);
  /// The newest of the lease, if it is known, which a client is being told of.
  std::optional<sim_duration> told_length(driver_calls& d, token_id token);
  /// Whether the lease was granted and nobody was told of it yet.
  [[nodiscard]] bool is_news(const driver_calls& d, token_id granted) const;
  /// The call that this answers, which has its answer from here on.
  static std::optional<std::uint32_t> take_call(backlog& b, const events::call_answered& f);
  void note(step_kind what, token_id token, driver_id d, const event_context& s);
  void put_in_order_if_answered(driver_id d, driver_calls& of, const event_context& s);
  void put_in_order(driver_id d, driver_calls& of, const event_context& s);
  /// Whether the call is a copy whose grant was over before what is in order already.
  static bool is_past(const call_sequence& c, driver_calls& of);
  static linear_order::place_number put_call(operation& a,
                                             const lease_lengths& all,
                                             driver_calls& of,
                                             const event_context& s);
  static void put_answer(call_sequence& c, driver_id d, driver_calls& of, const event_context& s);
  /// What is no call and no answer.
  static void put(step_kind what, const word& next, driver_calls& of, const event_context& s);
  void complete(operation& a,
                driver_calls& of,
                const events::call_answered& f,
                const event_context& s);

  lease_time_bounds bounds_;
  using place = std::uint32_t;
  static constexpr place nowhere = static_cast<place>(-1);
  /// By driver. Nobody asks for most drivers of a large city within the hour.
  std::vector<place> place_of_;
  block_table<driver_calls> driver_calls_;
  block_table<backlog> backlogs_;
  std::vector<backlog_index> free_backlogs_;
};

}  // namespace dibs::checkers
