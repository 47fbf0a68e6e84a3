/// Serves the calls of an `api` over HTTP. It alone knows cpp-httplib.
///
/// A connection has a thread of its own while it is open, up to `connections_max`, and an idle one
/// is closed after two seconds, so idle ones keep nobody waiting. A stop answers what is under way.
#pragma once

#include "base/result.hpp"
#include "service/api.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace dibs::service {

inline constexpr std::size_t connections_max = 4096;

struct listen_address {
  std::string host = "127.0.0.1";
  int port = 8080;  ///< 0: any that is free
};

/// `127.0.0.1:8080`, `[::1]:0`. Errors (exit 2): another text.
[[nodiscard]] result<listen_address> read_listen_address(const std::string& text);
/// As it is read.
[[nodiscard]] std::string text_of(const listen_address& a);

/// Whether this dibs was built with the library. Errors (exit 2): its package.
[[nodiscard]] result<void> can_serve();

class http_server {
 public:
  /// Takes connections from here on. Errors (exit 1): the address is in use, or is none of this
  /// machine.
  [[nodiscard]] static result<std::unique_ptr<http_server>> listen(const listen_address& a);

  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;
  ~http_server();

  /// With the port that it has.
  [[nodiscard]] const listen_address& address() const;

  /// Answers until `stop` is true, and then what is under way.
  void serve(api& calls, lease_service& leases, const std::atomic<bool>& stop);

 private:
  struct parts;
  explicit http_server(std::unique_ptr<parts> p);

  std::unique_ptr<parts> parts_;
};

}  // namespace dibs::service
