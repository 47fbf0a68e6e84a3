#include "scenario/scalar_types.hpp"

#include "text/spelling.hpp"

#include <charconv>
#include <limits>
#include <regex>

namespace dibs::scenario {

namespace {

json number_schema(const char* type, const auto& in) {
  json schema{{"type", type}};
  if (in.at_least) {
    schema["minimum"] = *in.at_least;
  }
  if (in.above) {
    schema["exclusiveMinimum"] = *in.above;
  }
  if (in.at_most) {
    schema["maximum"] = *in.at_most;
  }
  return schema;
}

text::parse_error expected(const std::string& what, const node& n, std::string hint = {}) {
  return {"E-TYPE", fmt::format("expected {} (got {})", what, describe_node(n)), std::move(hint)};
}

/// A number stands without quotes.
std::optional<text::parse_error> in_quotes(const node& n, const char* wanted) {
  return n.quoted ? std::optional(expected(wanted, n, "remove the quotes")) : std::nullopt;
}

template <class T, class Print>
text::parse_result<T> within(text::parse_result<T> value,
                             const reading_limits<T>& in,
                             const node& n,
                             Print print) {
  auto no = value ? outside(*value, in, n, print) : std::nullopt;
  return no ? tl::unexpected(std::move(*no)) : std::move(value);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_name(const std::string& text) {
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

bool has_control(const std::string& text) {
  return text::display_text(text, text.size() + 1) != text;
}

/// Text that every YAML reader takes for text: quoted, or not like anything else.
std::optional<text::parse_error> no_text(const node& n, std::size_t length_max) {
  if (!n.quoted && text::looks_like_no_text(n.text)) {
    return text::parse_error{
        "E-TYPE",
        fmt::format("expected text (got {}, which YAML readers take for something else)",
                    describe_node(n)),
        fmt::format("write \"{}\"", text::display_text(n.text))};
  }
  if (has_control(n.text)) {
    return text::parse_error{"E-RANGE",
                             fmt::format("expected one line of text without control characters "
                                         "(got {})",
                                         describe_node(n))};
  }
  if (n.text.size() > length_max) {
    return text::parse_error{
        "E-RANGE", fmt::format("must have at most {} bytes (got {})", length_max, n.text.size())};
  }
  return std::nullopt;
}

}  // namespace

field_type<sim_duration> a_duration(reading_limits<sim_duration> in) {
  if (!in.at_least && !in.above) {
    in.at_least = sim_duration{0};
  }
  field_description about;
  about.type = "duration";
  about.range = range_text(in, text::print_duration);
  if (!in.at_most) {
    in.at_most = duration_max;
  }
  const bool negative = in.at_least && *in.at_least < sim_duration{0};
  about.schema = json{{"type", "string"}, {"pattern", text::duration_pattern(negative)}};
  return leaf<sim_duration>(
      std::move(about),
      "a duration such as 15s",
      [in](const node& n) {
        return within(text::read_duration(n.text), in, n, text::print_duration);
      },
      [](const sim_duration& d) { return plain(text::print_duration(d)); });
}

field_type<sim_duration> a_duration_or_never(reading_limits<sim_duration> in, std::string meaning) {
  const field_type<sim_duration> finite = a_duration(in);
  field_description about = *finite.about;
  about.word = "never";
  about.word_meaning = std::move(meaning);
  field_type<sim_duration> k;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [finite](reader& r, const node& n, sim_duration& into) {
    if (n.is(node::form::scalar) && n.text == "never") {
      into = forever;
    } else {
      finite.read(r, n, into);
    }
  };
  k.write = [finite](const sim_duration& d) {
    return d == forever ? plain("never") : finite.write(d);
  };
  return k;
}

field_type<double> a_real(reading_limits<double> in) {
  field_description about;
  about.type = "number";
  about.range = range_text(in, text::print_real);
  about.schema = number_schema("number", in);
  return leaf<double>(
      std::move(about),
      "a number",
      [in](const node& n) -> text::parse_result<double> {
        auto no = in_quotes(n, "a number");
        return no ? tl::unexpected(std::move(*no))
                  : within(text::read_real(n.text), in, n, text::print_real);
      },
      [](const double& x) { return plain(text::print_real(x)); });
}

field_type<double> a_quantity(const text::unit_family& family, reading_limits<double> in) {
  const auto print = [&family](double x) { return text::print_quantity(x, family); };
  field_description about;
  about.type = std::string(family.noun).substr(2);
  about.range = range_text(in, print);
  const bool negative = in.at_least && *in.at_least < 0;
  about.schema = json{{"type", "string"}, {"pattern", text::quantity_pattern(family, negative)}};
  return leaf<double>(
      std::move(about),
      fmt::format("{} such as {}", family.noun, family.example),
      [&family, in, print](const node& n) {
        return within(text::read_quantity(n.text, family), in, n, print);
      },
      [print](const double& x) { return plain(print(x)); });
}

field_type<double> a_share() {
  field_type<double> k = a_quantity(text::shares(), {.at_least = 0.0, .at_most = 1.0});
  field_description about = *k.about;
  about.range = "0 to 1, or 0% to 100%";
  about.schema =
      json{{"anyOf",
            json::array({json{{"type", "number"}, {"minimum", 0}, {"maximum", 1}},
                         json{{"type", "string"},
                              {"pattern", text::quantity_pattern(text::shares(), false)}}})}};
  k.about = std::make_shared<const field_description>(std::move(about));
  return k;
}

field_type<std::uint32_t> a_count(reading_limits<std::uint32_t> in) {
  const auto print = [](std::uint64_t x) { return std::to_string(x); };
  if (!in.at_most) {
    in.at_most = std::numeric_limits<std::uint32_t>::max();
  }
  field_description about;
  about.type = "whole number";
  about.range = range_text(in, print);
  about.schema = number_schema("integer", in);
  const reading_limits<std::uint64_t> wide{in.at_least, in.at_most, in.above};
  return leaf<std::uint32_t>(
      std::move(about),
      "a whole number",
      [wide, print](const node& n) -> text::parse_result<std::uint32_t> {
        if (auto no = in_quotes(n, "a whole number")) {
          return tl::unexpected(std::move(*no));
        }
        return within(text::read_whole(n.text), wide, n, print).map([](std::uint64_t x) {
          return static_cast<std::uint32_t>(x);
        });
      },
      [print](const std::uint32_t& x) { return plain(print(x)); });
}

field_type<std::uint64_t> a_seed() {
  field_description about;
  about.type = "whole number";
  about.range = "64 bits, decimal or with 0x";
  about.schema =
      json{{"anyOf",
            json::array({json{{"type", "integer"},
                              {"minimum", 0},
                              {"maximum", std::numeric_limits<std::uint64_t>::max()}},
                         json{{"type", "string"}, {"pattern", "^0x[0-9a-fA-F]{1,16}$"}}})}};
  return leaf<std::uint64_t>(
      std::move(about),
      "a whole number",
      [](const node& n) -> text::parse_result<std::uint64_t> {
        if (auto no = in_quotes(n, "a whole number")) {
          return tl::unexpected(std::move(*no));
        }
        if (!n.text.starts_with("0x")) {
          return text::read_whole(n.text);
        }
        std::uint64_t value = 0;
        const char* end = n.text.data() + n.text.size();
        const auto [stop, problem] = std::from_chars(n.text.data() + 2, end, value, 16);
        if (problem == std::errc::result_out_of_range) {
          return tl::unexpected(
              text::parse_error{"E-RANGE", "must fit 64 bits (got " + describe_node(n) + ")"});
        }
        if (problem != std::errc{} || stop != end) {
          return tl::unexpected(expected("a whole number", n));
        }
        return value;
      },
      [](const std::uint64_t& x) { return plain(std::to_string(x)); });
}

field_type<std::string> a_text(std::string type, std::size_t length_max) {
  field_description about;
  about.type = std::move(type);
  about.schema = json{{"type", "string"}, {"maxLength", length_max}};
  return leaf<std::string>(
      std::move(about),
      "text",
      [length_max](node n) -> text::parse_result<std::string> {
        // A block of text ends with a line end that nobody means.
        n.text.erase(n.text.find_last_not_of('\n') + 1);
        if (auto no = no_text(n, length_max)) {
          return tl::unexpected(std::move(*no));
        }
        return n.text;
      },
      [](const std::string& text) { return quoted(text); });
}

field_type<std::string> a_name() {
  constexpr std::size_t length_max = 64;
  field_description about;
  about.type = "name";
  about.range = "a letter, then letters, digits, - and _";
  about.schema = json{{"type", "string"}, {"pattern", "^[A-Za-z][A-Za-z0-9_-]{0,63}$"}};
  return leaf<std::string>(
      std::move(about),
      "a name",
      [](const node& n) -> text::parse_result<std::string> {
        if (auto no = no_text(n, length_max)) {
          return tl::unexpected(std::move(*no));
        }
        if (!is_name(n.text)) {
          return tl::unexpected(text::parse_error{
              "E-RANGE",
              "expected a letter, then letters, digits, - and _ (got " + describe_node(n) + ")"});
        }
        return n.text;
      },
      [](const std::string& text) { return quoted(text); });
}

field_type<std::string> a_day() {
  const std::string pattern = "^([0-9]{4}-[0-9]{2}-[0-9]{2}|day [1-9][0-9]{0,8})$";
  field_description about;
  about.type = "day";
  about.range = "a date, or `day N`";
  about.schema = json{{"type", "string"}, {"pattern", pattern}};
  return leaf<std::string>(
      std::move(about),
      "a day, such as 2015-01-31 or day 2",
      [is_day = std::regex(pattern)](const node& n) -> text::parse_result<std::string> {
        // A date needs no quotes, though other readers of YAML take it for more than a text.
        if (!n.is(node::form::scalar) || !std::regex_match(n.text, is_day)) {
          return tl::unexpected(text::parse_error{
              "E-RANGE",
              "expected a day, such as 2015-01-31 or `day 2` (got " + describe_node(n) + ")"});
        }
        return n.text;
      },
      [](const std::string& text) { return quoted(text); });
}

field_type<std::filesystem::path> a_file() {
  constexpr std::size_t length_max = 1024;
  field_description about;
  about.type = "file";
  about.range = "a relative path without `..`";
  about.schema = json{{"type", "string"}, {"maxLength", length_max}};
  return leaf<std::filesystem::path>(
      std::move(about),
      "a file's path",
      [](const node& n) -> text::parse_result<std::filesystem::path> {
        if (auto no = no_text(n, length_max)) {
          return tl::unexpected(std::move(*no));
        }
        const std::filesystem::path path = n.text;
        const bool goes_up =
            std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
        // Whoever types a path means it; a scenario from elsewhere reads nothing else.
        const bool is_typed = n.at.source > 0;
        if (path.empty() || (!is_typed && (path.is_absolute() || goes_up))) {
          return tl::unexpected(text::parse_error{
              "E-FILE",
              "expected a path below the scenario's folder (got " + describe_node(n) + ")",
              "keep the file next to the scenario, or below a folder `scenarios`"});
        }
        return path;
      },
      [](const std::filesystem::path& path) { return quoted(path.string()); });
}

field_type<std::size_t> a_word(std::vector<std::string> words) {
  field_description about;
  std::string listed;
  for (const std::string& word : words) {
    about.type += (about.type.empty() ? "`" : ", `") + word + '`';
    listed += (listed.empty() ? "" : ", ") + word;
  }
  about.schema = json{{"enum", words}};
  return leaf<std::size_t>(
      std::move(about),
      "one of " + listed,
      [words, listed](const node& n) -> text::parse_result<std::size_t> {
        const auto it = std::ranges::find(words, n.text);
        if (it != words.end()) {
          return static_cast<std::size_t>(it - words.begin());
        }
        const std::string near = text::closest_spelling(n.text, words);
        return tl::unexpected(
            text::parse_error{"E-RANGE",
                              fmt::format("expected one of {} (got {})", listed, describe_node(n)),
                              near.empty() ? "" : "did you mean `" + near + "`?"});
      },
      [words](const std::size_t& which) { return plain(words[which]); });
}

}  // namespace dibs::scenario
