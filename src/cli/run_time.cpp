#include "cli/run_time.hpp"

#include "text/escape.hpp"
#include "text/parse_error.hpp"

#include <fmt/format.h>

#include <regex>
#include <string>

namespace dibs::cli {
namespace {

constexpr std::size_t length_max = 64;

tl::unexpected<text::parse_error> no_time(std::string_view text) {
  return tl::unexpected(text::parse_error{
      "E-UNIT",
      "expected a time such as 31:33.5, 31m33s or 1893s (got " + text::display_text(text) + ")",
      ""});
}

text::parse_result<sim_duration> sum_of(const std::smatch& parts, std::string_view text) {
  sim_duration sum{0};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!parts[i].matched) {
      continue;
    }
    const auto part = text::read_duration(parts[i].str());
    if (!part || *part > forever - sum) {
      return no_time(text);
    }
    sum += *part;
  }
  return sum;
}

/// `1:02:03.5` as `1h2m3.5s`; any other text as it is.
std::string in_units(const std::string& text) {
  static const std::regex as_printed(
      R"((?:0*(\d+):(?=[0-5]\d:))?0*(\d+):(?=\d\d)0?([0-5]?\d(?:\.\d+)?))");
  std::smatch m;
  if (!std::regex_match(text, m, as_printed)) {
    return text;
  }
  return (m[1].matched ? m[1].str() + "h" : "") + m[2].str() + "m" + m[3].str() + "s";
}

}  // namespace

text::parse_result<sim_duration> read_time_of_run(const std::string& text) {
  static const std::regex in_parts(R"((\d+h)?(\d+m(?:in)?)?(\d+(?:\.\d+)?s)?(\d+(?:\.\d+)?ms)?)");
  if (text.empty() || text.size() > length_max) {
    return no_time(text);
  }
  const std::string units = in_units(std::string(text));
  std::smatch parts;
  if (std::regex_match(units, parts, in_parts)) {
    return sum_of(parts, text);
  }
  const auto plain = text::read_duration(text);
  return plain && *plain >= sim_duration{0} ? plain : no_time(text);
}

}  // namespace dibs::cli
