#include "events/jsonl.hpp"

#include "base/append.hpp"
#include "base/ensure.hpp"
#include "events/enum_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace dibs::events {
namespace {

using nlohmann::json;

constexpr unsigned token_matcher_shift = 40;
constexpr std::uint64_t token_try_mask = (std::uint64_t{1} << token_matcher_shift) - 1;

// -- writing -------------------------------------------------------------------------------------

void write(std::string& to, bool value) { to += value ? "true" : "false"; }

void write(std::string& to, std::uint8_t value) { append(to, "{}", value); }

void write(std::string& to, std::uint32_t value) { append(to, "{}", value); }

template <class Enum>
requires std::is_enum_v<Enum>
void write(std::string& to, Enum value) { append(to, "\"{}\"", name_of(value)); }

template <class Tag, class Number>
void write(std::string& to, strong_id<Tag, Number> id) {
  if (id.is_some()) {
    append(to, "{}", std::uint64_t{id.value} + 1);
  } else {
    to += "null";
  }
}

void write(std::string& to, token_id token) {
  if (!token.is_some()) {
    to += "null";
  } else if (token.is_leased()) {
    append(to, "{}", token.value);
  } else {
    const std::uint64_t rest = token.value & ~token_id::unleased_bit;
    append(to, "\"matcher/{}#{}\"", (rest >> token_matcher_shift) + 1, rest & token_try_mask);
  }
}

void write(std::string& to, node_id node) { append(to, "\"{}\"", node_name(node)); }

void write(std::string& to, sim_duration d) {
  if (d == forever) {
    to += "null";
  } else {
    append(to, "{}", d.count());
  }
}

void write(std::string& to, local_time t) { write(to, t.time_since_epoch()); }

void write_real(std::string& to, double value) {
  ensure(std::isfinite(value), "a place has finite coordinates");
  const std::size_t before = to.size();
  append(to, "{}", value);
  // Without a point or an exponent it would read back as an integer, and -0 without its sign.
  if (to.find_first_of(".e", before) == std::string::npos) {
    to += ".0";
  }
}

void write(std::string& to, const point& p) {
  to += '[';
  write_real(to, p.x);
  to += ',';
  write_real(to, p.y);
  to += ',';
  write_real(to, p.z);
  to += ']';
}

// -- reading: false if the value is not of this kind ---------------------------------------------

bool read(const json& from, bool& value) {
  if (!from.is_boolean()) {
    return false;
  }
  value = from.get<bool>();
  return true;
}

/// A whole number up to `max`.
bool read_whole(const json& from, std::uint64_t& value, std::uint64_t max) {
  if (!from.is_number_unsigned()) {
    return false;
  }
  value = from.get<std::uint64_t>();
  return value <= max;
}

template <class Number>
requires std::is_same_v<Number, std::uint8_t> || std::is_same_v<Number, std::uint32_t>
bool read(const json& from, Number& value) {
  std::uint64_t whole = 0;
  if (!read_whole(from, whole, std::numeric_limits<Number>::max())) {
    return false;
  }
  value = static_cast<Number>(whole);
  return true;
}

template <class Enum>
requires std::is_enum_v<Enum>
bool read(const json& from, Enum& value) {
  if (!from.is_string()) {
    return false;
  }
  const auto found = named<Enum>(from.get_ref<const std::string&>());
  value = found.value_or(value);
  return found.has_value();
}

template <class Tag, class Number>
bool read(const json& from, strong_id<Tag, Number>& id) {
  if (from.is_null()) {
    id = {};
    return true;
  }
  std::uint64_t from_one = 0;
  if (!read_whole(from, from_one, std::numeric_limits<Number>::max()) || from_one == 0) {
    return false;
  }
  id.value = static_cast<Number>(from_one - 1);
  return true;
}

/// The number that all of `text` spells, up to `max`.
std::optional<std::uint64_t> whole_of(std::string_view text, std::uint64_t max) {
  std::uint64_t value = 0;
  const bool is_short = !text.empty() && text.size() <= 18;  // below 10^18: cannot overflow
  for (const char digit : text) {
    if (!is_short || digit < '0' || digit > '9') {
      return std::nullopt;
    }
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return is_short && value <= max ? std::optional(value) : std::nullopt;
}

bool read_unleased(std::string_view text, token_id& token) {
  constexpr std::string_view prefix = "matcher/";
  const std::size_t hash = text.find('#');
  if (!text.starts_with(prefix) || hash == std::string_view::npos) {
    return false;
  }
  const std::uint64_t matcher_max = (token_id::unleased_bit - 1) >> token_matcher_shift;
  const auto matcher = whole_of(text.substr(prefix.size(), hash - prefix.size()), matcher_max + 1);
  const auto nth = whole_of(text.substr(hash + 1), token_try_mask);
  if (!matcher || *matcher == 0 || !nth) {
    return false;
  }
  token.value = token_id::unleased_bit | (*matcher - 1) << token_matcher_shift | *nth;
  return true;
}

bool read(const json& from, token_id& token) {
  if (from.is_null()) {
    token = token_id::none();
    return true;
  }
  if (from.is_string()) {
    return read_unleased(from.get_ref<const std::string&>(), token);
  }
  return read_whole(from, token.value, token_id::unleased_bit - 1) && token.is_some();
}

bool read(const json& from, node_id& node) {
  if (!from.is_string()) {
    return false;
  }
  const std::string_view text = from.get_ref<const std::string&>();
  const std::size_t slash = text.find('/');
  const auto kind = named<node_kind>(text.substr(0, slash));
  if (!kind) {
    return false;
  }
  std::uint64_t index = 1;
  if (slash != std::string_view::npos) {
    index = whole_of(text.substr(slash + 1), 0x1000'0000).value_or(0);
  }
  if (index == 0) {
    return false;
  }
  node = node_id(*kind, static_cast<std::uint32_t>(index - 1));
  return node_name(node) == text;
}

bool read(const json& from, sim_duration& d) {
  if (from.is_null()) {
    d = forever;
    return true;
  }
  if (!from.is_number_integer()) {
    return false;
  }
  const bool is_too_large =
      from.is_number_unsigned() &&
      from.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  d = sim_duration{is_too_large ? 0 : from.get<std::int64_t>()};
  return !is_too_large;
}

template <class Clock>
bool read(const json& from, std::chrono::time_point<Clock, sim_duration>& t) {
  sim_duration since_start{};
  const bool is_read = read(from, since_start);
  t = std::chrono::time_point<Clock, sim_duration>{since_start};
  return is_read;
}

bool read(const json& from, point& p) {
  if (!from.is_array() || from.size() != 3 || !from[0].is_number() || !from[1].is_number() ||
      !from[2].is_number()) {
    return false;
  }
  p = {from[0].get<double>(), from[1].get<double>(), from[2].get<double>()};
  return true;
}

// -- whole lines ---------------------------------------------------------------------------------

struct complaint {
  std::string text;
};

template <class Value>
void read_field(const json& line, std::string_view name, Value& value, complaint& wrong) {
  const auto found = line.find(name);
  if (found == line.end()) {
    wrong.text = fmt::format("the field \"{}\" is missing", name);
  } else if (!read(*found, value)) {
    wrong.text = fmt::format("the field \"{}\" has a wrong value", name);
  }
}

/// The instant of an event: any but never.
void read_time(const json& line, sim_time& t, complaint& wrong) {
  read_field(line, "t", t, wrong);
  if (wrong.text.empty() && t == sim_time::max()) {
    wrong.text = "the field \"t\" has a wrong value";
  }
}

template <class Fact>
void read_fact(const json& line, event& e, complaint& wrong) {
  Fact what;
  each_field(what,
             [&](std::string_view name, auto& member) { read_field(line, name, member, wrong); });
  if (wrong.text.empty() && line.size() != Fact::fields.size() + 3) {
    wrong.text = fmt::format("{} has a field that is not known", Fact::name);
  }
  e.what = what;
}

/// Reads the fact of this name; false if there is none.
template <class... Facts>
bool read_named(const json& line,
                std::string_view name,
                event& e,
                complaint& wrong,
                std::type_identity<std::variant<Facts...>> /*all*/) {
  return ((Facts::name == name && (read_fact<Facts>(line, e, wrong), true)) || ...);
}

result<event> wrong_line(std::string text) {
  return failure(exit_code::invalid_input, std::move(text));
}

}  // namespace

std::string node_name(node_id node) {
  switch (node.kind()) {
    case node_kind::driver:
    case node_kind::rider:
    case node_kind::matcher:
      return fmt::format("{}/{}", name_of(node.kind()), node.index() + 1);
    case node_kind::lease_manager:
    case node_kind::ledger:
    case node_kind::demand:
    case node_kind::sweeper:
      break;
  }
  const std::string_view name = name_of(node.kind());
  return node.index() == 0 ? std::string(name) : fmt::format("{}/{}", name, node.index() + 1);
}

std::string jsonl_header() {
  return fmt::format("{{\"events\":\"dibs\",\"schema\":{}}}\n", schema_version);
}

void append_jsonl(std::string& to, const event& e) {
  append(to,
         "{{\"t\":{},\"local\":{}",
         e.t.time_since_epoch().count(),
         e.local.time_since_epoch().count());
  const auto write_fact = [&]<class Fact>(const Fact& what) {
    append(to, ",\"fact\":\"{}\"", Fact::name);
    each_field(what, [&](std::string_view name, const auto& member) {
      append(to, ",\"{}\":", name);
      write(to, member);
    });
  };
  std::visit(write_fact, e.what);
  to += "}\n";
}

result<event> parse_jsonl(std::string_view line) {
  const json parsed = json::parse(line, nullptr, false);
  if (!parsed.is_object()) {
    return wrong_line("not a JSON object");
  }
  event e;
  complaint wrong;
  read_time(parsed, e.t, wrong);
  read_field(parsed, "local", e.local, wrong);
  const auto name = parsed.find("fact");
  if (name == parsed.end() || !name->is_string()) {
    return wrong_line("the field \"fact\" is missing");
  }
  const auto& text = name->get_ref<const std::string&>();
  if (!read_named(parsed, text, e, wrong, std::type_identity<fact>{})) {
    return wrong_line(fmt::format("no fact is called \"{}\"", text));
  }
  if (!wrong.text.empty()) {
    return wrong_line(std::move(wrong.text));
  }
  return e;
}

result<std::vector<event>> read_jsonl(std::istream& from) {
  std::string line;
  std::getline(from, line);
  if (line + '\n' != jsonl_header()) {
    return failure(
        exit_code::invalid_input,
        fmt::format("line 1: not the header of an event file of schema {}", schema_version));
  }
  std::vector<event> all;
  for (std::uint64_t number = 2; std::getline(from, line); ++number) {
    auto e = parse_jsonl(line);
    if (!e) {
      return failure(e.error().code, fmt::format("line {}: {}", number, e.error().text));
    }
    if (!all.empty() && e->t < all.back().t) {
      return failure(exit_code::invalid_input, fmt::format("line {}: time runs backwards", number));
    }
    all.push_back(*e);
  }
  if (from.bad()) {
    return failure(exit_code::internal_error, "the event file cannot be read to its end");
  }
  return all;
}

}  // namespace dibs::events
