#include "torment/links.hpp"

#include "catch.hpp"
#include "torment/sockets.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace dibs::torment {
namespace {

constexpr int long_enough_ms = 10'000;

void say(const descriptor& s, const std::string& words) {
  REQUIRE(::send(s.get(), words.data(), words.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(words.size()));
}

/// What comes next; empty at the end, or if the connection is broken.
std::string heard(const descriptor& s) {
  pollfd waiting{s.get(), POLLIN, 0};
  REQUIRE(::poll(&waiting, 1, long_enough_ms) == 1);
  std::array<char, 100> room{};
  const ssize_t got = ::recv(s.get(), room.data(), room.size(), 0);
  return {room.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

descriptor accepted(const descriptor& listens) {
  pollfd waiting{listens.get(), POLLIN, 0};
  REQUIRE(::poll(&waiting, 1, long_enough_ms) == 1);
  return descriptor(::accept(listens.get(), nullptr, nullptr));
}

struct linked {
  linked() : server(listen_on_loopback(port)), all(*links::to({port})) {}
  std::uint16_t port = 0;
  descriptor server;
  std::unique_ptr<links> all;
};

TEST_CASE("links: what is said at one end is heard at the other, to the end") {
  linked l;
  descriptor client = connect_to(l.all->port(0));
  const descriptor served = accepted(l.server);
  say(client, "a question");
  CHECK(heard(served) == "a question");
  say(served, "an answer");
  CHECK(heard(client) == "an answer");
  client = descriptor();
  CHECK(heard(served).empty());
}

TEST_CASE("links: what a held link got comes when it is open again") {
  linked l;
  const descriptor client = connect_to(l.all->port(0));
  const descriptor served = accepted(l.server);
  l.all->set(0, link_state::held);
  say(client, "late");
  l.all->set(0, link_state::open);
  CHECK(heard(served) == "late");
}

TEST_CASE("links: one that refuses breaks its connections and makes none") {
  linked l;
  const descriptor client = connect_to(l.all->port(0));
  const descriptor served = accepted(l.server);
  l.all->set(0, link_state::refused);
  CHECK(heard(client).empty());
  CHECK(heard(served).empty());
  CHECK(heard(connect_to(l.all->port(0))).empty());
  l.all->set(0, link_state::open);
  const descriptor again = connect_to(l.all->port(0));
  const descriptor served_again = accepted(l.server);
  say(again, "again");
  CHECK(heard(served_again) == "again");
}

TEST_CASE("links: new connections lead to another server once clients are led there") {
  linked l;
  std::uint16_t port = 0;
  const descriptor other = listen_on_loopback(port);
  l.all->lead_to(0, port);
  const descriptor client = connect_to(l.all->port(0));
  const descriptor served = accepted(other);
  say(client, "hello");
  CHECK(heard(served) == "hello");
}

}  // namespace
}  // namespace dibs::torment
