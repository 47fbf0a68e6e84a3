#include "check/story.hpp"

#include "engine/run.hpp"
#include "explain/explanation.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"
#include "metrics/catalogue.hpp"

#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace dibs::check {
namespace {

result<history::recorded_run> recorded(const scenario::scenario& s,
                                       std::uint64_t seed,
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
  return history::history_of(s, seed, kept.take(), s.ends());
}

/// Which harm it is, of whom.
std::tuple<bool, metrics::harm_kind, std::uint32_t> key_of(const explain::harm& h) {
  return {h.broken.has_value(), h.harm, h.ride.value};
}

/// The number of a harm that only the first has: of this kind, if it has one, else of any.
std::optional<std::uint32_t> of_the_cause(const std::vector<explain::harm>& with,
                                          const std::vector<explain::harm>& without,
                                          const std::string& metric) {
  std::set<std::tuple<bool, metrics::harm_kind, std::uint32_t>> known;
  for (const explain::harm& each : without) {
    known.insert(key_of(each));
  }
  const auto kind = metrics::harm_of(metric);
  std::optional<std::uint32_t> any;
  for (std::uint32_t i = 0; i < with.size(); ++i) {
    if (known.contains(key_of(with[i]))) {
      continue;
    }
    if (kind && !with[i].broken && with[i].harm == *kind) {
      return i + 1;
    }
    any = any ? any : std::optional(i + 1);
  }
  return any;
}

}  // namespace

result<story> story_of(const scenario::scenario& with,
                       const scenario::scenario& without,
                       std::uint64_t seed,
                       const std::string& metric,
                       const std::atomic<bool>* stop) {
  const auto run = recorded(with, seed, stop);
  const auto other = run ? recorded(without, seed, stop) : tl::unexpected<error>(run.error());
  if (!other) {
    return tl::unexpected<error>(other.error());
  }
  const history::indexed_run indexed(*run);
  const auto number = of_the_cause(
      explain::harms_of(indexed), explain::harms_of(history::indexed_run(*other)), metric);
  if (!number) {
    return story{};
  }
  auto told = explain::explanation_of(indexed, explain::harm_number{*number}, {});
  if (!told) {
    return story{};
  }
  return story{.what = told->headline,
               .why = told->learnt ? told->learnt->reason : "",
               .told = std::move(*told)};
}

}  // namespace dibs::check
