/// Short histories for the tests of what is shown: from the tellers of the metrics' tests.
#pragma once

#include "catch.hpp"
#include "engine/run.hpp"
#include "explain/explanation.hpp"
#include "history/indexed_run.hpp"
#include "metrics/teller.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace dibs::explain {

/// The history that was told, on a scenario of this protocol, measured from 0 s to 100 s.
inline history::recorded_run told_by(const metrics::teller& h, lease::protocol protocol) {
  scenario::scenario s;
  s.name = "told";
  s.clock.duration = 100s;
  s.clock.drain = 0s;
  s.drivers.count = h.what.drivers;
  s.world.geography = scenario::geography::none;
  s.lease.protocol = protocol;
  s.matchers.look_again.reset();  // these histories break off: nobody looks after what waits
  return history::history_of(s, 1, h.history, h.end);
}

/// The same history, of which the first so many seconds are the warm-up and the last the drain.
inline history::recorded_run measured_within(const history::recorded_run& h,
                                             sim_duration warmup,
                                             sim_duration drain) {
  scenario::scenario s = h.scenario;
  s.clock.warmup = warmup;
  s.clock.drain = drain;
  s.clock.duration = 100s - warmup - drain;
  return history::history_of(std::move(s), h.seed, h.events, h.end);
}

/// The run of a scenario, whole.
inline history::recorded_run run_of(const scenario::scenario& s) {
  history::event_collector keep(UINT64_MAX, nullptr);
  const auto done = engine::run(s, {.seed = s.seed, .observers = {&keep}});
  REQUIRE(done);
  return history::history_of(s, s.seed, keep.take(), s.ends());
}

/// What was told out of turn, by its time.
inline void put_in_order(metrics::teller& h) {
  std::stable_sort(
      h.history.begin(), h.history.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
}

/// Two matchers offer one driver two rides without a lease, and she says yes to both: at 5 s she
/// accepts ride 1, at 6 s ride 2; both are committed, the second one at 7 s.
inline metrics::teller two_trips() {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.offer(1, 1, 0, 0, 0);
  h.offer(1, 2, 0, 1, 1);
  h.show(2, 1, 14);
  h.show(2, 2, 14);
  h.accept(5, 1);
  h.accept(6, 2);
  h.commit(5.5, 1);
  h.commit(7, 2);
  put_in_order(h);
  return h;
}

struct cast {
  std::uint32_t drivers = 1;
  std::uint32_t rides = 1;
  std::uint32_t asked = 0;  ///< which of the drivers
};

/// Of these rides the first one is offered under lease 1: granted and sent at 1 s, seen at 2 s.
inline metrics::teller offered(const cast& of = {}) {
  metrics::teller h;
  h.what.drivers = of.drivers;
  for (std::uint32_t d = 0; d < of.drivers; ++d) {
    h.online(0, d);
  }
  for (std::uint32_t r = 0; r < of.rides; ++r) {
    h.request(0, r);
  }
  h.grant(1, 1, of.asked, 0);
  h.send(1, 1);
  h.show(2, 1, 14);
  return h;
}

/// She says yes at 5 s.
inline metrics::teller accepted(const cast& of = {}) {
  metrics::teller h = offered(of);
  h.accept(5, 1);
  return h;
}

/// She says yes at 5 s, nothing comes of it, and her lease runs out at 16 s.
inline metrics::teller accepted_in_vain(const cast& of = {}) {
  metrics::teller h = accepted(of);
  h.expires(16, 1);
  return h;
}

/// The matcher of a lease stands still while the driver's yes waits for it: granted at 1 s, asleep
/// from 3 s, answered at 5 s, expired at 16 s, refused at 20 s. The matcher's clock is 2 s ahead.
inline metrics::teller paused_holder() {
  metrics::teller h;
  h.online(0, 0);
  h.request(0, 0);
  h.grant(1, 1, 0, 0);
  h.tell_at(metrics::teller::s(1.5),
            events::offer_sent{token_id{1}, driver_id{0}, ride_id{0}, matcher_id{0}},
            2s);
  h.show(2, 1, 14);
  h.tell(3, events::node_paused{node_id{node_kind::matcher, 0}});
  h.accept(5, 1);
  h.expires(16, 1);
  h.tell(20, events::node_resumed{node_id{node_kind::matcher, 0}});
  h.tell(20,
         events::confirm_refused{
             token_id{1}, driver_id{0}, ride_id{0}, events::confirm_refusal::expired});
  return h;
}

/// The first breach that is a harm of this kind.
inline harm_number number_of(const history::indexed_run& c, metrics::harm_kind kind) {
  const auto all = harms_of(c);
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const harm& b) { return !b.broken && b.harm == kind; });
  REQUIRE(found != all.end());
  return {static_cast<std::uint32_t>(found - all.begin() + 1)};
}

inline harm first_of(const history::indexed_run& c, metrics::harm_kind kind) {
  return harms_of(c)[number_of(c, kind).value - 1];
}

inline const timeline_step* step_marked(const explanation& t, step_mark is) {
  const auto found = std::find_if(
      t.steps.begin(), t.steps.end(), [&](const timeline_step& s) { return s.is == is; });
  return found == t.steps.end() ? nullptr : &*found;
}

}  // namespace dibs::explain
