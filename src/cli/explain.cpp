// `dibs explain`: the causal story of one breach, ride, driver or lease of a kept run.

#include "cli/build.hpp"
#include "cli/commands.hpp"
#include "cli/kept_run.hpp"
#include "cli/output.hpp"
#include "cli/report_file.hpp"
#include "cli/stop.hpp"
#include "cli/story.hpp"
#include "metrics/catalogue.hpp"
#include "report/account.hpp"
#include "report/file.hpp"
#include "report/number.hpp"
#include "report/verdict.hpp"
#include "scenario/read.hpp"
#include "show/model.hpp"
#include "show/page.hpp"
#include "show/tell.hpp"
#include "show/turning.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace dibs::cli {
namespace {

/// Both harms and the service, before and after; and what the run met and the trial misses.
void weigh(const scenario::scenario& s,
           const metrics::report& before,
           const metrics::report& after,
           show::trial& tried) {
  for (const char* metric :
       {"double.commits", "supply.hidden_share", "accepts.missed_rate", "rides.match_rate"}) {
    const auto was = before.value(metric);
    const auto is = after.value(metric);
    if (was && is) {
      tried.besides.push_back({metric, *was, *is});
    }
  }
  for (const scenario::bound& b : s.thresholds) {
    const auto was = before.value(b.metric);
    const auto is = after.value(b.metric);
    if (was && report::meets(*was, b) && (!is || !report::meets(*is, b))) {
      const metrics::entry* entry = metrics::find(b.metric);
      tried.missed.push_back(
          fmt::format("{} {} ({})",
                      b.metric,
                      b.text,
                      is && entry != nullptr ? report::shown(*is, entry->unit) : "-"));
    }
  }
}

/// Runs the same seed with what the remedy changes; tells nothing if it cannot be run.
void try_out(const show::remedy& remedy,
             const show::history& h,
             const show::breach& harm,
             show::trial& tried) {
  const scenario::reading changed = scenario::read_text(
      scenario::dump(h.scenario), "the scenario of the run", h.scenario.folder, remedy.set);
  if (!changed.ok()) {
    return;
  }
  show::witness looks(harm, changed.value, h.seed, changed.value.ends(), stop_flag());
  engine::run_options how;
  how.seed = h.seed;
  how.observers.push_back(&looks);
  how.stop = looks.stop();
  const auto again = engine::run(changed.value, how);
  if (again && !again->interrupted) {
    tried.after = again->metrics.value(remedy.metric);
    tried.happens = looks.saw_it();
    weigh(changed.value, h.metrics, again->metrics, tried);
  }
}

std::vector<show::trial> trials_of(const explain_request& r,
                                   const show::history& h,
                                   const show::tale& t) {
  std::vector<show::trial> all;
  if (!t.learnt || !t.harm) {
    return all;
  }
  for (const show::remedy& remedy : t.learnt->remedies) {
    show::trial tried;
    if (!remedy.set.empty()) {
      tried.command = h.command;
      for (const scenario::override_value& o : remedy.set) {
        tried.command += " --set " + report::quoted(o.path + "=" + o.value);
      }
      tried.before = h.metrics.value(remedy.metric);
      if (!r.quick && h.end == h.scenario.ends()) {
        try_out(remedy, h, *t.harm, tried);
      }
    }
    all.push_back(std::move(tried));
  }
  return all;
}

/// Nothing if the run was interrupted, or is now.
std::optional<show::turning> turn_of(const explain_request& r,
                                     const show::chronicle& c,
                                     const show::breach& harm) {
  if (r.quick || c.of().end != c.of().scenario.ends()) {
    return std::nullopt;
  }
  const auto branches = show::retrial::of(c, harm, stop_flag());
  const auto found = branches ? branches->find_turning() : tl::unexpected(branches.error());
  return found ? std::optional(*found) : std::nullopt;
}

show::tale_options options_of(const explain_request& r, const show::chronicle& c) {
  show::tale_options how;
  how.within.begin = r.from ? at(*r.from) : sim_time::min();
  how.within.end = r.until ? at(*r.until) : sim_time::max();
  how.steps_max = r.all ? SIZE_MAX : how.steps_max;
  how.find_turn = [&](const show::breach& harm) { return turn_of(r, c, harm); };
  return how;
}

/// `breach-1`.
std::string stem_of(const show::subject& about) {
  std::string words = show::words_of(about);
  std::replace(words.begin(), words.end(), ' ', '-');
  return words;
}

result<std::string> page_of(const explain_request& r,
                            const show::chronicle& c,
                            const show::tale& t,
                            const std::vector<show::trial>& trials) {
  const auto figures = report::read_whole(std::filesystem::path(r.directory) / "metrics.json");
  if (!figures) {
    return tl::unexpected<error>(figures.error());
  }
  show::model_options how;
  how.run = r.directory;
  how.metrics = *figures;
  how.version = this_build().version;
  how.story = &t;
  how.trials = trials;
  return show::page_of(t.headline, show::model_of(c, how));
}

/// Nothing where nothing was named.
result<std::optional<show::subject>> asked_of(const explain_request& r) {
  if (r.what.empty()) {
    return std::optional<show::subject>();
  }
  const auto about = show::subject_of(r.what, r.number.empty() ? "1" : r.number);
  return about ? result<std::optional<show::subject>>(*about)
               : tl::unexpected<error>(about.error());
}

}  // namespace

result<told_story> story_of(const explain_request& r) {
  const auto asked = asked_of(r);
  if (!asked) {
    return tl::unexpected<error>(asked.error());
  }
  const auto h = history_of(r.directory, r.seed, r.quiet);
  if (!h) {
    return tl::unexpected<error>(h.error());
  }
  const show::chronicle c(*h);
  const show::subject about = *asked ? **asked : show::most_telling(c);
  const auto t = show::tale_of(c, about, options_of(r, c));
  if (!t) {
    return tl::unexpected<error>(t.error());
  }
  const auto trials = trials_of(r, *h, *t);
  if (const auto stopped = stopped_by()) {
    return failure(*stopped, "interrupted");
  }
  if (!r.html) {
    return told_story{show::told(*t, trials, report::look_of(STDOUT_FILENO)), stem_of(about)};
  }
  auto page = page_of(r, c, *t, trials);
  return page ? result<told_story>(told_story{std::move(*page), stem_of(about)})
              : tl::unexpected<error>(page.error());
}

int explain(const explain_request& r) {
  const auto story = story_of(r);
  if (!story) {
    const auto stopped = stopped_by();
    return stopped ? static_cast<int>(*stopped) : fail(story.error());
  }
  return r.html
             ? put(story->text, std::filesystem::path(r.directory) / (story->stem + ".html"), r.out)
             : finish(story->text);
}

}  // namespace dibs::cli
