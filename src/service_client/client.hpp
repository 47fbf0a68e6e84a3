/// A client of `dibs serve leases`: one call at a time, each answered, refused or lost.
///
/// For one thread. A connection is kept between calls, and another is opened when the service has
/// closed it.
#pragma once

#include "base/result.hpp"
#include "service_client/calls.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace dibs::service_client {

struct client_options {
  std::string url;                ///< as `read_url` takes it
  std::string bearer{};           ///< what the service wants to be shown; empty: nothing
  milliseconds patience{70'000};  ///< longer than any wait for a task, which are 60 s at most
};

class client {
 public:
  /// Calls nobody yet. Errors (exit code 2): no such address, or no library for HTTP.
  [[nodiscard]] static result<client> make(const client_options& how);

  /// One that is lost is asked once more with the same request, so it cannot be granted twice.
  [[nodiscard]] answer<lease> acquire(const std::string& resource,
                                      const std::string& holder,
                                      milliseconds ttl);
  [[nodiscard]] answer<lease> renew(const lease& l, milliseconds ttl);
  /// `no`: it was over before.
  [[nodiscard]] answer<nothing> release(const lease& l);

  /// `data`, and below `output`: JSON.
  [[nodiscard]] answer<task> create_task(const std::string& data);
  /// The task that waited longest; a yes without one if none came within `wait`.
  [[nodiscard]] answer<task> next_task(const std::string& worker,
                                       milliseconds ttl,
                                       milliseconds wait);
  [[nodiscard]] answer<task> heartbeat(const task& t, milliseconds ttl);
  /// May be repeated with the same token.
  [[nodiscard]] answer<task> complete(const task& t, const std::string& output);

 private:
  explicit client(const client_options& how);
  [[nodiscard]] store::http_answer ask(store::http_request what);

  std::unique_ptr<store::http_calls> calls_;
  std::string name_;  ///< that no other client has, for requests
  std::uint64_t requests_ = 0;
};

}  // namespace dibs::service_client
