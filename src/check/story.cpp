#include "check/story.hpp"

#include "engine/run.hpp"
#include "explain/explanation.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"
#include "metrics/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
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

using metrics::harm_kind;

/// What counts harms of a kind; a run keeps only a few of the cases themselves.
constexpr std::array<std::pair<harm_kind, std::string_view>, metrics::harms> counted_by{
    {{harm_kind::double_commit, "double.commits"},
     {harm_kind::broken_promise, "promises.broken"},
     {harm_kind::stale_confirm, "confirms.stale_accepted"},
     {harm_kind::double_accept, "double.accepts"},
     {harm_kind::lost_accept, "accepts.lost"},
     {harm_kind::double_offer, "double.offers"},
     {harm_kind::starved_ride, "rides.abandoned"},
     {harm_kind::hiding_lease, "supply.hidden_s"}}};

double value_of(const history::indexed_run& c, std::string_view metric) {
  return c.of().metrics.value(metric).value_or(0);
}

/// Whether the cause makes half as many again: what hardly grows was there before.
bool grows(harm_kind kind, const history::indexed_run& with, const history::indexed_run& without) {
  const auto metric =
      std::ranges::find(counted_by, kind, &std::pair<harm_kind, std::string_view>::first)->second;
  const auto count = [metric, kind](const history::indexed_run& c) {
    const double of_rides = kind == harm_kind::double_commit ? value_of(c, "double.rides") : 0;
    return value_of(c, metric) + of_rides;
  };
  return 2 * count(with) > 3 * count(without);
}

/// How much the harm tells of the metric: 0, nothing; 2, it is just what the metric counts.
int telling(const explain::harm& h, const std::string& metric, const history::indexed_run& c) {
  if (metric == "accepts.missed_rate" && h.harm == harm_kind::hiding_lease) {
    // She answered, and too late; others do not answer at all, whatever the cause.
    const metrics::try_record& own = c.tries()[h.tries.front()];
    return own.decided != never && own.decided > own.over ? 2 : 0;
  }
  const bool is_of_kind = metrics::harm_of(metric) == h.harm;
  const bool is_other_double =
      h.harm == harm_kind::double_commit && h.of_one_ride != (metric == "double.rides");
  return !is_of_kind ? 0 : is_other_double ? 1 : 2;
}

/// The number of a harm that the second run does not have, of a kind that grows: the first of those
/// that tell most of the metric.
std::optional<std::uint32_t> of_the_cause(const history::indexed_run& with,
                                          const history::indexed_run& without,
                                          const std::string& metric) {
  std::set<std::pair<harm_kind, std::uint32_t>> known;
  for (const explain::harm& each : explain::harms_of(without)) {
    known.emplace(each.harm, each.ride.value);
  }
  const std::vector<explain::harm> harms = explain::harms_of(with);
  std::optional<std::uint32_t> best;
  int most = -1;
  for (std::uint32_t i = 0; i < harms.size(); ++i) {
    const explain::harm& h = harms[i];
    if (h.broken || known.contains({h.harm, h.ride.value}) || !grows(h.harm, with, without)) {
      continue;
    }
    if (const int its = telling(h, metric, with); its > most) {
      most = its;
      best = i + 1;
    }
  }
  return best;
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
  const auto number = of_the_cause(indexed, history::indexed_run(*other), metric);
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
