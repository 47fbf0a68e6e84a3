// `dibs explain`: the causal story of one breach, ride, driver or lease of a kept run.

#include "cli/build.hpp"
#include "cli/commands.hpp"
#include "cli/kept_run.hpp"
#include "cli/output.hpp"
#include "cli/report_file.hpp"
#include "cli/stop.hpp"
#include "report/account.hpp"
#include "report/file.hpp"
#include "scenario/read.hpp"
#include "show/model.hpp"
#include "show/page.hpp"
#include "show/tell.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <utility>

namespace dibs::cli {
namespace {

/// The figure of the same seed with what the remedy changes; nothing if it cannot be run.
std::optional<double> figure_with(const show::history& h, const show::remedy& remedy) {
  const scenario::reading changed = scenario::read_text(
      scenario::dump(h.scenario), "the scenario of the run", h.scenario.folder, remedy.set);
  if (!changed.ok()) {
    return std::nullopt;
  }
  engine::run_options how;
  how.seed = h.seed;
  how.stop = stop_flag();
  const auto again = engine::run(changed.value, how);
  return again && !again->interrupted ? again->metrics.value(remedy.metric) : std::nullopt;
}

std::vector<show::trial> trials_of(const explain_request& r,
                                   const show::history& h,
                                   const show::tale& t) {
  std::vector<show::trial> all;
  if (!t.learnt) {
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
        tried.after = figure_with(h, remedy);
      }
    }
    all.push_back(std::move(tried));
  }
  return all;
}

show::tale_options options_of(const explain_request& r) {
  show::tale_options how;
  how.within.begin = r.from ? at(*r.from) : sim_time::min();
  how.within.end = r.until ? at(*r.until) : sim_time::max();
  how.steps_max = r.all ? SIZE_MAX : how.steps_max;
  return how;
}

int make_page(const explain_request& r,
              const show::chronicle& c,
              const show::tale& t,
              const std::vector<show::trial>& trials) {
  const std::filesystem::path directory = r.directory;
  const auto figures = report::read_whole(directory / "metrics.json");
  if (!figures) {
    return fail(figures.error());
  }
  show::model_options how;
  how.run = r.directory;
  how.metrics = *figures;
  how.version = this_build().version;
  how.story = &t;
  how.trials = trials;
  return put(show::page_of(t.headline, show::model_of(c, how)),
             directory / fmt::format("{}-{}.html", r.what, r.number),
             r.out);
}

}  // namespace

int explain(const explain_request& r) {
  const auto about = show::subject_of(r.what, r.number);
  if (!about) {
    return fail(about.error());
  }
  const auto h = history_of(r.directory, r.seed, r.quiet);
  if (!h) {
    return fail(h.error());
  }
  const show::chronicle c(*h);
  const auto t = show::tale_of(c, *about, options_of(r));
  if (!t) {
    return fail(t.error());
  }
  const auto trials = trials_of(r, *h, *t);
  if (const auto stopped = stopped_by()) {
    return static_cast<int>(*stopped);
  }
  if (r.html) {
    return make_page(r, c, *t, trials);
  }
  return finish(show::told(*t, trials, report::look_of(STDOUT_FILENO)));
}

}  // namespace dibs::cli
