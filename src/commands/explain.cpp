// `dibs explain`: the causal story of one breach, ride, driver or lease of a kept run.

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/explain_page.hpp"
#include "commands/report_file.hpp"
#include "commands/stop_signal.hpp"
#include "commands/stored_run.hpp"
#include "explain/counterfactual.hpp"
#include "explain/point_of_no_return.hpp"
#include "pages/page.hpp"
#include "pages/run_model.hpp"
#include "report/explanation_text.hpp"
#include "results/atomic_file.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace dibs::commands {
namespace {

std::vector<explain::counterfactual> trials_of(const explain_request& r,
                                               const history::indexed_run& c,
                                               const explain::explanation& t) {
  // What happened on real servers has no scenario whose fields could be set.
  if (!t.learnt || !t.harm || c.of().is_real) {
    return {};
  }
  const bool is_whole = c.of().end == c.of().scenario.ends();
  return explain::counterfactuals_of(
      c, *t.harm, *t.learnt, {.run = !r.quick && is_whole, .stop = stop_flag()});
}

/// Nothing if the run was interrupted, or is now.
std::optional<explain::point_of_no_return> turn_of(const explain_request& r,
                                                   const history::indexed_run& c,
                                                   const explain::harm& harm) {
  if (r.quick || c.of().is_real || c.of().end != c.of().scenario.ends()) {
    return std::nullopt;
  }
  const auto branches = explain::branch_runs::of(c, harm, stop_flag());
  const auto found =
      branches ? branches->find_point_of_no_return() : tl::unexpected(branches.error());
  return found ? std::optional(*found) : std::nullopt;
}

explain::explanation_options options_of(const explain_request& r, const history::indexed_run& c) {
  explain::explanation_options how;
  how.within.begin = r.from ? at(*r.from) : sim_time::min();
  how.within.end = r.until ? at(*r.until) : sim_time::max();
  how.steps_max = r.all ? SIZE_MAX : how.steps_max;
  how.find_turn = [&](const explain::harm& harm) { return turn_of(r, c, harm); };
  how.look_before = [&](const explain::harm& harm, explain::point_of_no_return& found) {
    if (c.of().is_real) {
      return;
    }
    if (const auto branches = explain::branch_runs::of(c, harm, stop_flag())) {
      branches->look_before(found);
    }
  };
  return how;
}

/// `breach-1`.
std::string stem_of(const explain::subject& about) {
  std::string words = explain::words_of(about);
  std::replace(words.begin(), words.end(), ' ', '-');
  return words;
}

result<std::string> page_of(const explain_request& r,
                            const history::indexed_run& c,
                            const explain::explanation& t,
                            const std::vector<explain::counterfactual>& trials) {
  const auto figures = results::read_whole(std::filesystem::path(r.directory) / "metrics.json");
  if (!figures) {
    return tl::unexpected<error>(figures.error());
  }
  pages::model_options how;
  how.run = r.directory;
  how.metrics = *figures;
  how.version = this_build().version;
  how.for_page = true;
  how.story = &t;
  how.counterfactuals = trials;
  return pages::page_of(t.headline, pages::model_of(c, how));
}

/// Nothing where nothing was named.
result<std::optional<explain::subject>> asked_of(const explain_request& r) {
  if (r.what.empty()) {
    return std::optional<explain::subject>();
  }
  const auto about = explain::subject_of(r.what, r.number.empty() ? "1" : r.number);
  return about ? result<std::optional<explain::subject>>(*about)
               : tl::unexpected<error>(about.error());
}

}  // namespace

result<explain_page> story_of(const explain_request& r) {
  const auto asked = asked_of(r);
  if (!asked) {
    return tl::unexpected<error>(asked.error());
  }
  const auto h = history_of(r.directory, r.seed, r.quiet);
  if (!h) {
    return tl::unexpected<error>(h.error());
  }
  if (r.from && at(*r.from) >= h->end) {
    return failure(exit_code::usage,
                   fmt::format("explain: nothing happens from {} on; the run ends at {}",
                               text::duration(*r.from),
                               text::duration(h->end.time_since_epoch())));
  }
  const history::indexed_run c(*h);
  const explain::subject about = *asked ? **asked : explain::most_telling(c);
  const auto t = explain::explanation_of(c, about, options_of(r, c));
  if (!t) {
    return tl::unexpected<error>(t.error());
  }
  if (t->steps.empty() && (r.from || r.until)) {
    return failure(exit_code::usage,
                   fmt::format("explain: nothing of this story happens between {} and {}; leave "
                               "--from or --until out",
                               text::duration(r.from.value_or(sim_duration{})),
                               text::duration(r.until.value_or(h->end.time_since_epoch()))));
  }
  const auto trials = trials_of(r, c, *t);
  if (const auto stopped = stopped_by()) {
    return failure(*stopped, "interrupted");
  }
  if (!r.html) {
    return explain_page{report::describe(*t, trials, text::terminal_style_of(STDOUT_FILENO)),
                        stem_of(about)};
  }
  auto page = page_of(r, c, *t, trials);
  return page ? result<explain_page>(explain_page{std::move(*page), stem_of(about)})
              : tl::unexpected<error>(page.error());
}

result<std::string> story_of(const history::recorded_run& h) {
  const explain_request as_asked{};
  const history::indexed_run c(h);
  const auto t = explain::explanation_of(c, explain::most_telling(c), options_of(as_asked, c));
  if (!t) {
    return tl::unexpected<error>(t.error());
  }
  const auto trials = trials_of(as_asked, c, *t);
  if (const auto stopped = stopped_by()) {
    return failure(*stopped, "interrupted");
  }
  return report::describe(*t, trials, text::terminal_style_of(STDOUT_FILENO));
}

int explain(const explain_request& r) {
  const auto story = story_of(r);
  if (!story) {
    const auto stopped = stopped_by();
    return stopped ? static_cast<int>(*stopped) : fail(story.error());
  }
  return r.html
             ? write_report_file(
                   story->text, std::filesystem::path(r.directory) / (story->stem + ".html"), r.out)
             : finish(story->text);
}

}  // namespace dibs::commands
