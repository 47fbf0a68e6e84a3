/// The kinds of scalars: durations, quantities, numbers, words, texts, nodes and comparisons.
#pragma once

#include "scenario/kind.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace dibs::scenario {

/// No field holds a longer time, so that sums of a few of them stay far from overflow.
inline constexpr sim_duration duration_max = 8760h;

/// From 0 up to a year unless `in` says otherwise.
[[nodiscard]] kind<sim_duration> a_duration(limits<sim_duration> in = {});
/// The same, and `never` for `forever`.
[[nodiscard]] kind<sim_duration> a_duration_or_never(limits<sim_duration> in, std::string meaning);
[[nodiscard]] kind<double> a_real(limits<double> in);
[[nodiscard]] kind<double> a_quantity(const unit_family& family, limits<double> in);
[[nodiscard]] kind<double> a_share();
[[nodiscard]] kind<std::uint32_t> a_count(limits<std::uint32_t> in);
/// A root seed: decimal, or hexadecimal with 0x.
[[nodiscard]] kind<std::uint64_t> a_seed();

/// Free text on one line.
[[nodiscard]] kind<std::string> a_text(std::string type, std::size_t length_max);
/// A name that can be part of a path: a letter, then letters, digits, `-` and `_`.
[[nodiscard]] kind<std::string> a_name();
/// A relative path that stays below its folder.
[[nodiscard]] kind<std::filesystem::path> a_file();

/// `matcher/2`, `driver/*`, `lease_manager`.
[[nodiscard]] kind<node_pattern> a_node();
/// Two sides: `[matcher/1, lease_manager]`, `[[matcher/1, matcher/2], ledger]`.
[[nodiscard]] kind<std::array<node_group, 2>> two_groups();
[[nodiscard]] std::string print(const node_pattern& p);
[[nodiscard]] std::string print(const node_group& g);

/// `matcher->driver` or `matcher<->ledger`: sets both ends, direction and text of a link.
[[nodiscard]] kind<link_options> a_link();

/// The name of a metric.
[[nodiscard]] kind<std::string> a_metric();

/// A mapping from metric names to comparisons: `ttm.p95: "<= 45s"`.
[[nodiscard]] kind<std::vector<bound>> some_bounds();

/// One word of several, each with its value.
template <class E>
kind<E> one_of(std::vector<std::pair<std::string, E>> words) {
  shape about;
  std::vector<std::string> names;
  for (const auto& [name, value] : words) {
    names.push_back(name);
    about.type += (about.type.empty() ? "" : ", ") + ('`' + name + '`');
  }
  about.schema = json{{"enum", names}};
  std::string listed;
  for (const std::string& name : names) {
    listed += (listed.empty() ? "" : ", ") + name;
  }
  return leaf<E>(
      std::move(about),
      "one of " + listed,
      [words, names, listed](const node& n) -> reading_of<E> {
        for (const auto& [name, value] : words) {
          if (name == n.text) {
            return value;
          }
        }
        const std::string near = nearest_of(n.text, names);
        return tl::unexpected(trouble{"E-RANGE",
                                      fmt::format("expected one of {} (got {})", listed, found(n)),
                                      near.empty() ? "" : "did you mean `" + near + "`?"});
      },
      [words](const E& value) {
        for (const auto& [name, known] : words) {
          if (known == value) {
            return plain(name);
          }
        }
        return plain(words.front().first);
      });
}

}  // namespace dibs::scenario
