#include "torment/private_network.hpp"

#include "catch.hpp"
#include "torment/sockets.hpp"
#include "torment/work_folder.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <thread>

namespace dibs::torment {
namespace {

sockaddr_in place(const std::string& address, std::uint16_t port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &where.sin_addr);
  return where;
}

/// At the outer address, for datagrams: one that is lost is lost for good.
struct listener {
  explicit listener(const std::string& address)
      : socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in where = place(address, 0);
    socklen_t size = sizeof where;
    auto* const general = reinterpret_cast<sockaddr*>(&where);
    REQUIRE(::bind(socket.get(), general, size) == 0);
    REQUIRE(::getsockname(socket.get(), general, &size) == 0);
    port = ntohs(where.sin_port);
  }
  [[nodiscard]] bool hears_within(int ms) const {
    pollfd waiting{socket.get(), POLLIN, 0};
    return ::poll(&waiting, 1, ms) == 1;
  }
  [[nodiscard]] std::string heard() const {
    constexpr int most_ms = 20'000;
    REQUIRE(hears_within(most_ms));
    std::array<char, 100> room{};
    const ssize_t got = ::recv(socket.get(), room.data(), room.size(), 0);
    return {room.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }
  descriptor socket;
  std::uint16_t port = 0;
};

/// A socket of the network that this process is in: a thread visits it.
descriptor socket_inside(pid_t member) {
  descriptor made;
  std::thread([&] {
    const descriptor network(
        ::open(fmt::format("/proc/{}/ns/net", member).c_str(), O_RDONLY | O_CLOEXEC));
    if (::setns(network.get(), CLONE_NEWNET) == 0) {
      made = descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    }
  }).join();
  return made;
}

void say(const descriptor& from, const sockaddr_in& to, const std::string& words) {
  static_cast<void>(!::sendto(from.get(),
                              words.data(),
                              words.size(),
                              0,
                              reinterpret_cast<const sockaddr*>(&to),
                              sizeof to));
}

TEST_CASE("private network: nothing comes out of it while it is cut, and then again") {
  const auto folder = work_folder::make();
  REQUIRE(folder);
  const auto network = private_network::make(9, folder->path() / "log");
  if (!network) {
    // No root, or no iproute2: the error says which.
    WARN(network.error().text << ": its tests are skipped");
    CHECK(network.error().code == exit_code::store_unreachable);
    return;
  }
  const listener server(network->outer_address());
  const sockaddr_in to = place(network->outer_address(), server.port);
  const descriptor client = socket_inside(network->member());
  REQUIRE(client.get() >= 0);
  say(client, to, "before");
  CHECK(server.heard() == "before");
  REQUIRE(network->let_pass_through(false));
  say(client, to, "within");
  // However long one waits: a network that is not cut brings it at once.
  CHECK_FALSE(server.hears_within(500));
  REQUIRE(network->let_pass_through(true));
  // The way may have to be found again, and what the kernel kept meanwhile comes first.
  std::string last;
  for (int tries = 0; tries < 100 && last != "after"; ++tries) {
    say(client, to, "after");
    last = server.hears_within(200) ? server.heard() : last;
  }
  CHECK(last == "after");
}

TEST_CASE("private network: each has addresses of its own") {
  const auto folder = work_folder::make();
  REQUIRE(folder);
  const auto one = private_network::make(10, folder->path() / "log");
  const auto other = private_network::make(11, folder->path() / "log");
  if (one && other) {
    CHECK(one->outer_address() != other->outer_address());
  } else {
    WARN("no network can be made here: this is skipped");
  }
}

}  // namespace
}  // namespace dibs::torment
