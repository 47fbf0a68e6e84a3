#include "store/wire.hpp"

#include <initializer_list>

namespace dibs::store {
namespace {

using lease::any_outcome;
namespace command = lease::command;

constexpr std::int64_t ns_per_us = 1000;

constexpr std::array<operation, std::variant_size_v<lease::any_command>> all{{
    {"acquire", 8},
    {"confirm", 5},
    {"renew", 7},
    {"release", 3},
    {"expire", 4},
    {"trip_began", 3},
    {"trip_ended", 3},
    {"write_refused", 3},
    {"raise_fence", 3},
    {"write", 4},
    {"close", 3},
}};

std::int64_t length_of(sim_duration d) {
  if (d == forever) {
    return never;
  }
  return d.count() / ns_per_us + (d.count() % ns_per_us > 0 ? 1 : 0);
}

sim_duration sum(sim_duration ttl, sim_duration longer) {
  return ttl == forever ? forever : ttl + longer;
}

/// The numbers of a command, but for the time.
class writing {
 public:
  explicit writing(const terms& t) : terms_(t) {}

  using numbers = std::initializer_list<std::int64_t>;

  template <class Take>
  void operator()(const command::acquire& c, Take take) const {
    take(numbers{c.driver.value,
                 c.ride.value,
                 c.holder.value,
                 c.request,
                 length_of(sum(terms_.ttl, c.longer)),
                 length_of(terms_.grace),
                 length_of(terms_.lock_delay)});
  }
  template <class Take>
  void operator()(const command::confirm& c, Take take) const {
    take(numbers{
        c.driver.value, token(c), length_of(terms_.confirm_hold), length_of(terms_.lock_delay)});
  }
  template <class Take>
  void operator()(const command::renew& c, Take take) const {
    take(numbers{c.driver.value,
                 token(c),
                 length_of(sum(terms_.ttl, c.longer)),
                 length_of(sum(terms_.ttl, terms_.jitter)),
                 length_of(terms_.grace),
                 length_of(terms_.lock_delay)});
  }
  template <class Take>
  void operator()(const command::expire& c, Take take) const {
    take(numbers{c.driver.value, token(c), length_of(terms_.lock_delay)});
  }
  template <class Take>
  void operator()(const command::write& c, Take take) const {
    take(numbers{c.driver.value, token(c), c.ride.value});
  }
  template <class Other, class Take>
  void operator()(const Other& c, Take take) const {
    take(numbers{c.driver.value, token(c)});
  }

 private:
  template <class Command>
  [[nodiscard]] static std::int64_t token(const Command& c) {
    return static_cast<std::int64_t>(c.token.value);
  }

  const terms& terms_;
};

/// An outcome from a row.
class reading {
 public:
  explicit reading(const wire_row& row) : row_(row) {}

  std::optional<any_outcome> operator()(const command::acquire& c) const {
    using events::denial;
    switch (row_.code) {
      case 'G':
      case 'A': {
        lease::granted g;
        g.token = token(row_.a);
        g.expires = time_of(row_.b);
        g.ttl = left_until(g.expires);
        g.previous = expired(c.driver);
        g.repeated = row_.code == 'A';
        return lease::acquire_outcome{g};
      }
      case 'L':
        return lease::acquire_outcome{lease::denied{denial::leased, expired(c.driver)}};
      case 'T':
        return lease::acquire_outcome{lease::denied{denial::on_trip, expired(c.driver)}};
      case 'D':
        return lease::acquire_outcome{lease::denied{denial::lock_delay, expired(c.driver)}};
      default:
        return std::nullopt;
    }
  }

  std::optional<any_outcome> operator()(const command::confirm& c) const {
    if (row_.code == 'C' || row_.code == 'R') {
      lease::confirmed yes;
      yes.repeated = row_.code == 'R';
      yes.holder = matcher_id{static_cast<std::uint32_t>(row_.a)};
      yes.lease = token(row_.b);
      yes.hold_until = time_of(row_.c);
      return lease::confirm_outcome{yes};
    }
    const auto no = refusal(c.driver);
    return no ? std::optional<any_outcome>(lease::confirm_outcome{*no}) : std::nullopt;
  }

  std::optional<any_outcome> operator()(const command::renew& c) const {
    if (row_.code == 'C') {
      const local_time expires = time_of(row_.b);
      return lease::renew_outcome{lease::renewed{token(row_.a), left_until(expires), expires}};
    }
    const auto no = refusal(c.driver);
    return no ? std::optional<any_outcome>(lease::renew_outcome{*no}) : std::nullopt;
  }

