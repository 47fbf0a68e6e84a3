/// Trips at the ledger, asked for until it answers: a write whose answer is not known is repeated.
#pragma once

#include "base/ids.hpp"
#include "lease/commands.hpp"
#include "torment/fact_file.hpp"
#include "torment/lease_access.hpp"

#include <cstdint>
#include <optional>

namespace dibs::torment {

/// One ride that a lane serves.
struct task {
  driver_id driver{};
  ride_id ride{};
  token_id token{};
  std::uint32_t request = 0;
  sim_time asked{};
};

class ledger_client {
 public:
  /// Both outlive it. `until`: who has no answer by then gives up.
  ledger_client(server_link& to, fact_file& facts, sim_time until)
      : to_(&to), facts_(&facts), until_(until) {}

  /// Nothing: nobody knows, and the time is over.
  [[nodiscard]] std::optional<lease::write_outcome> write(const task& t);
  void close(driver_id d, token_id token);

 private:
  std::optional<lease::any_outcome> until_it_answers(const lease::any_command& c);

  server_link* to_;
  fact_file* facts_;
  sim_time until_;
};

}  // namespace dibs::torment
