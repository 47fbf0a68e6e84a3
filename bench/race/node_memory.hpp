/// What the nodes of the offer race remember, in the loop over its messages (`message_loop.hpp`).
///
/// Where a message may be lost, come late or twice, a node goes by what it keeps itself, and looks
/// there whether a message is news. Here each keeps the least that this takes in this one model: a
/// matcher whom it has asked and how far that is, a phone two offers, a driver her trip, a rider
/// whether she waits, the ledger what is open. (The lease manager's leases are the loop's own.) And
/// each kind of message that takes time has a link, which is asked how long and whether anything
/// else befalls what it carries, and each kind a gate, which is asked whether it is shut; none is.
#pragma once

#include "base/prefetch.hpp"
#include "bench/race/bare_loop.hpp"
#include "bench/race/message_step.hpp"
#include "bench/race/race_model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::bench {

/// A node remembers nothing but, at the matcher, the offer that stands: a message carries all else.
class no_memory {
 public:
  using event = message_event;

  explicit no_memory(std::uint32_t /*drivers*/) {}
  void enter_ride() { offered_.push_back(0); }
  void tries(const event&) {}
  void offers(const event& e) { offered_[e.ride] = e.token; }
  /// Ends the matcher's offer; whether it stood until now.
  [[nodiscard]] bool ends_offer(const event& e) {
    std::uint32_t& offered = offered_[e.ride];
    const bool stood = e.token != 0 && offered == e.token;
    offered = stood ? 0 : offered;
    return stood;
  }
  [[nodiscard]] bool takes(const event&) { return true; }
  [[nodiscard]] static sim_duration hop_mean(message_step) { return race_model::hop_mean; }
  void fetch(const event& e) const {
    if (e.ride < offered_.size()) {
      fetch_line(&offered_[e.ride]);
    }
  }

 private:
  std::vector<std::uint32_t> offered_;  ///< by ride: the token under which a driver is asked, or 0
};

class node_memory {
 public:
  using event = message_event;

  explicit node_memory(std::uint32_t drivers) : phones_(drivers), trips_(drivers) {
    for (link& l : links_) {
      l.mean = race_model::hop_mean;
    }
  }

  /// A rider is about to appear.
  void enter_ride() {
    riders_.emplace_back();
    searches_.emplace_back();
  }

  /// The matcher tries a driver.
  void tries(const event& e) { searches_[e.ride] = {e.driver, 0, stage::acquiring}; }
  void offers(const event& e) {
    ride_search& p = searches_[e.ride];
    p.now = stage::offered;
    p.token = e.token;
  }
  /// Ends the matcher's offer; whether it stood until now.
  [[nodiscard]] bool ends_offer(const event& e) {
    ride_search& p = searches_[e.ride];
    const bool stood = stands(p, e);
    p.now = stood ? stage::closed : p.now;
    return stood;
  }

  /// Whether the message finds its receiver at work and is news to it, which it is no more then.
  [[nodiscard]] bool takes(const event& e) {
    return !is_shut_[static_cast<std::size_t>(e.kind)] && is_news(e);
  }

  [[nodiscard]] sim_duration hop_mean(message_step what) const {
    const link& over = links_[static_cast<std::size_t>(what)];
    return over.only_delays ? over.mean : sim_duration::zero();
  }

  /// Has memory bring what the event is about.
  void fetch(const event& e) const {
    fetch_line(&phones_[e.driver]);
    fetch_line(&trips_[e.driver]);
    if (e.ride < riders_.size()) {
      fetch_line(&riders_[e.ride]);
      fetch_line(&searches_[e.ride]);
    }
  }

 private:
  using kind = message_step;

  enum class stage : std::uint8_t { idle, acquiring, offered, closed };
  struct ride_search {
    std::uint32_t driver = 0;
    std::uint32_t token = 0;
    stage now = stage::idle;
  };

  enum class wish : std::uint8_t { waiting, promised, riding, gone };
  struct rider {
    std::uint32_t token = 0;
    wish state = wish::waiting;
  };

  struct shown_offer {
    std::uint32_t token = 0;
    std::uint32_t ride = 0;
  };
  enum class leg : std::uint8_t { none, to_pickup, boarding, with_rider };
  struct alignas(32) phone {  // or some would lie in two lines
    std::array<shown_offer, 2> screen{};
    std::uint32_t trip = 0;  ///< its token
    std::uint32_t ride = 0;
    leg now = leg::none;
  };

