/// Where the processes of a run meet, and how they trust each other.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace dibs::processes {

/// PEM files. With them, both ends show a certificate, and take none that the authority has not
/// signed.
struct tls_files {
  std::string certificate;
  std::string key;
  std::string authority;
};

struct meeting_place {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::optional<tls_files> tls{};
};

/// `127.0.0.1`, `::1`, `localhost`.
[[nodiscard]] bool is_loopback(const std::string& host);
/// Errors (exit code 2): off loopback without TLS.
[[nodiscard]] result<void> check_safety(const meeting_place& where);
/// Errors (exit code 3): a file that cannot be read, is not what it is given as, or a key of
/// another certificate.
[[nodiscard]] result<void> check_files(const meeting_place& where);

}  // namespace dibs::processes
