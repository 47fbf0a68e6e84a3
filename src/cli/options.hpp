/// What the options of all commands have in common: the words and numbers that they take, and how
/// one is refused. Included by the files `options_*.cpp`, one for each command.
#pragma once

#include "lease/protocol.hpp"
#include "scenario/read.hpp"
#include "text/quantity.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
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
[[nodiscard]] std::string out_trouble(const std::string& text);
[[nodiscard]] std::string objective_trouble(const std::string& text);
[[nodiscard]] std::string file_trouble(const std::string& text);

/// The names of the seven protocols.
[[nodiscard]] const words_for<lease::protocol>& protocols();

/// Whole numbers in decimal digits. The library would read 010 in base 8.
[[nodiscard]] CLI::Validator count_between(std::uint32_t least, std::uint32_t most);
[[nodiscard]] CLI::Validator count_up_to(std::uint32_t most);
/// Decimal numbers. The library would let nan pass every bound.
[[nodiscard]] CLI::Validator number_between(double least, double most);

/// Reads a text into what the command takes; says what is wrong with it, or nothing.
using taker = std::function<std::string(const std::string& text)>;

/// An option or argument that is read as it is typed.
CLI::Option* add_taken(CLI::App* to, const std::string& name, taker take, const std::string& what);

/// One that takes one value each time it is given.
CLI::Option* repeatable(CLI::App* to,
                        const std::string& name,
                        std::vector<std::string>& values,
                        const std::string& what);

/// The same, and `read` gets all texts together.
CLI::Option* repeatable(CLI::App* to,
                        const std::string& name,
                        std::function<void(const std::vector<std::string>& texts)> read,
                        const std::string& what);

/// `--set`, as it stands with most commands.
CLI::Option* add_set(CLI::App* to,
                     const std::string& name,
                     std::vector<scenario::override_value>& values,
                     const std::string& what);
CLI::Option* add_seed(CLI::App* to, std::optional<std::uint64_t>& seed, const std::string& what);
CLI::Option* add_jobs(CLI::App* to, std::uint32_t& jobs, const std::string& what);

/// Whole numbers with commas between.
CLI::Option* add_counts(CLI::App* to,
                        const std::string& name,
                        std::vector<std::uint32_t>& counts,
                        std::uint32_t most,
                        const std::string& what);

/// Why a reader of quantities refused, for CLI11; empty if it did not.
template <class T>
std::string trouble_of(const text::parse_result<T>& read) {
  if (read) {
    return "";
  }
  const text::parse_error& t = read.error();
  return t.hint.empty() ? t.message : t.message + "; " + t.hint;
}

/// A quantity, as `read` reads it.
template <class T, class Into>
CLI::Option* add_quantity(CLI::App* to,
                          const std::string& name,
                          Into& into,
                          text::parse_result<T> (*read)(const std::string& text),
                          const std::string& what) {
  const auto take = [&into, read](const std::string& text) {
    const auto value = read(text);
    if (value) {
      into = *value;
    }
    return trouble_of(value);
  };
  return add_taken(to, name, take, what);
}

/// Names of metrics with commas between them.
CLI::Option* add_show(CLI::App* to, std::vector<std::string>& metrics, const std::string& what);

/// The share that a text such as 1% says; nothing unless it is above 0 and below 1.
[[nodiscard]] std::optional<double> share_of(const std::string& text);

/// A share, into a number that may be optional.
template <class Into>
CLI::Option* add_share(CLI::App* to, const std::string& name, Into& into, const std::string& what) {
  const auto take = [&into](const std::string& text) {
    const auto share = share_of(text);
    into = share.value_or(0);
    return share ? "" : must_be("a share such as 1%", text);
  };
  return add_taken(to, name, take, what)->type_name("SHARE");
}

/// An option or argument that takes one of a few words.
template <class Into, class T>
CLI::Option* add_choice(CLI::App* to,
                        const std::string& name,
                        Into& value,
                        const words_for<T>& known,
                        const std::string& description) {
  const auto find = [&known](const std::string& text) {
    return std::find_if(
        known.begin(), known.end(), [&](const auto& each) { return each.first == text; });
  };
  const auto take = [&known, &value, find](const std::string& text) {
    if (const auto found = find(text); found != known.end()) {
      value = found->second;
      return std::string();
    }
    std::string names;
    for (std::size_t i = 0; i < known.size(); ++i) {
      names += i == 0 ? "" : i + 1 == known.size() ? " or " : ", ";
      names += known[i].first;
    }
    return must_be(names, text);
  };
  return add_taken(to, name, take, description);
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
