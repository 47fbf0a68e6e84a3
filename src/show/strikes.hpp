/// Strikes of faults that lay in wait, one by one, for the pages: which message was dropped, held
/// up or doubled when, and where a matcher's work ended with an error.
#pragma once

#include "show/chronicle.hpp"
#include "show/columns.hpp"
#include "show/sample.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::show {

struct strike {
  std::string_view
      what;  ///< `drop`, `delay`, `duplicate` or `error`, as the faults' bands are called
  node_id from;
  node_id to;  ///< of an error: the same
  std::int64_t message = missing;
  sim_duration by{};
  ride_id ride;
  token_id token;
};

/// Nothing for any other fact.
[[nodiscard]] std::optional<strike> strike_in(const events::fact& f);

/// A column each: `t` (ms since the one before), `what` (drop, delay, duplicate, error), `from` and
/// `to` (the kind of a node and 8 times its number, from 0), `message` (-1: none), `by` (ms) and
/// `ride` (-1: none). Those about rides that are drawn, and about none.
[[nodiscard]] std::string strikes_json(const chronicle& c, const sample& kept);

/// How many there were in all, drawn or not, by what they are called.
[[nodiscard]] nlohmann::ordered_json strike_counts_json(const chronicle& c);

}  // namespace dibs::show
