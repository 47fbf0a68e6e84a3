/// The calls of the service as requests and responses of HTTP, without any HTTP.
///
/// Knows every route, every error and what a field must be. Never throws for what a caller sent,
/// and answers it with 4xx; 503 is for a record that cannot be written.
#pragma once

#include "service/metrics.hpp"
#include "service/service.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::service {

inline constexpr std::size_t body_bytes_max = std::size_t{64} * 1024;

struct api_request {
  std::string method;
  std::string path;
  std::map<std::string, std::string> query{};
  std::string authorization{};    ///< the header
  std::string body{};             ///< cut off after `body_bytes_max`
  bool is_body_too_long = false;  ///< it went on
};

struct api_response {
  int status = 200;
  std::string content_type{};
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
};

/// The description of all calls, in OpenAPI 3.0; `src/service/openapi.json`, embedded.
extern const std::string_view openapi;

/// `application/problem+json`, as RFC 7807 has it.
[[nodiscard]] api_response problem(int status, const std::string& detail);

class api {
 public:
  /// `bearer`: what callers must show; empty: nothing. `s` must live longer.
  api(lease_service& s, std::string bearer) : service_(&s), bearer_(std::move(bearer)) {}

  [[nodiscard]] api_response answer(const api_request& r);

 private:
  [[nodiscard]] bool is_welcome(const api_request& r) const;
  /// `pattern`: which of all calls it is; `number`: of the lease or task, from the path.
  [[nodiscard]] api_response answer(std::size_t pattern, std::int64_t number, const api_request& r);

  lease_service* service_;
  std::string bearer_;
  metrics metrics_;
};

}  // namespace dibs::service
