#include "events/history_hash.hpp"

#include "catch.hpp"
#include "events/one_of_each.hpp"

#include <set>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

using namespace dibs;
using namespace dibs::events;

std::string digest_of(std::span<const event> history) {
  history_hash hash;
  hash.observe(history);
  return hash.digest();
}

std::vector<event> without_calls(std::vector<event> history) {
  std::erase_if(history, [](const event& e) {
    return std::holds_alternative<call_made>(e.what) ||
           std::holds_alternative<call_answered>(e.what);
  });
  return history;
}

template <class Fact>
void change_each_field(const Fact& from, std::vector<fact>& changed) {
  Fact other = from;
  each_field(other, [&]<class Member>(std::string_view /*name*/, Member& member) {
    filler(5000).fill(member);
    if constexpr (std::is_enum_v<Member>) {
      member = {};
    }
    changed.emplace_back(std::exchange(other, from));
  });
}

TEST_CASE("history hash: any field of any fact changes it", "[events]") {
  const auto history = without_calls(one_of_each());
  std::set<std::string> digests{digest_of(history)};
  std::size_t histories = 1;
  const auto expect_new = [&](const std::vector<event>& other) {
    digests.insert(digest_of(other));
    CHECK(digests.size() == ++histories);
  };
  for (std::size_t i = 0; i < history.size(); ++i) {
    auto later = history;
    later[i].t += 1ns;
    expect_new(later);
    auto skewed = history;
    skewed[i].local += 1ns;
    expect_new(skewed);
    std::vector<fact> changed;
    std::visit([&](const auto& what) { change_each_field(what, changed); }, history[i].what);
    for (const fact& what : changed) {
      auto other = history;
      other[i].what = what;
      expect_new(other);
    }
  }
}

TEST_CASE("history hash: calls and their answers leave it as it is", "[events]") {
  const auto history = one_of_each();
  const auto rest = without_calls(history);
  CHECK(rest.size() + 2 == history.size());
  CHECK(digest_of(history) == digest_of(rest));
}

TEST_CASE("history hash: the kind of a fact counts, not its bytes alone", "[events]") {
  const std::vector<event> crashed{{at(1s), at_local(1s), node_crashed{{node_kind::matcher, 1}}}};
  const std::vector<event> paused{{at(1s), at_local(1s), node_paused{{node_kind::matcher, 1}}}};
  CHECK(digest_of(crashed) != digest_of(paused));
}

TEST_CASE("history hash: order counts, batches do not", "[events]") {
  auto history = without_calls(one_of_each());
  for (int i = 0; i < 12; ++i) {  // more than one buffer
    history.insert(history.end(), history.begin(), history.end());
    if (history.size() > 3000) {
      break;
    }
  }
  const std::string whole = digest_of(history);
  history_hash piecemeal;
  for (std::size_t i = 0; i < history.size(); i += 7) {
    piecemeal.observe(std::span(history).subspan(i, std::min<std::size_t>(7, history.size() - i)));
    if (i % 11 == 0) {
      CHECK(piecemeal.digest().size() == 16);  // reading it changes nothing
    }
  }
  CHECK(piecemeal.digest() == whole);
  CHECK(piecemeal.events() == history.size());

  std::swap(history[0], history[1]);
  CHECK(digest_of(history) != whole);
}

TEST_CASE("history hash: one history has one hash for ever", "[events][golden]") {
  // The bytes that are hashed are a promise: replays compare hashes across versions of one schema.
  CHECK(digest_of({}) == "2d06800538d394c2");  // XXH3 of nothing, as published with xxHash
  CHECK(digest_of(one_of_each()) == "37ddf619f2201cb7");
}

}  // namespace
