/// Strikes of faults that lay in wait, one by one, for the pages: which message was dropped, held
/// up or doubled when, and where a matcher's work ended with an error.
#pragma once

#include "show/chronicle.hpp"
#include "show/sample.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace dibs::show {

/// `drop`, `delay`, `duplicate` or `error`, as the bands of the faults are called; empty for any
/// other fact.
[[nodiscard]] std::string_view strike_of(const events::fact& f);

/// A column each: `t` (ms since the one before), `what` (drop, delay, duplicate, error), `from` and
/// `to` (the kind of a node and 8 times its number, from 0), `message` (-1: none), `by` (ms) and
/// `ride` (-1: none). Those about rides that are drawn, and about none.
[[nodiscard]] std::string strikes_json(const chronicle& c, const sample& kept);

/// How many there were in all, drawn or not, by what they are called.
[[nodiscard]] nlohmann::ordered_json strike_counts_json(const chronicle& c);

}  // namespace dibs::show
