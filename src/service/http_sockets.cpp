#include "service/http_sockets.hpp"

#include <fmt/format.h>

#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace dibs::service {
namespace {

int port_of(int socket) {
  sockaddr_storage where{};
  socklen_t size = sizeof where;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&where), &size) != 0) {
    return -1;
  }
  const auto* v4 = reinterpret_cast<const sockaddr_in*>(&where);
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&where);
  return where.ss_family == AF_INET    ? ntohs(v4->sin_port)
         : where.ss_family == AF_INET6 ? ntohs(v6->sin6_port)
                                       : -1;
}

}  // namespace

result<int> bound_port(httplib::Server& s, const listen_address& a) {
  errno = 0;
  const int port =
      a.port == 0 ? s.bind_to_any_port(a.host) : (s.bind_to_port(a.host, a.port) ? a.port : -1);
  if (port > 0) {
    return port;
  }
  const int why = errno;
  const std::string text = why == EADDRINUSE ? "another program listens there"
                           : why == 0        ? "this machine has no such address"
                                             : std::generic_category().message(why);
  return failure(exit_code::internal_error,
                 fmt::format("cannot listen on {}: {}", text_of(a), text));
}

void end_idle_connections(int port) {
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd", none)) {
    const int file = std::atoi(each.path().filename().c_str());
    if (port_of(file) == port) {
      ::shutdown(file, SHUT_RD);
    }
  }
}

}  // namespace dibs::service
