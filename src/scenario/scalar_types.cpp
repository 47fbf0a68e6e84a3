#include "scenario/scalar_types.hpp"

#include "text/spelling.hpp"

#include <charconv>
#include <limits>

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

text::trouble expected(const std::string& what, const node& n, std::string hint = {}) {
  return {"E-TYPE", fmt::format("expected {} (got {})", what, found(n)), std::move(hint)};
}

/// A number stands without quotes.
std::optional<text::trouble> in_quotes(const node& n, const char* wanted) {
  return n.quoted ? std::optional(expected(wanted, n, "remove the quotes")) : std::nullopt;
}

template <class T, class Print>
text::reading_of<T> within(text::reading_of<T> value,
                           const limits<T>& in,
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

bool has_control(const std::string& text) { return text::shown(text, text.size() + 1) != text; }

/// Text that every YAML reader takes for text: quoted, or not like anything else.
std::optional<text::trouble> no_text(const node& n, std::size_t length_max) {
  if (!n.quoted && text::looks_like_no_text(n.text)) {
    return text::trouble{
        "E-TYPE",
        fmt::format("expected text (got {}, which YAML readers take for something else)", found(n)),
        fmt::format("write \"{}\"", text::shown(n.text))};
  }
  if (has_control(n.text)) {
    return text::trouble{"E-RANGE",
                         fmt::format("expected one line of text without control characters "
                                     "(got {})",
                                     found(n))};
  }
  if (n.text.size() > length_max) {
    return text::trouble{
        "E-RANGE", fmt::format("must have at most {} bytes (got {})", length_max, n.text.size())};
  }
  return std::nullopt;
}

}  // namespace

kind<sim_duration> a_duration(limits<sim_duration> in) {
  if (!in.at_least && !in.above) {
    in.at_least = sim_duration{0};
  }
  shape about;
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

kind<sim_duration> a_duration_or_never(limits<sim_duration> in, std::string meaning) {
  const kind<sim_duration> finite = a_duration(in);
  shape about = *finite.about;
  about.word = "never";
  about.word_meaning = std::move(meaning);
  kind<sim_duration> k;
  k.about = std::make_shared<const shape>(std::move(about));
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

kind<double> a_real(limits<double> in) {
  shape about;
  about.type = "number";
  about.range = range_text(in, text::print_real);
  about.schema = number_schema("number", in);
  return leaf<double>(
      std::move(about),
      "a number",
      [in](const node& n) -> text::reading_of<double> {
        auto no = in_quotes(n, "a number");
        return no ? tl::unexpected(std::move(*no))
                  : within(text::read_real(n.text), in, n, text::print_real);
      },
      [](const double& x) { return plain(text::print_real(x)); });
}

kind<double> a_quantity(const text::unit_family& family, limits<double> in) {
  const auto print = [&family](double x) { return text::print_quantity(x, family); };
  shape about;
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

kind<double> a_share() {
  kind<double> k = a_quantity(text::shares(), {.at_least = 0.0, .at_most = 1.0});
  shape about = *k.about;
  about.range = "0 to 1, or 0% to 100%";
  about.schema =
      json{{"anyOf",
            json::array({json{{"type", "number"}, {"minimum", 0}, {"maximum", 1}},
                         json{{"type", "string"},
                              {"pattern", text::quantity_pattern(text::shares(), false)}}})}};
  k.about = std::make_shared<const shape>(std::move(about));
  return k;
}

kind<std::uint32_t> a_count(limits<std::uint32_t> in) {
  const auto print = [](std::uint64_t x) { return std::to_string(x); };
  if (!in.at_most) {
    in.at_most = std::numeric_limits<std::uint32_t>::max();
  }
  shape about;
  about.type = "whole number";
  about.range = range_text(in, print);
  about.schema = number_schema("integer", in);
  const limits<std::uint64_t> wide{in.at_least, in.at_most, in.above};
  return leaf<std::uint32_t>(
      std::move(about),
      "a whole number",
      [wide, print](const node& n) -> text::reading_of<std::uint32_t> {
        if (auto no = in_quotes(n, "a whole number")) {
          return tl::unexpected(std::move(*no));
        }
        return within(text::read_whole(n.text), wide, n, print).map([](std::uint64_t x) {
          return static_cast<std::uint32_t>(x);
        });
      },
      [print](const std::uint32_t& x) { return plain(print(x)); });
}

kind<std::uint64_t> a_seed() {
  shape about;
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
      [](const node& n) -> text::reading_of<std::uint64_t> {
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
              text::trouble{"E-RANGE", "must fit 64 bits (got " + found(n) + ")"});
        }
        if (problem != std::errc{} || stop != end) {
          return tl::unexpected(expected("a whole number", n));
        }
        return value;
      },
      [](const std::uint64_t& x) { return plain(std::to_string(x)); });
}

