/// The stores of one run: its own servers and links, and its space in the PostgreSQL of the case.
#pragma once

#include "base/result.hpp"
#include "torment/cases.hpp"
#include "torment/faults.hpp"
#include "torment/links.hpp"
#include "torment/plan.hpp"
#include "torment/private_network.hpp"
#include "torment/servers.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dibs::torment {

/// What serves all runs of one case, each in a space of its own.
struct case_servers {
  postgres_server postgres;
  std::optional<etcd_server> etcd{};        ///< where it keeps the leases
  std::vector<private_network> networks{};  ///< of the matcher processes, where they have some
  sim_duration clock_ahead{};               ///< of PostgreSQL, whose clock never goes back
};

/// Not copied. What it started ends when it goes.
class run_stores {
 public:
  /// Both outlive it.
  run_stores(const real_case& c, case_servers& of_case) : case_(c), of_case_(of_case) {}
  run_stores(const run_stores&) = delete;
  run_stores& operator=(const run_stores&) = delete;

  /// `folder`: of the run. Errors: a server does not start, or cannot be used.
  [[nodiscard]] result<void> begin(const std::filesystem::path& folder);
  /// Fills in where the stores are that this process asks.
  void tell(matcher_plan& p) const;
  /// A process in the network that this one is to be in; 0: in that of this program.
  [[nodiscard]] pid_t network_of(std::uint32_t process) const;
  /// Requires: a fault that strikes no matcher.
  [[nodiscard]] result<void> apply(const real_fault& f);

 private:
  [[nodiscard]] result<void> begin_redis(const std::filesystem::path& folder);
  [[nodiscard]] result<void> begin_links();
  [[nodiscard]] result<void> make_space();
  [[nodiscard]] result<void> make_space_in_etcd() const;
  void begin_clocks(const std::filesystem::path& folder);
  [[nodiscard]] result<void> apply_to_link(const real_fault& f);
  void send_signal(const real_fault& f, int number);
  void move_clock(const real_fault& f);

  const real_case& case_;
  case_servers& of_case_;
  std::vector<redis_server> redis_;
  std::unique_ptr<links> links_;
  std::string space_;
  std::vector<std::string> clocks_;
  std::vector<sim_duration> given_ahead_;
};

}  // namespace dibs::torment
