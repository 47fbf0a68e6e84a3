/// Small histories in few words: `h.at(1s).grant(5, 1, 10).at(4s).confirm(5).commit(5)`.
///
/// A token is named by its number alone once it was granted; its driver and ride are remembered.
/// The manager's clock is perfect unless `manager_clock` says otherwise.
#pragma once

#include "checkers/run_checker.hpp"
#include "events/facts.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::checkers::test {

using lease::invariant;

class history {
 public:
  static constexpr sim_duration ttl = 15s;

  history& at(sim_duration t) {
    now_ = dibs::at(t);
    return *this;
  }
  /// From now on the manager's clock reads true time plus this.
  history& manager_clock(sim_duration ahead) {
    ahead_ = ahead;
    return *this;
  }

  history& online(std::uint32_t d, point where = {}) {
    return add(events::driver_came_online{driver_id{d}, where, 0});
  }
  history& offline(std::uint32_t d) { return add(events::driver_went_offline{driver_id{d}}); }

  history& grant(std::uint64_t token, std::uint32_t d, std::uint32_t r, sim_duration length = ttl) {
    tries_[token] = {driver_id{d}, ride_id{r}};
    const local_time expires = length == forever ? local_time::max() : local() + length;
    return add(events::lease_granted{
        token_id{token}, driver_id{d}, ride_id{r}, matcher_id{0}, length, expires});
  }
  history& renew(std::uint64_t token, sim_duration length = ttl) {
    return add(events::lease_renewed{token_id{token}, driver(token), local() + length});
  }
  history& confirm(std::uint64_t token, std::optional<std::uint32_t> r = {}) {
    return add(events::confirm_accepted{token_id{token}, driver(token), ride(token, r), false});
  }
  history& confirm_again(std::uint64_t token) {
    return add(events::confirm_accepted{token_id{token}, driver(token), ride(token), true});
  }
  history& refuse(std::uint64_t token,
                  events::confirm_refusal why = events::confirm_refusal::expired) {
    return add(events::confirm_refused{token_id{token}, driver(token), ride(token), why});
  }
  /// The holder asks for a release.
  history& give_back(std::uint64_t token) {
    return add(events::call_made{node_of(matcher_id{0}),
                                 events::call::release,
                                 driver(token),
                                 ride(token),
                                 token_id{token}});
  }
  history& end(std::uint64_t token, events::lease_ending why = events::lease_ending::released) {
    if (why == events::lease_ending::released) {
      give_back(token);
    }
    return add(events::lease_ended{token_id{token}, driver(token), ride(token), why});
  }
  history& expire(std::uint64_t token) { return end(token, events::lease_ending::expired); }
  /// The driver says no and the holder gives the lease back.
  history& decline(std::uint64_t token) {
    return answer(token, events::offer_response::declined)
        .end(token, events::lease_ending::declined);
  }
  history& answer(std::uint64_t token, events::offer_response v) {
    return add(events::offer_answered{token_id{token}, driver(token), ride(token), v, true});
  }

  history& commit(std::uint64_t token, std::optional<std::uint32_t> r = {}) {
    return add(
        events::trip_committed{token_id{token}, driver(token), ride(token, r), matcher_id{0}});
  }
  /// A commit of a token that nobody granted.
  history& commit_new(std::uint64_t token, std::uint32_t d, std::uint32_t r) {
    tries_[token] = {driver_id{d}, ride_id{r}};
    return commit(token);
  }
  history& deny_write(std::uint64_t token,
                      events::write_refusal why = events::write_refusal::driver_busy) {
    return add(events::write_refused{token_id{token}, driver(token), ride(token), why});
  }
  history& trip_end(std::uint64_t token) {
    return add(events::trip_ended{token_id{token}, driver(token), ride(token), {}});
  }
  history& promise(std::uint64_t token, std::optional<std::uint32_t> r = {}) {
    return add(events::ride_promised{ride(token, r), token_id{token}, driver(token)});
  }
  history& revoke(std::uint64_t token,
                  events::revocation why = events::revocation::rider_cancelled) {
    return add(events::assignment_revoked{ride(token), token_id{token}, driver(token), why});
  }

  /// The ledger's word to the manager about this token is lost.
  history& lose_word(std::uint64_t token) {
    return add(events::message_lost{
        {node_kind::ledger, 0}, manager(), ride(token), token_id{token}, events::loss_cause::loss});
  }