kind<std::string> a_text(std::string type, std::size_t length_max) {
  shape about;
  about.type = std::move(type);
  about.schema = json{{"type", "string"}, {"maxLength", length_max}};
  return leaf<std::string>(
      std::move(about),
      "text",
      [length_max](node n) -> text::reading_of<std::string> {
        // A block of text ends with a line end that nobody means.
        n.text.erase(n.text.find_last_not_of('\n') + 1);
        if (auto no = no_text(n, length_max)) {
          return tl::unexpected(std::move(*no));
        }
        return n.text;
      },
      [](const std::string& text) { return quoted(text); });
}

kind<std::string> a_name() {
  constexpr std::size_t length_max = 64;
  shape about;
  about.type = "name";
  about.range = "a letter, then letters, digits, - and _";
  about.schema = json{{"type", "string"}, {"pattern", "^[A-Za-z][A-Za-z0-9_-]{0,63}$"}};
  return leaf<std::string>(
      std::move(about),
      "a name",
      [](const node& n) -> text::reading_of<std::string> {
        if (auto no = no_text(n, length_max)) {
          return tl::unexpected(std::move(*no));
        }
        if (!is_name(n.text)) {
          return tl::unexpected(text::trouble{
              "E-RANGE",
              "expected a letter, then letters, digits, - and _ (got " + found(n) + ")"});
        }
        return n.text;
      },
      [](const std::string& text) { return quoted(text); });
}

kind<std::filesystem::path> a_file() {
  constexpr std::size_t length_max = 1024;
  shape about;
  about.type = "file";
  about.range = "a relative path without `..`";
  about.schema = json{{"type", "string"}, {"maxLength", length_max}};
  return leaf<std::filesystem::path>(
      std::move(about),
      "a file's path",
      [](const node& n) -> text::reading_of<std::filesystem::path> {
        if (auto no = no_text(n, length_max)) {
          return tl::unexpected(std::move(*no));
        }
        const std::filesystem::path path = n.text;
        const bool goes_up =
            std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
        if (path.empty() || path.is_absolute() || goes_up) {
          return tl::unexpected(
              text::trouble{"E-FILE",
                            "expected a path below the scenario's folder (got " + found(n) + ")",
                            "keep the file next to the scenario, or below a folder `scenarios`"});
        }
        return path;
      },
      [](const std::filesystem::path& path) { return quoted(path.string()); });
}

kind<std::size_t> a_word(std::vector<std::string> words) {
  shape about;
  std::string listed;
  for (const std::string& word : words) {
    about.type += (about.type.empty() ? "`" : ", `") + word + '`';
    listed += (listed.empty() ? "" : ", ") + word;
  }
  about.schema = json{{"enum", words}};
  return leaf<std::size_t>(
      std::move(about),
      "one of " + listed,
      [words, listed](const node& n) -> text::reading_of<std::size_t> {
        const auto it = std::ranges::find(words, n.text);
        if (it != words.end()) {
          return static_cast<std::size_t>(it - words.begin());
        }
        const std::string near = text::nearest_of(n.text, words);
        return tl::unexpected(
            text::trouble{"E-RANGE",
                          fmt::format("expected one of {} (got {})", listed, found(n)),
                          near.empty() ? "" : "did you mean `" + near + "`?"});
      },
      [words](const std::size_t& which) { return plain(words[which]); });
}

}  // namespace dibs::scenario
