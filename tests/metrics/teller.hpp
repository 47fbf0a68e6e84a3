/// Tells a history in few words, for tests: every clock is perfect unless said otherwise, and
/// drivers, rides and matchers count from 0.
#pragma once

#include "events/facts.hpp"
#include "metrics/metrics.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dibs::metrics {

class teller {
 public:
  options what{.measured_from = at(0s), .measured_until = at(100s), .drivers = 1};
  sim_time end = at(100s);
  std::vector<events::event> history;

  /// Seconds, as tests write them.
  static sim_time s(double seconds) {
    return at(sim_duration{static_cast<std::int64_t>(seconds * 1e9 + 0.5)});
  }

  void tell(double t, events::fact what_happened) { tell_at(s(t), std::move(what_happened)); }
  void tell_at(sim_time t, events::fact what_happened, sim_duration ahead = {}) {
    history.push_back({t, local_time{t.time_since_epoch() + ahead}, std::move(what_happened)});
  }

  void online(double t, std::uint32_t d, const point& place = {}) {
    tell(t, events::driver_came_online{driver_id{d}, place, 0});
  }
  void offline(double t, std::uint32_t d) { tell(t, events::driver_went_offline{driver_id{d}}); }
  void request(double t, std::uint32_t r, const point& origin = {}) {
    tell(t, events::ride_requested{ride_id{r}, origin});
  }
  void abandon(double t, std::uint32_t r) {
    tell(t, events::ride_abandoned{ride_id{r}, events::abandonment::patience});
  }
  void cancel(double t, std::uint32_t r) { tell(t, events::ride_cancelled{ride_id{r}}); }

  void grant(double t,
             std::uint64_t token,
             std::uint32_t d,
             std::uint32_t r,
             std::uint32_t m = 0,
             sim_duration ttl = 15s) {
    names_[token] = {token_id{token}, driver_id{d}, ride_id{r}, matcher_id{m}};
    const local_time expires{s(t).time_since_epoch() + ttl};
    tell(t,
         events::lease_granted{
             token_id{token}, driver_id{d}, ride_id{r}, matcher_id{m}, ttl, expires});
  }
  void ends(double t, std::uint64_t token, events::lease_ending cause) {
    const auto& n = names_.at(token);
    tell(t, events::lease_ended{n.token, n.driver, n.ride, cause});
  }
  void expires(double t, std::uint64_t token) { ends(t, token, events::lease_ending::expired); }

  /// A try without a lease: its offer is sent.
  void offer(double t, std::uint64_t nth, std::uint32_t d, std::uint32_t r, std::uint32_t m = 0) {
    names_[nth] = {token_id::unleased(matcher_id{m}, nth), driver_id{d}, ride_id{r}, matcher_id{m}};
    send(t, nth);
  }
  void send(double t, std::uint64_t token) {
    const auto& n = names_.at(token);
    tell(t, events::offer_sent{n.token, n.driver, n.ride, n.matcher});
  }
  void show(double t, std::uint64_t token, double deadline) {
    const auto& n = names_.at(token);
    tell(
        t,
        events::offer_shown{n.token, n.driver, n.ride, local_time{s(deadline).time_since_epoch()}});
  }
  void dismiss(double t, std::uint64_t token, events::dismissal cause) {
    const auto& n = names_.at(token);
    tell(t, events::offer_dismissed{n.token, n.driver, cause});
  }
  void answer(double t, std::uint64_t token, events::offer_response answer, bool in_time = true) {
    const auto& n = names_.at(token);
    tell(t, events::offer_answered{n.token, n.driver, n.ride, answer, in_time});
  }
  void accept(double t, std::uint64_t token) { answer(t, token, events::offer_response::accepted); }
  void decline(double t, std::uint64_t token) {
    answer(t, token, events::offer_response::declined);
  }
  void close(double t, std::uint64_t token, events::try_ending cause) {
    const auto& n = names_.at(token);
    tell(t, events::try_closed{n.token, n.driver, n.ride, n.matcher, cause});
  }

  void confirm(double t, std::uint64_t token, bool repeated = false) {
    const auto& n = names_.at(token);
    tell(t, events::confirm_accepted{n.token, n.driver, n.ride, repeated});
  }
  void refuse(double t, std::uint64_t token) {
    const auto& n = names_.at(token);
    tell(t, events::confirm_refused{n.token, n.driver, n.ride, events::confirm_refusal::no_lease});
  }
  void commit(double t, std::uint64_t token) {
    const auto& n = names_.at(token);
    tell(t, events::trip_committed{n.token, n.driver, n.ride, n.matcher});
  }
  /// As with `commit: manager`.
  void confirm_and_commit(double t, std::uint64_t token) {
    confirm(t, token);
    commit(t, token);
  }
  void promise(double t, std::uint64_t token) {
    const auto& n = names_.at(token);
    tell(t, events::ride_promised{n.ride, n.token, n.driver});
  }
  void revoke(double t, std::uint64_t token, events::revocation cause) {
    const auto& n = names_.at(token);
    tell(t, events::assignment_revoked{n.ride, n.token, n.driver, cause});
  }
  void pick_up(double t, std::uint64_t token) {
    const auto& n = names_.at(token);
    tell(t, events::rider_picked_up{n.ride, n.token, n.driver});
  }
  void trip_ends(double t, std::uint64_t token, const point& place = {}) {
    const auto& n = names_.at(token);
    tell(t, events::trip_ended{n.token, n.driver, n.ride, place});
  }

  void crash(double t, node_id node) { tell(t, events::node_crashed{node}); }
  void restart(double t, node_id node) { tell(t, events::node_restarted{node}); }
  void pause(double t, node_id node) { tell(t, events::node_paused{node}); }
  void resume(double t, node_id node) { tell(t, events::node_resumed{node}); }
  void lose(double t, node_id from, node_id to, std::uint64_t token) {
    const auto& n = names_.at(token);
    tell(t, events::message_lost{from, to, n.ride, n.token, events::loss_cause::loss});
  }

  [[nodiscard]] report measured() const { return recompute(history, what, end); }

 private:
  struct name {
    token_id token;
    driver_id driver;
    ride_id ride;
    matcher_id matcher;
  };
  std::map<std::uint64_t, name> names_;
};

/// A figure of the report that must be there.
inline double figure(const report& r, const std::string& name) {
  const auto found = r.sums.find(name);
  return found != r.sums.end() ? found->second : r.value(name).value_or(-1);
}

inline node_id matcher(std::uint32_t m) { return {node_kind::matcher, m}; }

}  // namespace dibs::metrics
