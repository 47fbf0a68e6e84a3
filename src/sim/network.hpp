/// What a link does to a message: delay, loss, duplication. Pure: the draws are keyed by what the
/// message is about, so they do not depend on what else happens in the run.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/node_pattern.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::sim {

/// The sender repeats a message until it is acknowledged.
struct retry_options {
  sim_duration after{1s};
  std::uint32_t max = 3;  ///< copies sent after the first
};

/// A share of the messages is held up on the way, so that later ones overtake them.
struct reorder_options {
  double share = 0;
  distribution by = constant_duration{};  ///< on top of the latency
};

/// Messages from `from` to `to` (and back, if `both_ways`); the first matching entry counts.
struct link_options {
  std::string text;  ///< as written: `matcher->driver`
  node_pattern from;
  node_pattern to;
  bool both_ways = false;
  distribution latency = constant_duration{};
  double loss = 0;
  double duplicate = 0;
  std::optional<retry_options> retry;  ///< until acknowledged
  std::optional<reorder_options> reorder{};

  /// Whether every message passes alike, without a draw.
  [[nodiscard]] bool is_steady() const {
    return loss == 0 && duplicate == 0 && !reorder &&
           std::holds_alternative<constant_duration>(latency);
  }
};

/// The same links, where nothing is lost, doubled or held up.
[[nodiscard]] std::vector<link_options> without_loss(std::vector<link_options> links);

/// What a message is about, without anything that differs between protocols (no token).
struct message_key {
  std::uint32_t kind = 0;
  std::uint32_t ride = 0;
  std::uint32_t nth = 0;  ///< which of several such transmissions
};

/// When the copies of one transmission arrive, counted from its sending: none, one or two.
struct passage {
  std::array<sim_duration, 2> delays{};
  int copies = 0;
};

/// A link as it is laid, with what is asked of it for each message.
struct laid_link : link_options {
  explicit laid_link(link_options what);

  bool steady;       ///< every message passes alike, without a draw
  bool only_delays;  ///< nothing is lost, doubled or held up
};

class network {
 public:
  network(const std::vector<link_options>& links, std::uint64_t seed);
  // Its rules point at its own links, which stay where they are when it is moved.
  network(const network&) = delete;
  network& operator=(const network&) = delete;
  network(network&&) = default;
  network& operator=(network&&) = default;
  ~network() = default;

  /// The link that a message meets; nullptr is a perfect one: no delay, no loss.
  [[nodiscard]] const laid_link* link(node_id from, node_id to) const {
    const meeting& between = by_kind_[slot(from.kind(), to.kind())];
    if (between.all_alike) [[likely]] {
      return between.link;
    }
    for (const rule& r : between.rules) {
      if (r.from.covers(from) && r.to.covers(to)) {
        return r.link;
      }
    }
    return nullptr;
  }

  [[nodiscard]] passage pass(const link_options& link,
                             node_id from,
                             node_id to,
                             const message_key& message) const;

  /// The same for a link that only delays: its one copy's delay.
  [[nodiscard]] sim_duration delay(const link_options& link,
                                   node_id from,
                                   node_id to,
                                   const message_key& message) const {
    stream draws = latencies_.of(ends(from, to), topic(message), message.nth);
    return latency(link, draws);
  }

 private:
  struct rule {
    node_pattern from;
    node_pattern to;
    const laid_link* link;
  };

  static std::uint64_t ends(node_id from, node_id to) {
    return std::uint64_t{from.packed} << 32 | to.packed;
  }
  static std::uint64_t topic(const message_key& m) { return std::uint64_t{m.kind} << 32 | m.ride; }
  static sim_duration latency(const link_options& link, stream& draws) {
    return draw(link.latency, draws);
  }

  /// Two kinds of nodes: all of them by one link (or by none), or each pair by its rule.
  struct meeting {
    bool all_alike = true;
    const laid_link* link = nullptr;
    std::vector<rule> rules;  ///< in the order of the entries; the first that covers both counts
  };

  void add(node_pattern from, node_pattern to, const laid_link& link);

  static constexpr std::size_t kinds_room = 8;
  static_assert(node_kinds <= kinds_room);
  static constexpr std::size_t slot(node_kind from, node_kind to) {
    return static_cast<std::size_t>(from) * kinds_room + static_cast<std::size_t>(to);
  }

  std::vector<laid_link> links_;
  std::array<meeting, kinds_room * kinds_room> by_kind_;
  stream::family losses_;
  stream::family latencies_;
  stream::family reorders_;
  stream::family duplicates_;
};

}  // namespace dibs::sim
