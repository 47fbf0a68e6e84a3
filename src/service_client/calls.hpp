/// The calls of a lease service as requests, and what their answers mean: `service/openapi.json`
/// from a caller's side, without any network.
///
/// Never takes an answer for a yes or a no that it is not: one that never came, one that says that
/// the service failed, and one that cannot be read leave open what was done.
#pragma once

#include "store/http_calls.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace dibs::service_client {

using milliseconds = std::chrono::milliseconds;

enum class outcome : std::uint8_t {
  yes,
  no,     ///< leased, over, another's, or there is no such thing
  lost,   ///< nobody knows whether it took effect
  unfit,  ///< the service takes no such call, or not from this caller
};

struct lease {
  std::int64_t token = 0;
  std::string resource{};
  std::string holder{};
};

struct task {
  std::int64_t id = 0;
  std::int64_t token = 0;  ///< of who has it
  std::string data{};      ///< JSON
  std::int64_t attempts = 0;
};

struct nothing {};

template <class T>
struct answer {
  outcome how = outcome::lost;
  int status = 0;         ///< of HTTP; 0: none came
  std::string why{};      ///< unless it is yes
  std::optional<T> of{};  ///< with a yes; none where no task waits
  bool was_sent = true;   ///< false: the service never had the call
};

[[nodiscard]] store::http_request acquire_call(const std::string& resource,
                                               const std::string& holder,
                                               milliseconds ttl,
                                               const std::string& request);
[[nodiscard]] store::http_request renew_call(std::int64_t token,
                                             const std::string& holder,
                                             milliseconds ttl);
[[nodiscard]] store::http_request release_call(std::int64_t token, const std::string& holder);
/// `data`, and below `output`: JSON.
[[nodiscard]] store::http_request create_task_call(const std::string& data);
[[nodiscard]] store::http_request next_task_call(const std::string& worker,
                                                 milliseconds ttl,
                                                 milliseconds wait);
[[nodiscard]] store::http_request heartbeat_call(const task& t, milliseconds ttl);
[[nodiscard]] store::http_request complete_call(const task& t, const std::string& output);

/// Of an acquire, or a renewal.
[[nodiscard]] answer<lease> lease_answer(const store::http_answer& a);
[[nodiscard]] answer<nothing> release_answer(const store::http_answer& a);
[[nodiscard]] answer<task> task_answer(const store::http_answer& a);

/// Where a service is: `http://host:port`, perhaps with a path. Without a slash at its end. Errors
/// (exit code 2): another text, or a password in it.
[[nodiscard]] result<std::string> read_url(const std::string& text);

}  // namespace dibs::service_client
