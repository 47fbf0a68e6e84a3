#include "show/strikes.hpp"

#include "show/columns.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <variant>

namespace dibs::show {
namespace {

constexpr std::array<std::string_view, 4> names{"drop", "delay", "duplicate", "error"};
constexpr std::size_t error = 3;

std::int64_t number_of(node_id n) {
  return static_cast<std::int64_t>(n.kind()) + 8 * std::int64_t{n.index()};
}

struct blow {
  std::size_t what = 0;
  node_id from;
  node_id to;
  std::int64_t message = missing;
  sim_duration by{};
  ride_id ride;
};

std::optional<blow> blow_of(const events::fact& f) {
  if (const auto* m = std::get_if<events::message_tampered>(&f)) {
    return blow{static_cast<std::size_t>(m->what),
                m->from,
                m->to,
                static_cast<std::int64_t>(m->message),
                m->by,
                m->ride};
  }
  if (const auto* w = std::get_if<events::work_failed>(&f)) {
    return blow{error, w->node, w->node, missing, {}, w->ride};
  }
  return std::nullopt;
}

}  // namespace

std::string_view strike_of(const events::fact& f) {
  const auto b = blow_of(f);
  return b ? names[b->what] : std::string_view{};
}

std::string strikes_json(const chronicle& c, const sample& kept) {
  columns table({"t", "what", "from", "to", "message", "by", "ride"});
  const sim_time end = c.of().end + 1ns;
  std::int64_t before = 0;
  for (const events::event& e : c.of().events) {
    const auto b = blow_of(e.what);
    if (!b ||
        (b->ride.is_some() && !std::binary_search(kept.rides.begin(), kept.rides.end(), b->ride))) {
      continue;
    }
    const std::int64_t t = in_ms(e.t, end);
    table.add({t - before,
               static_cast<std::int64_t>(b->what),
               number_of(b->from),
               number_of(b->to),
               b->message,
               b->by.count() / 1'000'000,
               b->ride.is_some() ? std::int64_t{b->ride.value} + 1 : missing});
    before = t;
  }
  return table.json();
}

nlohmann::ordered_json strike_counts_json(const chronicle& c) {
  nlohmann::ordered_json counts = nlohmann::ordered_json::object();
  for (const events::event& e : c.of().events) {
    if (const std::string_view what = strike_of(e.what); !what.empty()) {
      const std::string name(what);
      counts[name] = counts.value(name, 0) + 1;
    }
  }
  return counts;
}

}  // namespace dibs::show
