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
  const trip_record* const found = find(token);
  if (found != nullptr && found->driver == d && found->ride == r) {
    return taken{.repeated = true};
  }
  const auto before = answered(token, d, r);
  if (before && std::holds_alternative<taken>(*before)) {
    return before;
  }
  if (found != nullptr && (rule_ == ledger_rule::fence || found->open)) {
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
  const trip_record* const before = find(token);
  const bool is_new = before == nullptr || before->driver != d || before->ride != r;
  if (!is_new && !before->open) {
    return false;
  }
  if (is_new) {
    if (before != nullptr) {
      answered_[before->ride].push_back({token, before->driver, taken{.repeated = true}});
    }
    last_of_.set(token, static_cast<std::uint32_t>(trips_.size()));
    trips_.push_back({d, r});
  }
  driver.trip = token;
  ride_trips_.grown(r.value) = token;
  return true;
}

void ledger::raise_fence(driver_id d, token_id token) {
  ensure(d.value < drivers_.size(), "the driver is known to the ledger");
  drivers_[d.value].highest = std::max(drivers_[d.value].highest, token);
}

std::optional<trip_record> ledger::close(token_id token) {
  const std::uint32_t i = last_of_.find(token);
  if (i == token_index::none || !trips_[i].open) {
    return std::nullopt;
  }
  trip_record& trip = trips_[i];
  trip.open = false;
  if (token_id& of_driver = drivers_[trip.driver.value].trip; of_driver == token) {
    of_driver = token_id::none();
  }
  if (token_id& of_ride = ride_trips_[trip.ride.value]; of_ride == token) {
    of_ride = token_id::none();
  }
  return trip;
}

token_id ledger::open_trip_of(driver_id d) const {
  ensure(d.value < drivers_.size(), "the driver is known to the ledger");
  return drivers_[d.value].trip;
}

bool ledger::is_open(token_id token) const {
  const trip_record* const found = find(token);
  return found != nullptr && found->open;
}

const trip_record* ledger::find(token_id token) const {
  const std::uint32_t i = last_of_.find(token);
  return i == token_index::none ? nullptr : &trips_[i];
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
    return turned_down{write_refusal::ride_taken, holder, find(holder)->driver};
  }
  return std::nullopt;
}

token_id ledger::trip_of(ride_id r) const {
  return r.value < ride_trips_.size() ? ride_trips_[r.value] : token_id::none();
}

}  // namespace dibs::lease
