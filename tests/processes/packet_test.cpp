#include "processes/packet.hpp"

#include "catch.hpp"
#include "events/jsonl.hpp"

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace dibs;
using namespace dibs::processes;

namespace {

std::vector<char> written(packet p) {
  std::vector<char> bytes;
  caf::binary_serializer to(nullptr, bytes);
  REQUIRE(to(p) == caf::none);
  return bytes;
}

packet back(packet p) {
  const std::vector<char> bytes = written(std::move(p));
  packet read;
  caf::binary_deserializer from(nullptr, bytes);
  REQUIRE(from(read) == caf::none);
  return read;
}

/// Gives each member another value, so that no two can be taken for each other.
struct filler {
  std::uint64_t next = 1;

  template <class Number>
  requires std::is_integral_v<Number>
  void fill(Number& n) { n = static_cast<Number>(std::is_same_v<Number, bool> ? 1 : next++ % 100); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void fill(Enum& e) { e = static_cast<Enum>(next++ % 2); }
  template <class Tag, class Number>
  void fill(strong_id<Tag, Number>& id) {
    fill(id.value);
  }
  void fill(token_id& t) { t.value = next++ << 40; }
  void fill(node_id& n) { n = {node_kind::matcher, static_cast<std::uint32_t>(next++)}; }
  void fill(sim_duration& d) { d = sim_duration{static_cast<std::int64_t>(next++) << 33}; }
  void fill(sim_time& t) { t = at(sim_duration{static_cast<std::int64_t>(next++) << 33}); }
  void fill(local_time& t) { t = at_local(sim_duration{-static_cast<std::int64_t>(next++)}); }
  void fill(point& p) { p = {1.1 * static_cast<double>(next++), -0.0, 1e-310}; }
};

template <class M>
runtime::event message_of(filler& values) {
  M m{};
  if constexpr (!std::is_empty_v<M>) {
    std::apply([&](auto&... member) { (values.fill(member), ...); }, messages::members_of(m));
  }
  runtime::event e;
  values.fill(e.due);
  values.fill(e.to);
  values.fill(e.from);
  values.fill(e.exchange);
  e.role = runtime::role::answer;
  // Without what lies between members, which nobody sends.
  std::memset(e.content.data(), 0, e.content.size());
  e.put(m);
  return e;
}

template <class M>
bool are_same(const runtime::event& a, const runtime::event& b) {
  bool same = a.due == b.due && a.to == b.to && a.from == b.from && a.exchange == b.exchange &&
              a.role == b.role && a.number == b.number;
  if constexpr (!std::is_empty_v<M>) {
    const M x = a.get<M>();
    const M y = b.get<M>();
    same = same && messages::members_of(x) == messages::members_of(y);
  }
  return same;
}

template <class... Messages>
void check_messages(messages::message_list<Messages...>) {
  filler values;
  packet p;
  (p.mail.push_back(message_of<Messages>(values)), ...);
  const packet read = back(p);
  REQUIRE(read.mail.size() == sizeof...(Messages));
  std::size_t i = 0;
  const auto is_same = [&]<class M>(std::type_identity<M>) {
    const bool same = are_same<M>(p.mail[i], read.mail[i]);
    ++i;
    return same;
  };
  std::size_t same = 0;
  ((same += is_same(std::type_identity<Messages>{}) ? 1U : 0U), ...);
  CHECK(same == sizeof...(Messages));
}

template <std::size_t... Numbers>
void check_facts(std::index_sequence<Numbers...>) {
  filler values;
  packet p;
  const auto add = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    events::event e;
    auto& what = e.what.emplace<I>();
    std::apply([&](auto&... member) { (values.fill(member), ...); }, events::members_of(what));
    values.fill(e.t);
    values.fill(e.local);
    p.facts.push_back(e);
  };
  (add(std::integral_constant<std::size_t, Numbers>{}), ...);
  const packet read = back(p);
  REQUIRE(read.facts.size() == p.facts.size());
  for (std::size_t i = 0; i < p.facts.size(); ++i) {
    std::string sent;
    std::string came;
    events::append_jsonl(sent, p.facts[i]);
    events::append_jsonl(came, read.facts[i]);
    CHECK(sent == came);
  }
}

}  // namespace

TEST_CASE("packet: every message comes back as it went, member by member") {
  check_messages(messages::all_messages{});
}

TEST_CASE("packet: every fact comes back as it went") {
  check_facts(std::make_index_sequence<std::variant_size_v<events::fact>>{});
}

TEST_CASE("packet: a fact that names a driver hints at her again") {
  packet p;
  p.facts.push_back({at(1s), {}, events::driver_went_offline{driver_id{7}}, {}});
  CHECK(back(p).facts[0].about == driver_id{7});
}

TEST_CASE("packet: an outage of another node comes back as it went") {
  runtime::event e;
  e.role = runtime::role::crash;
  e.to = {node_kind::rider, 3};
  const runtime::outage_notice what{at(9s), 2, true};
  std::memcpy(e.content.data(), &what, sizeof what);
  packet p;
  p.mail.push_back(e);
  runtime::outage_notice read;
  std::memcpy(&read, back(p).mail[0].content.data(), sizeof read);
  CHECK(read.until == at(9s));
  CHECK(read.group == 2);
  CHECK(read.stays);
}

TEST_CASE("packet: what is no message, no fact or a node's own affair is refused") {
  const auto refuses = [](const packet& p) {
    std::vector<char> bytes;
    caf::binary_serializer to(nullptr, bytes);
    packet copy = p;
    return to(copy) != caf::none;
  };
  packet p;
  p.mail.emplace_back();
  p.mail[0].number = 9999;
  CHECK(refuses(p));
  p.mail[0].number = 0;
  p.mail[0].role = runtime::role::repeat;
  CHECK(refuses(p));

  p.mail.clear();
  p.facts.push_back({at(1s), at_local(1s), events::driver_went_offline{driver_id{7}}, {}});
  std::vector<char> bytes = written(p);
  const std::vector<char> whole = bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {  // nothing makes it fall over
    bytes = whole;
    bytes[i] = static_cast<char>(0x7f);
    packet read;
    caf::binary_deserializer from(nullptr, bytes);
    (void)(from(read) == caf::none);
  }
}
