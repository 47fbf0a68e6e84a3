/// How a matcher process asks for leases, and the ledger for trips: one command at a time, each
/// answered, refused or lost.
///
/// `lost` says that nobody knows whether the command took effect. The connection is given up then,
/// and another is opened for the next command.
#pragma once

#include "base/ids.hpp"
#include "lease/commands.hpp"
#include "store/connection.hpp"
#include "store/terms.hpp"
#include "torment/plan.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dibs::torment {

/// A connection to one server, opened when it is needed.
class server_link {
 public:
  /// `clock`: a file that says how far the server's clock is ahead; empty for its own clock.
  server_link(store::address where,
              store::open_options how,
              store::terms leases,
              std::string clock);

  /// Whether there is a connection, or one could be made.
  [[nodiscard]] bool connect();
  /// Waits at most so long. Nothing: lost.
  [[nodiscard]] std::optional<lease::any_outcome> ask(const lease::any_command& c, int wait_ms);

 private:
  [[nodiscard]] std::optional<local_time> now() const;

  store::address where_;
  store::open_options how_;
  store::terms leases_;
  std::string clock_;
  std::unique_ptr<store::connection> connection_;
};

enum class lease_answer : std::uint8_t { yes, no, lost };

struct lease_grant {
  lease_answer said = lease_answer::lost;
  driver_id driver;  ///< a queue chooses her
  token_id token;
};

struct lease_confirm {
  lease_answer said = lease_answer::lost;
  bool repeated = false;
  events::confirm_refusal why{};
};

/// Not copied: it holds connections.
class lease_access {
 public:
  lease_access() = default;
  lease_access(const lease_access&) = delete;
  lease_access& operator=(const lease_access&) = delete;
  virtual ~lease_access() = default;

  /// Whether there is a connection to every server, or one could be made.
  [[nodiscard]] virtual bool connect() = 0;
  [[nodiscard]] virtual lease_grant acquire(const lease::command::acquire& c) = 0;
  [[nodiscard]] virtual lease_confirm confirm(driver_id d, token_id token) = 0;
  [[nodiscard]] virtual lease_answer renew(driver_id d, token_id token) = 0;
  [[nodiscard]] virtual lease_answer release(driver_id d, token_id token) = 0;
  /// What the ledger has to say of a trip; false where no store wants to know, or it was lost.
  virtual bool tell(const lease::any_command& c) = 0;
};

/// As the plan's case has it. `lane`: who asks, from 0 over all processes. Errors: an address that
/// cannot be read.
[[nodiscard]] result<std::unique_ptr<lease_access>> open_leases(const matcher_plan& p,
                                                                std::uint32_t lane);
[[nodiscard]] result<std::unique_ptr<server_link>> open_ledger(const matcher_plan& p);

}  // namespace dibs::torment