  /// The ledger's, of a driver.
  struct trip {
    std::uint32_t token = 0;
    std::uint32_t ride = 0;
    bool is_open = false;
  };

  struct link {
    sim_duration mean{};
    bool only_delays = true;
  };

  [[nodiscard]] bool is_news(const event& e) {
    switch (e.kind) {
      case kind::lease_refused:
      case kind::lease_given:
      case kind::lease_converted:
      case kind::lease_over:
      case kind::try_over:
      case kind::withdraw_ride:
        return matcher_takes(e);
      case kind::offer:
      case kind::answer_due:
      case kind::screen_over:
      case kind::withdraw_offer:
        return phone_takes(e);
      case kind::drive:
      case kind::at_pickup:
      case kind::boarded:
      case kind::at_drop_off:
        return driver_takes(e);
      case kind::arrived:
      case kind::dropped_off:
      case kind::assigned:
      case kind::unserved:
        return rider_takes(e);
      case kind::record_commit:
        trips_[e.driver] = {e.token, e.ride, true};
        return true;
      case kind::trip_done:
        return closes_trip(e);
      // The lease manager's, which the loop has itself, and what begins something.
      case kind::come_to_work:
      case kind::next_ride:
      case kind::appear:
      case kind::want_ride:
      case kind::acquire:
      case kind::confirm:
      case kind::release:
      case kind::answer_seen:
      case kind::lease_due:
      case kind::release_seen:
      case kind::trip_closed:
        return true;
    }
    return true;
  }

  [[nodiscard]] static bool stands(const ride_search& p, const event& e) {
    return p.now == stage::offered && p.token == e.token;
  }
  [[nodiscard]] bool matcher_takes(const event& e) const {
    const ride_search& p = searches_[e.ride];
    switch (e.kind) {
      case kind::lease_refused:
      case kind::lease_given:
        return p.now == stage::acquiring && p.driver == e.driver;
      case kind::lease_converted:
        return true;
      case kind::withdraw_ride:
        return p.now != stage::closed;
      default:  // an offer that is over
        return stands(p, e);
    }
  }

  [[nodiscard]] bool phone_takes(const event& e) {
    phone& her = phones_[e.driver];
    shown_offer* found = nullptr;
    shown_offer* room = nullptr;
    for (shown_offer& o : her.screen) {
      found = o.token == e.token ? &o : found;
      room = o.token == 0 ? &o : room;
    }
    switch (e.kind) {
      case kind::offer:
        if (found != nullptr) {
          return false;
        }
        (room != nullptr ? *room : her.screen.front()) = {e.token, e.ride};
        return true;
      case kind::screen_over:
        return found != nullptr;
      default:
        if (found != nullptr) {
          *found = {};
        }
        return true;
    }
  }

  [[nodiscard]] bool driver_takes(const event& e) {
    phone& her = phones_[e.driver];
    if (e.kind == kind::drive) {
      if (her.trip == e.token) {
        return false;
      }
      her.trip = e.token;
      her.ride = e.ride;
      her.now = leg::to_pickup;
      return true;
    }
    const leg before = her.now;
    switch (e.kind) {
      case kind::at_pickup:
        her.now = leg::boarding;
        return before == leg::to_pickup && her.trip == e.token;
      case kind::boarded:
        her.now = leg::with_rider;
        return before == leg::boarding && her.trip == e.token;
      default:
        her.now = leg::none;
        return before == leg::with_rider && her.trip == e.token;
    }
  }

  [[nodiscard]] bool rider_takes(const event& e) {
    rider& r = riders_[e.ride];
    switch (e.kind) {
      case kind::assigned:
        if (r.state == wish::waiting) {
          r = {e.token, wish::promised};
        }
        return true;
      case kind::arrived:
        if (r.state != wish::waiting && r.state != wish::promised) {
          return false;
        }
        r = {e.token, wish::riding};
        return true;
      case kind::dropped_off:
        r.state = wish::gone;
        return r.token == e.token;
      default:
        r.state = wish::gone;
        return true;
    }
  }

  [[nodiscard]] bool closes_trip(const event& e) {
    trip& t = trips_[e.driver];
    if (!t.is_open || t.token != e.token) {
      return false;
    }
    t.is_open = false;
    return true;
  }

  std::vector<phone> phones_;
  std::vector<trip> trips_;
  std::vector<rider> riders_;  ///< by ride, here and below
  std::vector<ride_search> searches_;
  std::array<link, message_steps> links_{};
  std::array<bool, message_steps> is_shut_{};
};

}  // namespace dibs::bench
