#include "explain/point_of_no_return.hpp"

#include "base/ensure.hpp"
#include "engine/run.hpp"
#include "explain/harm_detector.hpp"

#include <algorithm>
#include <utility>

namespace dibs::explain {
namespace {

constexpr sim_duration finest = 1ms;
constexpr sim_duration followed_for = 5min;

/// The first whole millisecond after `t`.
sim_time after(sim_time t) { return sim_time{(t.time_since_epoch() / finest + 1) * finest}; }

/// Branches, counted; keeps the first error.
class branches {
 public:
  branches(const branch_test& happens, std::uint32_t& runs) : happens_(happens), runs_(runs) {}

  bool happens_from(sim_time t) {
    if (failed_) {
      return false;
    }
    ++runs_;
    const auto there = happens_(t);
    if (!there) {
      failed_ = there.error();
    }
    return there && *there;
  }

  [[nodiscard]] const std::optional<error>& failed() const { return failed_; }

 private:
  const branch_test& happens_;
  std::uint32_t& runs_;
  std::optional<error> failed_;
};

/// Back from the harm until it does not happen, at most to the beginning of its story. Where that
/// is not far enough, only the beginning of the run can tell a harm of chance from a sure one.
void go_back(sim_time harm, sim_time begin, branches& all, point_of_no_return& found) {
  sim_time unavoidable = after(harm);
  for (sim_duration back = 1s; !found.last_avoidable && !all.failed(); back *= 2) {
    const sim_time t = std::max(after(harm) - back, begin);
    if (!all.happens_from(t)) {
      found.last_avoidable = t;
      break;
    }
    unavoidable = t;
    if (t == begin) {
      break;
    }
  }
  found.first_unavoidable = unavoidable;
  if (!found.last_avoidable && begin > sim_time{}) {
    const bool always = all.happens_from(sim_time{});
    found.by = always ? inconclusive_reason::none : inconclusive_reason::before;
    found.first_unavoidable = always ? sim_time{} : begin;
  }
}

void halve(branches& all, point_of_no_return& found) {
  while (found.last_avoidable && !all.failed() &&
         *found.first_unavoidable - *found.last_avoidable > finest) {
    const sim_time middle =
        *found.last_avoidable +
        (*found.first_unavoidable - *found.last_avoidable) / finest / 2 * finest;
    (all.happens_from(middle) ? found.first_unavoidable : found.last_avoidable) = middle;
  }
}

/// Whether some instants after the turn say otherwise.
void probe(sim_time harm, branches& all, point_of_no_return& found) {
  constexpr int parts = 5;
  const sim_duration part = (harm - *found.first_unavoidable) / parts / finest * finest;
  for (int i = 1; i < parts && part > finest && !all.failed(); ++i) {
    const sim_time t = *found.first_unavoidable + i * part;
    if (!all.happens_from(t) && !all.failed()) {
      found.by = inconclusive_reason::mixed;
      found.otherwise = t;
      return;
    }
  }
}

}  // namespace

result<point_of_no_return> find_point_of_no_return(sim_time harm,
                                                   const branch_test& happens,
                                                   sim_time story_begin) {
  point_of_no_return found;
  branches all(happens, found.runs);
  const bool at_last = all.happens_from(after(harm));
  if (!at_last) {
    found.last_avoidable = after(harm);
  } else {
    go_back(harm, sim_time{story_begin.time_since_epoch() / finest * finest}, all, found);
    halve(all, found);
    if (found.last_avoidable) {
      probe(harm, all, found);
    }
  }
  if (all.failed()) {
    return tl::unexpected<error>(*all.failed());
  }
  ensure(!found.last_avoidable || !found.first_unavoidable ||
             *found.last_avoidable < *found.first_unavoidable,
         "the turn lies after the last chance");
  return found;
}

result<point_of_no_return> latest_point_of_no_return(sim_time harm,
                                                     const branch_test& with_everything_healed,
                                                     const branch_test& with_faults_healed,
                                                     sim_time story_begin) {
  auto found = find_point_of_no_return(harm, with_everything_healed, story_begin);
  if (!found || !found->first_unavoidable) {
    return found;
  }
  const auto is_sure = [](const point_of_no_return& t) {
    return t.last_avoidable && t.by == inconclusive_reason::none;
  };
  if (is_sure(*found)) {
    const auto still = with_faults_healed(*found->first_unavoidable);
    if (!still) {
      return tl::unexpected<error>(still.error());
    }
    ++found->runs;
    if (*still) {
      return found;
    }
  }
  const sim_time from = is_sure(*found) ? *found->first_unavoidable : story_begin;
  auto other = find_point_of_no_return(harm, with_faults_healed, from);
  if (!other) {
    return other;
  }
  other->by_healing = healing_scope::faults;
  const bool is_later =
      is_sure(*other) && (!is_sure(*found) || *other->last_avoidable > *found->last_avoidable);
  const std::uint32_t runs = found->runs + other->runs;
  if (is_later) {
    found = other;
  }
  found->runs = runs;
  return found;
}

void look_before(const branch_test& happens, sim_time story_begin, point_of_no_return& found) {
  constexpr int parts = 5;
  const sim_duration part = (*found.last_avoidable - story_begin) / parts / finest * finest;
  for (int i = 0; i < parts && part > sim_duration::zero(); ++i) {
    const sim_time t = story_begin + i * part;
    const auto there = happens(t);
    ++found.runs;
    if (there && *there) {
      found.by = inconclusive_reason::mixed;
      found.otherwise = t;
      return;
    }
  }
}

// -- in real runs --------------------------------------------------------------------------------

branch_runs::branch_runs(const history::indexed_run& c,
                         const harm& b,
                         engine::prepared_scenario shared,
                         const std::atomic<bool>* stop)
    : run_(c), harm_(b), shared_(std::move(shared)), stop_(stop) {}

result<branch_runs> branch_runs::of(const history::indexed_run& c,
                                    const harm& b,
                                    const std::atomic<bool>* stop) {
  auto shared = engine::prepare(c.of().scenario);
  if (!shared) {
    return tl::unexpected<error>(shared.error());
  }
  return branch_runs(c, b, std::move(*shared), stop);
}

result<bool> branch_runs::happens_if_healed_from(sim_time t, healing_scope what) const {
  const history::recorded_run& h = run_.of();
  const sim_time until =
      harm_.broken ? h.end : std::min(h.end, harm_instant(run_, harm_) + harm_.size + followed_for);
  harm_detector looks(run_,
                      harm_,
                      h.scenario,
                      {.until = until,
                       .from = harm_.counts ? h.scenario.measured_from() : sim_time{},
                       .stopped = stop_});
  engine::run_options how;
  how.seed = h.seed;
  how.fault_free_from = t;
  how.keeps_ordinary_delays = what == healing_scope::faults;
  how.observe = false;
  how.observers.push_back(&looks);
  how.stop = looks.stop();
  const auto branch = engine::run(h.scenario, shared_, how);
  if (!branch) {
    return tl::unexpected<error>(branch.error());
  }
  if (stop_ != nullptr && stop_->load()) {
    return failure(exit_code::interrupted, "interrupted");
  }
  return looks.found();
}

result<point_of_no_return> branch_runs::find_point_of_no_return() const {
  const auto& tries = run_.tries();
  sim_time harm = harm_instant(run_, harm_);
  if (!harm_.broken && harm_.harm == metrics::harm_kind::lost_accept && !harm_.tries.empty()) {
    // Until its holder is done with it something may come of it still; nor is a yes lost that is
    // not said yet.
    const metrics::try_record& lost = tries[harm_.tries.back()];
    harm = std::max({harm, lost.decided, std::min(closed_at(run_, lost), run_.of().end)});
  }
  const bool lasts = !harm_.broken && harm_.harm == metrics::harm_kind::starved_ride;
  if (lasts) {
    harm = std::min(harm + harm_.size, run_.of().end);
  }
  const auto mended = [this](healing_scope what) {
    return [this, what](sim_time t) { return happens_if_healed_from(t, what); };
  };
  auto found = latest_point_of_no_return(harm,
                                         mended(healing_scope::everything),
                                         mended(healing_scope::faults),
                                         story_begin(run_, harm_));
  if (found && lasts) {
    found->since = harm_.t;
  }
  if (found) {
    found->is_by_length = !harm_.broken && harm_.harm == metrics::harm_kind::hiding_lease;
  }
  return found;
}

void branch_runs::look_before(point_of_no_return& found) const {
  explain::look_before([&](sim_time t) { return happens_if_healed_from(t, found.by_healing); },
                       story_begin(run_, harm_),
                       found);
}

}  // namespace dibs::explain
