/// Leases that are renewed in the background, for as long as their holder needs them.
///
/// Whether one still stands goes by this machine's monotonic clock, counted from before the call
/// that was answered. So it stops standing here before it is over at the service, however long the
/// answer took. A holder that stood still does not know it: what it writes to should refuse a token
/// that is smaller than one that it has seen.
#pragma once

#include "base/time.hpp"
#include "service_client/client.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace dibs::service_client {

/// Renews something every third of its time, from a thread of its own that ends with it.
class renewal {
 public:
  /// `asked`: when it was asked for, as `machine_time` has it. `renew` is called on the thread.
  renewal(sim_duration asked, milliseconds ttl, std::function<outcome()> renew);
  renewal(const renewal&) = delete;
  renewal& operator=(const renewal&) = delete;
  ~renewal();

  /// Any thread.
  [[nodiscard]] bool stands() const;
  /// No renewal comes after this, nor is one under way.
  void stop();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// A lease that is held for as long as this lives, and released at its end.
class held_lease {
 public:
  /// `how.patience` is not used: a call may take a third of the TTL. Errors (exit code 2): as
  /// `client::make`. An answer without a lease: `how` says why.
  [[nodiscard]] static result<answer<held_lease>> acquire(const client_options& how,
                                                          const std::string& resource,
                                                          const std::string& holder,
                                                          milliseconds ttl);
  held_lease(held_lease&&) noexcept;
  held_lease& operator=(held_lease&&) = delete;
  ~held_lease();

  [[nodiscard]] bool stands() const;
  /// To show to whatever is written to.
  [[nodiscard]] std::int64_t token() const { return lease_.token; }

 private:
  struct parts;
  held_lease(lease l, std::unique_ptr<parts> p);

  lease lease_;
  std::unique_ptr<parts> parts_;
};

struct work_options {
  client_options service;
  std::string worker;
  milliseconds ttl{30'000};     ///< a task that nobody keeps comes back after this
  milliseconds wait{10'000};    ///< for a task, at a time
  bool ends_when_none = false;  ///< else it waits for the next one
};

/// What is done with a task: its output as JSON, or nothing to leave it to others. `stands` says
/// whether this worker still has it.
using work_on =
    std::function<std::optional<std::string>(const task& t, const std::function<bool()>& stands)>;

/// Takes one task after the other, keeps it while it is worked on, and completes it. A service that
/// is away is asked again until it is back. Returns how many were completed. Errors: those of
/// `client::make`, and a service that takes no such calls (exit code 6).
[[nodiscard]] result<std::uint64_t> work(const work_options& how,
                                         const work_on& act,
                                         const std::atomic<bool>& stop);

}  // namespace dibs::service_client
