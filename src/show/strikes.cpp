#include "show/strikes.hpp"

#include <algorithm>
#include <array>
#include <variant>

namespace dibs::show {
namespace {

constexpr std::array<std::string_view, 4> names{"drop", "delay", "duplicate", "error"};
constexpr std::size_t error = 3;

std::int64_t number_of(node_id n) {
  return static_cast<std::int64_t>(n.kind()) + 8 * std::int64_t{n.index()};
}

}  // namespace

std::optional<strike> strike_in(const events::fact& f) {
  if (const auto* m = std::get_if<events::message_tampered>(&f)) {
    return strike{names[static_cast<std::size_t>(m->what)],
                  m->from,
                  m->to,
                  static_cast<std::int64_t>(m->message),
                  m->by,
                  m->ride,
                  m->token};
  }
  if (const auto* w = std::get_if<events::work_failed>(&f)) {
    return strike{names[error], w->node, w->node, missing, {}, w->ride, w->token};
  }
  return std::nullopt;
}

std::string strikes_json(const chronicle& c, const sample& kept) {
  columns table({"t", "what", "from", "to", "message", "by", "ride"});
  const sim_time end = c.of().end + 1ns;
  std::int64_t before = 0;
  for (const events::event& e : c.of().events) {
    const auto b = strike_in(e.what);
    if (!b ||
        (b->ride.is_some() && !std::binary_search(kept.rides.begin(), kept.rides.end(), b->ride))) {
      continue;
    }
    const std::int64_t t = in_ms(e.t, end);
    table.add({t - before,
               std::find(names.begin(), names.end(), b->what) - names.begin(),
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
    if (const auto struck = strike_in(e.what)) {
      const std::string name(struck->what);
      counts[name] = counts.value(name, 0) + 1;
    }
  }
  return counts;
}

}  // namespace dibs::show
