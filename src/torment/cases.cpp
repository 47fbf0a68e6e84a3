#include "torment/cases.hpp"

#include "torment/case_lists.hpp"

#include <algorithm>
#include <vector>

namespace dibs::torment {
namespace {

std::vector<real_case> made() {
  std::vector<real_case> all = postgres_cases();
  for (auto more : {queue_cases(), redis_cases(), redlock_cases(), etcd_cases()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace

std::span<const real_case> all_cases() {
  static const std::vector<real_case> all = made();
  return all;
}

const real_case* find_case(std::string_view name) {
  const auto all = all_cases();
  const auto found = std::ranges::find(all, name, &real_case::name);
  return found == all.end() ? nullptr : &*found;
}

std::uint32_t redis_servers(const real_case& c) {
  constexpr std::uint32_t redlock_servers = 5;
  switch (c.leases) {
    case lease_kind::redis:
      return c.replica ? 2 : 1;
    case lease_kind::redlock:
      return redlock_servers;
    case lease_kind::postgres:
    case lease_kind::queue:
    case lease_kind::etcd:
      break;
  }
  return 0;
}

bool keeps_leases_in_postgres(const real_case& c) {
  return c.leases == lease_kind::postgres || c.leases == lease_kind::queue;
}

std::uint32_t link_count(const real_case& c) {
  const std::uint32_t servers = redis_servers(c);
  return servers == 0 ? matcher_processes : servers;
}

bool knows_trips(const real_case& c) {
  return c.leases == lease_kind::postgres || c.leases == lease_kind::redis;
}

}  // namespace dibs::torment
