#include "torment/needs.hpp"

#include "torment/installed.hpp"
#include "torment/private_network.hpp"
#include "torment/work_folder.hpp"

#include <string>

namespace dibs::torment {
namespace {

/// Makes one, which goes at once.
result<void> try_a_network() {
  const auto folder = work_folder::make();
  if (!folder) {
    return tl::unexpected(folder.error());
  }
  const auto made = private_network::make(matcher_processes, folder->path() / "log");
  return made ? result<void>() : tl::unexpected(made.error());
}

}  // namespace

result<void> check_needs(const real_case& c) {
  auto found = postgres_programs();
  if (found && redis_servers(c) > 0) {
    found = redis_program();
  }
  if (found && c.leases == lease_kind::etcd) {
    found = etcd_program();
  }
  if (found && c.clock == server_clock::faked) {
    found = faketime_library();
  }
  if (!found) {
    return tl::unexpected(found.error());
  }
  return c.own_networks ? try_a_network() : result<void>();
}

}  // namespace dibs::torment
