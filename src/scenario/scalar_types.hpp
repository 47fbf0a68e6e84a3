/// The kinds of scalars: durations, quantities, numbers, words, texts, nodes and comparisons.
#pragma once

#include "scenario/field_type.hpp"
#include "scenario/scenario.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace dibs::scenario {

/// No field holds a longer time, so that sums of a few of them stay far from overflow.
inline constexpr sim_duration duration_max = 8760h;

/// From 0 up to a year unless `in` says otherwise.
[[nodiscard]] field_type<sim_duration> a_duration(reading_limits<sim_duration> in = {});
/// The same, and `never` for `forever`.
[[nodiscard]] field_type<sim_duration> a_duration_or_never(reading_limits<sim_duration> in,
                                                           std::string meaning);
[[nodiscard]] field_type<double> a_real(reading_limits<double> in);
[[nodiscard]] field_type<double> a_quantity(const text::unit_family& family,
                                            reading_limits<double> in);
[[nodiscard]] field_type<double> a_share();
[[nodiscard]] field_type<std::uint32_t> a_count(reading_limits<std::uint32_t> in);
/// A root seed: decimal, or hexadecimal with 0x.
[[nodiscard]] field_type<std::uint64_t> a_seed();

/// Free text on one line.
[[nodiscard]] field_type<std::string> a_text(std::string type, std::size_t length_max);
/// A name that can be part of a path: a letter, then letters, digits, `-` and `_`.
[[nodiscard]] field_type<std::string> a_name();
/// A day of a file: `2015-01-31`, or `day 2`.
[[nodiscard]] field_type<std::string> a_day();
/// A relative path that stays below its folder; on the command line any path.
[[nodiscard]] field_type<std::filesystem::path> a_file();

/// `matcher/2`, `driver/*`, `lease_manager`.
[[nodiscard]] field_type<node_pattern> a_node();
/// Two sides: `[matcher/1, lease_manager]`, `[[matcher/1, matcher/2], ledger]`.
[[nodiscard]] field_type<std::array<node_group, 2>> two_groups();
[[nodiscard]] std::string print(const node_pattern& p);
[[nodiscard]] std::string print(const node_group& g);

/// `matcher->driver` or `matcher<->ledger`: sets both ends, direction and text of a link.
[[nodiscard]] field_type<link_options> a_link();

/// The name of a metric.
[[nodiscard]] field_type<std::string> a_metric();

/// A mapping from metric names to comparisons: `ttm.p95: "<= 45s"`.
[[nodiscard]] field_type<std::vector<bound>> some_bounds();

/// One word of several, as its number among them.
[[nodiscard]] field_type<std::size_t> a_word(std::vector<std::string> words);

/// One word of several, each with its value.
template <class E>
field_type<E> one_of(const std::vector<std::pair<std::string, E>>& words) {
  std::vector<std::string> names;
  std::vector<E> values;
  for (const auto& [name, value] : words) {
    names.push_back(name);
    values.push_back(value);
  }
  const field_type<std::size_t> word = a_word(std::move(names));
  field_type<E> k;
  k.about = word.about;
  k.read = [read = word.read, values](reader& r, const node& n, E& into) {
    std::size_t which = values.size();
    read(r, n, which);
    if (which < values.size()) {
      into = values[which];
    }
  };
  k.write = [write = word.write, values](const E& value) {
    const auto it = std::ranges::find(values, value);
    return write(it == values.end() ? 0 : static_cast<std::size_t>(it - values.begin()));
  };
  return k;
}

}  // namespace dibs::scenario
