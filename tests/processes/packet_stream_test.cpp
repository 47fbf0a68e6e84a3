#include "processes/packet_stream.hpp"

#include "catch.hpp"

using namespace dibs;
using namespace dibs::processes;

namespace {

packet with_mail(std::uint32_t rides) {
  packet p;
  for (std::uint32_t i = 0; i < rides; ++i) {
    runtime::event e;
    e.put(messages::withdraw_ride{ride_id{i}});
    p.mail.push_back(e);
  }
  p.facts.push_back({at(1s), {}, events::driver_went_offline{driver_id{rides}}, {}});
  return p;
}

}  // namespace

TEST_CASE("packet stream: what is acknowledged is not kept") {
  packet_stream here;
  packet_stream there;
  const packet first = here.send(with_mail(1));
  CHECK(first.number == 1);
  CHECK(there.take(first));
  CHECK(here.waiting().size() == 1);
  CHECK(!here.take(there.acknowledgement()));
  CHECK(here.waiting().empty());
}

TEST_CASE("packet stream: a packet is taken once, and none out of turn") {
  packet_stream here;
  packet_stream there;
  const packet first = here.send(with_mail(1));
  const packet second = here.send(with_mail(1));
  CHECK(!there.take(second));
  CHECK(there.take(first));
  CHECK(!there.take(first));
  CHECK(there.take(second));
  CHECK(there.received() == 2);
}

TEST_CASE("packet stream: over a new connection facts are sent again, and messages are lost") {
  packet_stream here;
  packet_stream there;
  const packet first = here.send(with_mail(1));
  here.send(with_mail(2));
  here.send(with_mail(3));
  REQUIRE(there.take(first));  // and then the connection breaks
  const auto lost = here.reconnect(there.received());
  CHECK(lost.size() == 5);
  REQUIRE(here.waiting().size() == 2);
  for (const packet& p : here.waiting()) {
    CHECK(p.mail.empty());
    CHECK(p.facts.size() == 1);
    CHECK(there.take(p));
  }
  CHECK(there.received() == 3);
  CHECK(here.reconnect(there.received()).empty());
  CHECK(here.waiting().empty());
}