  // What matcher 1 asks the manager and hears; a request of it is numbered by the token it gets.
  history& asks(std::uint32_t request, std::uint32_t d, std::uint32_t r) {
    return add(events::call_made{
        matcher(0), events::call::acquire, driver_id{d}, ride_id{r}, token_id::none(), request});
  }
  history& gets(std::uint64_t token, std::optional<std::uint32_t> request = {}) {
    return add(events::call_answered{matcher(0),
                                     events::call::acquire,
                                     events::call_answer::yes,
                                     driver(token),
                                     ride(token),
                                     token_id{token},
                                     request.value_or(static_cast<std::uint32_t>(token))});
  }
  history& denied(std::uint32_t request, std::uint32_t d, std::uint32_t r) {
    return add(events::call_answered{matcher(0),
                                     events::call::acquire,
                                     events::call_answer::no,
                                     driver_id{d},
                                     ride_id{r},
                                     token_id::none(),
                                     request});
  }
  history& call(std::uint32_t m, events::call what, std::uint64_t token) {
    return add(events::call_made{matcher(m), what, driver(token), ride(token), token_id{token}, 0});
  }
  /// The driver's own phone asks, and is never answered.
  history& phone_call(events::call what, std::uint64_t token) {
    return add(events::call_made{
        node_of(driver(token)), what, driver(token), ride(token), token_id{token}, 0});
  }
  history& answer_call(std::uint32_t m, events::call what, std::uint64_t token, bool yes) {
    return add(events::call_answered{matcher(m),
                                     what,
                                     yes ? events::call_answer::yes : events::call_answer::no,
                                     driver(token),
                                     ride(token),
                                     token_id{token},
                                     0});
  }

  history& holder_crash() { return add(events::node_crashed{matcher(0)}); }
  history& holder_restart() { return add(events::node_restarted{matcher(0)}); }
  history& show(std::uint64_t token) {
    return add(events::offer_shown{token_id{token}, driver(token), ride(token), local() + ttl});
  }
  history& dismiss(std::uint64_t token) {
    return add(events::offer_dismissed{token_id{token}, driver(token), events::dismissal::timeout});
  }
  history& lose_message(std::uint64_t token) {
    return add(events::message_lost{matcher(0),
                                    node_of(driver(token)),
                                    ride(token),
                                    token_id{token},
                                    events::loss_cause::loss});
  }
  history& request(std::uint32_t r, point where = {}) {
    return add(events::ride_requested{ride_id{r}, where});
  }
  history& close_try(std::uint64_t token) {
    return add(events::try_closed{
        token_id{token}, driver(token), ride(token), matcher_id{0}, events::try_ending::timed_out});
  }

  history& manager_crash() { return add(events::node_crashed{manager()}); }
  history& manager_restart() { return add(events::node_restarted{manager()}); }
  history& manager_pause() { return add(events::node_paused{manager()}); }
  history& manager_resume() { return add(events::node_resumed{manager()}); }

  /// A try that succeeds, over `trip`: granted and confirmed now, committed and promised at once.
  history& drive(std::uint64_t token, std::uint32_t d, std::uint32_t r, sim_duration trip) {
    grant(token, d, r).confirm(token).commit(token).promise(token);
    return at(now_.time_since_epoch() + trip).trip_end(token);
  }

  history& add(events::fact what) {
    events_.push_back({now_, local(), std::move(what)});
    return *this;
  }

  [[nodiscard]] const std::vector<events::event>& events() const { return events_; }

 private:
  [[nodiscard]] local_time local() const { return local_time{now_.time_since_epoch() + ahead_}; }
  [[nodiscard]] driver_id driver(std::uint64_t token) const { return tries_.at(token).first; }
  [[nodiscard]] ride_id ride(std::uint64_t token, std::optional<std::uint32_t> r = {}) const {
    return r ? ride_id{*r} : tries_.at(token).second;
  }
  static node_id matcher(std::uint32_t m) { return {node_kind::matcher, m}; }
  static node_id manager() { return {node_kind::lease_manager, 0}; }

  sim_time now_{};
  sim_duration ahead_{};
  std::map<std::uint64_t, std::pair<driver_id, ride_id>> tries_;
  std::vector<events::event> events_;
};

/// S1 to S12: the others need calls or bounds, and tests of their own.
inline constexpr std::uint32_t always_promised =
    (2U << static_cast<unsigned>(invariant::promised_after_confirm)) - 1;

/// The options of a protocol with clean-up by timer and the commit at the ledger.
inline options under(lease::protocol p) {
  const lease::rules& row = lease::rules_of(p);
  return {.promises = row.promises & always_promised,
          .drivers = 8,
          .ledger = row.ledger,
          .confirm_hold = 30s};
}
inline options fenced() { return under(lease::protocol::fenced); }

inline check_result judged(const std::vector<events::event>& events,
                           const options& what,
                           sim_duration end) {
  run_checker c(what);
  c.observe(events);
  return c.finish(at(end));
}

/// The codes of what broke: {"S1", "S7"}. All histories of the tests end at 100 s.
inline std::set<std::string> broken_in(const history& h,
                                       const options& what = fenced(),
                                       sim_duration end = 100s) {
  const check_result j = judged(h.events(), what, end);
  std::set<std::string> codes;
  for (int i = 0; i < lease::invariants; ++i) {
    if ((j.broken >> i & 1U) != 0) {
      codes.emplace(lease::code_of(static_cast<invariant>(i)));
    }
  }
  return codes;
}

/// What the run checker said first, in words.
inline std::string words_of(const history& h, const options& what = fenced()) {
  const check_result j = judged(h.events(), what, 100s);
  return j.violations.empty() ? "" : j.violations.front().what;
}

using codes = std::set<std::string>;
inline const codes nothing{};

}  // namespace dibs::checkers::test
