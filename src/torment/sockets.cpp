#include "torment/sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace dibs::torment {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return where;
}

}  // namespace

descriptor connect_to(std::uint16_t port) {
  descriptor s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in where = loopback(port);
  if (s.get() < 0 ||
      ::connect(s.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
    return {};
  }
  const int yes = 1;
  ::setsockopt(s.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return s;
}

descriptor listen_on_loopback(std::uint16_t& port) {
  constexpr int backlog = 128;
  descriptor s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in where = loopback(0);
  socklen_t size = sizeof where;
  if (s.get() < 0 || ::bind(s.get(), reinterpret_cast<const sockaddr*>(&where), size) != 0 ||
      ::listen(s.get(), backlog) != 0 ||
      ::getsockname(s.get(), reinterpret_cast<sockaddr*>(&where), &size) != 0) {
    return {};
  }
  port = ntohs(where.sin_port);
  return s;
}

}  // namespace dibs::torment
