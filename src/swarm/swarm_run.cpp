#include "swarm/swarm_run.hpp"

#include "base/ensure.hpp"
#include "engine/run.hpp"
#include "swarm/guidance.hpp"
#include "swarm/state_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace dibs::swarm {
namespace {

constexpr std::size_t quarries_max = 10;

struct catch_of_one {
  broken_run what;
  double harm = 0;
  std::uint64_t events = 0;
  std::uint64_t leases = 0;
  std::uint32_t judged = 0;  ///< promised, one bit each
  mixture_origin from;
  signs_seen signs;
};

/// Of a violation's words, "S4: driver 17 is held by ...".
lease::invariant invariant_of(std::string_view words) {
  for (int i = 0; i < lease::invariants; ++i) {
    const auto each = static_cast<lease::invariant>(i);
    if (words.starts_with(std::string(lease::code_of(each)) + ":")) {
      return each;
    }
  }
  ensure(false, "a violation begins with the code of its promise");
  return {};
}

/// Hunts that workers take one after the other, until one of them fails.
class party {
 public:
  explicit party(const chase_options& how) : how_(how), guide_(how.seed, how.chance) {}

  /// Runs that are decided before any of them is seen: all of them where nothing is learnt.
  void run_batches() {
    const bool is_whole = !how_.guided && !how_.ends_when_broken;
    while (until_ < how_.runs && !is_over() && !is_enough()) {
      next_ = until_;
      until_ = is_whole ? how_.runs : std::min(how_.runs, until_ + batch_runs);
      {
        std::vector<std::jthread> workers;
        for (std::uint32_t i = 1; i < std::min(how_.jobs, how_.runs); ++i) {
          workers.emplace_back([this] { work(); });
        }
        work();
      }
      learn();
    }
  }

  /// What one worker does; several may.
  void work() {
    for (std::uint32_t k = next_++; k < until_ && !is_over(); k = next_++) {
      auto one = run(how_.only.value_or(how_.first + k));
      const std::lock_guard lock(mutex_);
      if (!one) {
        failed_ = true;
        failure_ = failure_ ? failure_ : std::optional(one.error());
        return;
      }
      add(std::move(*one));
      if (how_.on_progress) {
        how_.on_progress(total_.runs);
      }
    }
  }

  /// The same by whoever works on the study. So many runs at a time, since each is a point of its
  /// own, which is read before it is wanted.
  [[nodiscard]] result<void> work_shared(work::shared_study& shared) {
    const std::uint32_t together = how_.ends_when_broken ? batch_runs : 500;
    for (std::uint32_t from = 0; from < how_.runs && !is_over() && !is_enough(); from += together) {
      auto ran = run_shared(shared, from, std::min(from + together, how_.runs));
      if (!ran) {
        return ran;
      }
    }
    return {};
  }

  [[nodiscard]] result<swarm_result> finish() {
    if (failure_) {
      return tl::unexpected(*failure_);
    }
    if (is_over()) {
      return failure(exit_code::interrupted, "interrupted");
    }
    auto& first = total_.first;
    std::ranges::sort(first,
                      [](const broken_run& a, const broken_run& b) { return a.number < b.number; });
    first.resize(std::min(first.size(), quarries_max));
    return std::move(total_);
  }

 private:
  [[nodiscard]] bool is_over() const {
    return failed_ || (how_.stop != nullptr && how_.stop->load());
  }

  [[nodiscard]] bool is_enough() const { return how_.ends_when_broken && total_.broken > 0; }

  /// Why a scenario does not read with the faults that were drawn: by itself it may not, either.
  [[nodiscard]] error why_not(const scenario::reading& read, std::uint32_t number) const {
    const auto all = [](const scenario::reading& r) {
      std::string text;
      for (const scenario::diagnostic& c : r.diagnostics) {
        text += scenario::format(c) + "\n";
      }
      return text;
    };
    const scenario::reading alone = scenario::read_file(how_.file, how_.overrides);
    return {exit_code::invalid_input,
            alone.ok() ? fmt::format("the scenario does not fit with the faults drawn for run {} "
                                     "(they strike matcher/1 to matcher/4):\n{}",
                                     number,
                                     all(read))
                       : "the scenario cannot be run:\n" + all(alone)};
  }

  /// In the order of the numbers, whoever was first.
  void learn() {
    for (auto& [number, one] : seen_) {
      guide_.learn(one.first, std::move(one.second));
    }
    guide_.end_batch();
    seen_.clear();
  }

