#include "lease/ledger_machine.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <tuple>

namespace dibs::lease {

using events::write_refusal;

ledger::ledger(ledger_rule rule, std::uint32_t drivers) : rule_(rule), drivers_(drivers) {}

write_outcome ledger::write(token_id token, driver_id d, ride_id r, std::uint32_t version) {
  ensure(d.value < drivers_.size(), "the driver is known to the ledger");
  ensure(token.is_some(), "a write names its try");
  const bool remembers = rule_ != ledger_rule::compare_and_set;
  if (const auto answer = remembers ? known(token, d, r) : std::nullopt) {
    return *answer;
  }
  if (const auto why = objection(token, d, r, version)) {
    if (remembers) {
      answered_[r].push_back({token, d, *why});
    }
    return *why;
  }
  std::ignore = record(token, d, r);  // a repeat of what is over has had its answer
  return taken{};
}

std::optional<write_outcome> ledger::known(token_id token, driver_id d, ride_id r) const {
  const auto found = trips_.find(token);
  if (found != trips_.end() && found->second.driver == d && found->second.ride == r) {
    return taken{.repeated = true};
  }
  const auto before = answered(token, d, r);
  if (before && std::holds_alternative<taken>(*before)) {
    return before;
  }
  if (found != trips_.end() && (rule_ == ledger_rule::fence || found->second.open)) {
    return turned_down{.cause = write_refusal::stale_token};
  }
  return before;
}

std::optional<write_outcome> ledger::answered(token_id token, driver_id d, ride_id r) const {
  if (const auto of_ride = answered_.find(r); of_ride != answered_.end()) {
    for (const answered_write& before : of_ride->second) {
      if (before.token == token && before.driver == d) {
        return before.answer;
      }
    }
  }
  return std::nullopt;
}

bool ledger::record(token_id token, driver_id d, ride_id r) {
  driver_entry& driver = drivers_[d.value];
  driver.highest = std::max(driver.highest, token);
  ++driver.version;
  // A closed trip of the same driver and ride stays closed.
  const auto [at, is_new] = trips_.try_emplace(token, trip_record{d, r});
  if (!is_new) {
    const trip_record before = at->second;
    if (before.driver != d || before.ride != r) {
      answered_[before.ride].push_back({token, before.driver, taken{.repeated = true}});
    } else if (!before.open) {
      return false;
    }
  }
  at.value() = trip_record{d, r};
  driver.trip = token;
  trip_slot(r) = token;
  return true;
}

void ledger::raise_fence(driver_id d, token_id token) {
  ensure(d.value < drivers_.size(), "the driver is known to the ledger");
  drivers_[d.value].highest = std::max(drivers_[d.value].highest, token);
}

std::optional<trip_record> ledger::close(token_id token) {
  const auto found = trips_.find(token);
  if (found == trips_.end() || !found->second.open) {
    return std::nullopt;
  }
  trip_record& trip = found.value();
  trip.open = false;
  if (token_id& of_driver = drivers_[trip.driver.value].trip; of_driver == token) {
    of_driver = token_id::none();
  }
  if (token_id& of_ride = trip_slot(trip.ride); of_ride == token) {
    of_ride = token_id::none();
  }
  return trip;
}

token_id ledger::open_trip_of(driver_id d) const {
  ensure(d.value < drivers_.size(), "the driver is known to the ledger");
  return drivers_[d.value].trip;
}

bool ledger::is_open(token_id token) const {
  const auto found = trips_.find(token);
  return found != trips_.end() && found->second.open;
}

std::optional<turned_down> ledger::objection(token_id token,
                                             driver_id d,
                                             ride_id r,
                                             std::uint32_t version) const {
  const driver_entry& driver = drivers_[d.value];
  const bool busy = driver.trip.is_some();
  switch (rule_) {
    case ledger_rule::take_all:
      return std::nullopt;
    case ledger_rule::per_ride:
      return ride_taken(r);
    case ledger_rule::compare_and_set:
      if (version != driver.version) {
        return turned_down{.cause = write_refusal::stale_version};
      }
      return busy ? std::optional(turned_down{.cause = write_refusal::driver_busy}) : std::nullopt;
    case ledger_rule::fence:
      if (token < driver.highest) {
        return turned_down{.cause = write_refusal::stale_token};
      }
      return busy ? turned_down{.cause = write_refusal::driver_busy} : ride_taken(r);
  }
  return std::nullopt;
}

std::optional<turned_down> ledger::ride_taken(ride_id r) const {
  if (const token_id holder = trip_of(r); holder.is_some()) {
    return turned_down{write_refusal::ride_taken, holder, trips_.at(holder).driver};
  }
  return std::nullopt;
}

token_id ledger::trip_of(ride_id r) const {
  return r.value < ride_trips_.size() ? ride_trips_[r.value] : token_id::none();
}

token_id& ledger::trip_slot(ride_id r) {
  if (r.value >= ride_trips_.size()) {
    ride_trips_.resize(std::max<std::size_t>(r.value + 1, ride_trips_.size() * 2));
  }
  return ride_trips_[r.value];
}

}  // namespace dibs::lease
