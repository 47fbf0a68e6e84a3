/// What a lease manager keeps where its table of leases is a store outside: what it has asked, and
/// what was told of the answers.
#pragma once

#include "actors/store_requests.hpp"
#include "lease/told_leases.hpp"
#include "messages/messages.hpp"

#include <cstdint>

namespace dibs::actors {

struct stored_leases {
  stored_leases(const store_access& access, std::uint32_t drivers)
      : requests(access), told(drivers) {}

  store_requests<messages::lease_store_answered,
                 messages::lease_store_retry_due,
                 messages::acquire,
                 messages::confirm,
                 messages::renew,
                 messages::release,
                 messages::write_outcome,
                 messages::trip_closed,
                 messages::lease_due>
      requests;
  lease::told_leases told;
};

}  // namespace dibs::actors
