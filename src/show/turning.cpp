#include "show/turning.hpp"

#include "base/ensure.hpp"
#include "engine/run.hpp"
#include "show/fact.hpp"

#include <algorithm>
#include <utility>

namespace dibs::show {
namespace {

constexpr sim_duration finest = 1ms;
constexpr sim_duration followed_for = 5min;

/// The first whole millisecond after `t`.
sim_time after(sim_time t) { return sim_time{(t.time_since_epoch() / finest + 1) * finest}; }

metrics::options options_of(const breach& b, const scenario::scenario& s) {
  metrics::options o = engine::metrics_options_of(s);
  o.series_step = sim_duration::zero();
  o.only = b.ride;
  return o;
}

/// As the scenario is judged, and by the promise that was broken, whether it is given there or not.
checkers::options options_of(lease::invariant broken,
                             const scenario::scenario& s,
                             std::uint64_t seed) {
  checkers::options o = engine::checkers_options_of(s, seed);
  o.promises |= 1U << static_cast<unsigned>(broken);
  return o;
}

}  // namespace

result<turning> turning_of(sim_time harm, const branching& happens) {
  turning found;
  const auto ask = [&](sim_time t) {
    ++found.runs;
    return happens(t);
  };
  sim_time doomed = after(harm);
  const auto at_last = ask(doomed);
  if (!at_last) {
    return tl::unexpected<error>(at_last.error());
  }
  if (!*at_last) {
    found.spared = doomed;
    return found;
  }
  for (sim_duration back = 1s; !found.spared; back *= 2) {
    const sim_time t = std::max(after(harm) - back, sim_time{});
    const auto there = ask(t);
    if (!there) {
      return tl::unexpected<error>(there.error());
    }
    if (!*there) {
      found.spared = t;
    } else {
      doomed = t;
      if (t == sim_time{}) {
        break;
      }
    }
  }
  found.doomed = doomed;
  while (found.spared && *found.doomed - *found.spared > finest) {
    const sim_time middle = *found.spared + (*found.doomed - *found.spared) / finest / 2 * finest;
    const auto there = ask(middle);
    if (!there) {
      return tl::unexpected<error>(there.error());
    }
    (*there ? found.doomed : found.spared) = middle;
  }
  ensure(!found.spared || *found.spared < *found.doomed, "the turn lies after the last chance");
  return found;
}

// -- in real runs --------------------------------------------------------------------------------

retrial::retrial(const chronicle& c,
                 const breach& b,
                 engine::prepared shared,
                 const std::atomic<bool>* stop)
    : chronicle_(c), breach_(b), shared_(std::move(shared)), stop_(stop) {}

result<retrial> retrial::of(const chronicle& c, const breach& b, const std::atomic<bool>* stop) {
  auto shared = engine::prepare(c.of().scenario);
  if (!shared) {
    return tl::unexpected<error>(shared.error());
  }
  return retrial(c, b, std::move(*shared), stop);
}

result<bool> retrial::happens_if_healed_from(sim_time t) const {
  const history& h = chronicle_.of();
  const sim_time until =
      breach_.broken ? h.end : std::min(h.end, harm_instant(chronicle_, breach_) + followed_for);
  witness looks(breach_, h.scenario, h.seed, until, stop_);
  engine::run_options how;
  how.seed = h.seed;
  how.healed_from = t;
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
  return turning_of(harm_instant(chronicle_, breach_),
                    [this](sim_time t) { return happens_if_healed_from(t); });
}

witness::witness(const breach& b,
                 const scenario::scenario& s,
                 std::uint64_t seed,
                 sim_time until,
                 const std::atomic<bool>* stopped)
    : breach_(b), until_(until), stopped_(stopped) {
  if (b.broken) {
    promises_.emplace(options_of(*b.broken, s, seed));
  } else {
    harms_.emplace(options_of(b, s));
  }
}

void witness::observe(std::span<const events::event> batch) {
  const auto past =
      std::upper_bound(batch.begin(), batch.end(), until_, [](sim_time t, const events::event& e) {
        return t < e.t;
      });
  const auto seen = batch.first(static_cast<std::size_t>(past - batch.begin()));
  if (harms_) {
    harms_->observe(seen);
  } else {
    promises_->judges.observe(seen);
    promises_->seen.insert(promises_->seen.end(), seen.begin(), seen.end());
  }
  if (past != batch.end() || (stopped_ != nullptr && stopped_->load())) {
    stop_ = true;
  }
}

bool witness::saw_it() {
  if (promises_) {
    return saw_the_promise_broken();
  }
  const metrics::report r = harms_->finish(until_);
  return std::any_of(r.notables.begin(), r.notables.end(), [&](const metrics::notable& n) {
    return n.kind == breach_.harm;
  });
}

bool witness::saw_the_promise_broken() {
  const checkers::judgement found = promises_->judges.finish(until_);
  return std::any_of(
      found.violations.begin(), found.violations.end(), [&](const checkers::violation& v) {
        if (v.broken != *breach_.broken) {
          return false;
        }
        if (v.event_index >= promises_->seen.size() || !breach_.driver.is_some()) {
          return true;
        }
        return subjects_of(promises_->seen[v.event_index].what, false).driver == breach_.driver;
      });
}

}  // namespace dibs::show
