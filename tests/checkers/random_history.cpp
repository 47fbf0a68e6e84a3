#include "random_history.hpp"

#include "base/random.hpp"
#include "history.hpp"

#include <algorithm>

namespace dibs::checkers::test {
namespace {

using events::lease_ending;

/// The manager's clock: an offset, and a drift in parts per million.
struct manager_clock {
  std::int64_t offset = 0;
  std::int64_t ppm = 0;

  [[nodiscard]] local_time reads(sim_time t) const {
    const std::int64_t ns = t.time_since_epoch().count();
    return local_time{sim_duration{ns + offset + ns / 1'000'000 * ppm}};
  }
  /// The first instant from `t` on at which it reads `when`, to the millisecond that it needs.
  [[nodiscard]] sim_time first(local_time when, sim_time t) const {
    while (reads(t) < when) {
      t += std::max<sim_duration>((when - reads(t)) * 9 / 10, 1ns);
    }
    return t;
  }
};

/// One driver's day, told from her first try to her last.
class life {
 public:
  life(telling how, const options& what, const manager_clock& clock, driver_id d, stream random)
      : how_(how), what_(what), clock_(clock), driver_(d), random_(random) {}

  std::vector<events::event> tell(int tries) {
    say(events::driver_came_online{driver_, {}, 0});
    for (int i = 0; i < tries; ++i) {
      if (random_.happens(0.7)) {
        wait(20s);
      }
      next_try();
    }
    if (random_.happens(0.5)) {
      say(events::driver_went_offline{driver_});
    }
    return std::move(events_);
  }

 private:
  void next_try() {
    // Tokens and rides of different drivers never meet.
    const std::uint64_t n = ++tries_;
    token_ = how_ == telling::without_leases ? token_id::unleased(matcher_id{driver_.value}, n)
                                             : token_id{n * 100 + driver_.value + 1};
    ride_ = ride_id{static_cast<std::uint32_t>(n * 100 + driver_.value)};
    if (how_ == telling::without_leases) {
      trip();
      return;
    }
    const local_time expires = clock_.reads(now_) + 15s;
    due_ = expires + what_.grace;
    say(events::lease_granted{token_, driver_, ride_, matcher_id{0}, 15s, expires});
    wait(6s);
    if (random_.happens(0.2)) {
      due_ = clock_.reads(now_) + 15s + what_.grace;
      say(events::lease_renewed{token_, driver_, clock_.reads(now_) + 15s});
      wait(6s);
    }
    switch (random_.below(5)) {
      case 0:
        answer(events::offer_response::declined);
        return end(lease_ending::declined);
      case 1:
        if (random_.happens(0.5)) {
          return end(lease_ending::cancelled);
        }
        say(events::call_made{
            node_of(matcher_id{0}), events::call::release, driver_, ride_, token_});
        return end(lease_ending::released);
      case 2:
        return expire();
      default:
        return accept();
    }
  }

  void expire() {
    if (random_.happens(0.5)) {
      answer(events::offer_response::accepted);  // and the confirm comes too late
    }
    now_ = clock_.first(due_, now_);
    end(random_.happens(0.5) ? lease_ending::expired : lease_ending::swept);
    if (random_.happens(0.5)) {
      wait(1s);
      say(events::confirm_refused{token_, driver_, ride_, events::confirm_refusal::no_lease});
    }
  }

  void accept() {
    answer(events::offer_response::accepted);
    if (how_ == telling::holder_judges) {
      return random_.happens(0.8) ? trip() : trip_beside_an_expiry();
    }
    say(events::confirm_accepted{token_, driver_, ride_, false});
    due_ = clock_.reads(now_) + what_.confirm_hold;
    if (how_ == telling::commit_at_manager) {
      return trip();
    }
    wait(100ms);
    if (random_.happens(0.3)) {
      say(events::confirm_accepted{token_, driver_, ride_, true});
    }
    switch (random_.below(4)) {
      case 0:
        say(events::write_refused{token_, driver_, ride_, events::write_refusal::ride_taken});
        wait(10ms);
        return end(lease_ending::denied_by_ledger);
      case 1:
        now_ = clock_.first(due_, now_);
        end(lease_ending::unwritten);
        return random_.happens(0.5) ? late_trip() : void();
      default:
        return trip();
    }
  }