  [[nodiscard]] result<void> run_shared(work::shared_study& shared,
                                        std::uint32_t from,
                                        std::uint32_t end) {
    std::vector<work::point> points;
    std::vector<work::wanted_run> runs;
    std::vector<broken_run> drawn;
    for (std::uint32_t k = from; k < end; ++k) {
      auto one = draw(how_.only.value_or(how_.first + k));
      auto point = one ? work::point_of(std::move(one->scenario), how_.seed, one->what.overrides)
                       : tl::unexpected<error>(one.error());
      if (!point) {
        return tl::unexpected<error>(point.error());
      }
      runs.push_back({points.size(), one->what.seed});
      points.push_back(std::move(*point));
      drawn.push_back(std::move(one->what));
    }
    const auto keep = [&](std::size_t i, const work::outcome& o) -> result<bool> {
      add(catch_in(o, std::move(drawn[i])));
      if (how_.on_progress) {
        how_.on_progress(total_.runs);
      }
      return true;
    };
    return shared.run(points, runs, keep, {}).map([](work::run_ending) {});
  }

  [[nodiscard]] catch_of_one catch_in(const work::outcome& o, broken_run what) const {
    const auto value_of = [&](std::string_view metric) {
      const results::metric_sample* found = o.record.find(metric);
      return found == nullptr ? 0 : found->value.value_or(0);
    };
    catch_of_one one;
    one.what = std::move(what);
    one.what.broken = o.broken;
    if (!o.broken.empty()) {
      one.what.first = invariant_of(o.broken.front());
    }
    one.events = o.record.events;
    one.judged = o.judged;
    one.leases = static_cast<std::uint64_t>(value_of("leases.granted"));
    for (const std::string_view metric : how_.harms) {
      one.harm += value_of(metric);
    }
    return one;
  }

  struct drawn_run {
    broken_run what;
    mixture_origin from;
    scenario::scenario scenario;
  };

  [[nodiscard]] result<drawn_run> draw(std::uint32_t number) const {
    drawn_run one;
    one.from = is_guided() ? guide_.next(number, how_.always)
                           : origin_of(how_.seed, number, how_.always, how_.chance);
    one.what.number = number;
    one.what.seed = engine::seed_of(how_.seed, one.from.run);
    one.what.overrides = draft_from(how_.seed, one.from).overrides;
    override_with(one.what.overrides, how_.overrides);
    scenario::reading read = scenario::read_file(how_.file, one.what.overrides);
    if (!read.ok()) {
      return tl::unexpected(why_not(read, number));
    }
    one.scenario = std::move(read.value);
    return one;
  }

  [[nodiscard]] result<catch_of_one> run(std::uint32_t number) const {
    auto drawn = draw(number);
    if (!drawn) {
      return tl::unexpected(drawn.error());
    }
    catch_of_one one;
    one.what = std::move(drawn->what);
    one.from = std::move(drawn->from);
    state_coverage seen;
    engine::run_options options{.seed = one.what.seed, .stop = how_.stop};
    if (is_guided()) {
      options.observers = {&seen};
    }
    const auto ran = engine::run(drawn->scenario, options);
    if (!ran) {
      return tl::unexpected(ran.error());
    }
    one.signs = seen.signs(ran->checks.judged);
    one.events = ran->events;
    one.judged = ran->checks.judged;
    one.leases = static_cast<std::uint64_t>(ran->metrics.value("leases.granted").value_or(0));
    for (const std::string_view metric : how_.harms) {
      one.harm += ran->metrics.value(metric).value_or(0);
    }
    if (!ran->checks.violations.empty()) {
      one.what.first = ran->checks.violations.front().broken;
    }
    for (const checkers::violation& v : ran->checks.violations) {
      one.what.broken.push_back(fmt::format("{}: {}", lease::code_of(v.broken), v.what));
    }
    return one;
  }

  void add(catch_of_one one) {
    ++total_.runs;
    total_.events += one.events;
    total_.leases += one.leases;
    for (std::size_t i = 0; i < total_.judged.size(); ++i) {
      total_.judged[i] += one.judged >> i & 1U;
    }
    total_.harmed += one.harm > 0 ? 1 : 0;
    total_.harm[one.what.number] = one.harm;
    if (is_guided()) {
      seen_[one.what.number] = {std::move(one.from), std::move(one.signs)};
    }
    if (!one.what.broken.empty()) {
      ++total_.broken;
      total_.first.push_back(std::move(one.what));
    }
  }

  [[nodiscard]] bool is_guided() const {
    return how_.guided && !how_.only && how_.shared == nullptr;
  }

  const chase_options& how_;
  guidance guide_;
  /// Of this batch, by number.
  std::map<std::uint32_t, std::pair<mixture_origin, signs_seen>> seen_;
  std::uint32_t until_ = 0;  ///< the end of this batch
  swarm_result total_;
  std::atomic<std::uint32_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::optional<error> failure_;
};

}  // namespace

result<swarm_result> run_swarm(const chase_options& how) {
  party hunters(how);
  if (how.shared != nullptr) {
    return hunters.work_shared(*how.shared).and_then([&] { return hunters.finish(); });
  }
  hunters.run_batches();
  return hunters.finish();
}

}  // namespace dibs::swarm
