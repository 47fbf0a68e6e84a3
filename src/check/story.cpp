#include "check/story.hpp"

#include "engine/run.hpp"
#include "explain/explanation.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"
#include "metrics/catalogue.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::check {

result<story> story_of(const scenario::scenario& s,
                       std::uint64_t seed,
                       const std::string& metric,
                       const std::atomic<bool>* stop) {
  history::event_collector kept(UINT64_MAX, stop);
  engine::run_options how;
  how.seed = seed;
  how.observe = false;
  how.observers = {&kept};
  how.stop = kept.stop();
  if (const auto ran = engine::run(s, how); !ran) {
    return tl::unexpected<error>(ran.error());
  }
  const history::recorded_run run = history::history_of(s, seed, kept.take(), s.ends());
  const history::indexed_run indexed(run);
  explain::subject about = explain::most_telling(indexed);
  const std::vector<explain::harm> harms = explain::harms_of(indexed);
  const auto kind = metrics::harm_of(metric);
  for (std::uint32_t i = 0; i < harms.size(); ++i) {
    if (kind && !harms[i].broken && harms[i].harm == *kind) {
      about = explain::harm_number{i + 1};
      break;
    }
  }
  auto told = explain::explanation_of(indexed, about, {});
  if (!told) {
    return story{};
  }
  return story{.what = told->headline,
               .why = told->learnt ? told->learnt->reason : "",
               .told = std::move(*told)};
}

}  // namespace dibs::check
