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
  branches(const branching& happens, std::uint32_t& runs) : happens_(happens), runs_(runs) {}

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
  const branching& happens_;
  std::uint32_t& runs_;
  std::optional<error> failed_;
};

/// Back from the harm until it does not happen, at most to the beginning of its story. Where that
/// is not far enough, only the beginning of the run can tell a harm of chance from a sure one.
void go_back(sim_time harm, sim_time begin, branches& all, turning& found) {
  sim_time doomed = after(harm);
  for (sim_duration back = 1s; !found.spared && !all.failed(); back *= 2) {
    const sim_time t = std::max(after(harm) - back, begin);
    if (!all.happens_from(t)) {
      found.spared = t;
      break;
    }
    doomed = t;
    if (t == begin) {
      break;
    }
  }
  found.doomed = doomed;
  if (!found.spared && begin > sim_time{}) {
    const bool always = all.happens_from(sim_time{});
    found.by = always ? chance::none : chance::before;
    found.doomed = always ? sim_time{} : begin;
  }
}

void halve(branches& all, turning& found) {
  while (found.spared && !all.failed() && *found.doomed - *found.spared > finest) {
    const sim_time middle = *found.spared + (*found.doomed - *found.spared) / finest / 2 * finest;
    (all.happens_from(middle) ? found.doomed : found.spared) = middle;
  }
}

/// Whether some instants after the turn say otherwise.
void probe(sim_time harm, branches& all, turning& found) {
  constexpr int parts = 5;
  const sim_duration part = (harm - *found.doomed) / parts / finest * finest;
  for (int i = 1; i < parts && part > finest && !all.failed(); ++i) {
    const sim_time t = *found.doomed + i * part;
    if (!all.happens_from(t) && !all.failed()) {
      found.by = chance::mixed;
      found.otherwise = t;
      return;
    }
  }
}

}  // namespace

result<turning> turning_of(sim_time harm, const branching& happens, sim_time story_begin) {
  turning found;
  branches all(happens, found.runs);
  const bool at_last = all.happens_from(after(harm));
  if (!at_last) {
    found.spared = after(harm);
  } else {
    go_back(harm, sim_time{story_begin.time_since_epoch() / finest * finest}, all, found);
    halve(all, found);
    if (found.spared) {
      probe(harm, all, found);
    }
  }
  if (all.failed()) {
    return tl::unexpected<error>(*all.failed());
  }
  ensure(!found.spared || !found.doomed || *found.spared < *found.doomed,
         "the turn lies after the last chance");
  return found;
}

result<turning> latest_turning_of(sim_time harm,
                                  const branching& with_everything_healed,
                                  const branching& with_faults_healed,
                                  sim_time story_begin) {
  auto found = turning_of(harm, with_everything_healed, story_begin);
  if (!found || !found->doomed) {
    return found;
  }
  const auto is_sure = [](const turning& t) { return t.spared && t.by == chance::none; };
  if (is_sure(*found)) {
    const auto still = with_faults_healed(*found->doomed);
    if (!still) {
      return tl::unexpected<error>(still.error());
    }
    ++found->runs;
    if (*still) {
      return found;
    }
  }
  const sim_time from = is_sure(*found) ? *found->doomed : story_begin;
  auto other = turning_of(harm, with_faults_healed, from);
  if (!other) {
    return other;
  }
  other->by_healing = healing::faults;
  const bool is_later = is_sure(*other) && (!is_sure(*found) || *other->spared > *found->spared);
  const std::uint32_t runs = found->runs + other->runs;
  if (is_later) {
    found = other;
  }
  found->runs = runs;
  return found;
}

void look_before(const branching& happens, sim_time story_begin, turning& found) {
  constexpr int parts = 5;
  const sim_duration part = (*found.spared - story_begin) / parts / finest * finest;
  for (int i = 0; i < parts && part > sim_duration::zero(); ++i) {
    const sim_time t = story_begin + i * part;
    const auto there = happens(t);
    ++found.runs;
    if (there && *there) {
      found.by = chance::mixed;
      found.otherwise = t;
      return;
    }
  }
}

// -- in real runs --------------------------------------------------------------------------------

retrial::retrial(const history::chronicle& c,
                 const breach& b,
                 engine::prepared shared,
                 const std::atomic<bool>* stop)
    : chronicle_(c), breach_(b), shared_(std::move(shared)), stop_(stop) {}

result<retrial> retrial::of(const history::chronicle& c,
                            const breach& b,
                            const std::atomic<bool>* stop) {
  auto shared = engine::prepare(c.of().scenario);
  if (!shared) {
    return tl::unexpected<error>(shared.error());
  }
  return retrial(c, b, std::move(*shared), stop);
}

result<bool> retrial::happens_if_healed_from(sim_time t, healing what) const {
  const history::recorded_run& h = chronicle_.of();
  const sim_time until =
      breach_.broken
          ? h.end
          : std::min(h.end, harm_instant(chronicle_, breach_) + breach_.size + followed_for);
  witness looks(chronicle_,
                breach_,
                h.scenario,
                {.until = until,
                 .from = breach_.counts ? h.scenario.measured_from() : sim_time{},
                 .stopped = stop_});
  engine::run_options how;
  how.seed = h.seed;
  how.healed_from = t;
  how.heals_to_ordinary = what == healing::faults;
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
  return looks.saw_it();
}

result<turning> retrial::find_turning() const {
  const auto& tries = chronicle_.tries();
  sim_time harm = harm_instant(chronicle_, breach_);
  if (!breach_.broken && breach_.harm == metrics::harm::lost_accept && !breach_.tries.empty()) {
    // Until its holder is done with it something may come of it still; nor is a yes lost that is
    // not said yet.
    const metrics::try_record& lost = tries[breach_.tries.back()];
    harm =
        std::max({harm, lost.decided, std::min(closed_at(chronicle_, lost), chronicle_.of().end)});
  }
  const bool lasts = !breach_.broken && breach_.harm == metrics::harm::starved_ride;
  if (lasts) {
    harm = std::min(harm + breach_.size, chronicle_.of().end);
  }
  const auto mended = [this](healing what) {
    return [this, what](sim_time t) { return happens_if_healed_from(t, what); };
  };
  auto found = latest_turning_of(
      harm, mended(healing::everything), mended(healing::faults), story_begin(chronicle_, breach_));
  if (found && lasts) {
    found->since = breach_.t;
  }
  if (found) {
    found->is_by_length = !breach_.broken && breach_.harm == metrics::harm::hiding_lease;
  }
  return found;
}

void retrial::look_before(turning& found) const {
  explain::look_before([&](sim_time t) { return happens_if_healed_from(t, found.by_healing); },
                       story_begin(chronicle_, breach_),
                       found);
}

}  // namespace dibs::explain
