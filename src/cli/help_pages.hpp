/// What the commands say of themselves beside their options. `--help` and the man pages are made of
/// it, and of the grammar.
///
/// A line of two spaces is a command to type, or a term with what it means behind two more; what
/// stands further in goes on with it, or is to be taken letter by letter where nothing is before
/// it. Any other line is prose, or a title if it ends in a colon and stands alone.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace dibs::cli {

struct page {
  std::string_view command;  ///< "" for dibs itself
  std::string_view summary;  ///< one line
  std::string_view uses;     ///< the three commonest, which run as they stand from a checkout
  std::string_view rest;     ///< further examples, explanations and exit codes
};

[[nodiscard]] std::span<const page> pages_of_runs();
[[nodiscard]] std::span<const page> pages_of_studies();
[[nodiscard]] std::span<const page> pages_of_documents();

}  // namespace dibs::cli