  std::optional<any_outcome> operator()(const command::release& c) const {
    return ending(c.driver, c.cause);
  }
  std::optional<any_outcome> operator()(const command::expire& c) const {
    using events::lease_ending;
    return ending(c.driver, row_.code == 'U' ? lease_ending::unwritten : lease_ending::expired);
  }
  std::optional<any_outcome> operator()(const command::trip_began& c) const {
    return ending(c.driver, events::lease_ending::cancelled);
  }
  std::optional<any_outcome> operator()(const command::write_refused& c) const {
    return ending(c.driver, events::lease_ending::denied_by_ledger);
  }
  std::optional<any_outcome> operator()(const command::trip_ended&) const {
    return any_outcome{row_.code == '1'};
  }
  std::optional<any_outcome> operator()(const command::raise_fence&) const {
    return any_outcome{std::monostate{}};
  }

  std::optional<any_outcome> operator()(const command::write&) const {
    using events::write_refusal;
    switch (row_.code) {
      case 'W':
      case 'R':
        return lease::write_outcome{lease::taken{.repeated = row_.code == 'R'}};
      case 'S':
        return lease::write_outcome{lease::turned_down{.cause = write_refusal::stale_token}};
      case 'B':
        return lease::write_outcome{lease::turned_down{.cause = write_refusal::driver_busy}};
      case 'T':
        return lease::write_outcome{lease::turned_down{
            write_refusal::ride_taken, token(row_.a), {static_cast<std::uint32_t>(row_.b)}}};
      default:
        return std::nullopt;
    }
  }

  std::optional<any_outcome> operator()(const command::close& c) const {
    if (row_.code != '1') {
      return std::optional<lease::trip_record>();
    }
    return std::optional(
        lease::trip_record{c.driver, ride_id{static_cast<std::uint32_t>(row_.a)}, false});
  }

 private:
  [[nodiscard]] static token_id token(std::int64_t number) {
    return token_id{static_cast<std::uint64_t>(number)};
  }

  [[nodiscard]] sim_duration left_until(local_time expires) const {
    return expires == local_time::max() ? forever : expires - time_of(row_.clock);
  }

  [[nodiscard]] std::optional<lease::ended> ended_with(driver_id d,
                                                       events::lease_ending cause) const {
    if (row_.ended == no_number) {
      return std::nullopt;
    }
    return lease::ended{token(row_.ended),
                        d,
                        ride_id{static_cast<std::uint32_t>(row_.ended_ride)},
                        matcher_id{static_cast<std::uint32_t>(row_.ended_holder)},
                        cause};
  }

  [[nodiscard]] std::optional<lease::ended> expired(driver_id d) const {
    return ended_with(d, events::lease_ending::expired);
  }

  [[nodiscard]] any_outcome ending(driver_id d, events::lease_ending cause) const {
    return ended_with(d, cause);
  }

  [[nodiscard]] std::optional<lease::refused> refusal(driver_id d) const {
    using events::confirm_refusal;
    const auto because = [&](confirm_refusal cause) {
      return lease::refused{cause, expired(d), {}};
    };
    switch (row_.code) {
      case 'N':
        return because(confirm_refusal::no_lease);
      case 'O':
        return because(confirm_refusal::other_token);
      case 'E':
        return because(confirm_refusal::expired);
      case 'T':
        return because(confirm_refusal::on_trip);
      default:
        return std::nullopt;
    }
  }

  const wire_row& row_;
};

}  // namespace

std::span<const operation> operations() { return all; }

wire_command to_wire(const lease::any_command& c, const terms& t, std::optional<local_time> now) {
  wire_command out;
  out.operation = c.index();
  const auto take = [&](std::initializer_list<std::int64_t> numbers) {
    for (const std::int64_t each : numbers) {
      out.numbers[out.size++] = each;
    }
  };
  const writing write(t);
  std::visit([&](const auto& what) { write(what, take); }, c);
  take({now ? now->time_since_epoch().count() / ns_per_us : no_number});
  return out;
}

std::optional<lease::any_outcome> from_wire(const lease::any_command& c, const wire_row& row) {
  return std::visit(reading(row), c);
}

local_time time_of(std::int64_t on_the_wire) {
  return on_the_wire > never / ns_per_us ? local_time::max()
                                         : at_local(sim_duration{on_the_wire * ns_per_us});
}

}  // namespace dibs::store
