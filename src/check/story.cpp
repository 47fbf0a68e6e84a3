#include "check/story.hpp"

#include "engine/run.hpp"
#include "explain/explanation.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"
#include "metrics/catalogue.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

struct harm_class {
  bool is_promise = false;
  metrics::harm_kind kind{};

  auto operator<=>(const harm_class&) const = default;
};
harm_class class_of(const explain::harm& h) { return {h.broken.has_value(), h.harm}; }

/// How many more of each there are with the cause; none of what hardly grows, since that was there
/// before.
std::map<harm_class, std::size_t> growth(const std::vector<explain::harm>& with,
                                         const std::vector<explain::harm>& without) {
  std::map<harm_class, std::size_t> before;
  std::map<harm_class, std::size_t> now;
  for (const explain::harm& each : without) {
    ++before[class_of(each)];
  }
  for (const explain::harm& each : with) {
    ++now[class_of(each)];
  }
  std::map<harm_class, std::size_t> more;
  for (const auto& [which, count] : now) {
    if (2 * count > 3 * before[which]) {
      more[which] = count - before[which];
    }
  }
  return more;
}

/// The number of a harm that the second run does not have, and of whose class it has far fewer: of
/// the metric's, if that has grown, else of that which has grown most.
std::optional<std::uint32_t> of_the_cause(const std::vector<explain::harm>& with,
                                          const std::vector<explain::harm>& without,
                                          const std::string& metric) {
  const auto more = growth(with, without);
  if (more.empty()) {
    return std::nullopt;
  }
  const auto kind = metrics::harm_of(metric);
  const auto most =
      std::ranges::max_element(more, {}, [](const auto& each) { return each.second; });
  const harm_class wanted =
      kind && more.contains({false, *kind}) ? harm_class{false, *kind} : most->first;
  std::set<std::pair<harm_class, std::uint32_t>> known;
  for (const explain::harm& each : without) {
    known.emplace(class_of(each), each.ride.value);
  }
  for (std::uint32_t i = 0; i < with.size(); ++i) {
    if (class_of(with[i]) == wanted && !known.contains({wanted, with[i].ride.value})) {
      return i + 1;
    }
  }
  return std::nullopt;
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
