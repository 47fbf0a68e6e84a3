#include "report/verdict.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/word_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>

namespace dibs::report {
namespace {

constexpr std::size_t protocols_named_max = 3;  // protocols in one list

using incidents::incident_cell;
using incidents::incident_outcome;
using incidents::incident_row;

/// In how many incidents a protocol breaks, of those whose cause touches it and that are decided.
struct broken_share {
  std::string protocol;
  std::uint64_t breaks = 0;
  std::uint64_t decided = 0;

  [[nodiscard]] std::string text() const {
    return fmt::format("{} ({} of {})", protocol, breaks, decided);
  }
};

bool is_decided_cell(const incident_cell& c) {
  return c.assessment.outcome != incident_outcome::untouched &&
         c.assessment.outcome != incident_outcome::undecided;
}

std::vector<broken_share> broken_shares_of(std::span<const incident_row> rows) {
  std::vector<broken_share> all;
  for (std::size_t i = 0; i < rows.front().cells.size(); ++i) {
    broken_share s{.protocol = std::string(lease::rules_of(rows.front().cells[i].protocol).name)};
    for (const incident_row& r : rows) {
      s.decided += is_decided_cell(r.cells[i]) ? 1U : 0U;
      s.breaks += r.cells[i].assessment.outcome == incident_outcome::breaks ? 1U : 0U;
    }
    if (s.decided > 0) {
      all.push_back(std::move(s));
    }
  }
  return all;
}

/// All with the least share, or with the greatest; those of which most is known first.
std::vector<std::string> extremes(const std::vector<broken_share>& all, bool most) {
  const auto less = [most](const broken_share& a, const broken_share& b) {
    return most ? a.breaks * b.decided > b.breaks * a.decided
                : a.breaks * b.decided < b.breaks * a.decided;
  };
  const broken_share& end = *std::ranges::min_element(all, less);
  std::vector<broken_share> alike;
  std::ranges::copy_if(
      all, std::back_inserter(alike), [&](const broken_share& s) { return !less(end, s); });
  std::ranges::stable_sort(alike, std::greater{}, &broken_share::decided);
  std::vector<std::string> names;
  std::ranges::transform(alike, std::back_inserter(names), &broken_share::text);
  return names;
}

/// Takes out protocols that are touched by so few causes that their share says little beside the
/// rest; their names.
std::vector<std::string> take_little_known(std::vector<broken_share>& all) {
  std::uint64_t most = 0;
  for (const broken_share& each : all) {
    most = std::max(most, each.decided);
  }
  std::vector<std::string> names;
  std::erase_if(all, [&](const broken_share& s) {
    const bool is_little = 2 * s.decided < most;
    if (is_little) {
      names.push_back(s.text());
    }
    return is_little;
  });
  return names;
}

/// Protocols of which no incident tells anything, though a cause touches them.
std::vector<std::string> never_decided(std::span<const incident_row> rows) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < rows.front().cells.size(); ++i) {
    const auto is_open = [i](const incident_row& r) {
      return r.cells[i].assessment.outcome == incident_outcome::undecided;
    };
    const auto is_known = [i](const incident_row& r) { return is_decided_cell(r.cells[i]); };
    if (std::ranges::any_of(rows, is_open) && std::ranges::none_of(rows, is_known)) {
      all.emplace_back(lease::rules_of(rows.front().cells[i].protocol).name);
    }
  }
  return all;
}

/// Incidents in which everything that their cause touches breaks.
std::uint64_t hopeless(std::span<const incident_row> rows) {
  return static_cast<std::uint64_t>(std::ranges::count_if(rows, [](const incident_row& r) {
    return std::ranges::any_of(r.cells, is_decided_cell) &&
           std::ranges::all_of(r.cells, [](const incident_cell& c) {
             return !is_decided_cell(c) || c.assessment.outcome == incident_outcome::breaks;
           });
  }));
}

}  // namespace

std::string verdict_of(std::span<const incident_row> rows) {
  if (rows.empty()) {
    return "";
  }
  std::vector<broken_share> all = broken_shares_of(rows);
  const std::vector<std::string> little = take_little_known(all);
  if (all.empty()) {
    return "Nothing is decided: no cause touches a protocol that was asked for, or the runs are "
           "too "
           "few.";
  }
  if (all.size() == 1) {
    return fmt::format("{} breaks in {} of the {} that it was decided in.",
                       all.front().protocol,
                       all.front().breaks,
                       text::plural(all.front().decided, "incident"));
  }
  const auto least = extremes(all, false);
  if (least.size() == all.size()) {
    const std::string which =
        all.size() == rows.front().cells.size() ? "protocols" : "protocols that a cause touches";
    return all.front().breaks == 0
               ? fmt::format("None of the {} breaks: {}.", which, text::word_list(least))
               : fmt::format("The {} break equally often, of the incidents that are decided: {}.",
                             which,
                             text::word_list(least));
  }
  std::string text =
      fmt::format("Of the incidents that are decided, {} {} least often and {} most.",
                  text::first_of_list(least, protocols_named_max),
                  least.size() == 1 ? "breaks" : "break",
                  text::first_of_list(extremes(all, true), protocols_named_max));
  if (!little.empty()) {
    text += fmt::format(" Left out, as few causes touch them: {}.", text::word_list(little));
  }
  if (const auto unknown = never_decided(rows); !unknown.empty()) {
    text += fmt::format(" Of {} nothing is decided.", text::word_list(unknown));
  }
  if (const std::uint64_t n = hopeless(rows); n > 0) {
    text += fmt::format(" In {} every protocol breaks that the cause touches.",
                        text::plural(n, "incident"));
  }
  return text;
}

}  // namespace dibs::report
