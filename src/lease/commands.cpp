#include "lease/commands.hpp"

#include <array>
#include <cstddef>
#include <tuple>

namespace dibs::lease {
namespace {

class answering {
 public:
  answering(machine& leases, ledger& trips, local_time now)
      : leases_(leases), trips_(trips), now_(now) {}

  any_outcome operator()(const command::acquire& c) {
    return leases_.acquire(c.driver, c.ride, c.holder, now_, c.request, c.longer);
  }
  any_outcome operator()(const command::confirm& c) {
    return leases_.confirm(c.driver, c.token, now_);
  }
  any_outcome operator()(const command::renew& c) {
    return leases_.renew(c.driver, c.token, now_, matcher_id::none(), 0, c.longer);
  }
  any_outcome operator()(const command::release& c) {
    return leases_.release(c.driver, c.token, c.cause);
  }
  any_outcome operator()(const command::expire& c) {
    return leases_.expire(c.driver, c.token, now_);
  }
  any_outcome operator()(const command::trip_began& c) {
    return leases_.trip_began(c.driver, c.token);
  }
  any_outcome operator()(const command::trip_ended& c) {
    return leases_.trip_ended(c.driver, c.token, c.ride);
  }
  any_outcome operator()(const command::write_refused& c) {
    return leases_.write_refused(c.driver, c.token);
  }
  any_outcome operator()(const command::raise_fence& c) {
    trips_.raise_fence(c.driver, c.token);
    return std::monostate{};
  }
  any_outcome operator()(const command::write& c) {
    return trips_.write(c.token, c.driver, c.ride);
  }
  any_outcome operator()(const command::close& c) { return trips_.close(c.token); }

 private:
  machine& leases_;
  ledger& trips_;
  local_time now_;
};

constexpr std::array<std::string_view, std::variant_size_v<any_command>> names{"acquire",
                                                                               "confirm",
                                                                               "renew",
                                                                               "release",
                                                                               "expire",
                                                                               "trip_began",
                                                                               "trip_ended",
                                                                               "write_refused",
                                                                               "raise_fence",
                                                                               "write",
                                                                               "close"};

}  // namespace

std::string_view name_of(const any_command& c) { return names[c.index()]; }

driver_id driver_of(const any_command& c) {
  return std::visit([](const auto& what) { return what.driver; }, c);
}

token_id token_of(const any_command& c) {
  return std::visit(
      [](const auto& what) {
        if constexpr (requires { what.token; }) {
          return what.token;
        } else {
          return token_id::none();
        }
      },
      c);
}

bool is_for_ledger(const any_command& c) {
  return std::holds_alternative<command::raise_fence>(c) ||
         std::holds_alternative<command::write>(c) || std::holds_alternative<command::close>(c);
}

const granted* grant_in(const any_outcome& o) {
  const auto* a = std::get_if<acquire_outcome>(&o);
  return a == nullptr ? nullptr : std::get_if<granted>(a);
}

time_limit limit_in(any_outcome& o) {
  if (auto* const a = std::get_if<acquire_outcome>(&o)) {
    if (auto* const g = std::get_if<granted>(a)) {
      return {&g->expires, &g->ttl};
    }
  } else if (auto* const c = std::get_if<confirm_outcome>(&o)) {
    if (auto* const yes = std::get_if<confirmed>(c)) {
      return {&yes->hold_until, nullptr};
    }
  } else if (auto* const r = std::get_if<renew_outcome>(&o)) {
    if (auto* const yes = std::get_if<renewed>(r)) {
      return {&yes->expires, &yes->ttl};
    }
  }
  return {};
}

any_outcome apply(machine& leases, ledger& trips, const any_command& c, local_time now) {
  return std::visit(answering(leases, trips, now), c);
}

}  // namespace dibs::lease
