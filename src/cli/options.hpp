/// What the options of all commands have in common: the words and numbers that they take, and how
/// one is refused. Included by the files `options_*.cpp`, one for each command.
#pragma once

#include "base/time.hpp"
#include "text/quantity.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dibs::cli {

template <class T>
using words_for = std::vector<std::pair<std::string, T>>;

inline constexpr std::uint32_t jobs_max = 1024;
inline constexpr std::uint32_t threads_max = 1024;
inline constexpr double speed_max = 100'000;  ///< times as fast as the real clock

[[nodiscard]] std::uint32_t cores();

/// What every refusal of a value says: what it must be, and what it is.
[[nodiscard]] std::string must_be(const std::string& what, const std::string& text);

// Each says what is wrong with a text; nothing if it is right.
[[nodiscard]] std::string seed_trouble(const std::string& text);
[[nodiscard]] std::string set_trouble(const std::string& text);
[[nodiscard]] std::string out_trouble(const std::string& text);
[[nodiscard]] std::string objective_trouble(const std::string& text);
[[nodiscard]] std::string file_trouble(const std::string& text);
[[nodiscard]] std::string duration_trouble(const std::string& text);

/// The duration that a text says; none if it is empty. Requires: no trouble with it.
[[nodiscard]] std::optional<sim_duration> duration_of(const std::string& text);

/// Likewise for a time since the start of a run.
[[nodiscard]] std::string time_trouble(const std::string& text);
[[nodiscard]] std::optional<sim_duration> time_of(const std::string& text);

/// The names of the seven protocols.
[[nodiscard]] const words_for<std::string>& protocols();

/// Whole numbers in decimal digits. The library would read 010 in base 8.
[[nodiscard]] CLI::Validator count_between(std::uint32_t least, std::uint32_t most);
[[nodiscard]] CLI::Validator count_up_to(std::uint32_t most);
/// Of several, with commas between.
[[nodiscard]] CLI::Validator counts_up_to(std::uint32_t most);
/// Those of a text that passed that.
[[nodiscard]] std::vector<std::uint32_t> counts_of(const std::string& text);
/// Decimal numbers. The library would let nan pass every bound.
[[nodiscard]] CLI::Validator number_between(double least, double most);

/// An option that takes one value each time it is given.
CLI::Option* repeatable(CLI::App* to,
                        const std::string& name,
                        std::vector<std::string>& values,
                        const std::string& what);

/// `--set`, as it stands with most commands.
CLI::Option* add_set(CLI::App* to,
                     const std::string& name,
                     std::vector<std::string>& values,
                     const std::string& what);
CLI::Option* add_seed(CLI::App* to, std::string& seed, const std::string& what);
CLI::Option* add_jobs(CLI::App* to, std::uint32_t& jobs, const std::string& what);

/// Why a reader of quantities refused, for CLI11; empty if it did not.
template <class T>
std::string trouble_of(const scenario::reading_of<T>& read) {
  if (read) {
    return "";
  }
  const scenario::trouble& t = read.error();
  return t.hint.empty() ? t.message : t.message + "; " + t.hint;
}

/// An option or argument that takes one of a few words.
template <class T>
CLI::Option* add_choice(CLI::App* to,
                        const std::string& name,
                        T& value,
                        const words_for<T>& known,
                        const std::string& description) {
  const auto find = [&known](const std::string& text) {
    return std::find_if(
        known.begin(), known.end(), [&](const auto& each) { return each.first == text; });
  };
  const auto trouble = [&known, find](const std::string& text) {
    std::string names;
    for (std::size_t i = 0; i < known.size(); ++i) {
      names += i == 0 ? "" : i + 1 == known.size() ? " or " : ", ";
      names += known[i].first;
    }
    return find(text) != known.end() ? "" : must_be(names, text);
  };
  return to
      ->add_option_function<std::string>(
          name,
          [&value, find](const std::string& text) { value = find(text)->second; },
          description)
      ->check(CLI::Validator(trouble, ""));
}

/// `--format`, `text` unless something else is said.
template <class T>
CLI::Option* add_format(CLI::App* to,
                        T& value,
                        const words_for<T>& known,
                        const std::string& what,
                        const std::string& standard = "text") {
  return add_choice(to, "--format", value, known, what)->type_name("FORMAT")->default_str(standard);
}

}  // namespace dibs::cli
