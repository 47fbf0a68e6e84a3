/// `events.jsonl`: one event a line, written and read back without losing a bit.
///
/// A line is `{"t":ns,"local":ns,"fact":"lease_granted",...fields}`. Times and durations are whole
/// nanoseconds, null for never. Drivers, rides and matchers are numbers counted from 1, null for
/// nobody; nodes are `matcher/1`. A token of a lease is a number, that of a try without a lease is
/// `"matcher/1#7"`. Enumerations are their names; places are `[x,y,z]` in metres, in the shortest
/// decimal form that reads back exactly. The first line is a header:
/// `{"events":"dibs","schema":6}`.
#pragma once

#include "base/result.hpp"
#include "events/facts.hpp"

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::events {

[[nodiscard]] std::string jsonl_header();

/// Appends one line, with its newline.
void append_jsonl(std::string& to, const event& e);

/// Reads one event line (not the header). Errors: what is wrong with the line.
[[nodiscard]] result<event> parse_jsonl(std::string_view line);

/// Reads a whole file, header included. Errors name the line number.
[[nodiscard]] result<std::vector<event>> read_jsonl(std::istream& from);

/// "matcher/3", counted from 1; "lease_manager" and the like where there is only one.
[[nodiscard]] std::string node_name(node_id node);

}  // namespace dibs::events
