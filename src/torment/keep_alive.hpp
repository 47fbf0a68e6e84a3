/// Keeps a lease alive from a thread of its own, as the clients of etcd and Consul do: it renews it
/// three times within the TTL, until it is told to stop, or told that the lease is over.
///
/// Nobody is told that it is over: the holder goes on with its work.
#pragma once

#include "events/facts.hpp"
#include "torment/fact_file.hpp"
#include "torment/lease_access.hpp"
#include "torment/ledger_client.hpp"

#include <stop_token>
#include <thread>

namespace dibs::torment {

/// Not copied, not moved. Ends its thread when it goes; a renewal that is under way is waited for.
class keep_alive {
 public:
  /// `by`, which nobody else uses meanwhile, and `facts` outlive it.
  keep_alive(lease_access& by, fact_file& facts, node_id who, const task& t, sim_duration ttl);

 private:
  void work(const std::stop_token& stop);
  /// False: the lease is over.
  bool renew(std::uint32_t nth);

  lease_access& by_;
  fact_file& facts_;
  node_id who_;
  task what_;
  sim_duration ttl_;
  std::jthread thread_;
};

}  // namespace dibs::torment
