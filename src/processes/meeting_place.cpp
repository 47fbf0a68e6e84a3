#include "processes/meeting_place.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>

#include <fstream>
#include <vector>

namespace dibs::processes {

bool is_loopback(const std::string& host) {
  // Of names only the one that no network may give to another machine (RFC 6761, section 6.3).
  in_addr address{};
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && ::inet_pton(AF_INET, host.c_str(), &address) == 1);
}

result<void> check_safety(const meeting_place& where) {
  if (where.tls || is_loopback(where.host)) {
    return {};
  }
  return failure(exit_code::usage,
                 fmt::format("{} is another machine's address, and what goes there must not be "
                             "read or forged: give --tls-cert, --tls-key and --tls-ca",
                             where.host));
}

result<void> check_files(const meeting_place& where) {
  for (const std::string& file :
       where.tls ? std::vector{where.tls->certificate, where.tls->key, where.tls->authority}
                 : std::vector<std::string>()) {
    if (!std::ifstream(file)) {
      return failure(exit_code::invalid_input, fmt::format("{}: cannot be read", file));
    }
  }
  return {};
}

}  // namespace dibs::processes
