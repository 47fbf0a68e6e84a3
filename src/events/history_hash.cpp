#include "events/history_hash.hpp"

#include "base/ensure.hpp"

#include <fmt/core.h>
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <variant>

namespace dibs::events {
namespace {

static_assert(std::endian::native == std::endian::little,
              "a history is hashed as little-endian bytes");

/// No fact takes more bytes than this, its times and its number included.
constexpr std::size_t event_bytes_max = 128;

bool is_about_a_call(const fact& what) {
  return std::holds_alternative<call_made>(what) || std::holds_alternative<call_answered>(what);
}

/// Writes values one after the other, without padding. There must be room.
class writer {
 public:
  explicit writer(std::byte* to) : to_(to) {}

  template <class Fact>
  void put_fact(const Fact& what) {
    std::apply([&](const auto&... member) { (put(member), ...); }, members_of(what));
  }

  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void put(Number value) {
    std::memcpy(to_, &value, sizeof value);
    to_ += sizeof value;
  }
  template <class Tag, class Number>
  void put(strong_id<Tag, Number> id) {
    put(id.value);
  }
  void put(token_id token) { put(token.value); }
  void put(node_id node) { put(node.packed); }
  void put(sim_duration d) { put(d.count()); }
  void put(sim_time t) { put(t.time_since_epoch()); }
  void put(local_time t) { put(t.time_since_epoch()); }
  void put(const point& p) {
    put(p.x);
    put(p.y);
    put(p.z);
  }

  [[nodiscard]] std::byte* end() const { return to_; }

 private:
  std::byte* to_;
};

static_assert(2 * sizeof(std::int64_t) + 1 + sizeof(fact) <= event_bytes_max,
              "an event's bytes fit: packed, a fact is not longer than in memory");

}  // namespace

struct history_hash::state {
  XXH3_state_t* stream = XXH3_createState();
  std::array<std::byte, std::size_t{16} * 1024> buffer;
  std::size_t used = 0;

  state() {
    ensure(stream != nullptr, "there is memory for a hash");
    XXH3_64bits_reset(stream);
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() { XXH3_freeState(stream); }

  void flush() {
    XXH3_64bits_update(stream, buffer.data(), used);
    used = 0;
  }

  void add(const event& e) {
    if (buffer.size() - used < event_bytes_max) {
      flush();
    }
    writer to(buffer.data() + used);
    to.put(e.t);
    to.put(e.local);
    to.put(static_cast<std::uint8_t>(e.what.index()));
    std::visit([&](const auto& what) { to.put_fact(what); }, e.what);
    used = static_cast<std::size_t>(to.end() - buffer.data());
  }
};

history_hash::history_hash() : state_(std::make_unique<state>()) {}
history_hash::~history_hash() = default;

void history_hash::observe(std::span<const event> batch) {
  for (const event& e : batch) {
    if (!is_about_a_call(e.what)) {
      state_->add(e);
      ++events_;
    }
  }
}

std::string history_hash::digest() const {
  // Where the buffer ends is no part of the history: the stream gives the same for any division.
  state_->flush();
  return fmt::format("{:016x}", XXH3_64bits_digest(state_->stream));
}

}  // namespace dibs::events
