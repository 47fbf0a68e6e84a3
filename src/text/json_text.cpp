#include "text/json_text.hpp"

#include "text/escape.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace dibs::text {
namespace {

void spell_out_what_scripts_round(nlohmann::ordered_json& j) {
  constexpr std::uint64_t first_inexact = std::uint64_t{1} << 53U;
  if (j.is_structured()) {
    for (nlohmann::ordered_json& each : j) {
      spell_out_what_scripts_round(each);
    }
  } else if (j.is_number_unsigned() && j.get<std::uint64_t>() >= first_inexact) {
    j = json_as_text(j);
  }
}

/// A backslash of its own, which no parser takes away.
std::string as_it_is(std::string_view escape) {
  std::string out;
  for (const char c : escape) {
    out += c == '\\' ? "\\\\" : std::string(1, c);
  }
  return out;
}

}  // namespace

std::string json_as_text(const nlohmann::ordered_json& j, int indent) {
  return j.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string json_for_script(nlohmann::ordered_json j) {
  spell_out_what_scripts_round(j);
  std::string out;
  for (const char c : json_as_text(j)) {
    out += c == '<' ? "\\u003c" : std::string(1, c);
  }
  return out;
}

std::string shown_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const utf8_character c = character_at(json, i);
    const bool is_escape = c.code == '\\';
    const std::string_view bytes = json.substr(i, is_escape ? 2 : c.bytes);
    if (is_escape && json.substr(i, 6) != "\\u003c" &&
        std::string_view("\"\\nt").find(bytes[1]) == std::string_view::npos) {
      out += '\\';
    }
    out += is_unsafe_to_display(c.code) ? as_it_is(escaped(c, bytes)) : std::string(bytes);
    i += bytes.size();
  }
  return out;
}

nlohmann::ordered_json text_as_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

}  // namespace dibs::text