  void trip() {
    commit();
    wait(1s);
    say(events::ride_promised{ride_, token_, driver_});
    wait(60s);
    if (random_.happens(0.2)) {
      say(events::assignment_revoked{ride_, token_, driver_, events::revocation::rider_cancelled});
      return;
    }
    say(events::trip_ended{token_, driver_, ride_, {}});
  }

  /// The write was slow, and the manager grants the driver once more before it hears of the trip.
  void late_trip() {
    wait(1s);
    commit();
    const token_id late = token_;
    const ride_id late_ride = ride_;
    const std::uint64_t n = ++tries_;
    token_ = token_id{n * 100 + driver_.value + 1};
    ride_ = ride_id{static_cast<std::uint32_t>(n * 100 + driver_.value)};
    wait(1s);
    say(events::lease_granted{
        token_, driver_, ride_, matcher_id{1}, 15s, clock_.reads(now_) + 15s});
    wait(1s);
    end(lease_ending::cancelled);
    wait(60s);
    say(events::trip_ended{late, driver_, late_ride, {}});
  }

  /// Nobody asked the manager: it lets the lease run out before or after the ledger takes it.
  void trip_beside_an_expiry() {
    const bool first = random_.happens(0.5);
    if (first) {
      commit();
      lose_word();
    }
    now_ = clock_.first(due_, now_);
    end(lease_ending::expired);
    wait(1s);
    if (!first) {
      commit();
    }
    wait(60s);
    say(events::trip_ended{token_, driver_, ride_, {}});
  }

  void lose_word() {
    say(events::message_lost{{node_kind::ledger, 0},
                             {node_kind::lease_manager, 0},
                             ride_,
                             token_,
                             events::loss_cause::loss});
  }
  void commit() { say(events::trip_committed{token_, driver_, ride_, matcher_id{0}}); }
  void end(lease_ending why) { say(events::lease_ended{token_, driver_, ride_, why}); }
  void answer(events::offer_response v) {
    say(events::offer_answered{token_, driver_, ride_, v, true});
  }

  void say(events::fact what) { events_.push_back({now_, clock_.reads(now_), std::move(what)}); }

  void wait(sim_duration at_most) {
    now_ += sim_duration{
        static_cast<std::int64_t>(1 + random_.below(static_cast<std::uint64_t>(at_most.count())))};
  }

  telling how_;
  const options& what_;
  const manager_clock& clock_;
  driver_id driver_;
  stream random_;
  sim_time now_{};
  std::uint64_t tries_ = 0;
  token_id token_;
  ride_id ride_;
  local_time due_{};
  std::vector<events::event> events_;
};

}  // namespace

story random_story(std::uint64_t seed, telling how) {
  constexpr std::uint32_t drivers = 6;
  auto random = stream::keyed(seed, purpose::replication);
  story s;
  s.what = how == telling::without_leases ? under(lease::protocol::none) : fenced();
  s.what.grace = sim_duration{static_cast<std::int64_t>(random.below(2)) * 2'000'000'000};
  s.what.commit_at_manager = how == telling::commit_at_manager;
  s.what.confirms = how != telling::holder_judges;
  const manager_clock clock{static_cast<std::int64_t>(random.below(4'000'000'000)) - 2'000'000'000,
                            static_cast<std::int64_t>(random.below(401)) - 200};
  s.what.drift_ppm = 200;
  for (std::uint32_t d = 0; d < drivers; ++d) {
    life one(how, s.what, clock, driver_id{d}, stream::keyed(seed, purpose::answer, d));
    const auto told = one.tell(12);
    s.events.insert(s.events.end(), told.begin(), told.end());
  }
  std::stable_sort(
      s.events.begin(), s.events.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  s.end = s.events.back().t + 2min;
  return s;
}

}  // namespace dibs::checkers::test
