/// An explanation in plain sentences, for the terminal.
#pragma once

#include "explain/counterfactual.hpp"
#include "explain/explanation.hpp"
#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// `Unavoidable from 50:13.787 on`, or as the case may be.
[[nodiscard]] std::string explanation_heading(const explain::explanation& t);

/// `What would have prevented it`, if some trial did; else what helps others than its ride, that it
/// is not known, or was not tried.
[[nodiscard]] std::string explanation_heading(const std::vector<explain::counterfactual>& trials);

/// What is to be said of all trials together: which others were tried in vain, or that none helps,
/// in one sentence. Empty if there is nothing of the kind.
[[nodiscard]] std::string explanation_summary(const explain::explanation& t,
                                              const std::vector<explain::counterfactual>& trials);

/// The trials that are told one by one: those that prevent the harm, or else the best of those that
/// help others, or all where none was run.
[[nodiscard]] std::vector<explain::counterfactual> notable_counterfactuals(
    const std::vector<explain::counterfactual>& trials);

/// Whether it prevents the harm, and the run misses no threshold that it met before: told in green.
[[nodiscard]] bool is_good(const explain::counterfactual& tried);

/// `prevents it`, `spares this one, but its ride leaves`. Empty if it was not tried, or helps
/// nobody.
[[nodiscard]] std::string outcome_text(const explain::counterfactual& tried);

/// How a trial ended, as a sentence without a full stop.
[[nodiscard]] std::string describe(const explain::counterfactual& tried);

/// `by its events, decided at 50:13.787`, where that is another instant than the turn; else empty.
[[nodiscard]] std::string because_prefix(const explain::explanation& t);

/// The step as a sentence, with how often and until when where it stands for several.
[[nodiscard]] std::string describe(const explain::timeline_step& s);

/// What branching the run has found, as a sentence without a full stop.
[[nodiscard]] std::string describe(const explain::point_of_no_return& turn);

/// What happened and why, without what would have prevented it.
[[nodiscard]] std::string describe(const explain::explanation& t, const text::terminal_style& l);

[[nodiscard]] std::string describe(const explain::explanation& t,
                                   const std::vector<explain::counterfactual>& trials,
                                   const text::terminal_style& l);

}  // namespace dibs::report
