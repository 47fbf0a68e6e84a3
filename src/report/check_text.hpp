/// What a check found, on one screen.
#pragma once

#include "check/check.hpp"
#include "check/story.hpp"
#include "text/terminal.hpp"

#include <span>
#include <string>
#include <vector>

namespace dibs::report {

/// One scenario that was checked, or one variant of it.
struct checked_column {
  std::string name;  ///< `evening-peak`, `fenced`
  check::checked found;
  check::story worst;    ///< of the first of the worst rows that has one
  std::string worst_of;  ///< the name of that row
  /// Who is asked before each write, where causes are survived that strike holders who ask nobody.
  std::string judge{};
};

/// That sentence, or nothing.
[[nodiscard]] std::string judge_of(const scenario::scenario& mine,
                                   const std::vector<check::cause>& causes,
                                   const check::checked& c);

/// Whether too few rides were asked for to say anything of it.
[[nodiscard]] bool says_nothing(const check::checked& c);

/// In a sentence or two, that people can repeat. `sign`: that of intervals.
[[nodiscard]] std::string verdict_of(const check::checked& c, const std::string& sign);

/// `lease.ttl=10s lease.offer_window=8s`
[[nodiscard]] std::string words_of(const std::vector<scenario::override_value>& set);

/// `accepts lost +11.4 +/- 6.5 points, from 0 %`: the difference, its interval, and what is
/// without. Of counts that are 0 without, and too few for an interval above 0: how many there are.
[[nodiscard]] std::string harm_told(const incidents::paired_change& c, const std::string& sign);

/// The worst harm of a row; where that is of safety, what service loses most as well. `runs`: with
/// the cause.
[[nodiscard]] std::string harms_told(const check::row& r,
                                     std::uint32_t runs,
                                     const std::string& sign);

/// What the mend costs where nothing happens: riders matched and drivers hidden; accepts missed and
/// the time to match where they are shown to be worse.
[[nodiscard]] std::string cost_told(const check::tried_mend& m, const std::string& sign);

/// What the mends of all that breaks do at once, as a sentence with its line end.
[[nodiscard]] std::string together_told(const check::checked& c, const std::string& sign);

/// `TTL: all that was tried holds from 10 s to 30 s; at 37.5 s: ...`, with its line end.
[[nodiscard]] std::string ttl_told(const check::checked& c);

/// The verdict, then what breaks and degrades, the worst first, the worst story, and the TTLs.
/// Several variants: the verdict of each, then what each cause does to them. `all`: every row.
[[nodiscard]] std::string text_of(std::span<const checked_column> columns,
                                  const text::terminal_style& l,
                                  bool all);

}  // namespace dibs::report
