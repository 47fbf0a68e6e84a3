/// What the commands say of themselves beside their options. `--help` and the man pages are made of
/// it, and of the grammar.
///
/// A line of two spaces is a command to type, or a term with what it means behind two more; what
/// stands further in goes on with it, or is to be taken letter by letter where nothing is before
/// it. Any other line is prose, or a title if it ends in a colon and stands alone.
#pragma once

#include "base/result.hpp"

#include <array>
#include <span>
#include <string_view>

namespace dibs::cli {

/// When a command ends with an exit code; no text where it is what the code means for every one.
/// `interrupted` stands for `terminated` as well.
struct exit_line {
  exit_code code{};
  std::string_view text{};
};

/// What each exit code means. README has the same table.
inline constexpr std::array exit_meanings{
    exit_line{exit_code::done, "done, and every threshold met"},
    exit_line{exit_code::internal_error, "internal error, such as a full disk"},
    exit_line{exit_code::usage, "wrong usage"},
    exit_line{exit_code::invalid_input, "an invalid scenario or file, or not enough memory"},
    exit_line{exit_code::invariant_broke, "a promise of the protocol was broken (wins over 99)"},
    exit_line{exit_code::replay_differed, "a replay differed"},
    exit_line{exit_code::store_unreachable, "a store or service could not be reached"},
    exit_line{exit_code::inconclusive, "inconclusive, or a run that got nowhere and was ended"},
    exit_line{exit_code::threshold_missed, "a threshold was missed"},
    exit_line{exit_code::interrupted,
              "interrupted (Ctrl-C), terminated: the result is partial and says so"},
};

struct page {
  std::string_view command;  ///< "" for dibs itself
  std::string_view summary;  ///< one line
  std::string_view uses;     ///< the three commonest, which run as they stand from a checkout
  std::string_view rest;     ///< further examples and explanations
  std::span<const exit_line> exits{};  ///< with which it ends
};

[[nodiscard]] std::span<const page> pages_of_runs();
[[nodiscard]] std::span<const page> pages_of_studies();
[[nodiscard]] std::span<const page> pages_of_documents();

}  // namespace dibs::cli
