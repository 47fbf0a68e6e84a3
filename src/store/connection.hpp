/// One connection to a store: commands go out in order, and their answers come in that order.
///
/// Never waits, but while it is opened: `poll` on its descriptor says when there is something to
/// write or to read. Several commands may be under way at once. When the connection breaks, every
/// command under way may have had its effect or not: its answer is `lost`.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "lease/commands.hpp"
#include "store/address.hpp"
#include "store/terms.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace dibs::store {

struct answer {
  std::optional<lease::any_outcome> outcome;  ///< nothing: lost, so nobody knows the effect
  local_time clock{};                         ///< what the store's clock read
  std::string why_lost;
};

class connection {
 public:
  using taker = std::function<void(const answer&)>;

  connection() = default;
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  virtual ~connection() = default;

  [[nodiscard]] virtual int descriptor() const = 0;
  /// Whether something has not been written yet, so that `poll` should ask for room as well.
  [[nodiscard]] virtual bool wants_to_write() const = 0;
  /// Whether it knows the ledger's commands as well as those of the table of leases.
  [[nodiscard]] virtual bool has_ledger() const = 0;
  /// Whether it can be given the time in place of its own clock.
  [[nodiscard]] virtual bool can_be_told_time() const { return true; }
  /// A lease that is asked for with less stands for as long as this.
  [[nodiscard]] virtual sim_duration shortest_ttl() const { return sim_duration::zero(); }

  /// Puts the command behind the others. `now`: the time that it is given, if it can be told;
  /// nothing: by the store's clock.
  virtual void send(const lease::any_command& c,
                    const terms& t,
                    std::optional<local_time> now,
                    taker take) = 0;
  /// Writes what there is room for. False: the connection is gone.
  [[nodiscard]] virtual bool flush() = 0;
  /// Reads what has come and hands each answer on. False: the connection is gone.
  [[nodiscard]] virtual bool receive() = 0;
  /// Answers what is under way as lost.
  virtual void give_up(const std::string& why) = 0;

  /// Makes room for drivers up to this number, without leases. Waits.
  [[nodiscard]] virtual result<void> add_drivers(std::uint32_t below) = 0;
  /// Takes everything away that the store was given. Waits.
  virtual void remove_all() = 0;
};

/// Where the tables of one run lie in a store: `dibs_` and a name that no other run has.
[[nodiscard]] std::string new_space();

struct open_options {
  std::string space;          ///< as `new_space` gives it
  bool makes_it = true;       ///< the first connection of a run makes the space, the others find it
  std::uint32_t drivers = 0;  ///< for how many there is room already, where it is there
  bool is_scratch = false;  ///< nothing need outlive the server, so that no commit waits for a disk
  bool is_unsafe = false;   ///< also takes a store that may forget what it has acknowledged
  std::string variant{};    ///< `variant_entry::script`
  /// For tests: what a broken store would run in place of this SQL or Lua.
  std::function<std::string(std::string)> altered{};
};

/// Errors: the store cannot be reached (exit code 6), cannot keep leases safely (3), is no store
/// outside, or dibs was built without its library (2).
[[nodiscard]] result<std::unique_ptr<connection>> open(const address& where,
                                                       const open_options& how);

/// Sends the command and waits for its answer, at most so long in real time.
[[nodiscard]] answer ask(connection& to,
                         const lease::any_command& c,
                         const terms& t,
                         std::optional<local_time> now,
                         int wait_ms = 10'000);

}  // namespace dibs::store
