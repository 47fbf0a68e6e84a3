#include "work/shared_study.hpp"

#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace dibs::work {
namespace {

/// Results of others are looked for so often.
constexpr double between_looks_s = 0.25;
/// And among so many runs, the first that are missing: others take them in the same order.
constexpr std::size_t looked_at_max = 1000;
constexpr int moment_ms = 100;
/// Whether results still agree is asked so often.
constexpr double between_checks_s = 5;
/// Workers of another build are refused as long as the deciding process was there lately.
constexpr double between_signs_s = 300;

error broken_off(std::size_t broken, std::size_t all, const error& first) {
  return {first.code,
          fmt::format("{} of {} runs broke off, the others are done; the first: {}",
                      text::with_thousands(broken),
                      text::with_thousands(all),
                      first.text)};
}

}  // namespace

/// Runs that are wanted together.
class shared_study::round {
 public:
  round(shared_study& of,
        std::span<const point> points,
        std::span<const wanted_run> runs,
        const taker& take,
        const counter& count)
      : of_(of), points_(points), runs_(runs), take_(take), count_(count) {}

  result<run_ending> run() {
    if (const auto wanted = want(true); !wanted) {
      return tl::unexpected<error>(wanted.error());
    }
    result<void> sound = look();
    while (sound && !is_over()) {
      sound = work().and_then([this] { return look_if_due(); });
    }
    sound = sound.and_then([this] { return check_agreement(); });
    if (sound && missing_.empty()) {
      return first_failure_ ? result<run_ending>(tl::unexpected<error>(
                                  broken_off(failed_, runs_.size(), *first_failure_)))
                            : run_ending::whole;
    }
    // Interrupted, or enough, or in error: nobody is to work for nothing.
    const auto left =
        of_.worker_.give_back().and_then([this] { return of_.journal_.withdraw(of_.id_); });
    if (!sound) {
      return tl::unexpected<error>(sound.error());
    }
    return left.map([this] { return is_enough_ ? run_ending::enough : run_ending::stopped; });
  }

 private:
  [[nodiscard]] bool is_stopped() const {
    return of_.how_.stop != nullptr && of_.how_.stop->load();
  }
  [[nodiscard]] bool is_over() const { return missing_.empty() || is_enough_ || is_stopped(); }

  /// What others took back is entered anew.
  result<void> want(bool again) {
    std::vector<wanted_run> rest;
    std::vector<std::vector<std::size_t>> places;
    std::vector<std::vector<std::size_t>> all = places_left();
    for (std::vector<std::size_t>& each : all) {
      rest.push_back(runs_[each.front()]);
      places.push_back(std::move(each));
    }
    const auto ids = of_.journal_.want(of_.id_, points_, rest, again);
    if (!ids) {
      return tl::unexpected<error>(ids.error());
    }
    missing_.clear();
    of_.asked_for_.insert(ids->begin(), ids->end());
    for (std::size_t i = 0; i < ids->size(); ++i) {
      auto& of_run = missing_[(*ids)[i]];
      of_run.insert(of_run.end(), places[i].begin(), places[i].end());
    }
    return {};
  }

  /// Of each run that is missing its places: all of them at the beginning.
  [[nodiscard]] std::vector<std::vector<std::size_t>> places_left() const {
    std::vector<std::vector<std::size_t>> all;
    if (missing_.empty()) {
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        all.push_back({i});
      }
    }
    for (const auto& [id, places] : missing_) {
      all.push_back(places);
    }
    return all;
  }

  result<void> work() {
    if (!of_.how_.works) {
      pause();
      return {};
    }
    auto done = of_.worker_.turn();
    if (!done) {
      return tl::unexpected<error>(done.error());
    }
    for (const finished_run& each : *done) {
      if (const auto taken = arrived(each.id, each.result, each.failed); !taken) {
        return taken;
      }
    }
    return {};
  }

  void pause() const;

  result<void> look_if_due() {
    if (since_look_.seconds() < between_looks_s || is_over()) {
      return {};
    }
    if (of_.since_seen_.seconds() >= between_signs_s) {
      of_.since_seen_ = {};
      if (const auto seen = of_.journal_.enter(of_.study_); !seen) {
        return seen;
      }
    }
    const auto agreed =
        of_.since_agreed_.seconds() < between_checks_s ? result<void>() : check_agreement();
    return agreed ? look() : agreed;
  }

  /// Takes what there is of the first that are missing.
  result<void> look() {
    while (!is_over()) {
      std::vector<std::int64_t> ids;
      for (auto at = missing_.begin(); at != missing_.end() && ids.size() < looked_at_max; ++at) {
        ids.push_back(at->first);
      }
      const auto found = of_.journal_.look_up(ids);
      since_look_ = {};
      if (!found) {
        return tl::unexpected<error>(found.error());
      }
      if (found->size() < ids.size()) {
        return want(false);
      }
      const std::size_t before = missing_.size();
      for (const kept_run& each : *found) {
        if (const auto taken = look_at(each); !taken) {
          return taken;
        }
      }
      // Where all were there, more may be: as when somebody goes on with what another began.
      if (before - missing_.size() < ids.size()) {
        return {};
      }
    }
    return {};
  }

  /// A second result may come to a run that was counted long ago. Runs that nobody asked for here
  /// may differ as they like.
  result<void> check_agreement() {
    of_.since_agreed_ = {};
    return of_.journal_.differing_runs(of_.id_).and_then([this](const auto& ids) -> result<void> {
      const auto own =
          std::ranges::find_if(ids, [this](auto id) { return of_.asked_for_.contains(id); });
      return own != ids.end() ? two_results(*own) : result<void>();
    });
  }

  static result<void> two_results(std::int64_t id) {
    return failure(
        exit_code::replay_differed,
        fmt::format("run {} of the journal came to two results on two machines, with the "
                    "same build: one of them computes wrongly, and nothing says which. Once you "
                    "know, delete this run from the journal, and it is run anew",
                    id));
  }

  result<void> look_at(const kept_run& r) {
    if (r.differs) {
      return two_results(r.id);
    }
    return r.result.empty() && !r.failed ? result<void>() : arrived(r.id, r.result, r.failed);
  }

  result<void> arrived(std::int64_t id,
                       const std::string& text,
                       const std::optional<error>& failed) {
    const auto known = missing_.find(id);
    if (known == missing_.end() || is_enough_) {
      return {};
    }
    const std::vector<std::size_t> places = std::move(known->second);
    missing_.erase(known);
    if (failed) {
      failed_ += places.size();
      first_failure_ = first_failure_ ? first_failure_ : failed;
      return {};
    }
    const auto what = parse_outcome(text);
    if (!what) {
      return failure(exit_code::invalid_input,
                     fmt::format("run {} of the journal has no result of dibs", id));
    }
    const wanted_run& wanted = runs_[places.front()];
    if (what->record.seed != wanted.seed ||
        what->record.scenario_hash != points_[wanted.point].hash) {
      return failure(exit_code::invalid_input,
                     fmt::format("run {} of the journal has the result of another run", id));
    }
    for (const std::size_t place : places) {
      const auto more = take_(place, *what);
      if (!more) {
        return tl::unexpected<error>(more.error());
      }
      is_enough_ = is_enough_ || !*more;
    }
    done_ += places.size();
    if (count_) {
      count_(done_, of_.worker_.events());
    }
    return {};
  }

  shared_study& of_;
  std::span<const point> points_;
  std::span<const wanted_run> runs_;
  const taker& take_;
  const counter& count_;
  /// By number in the journal: the places of the run, several where two points are one scenario.
  std::map<std::int64_t, std::vector<std::size_t>> missing_;
  bool is_enough_ = false;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  std::optional<error> first_failure_;
  stopwatch since_look_;
};

void shared_study::round::pause() const {
  std::mutex none;
  std::condition_variable nobody;
  std::unique_lock lock(none);
  nobody.wait_for(lock, std::chrono::milliseconds(moment_ms), [this] { return is_stopped(); });
}

shared_study::shared_study(journal& j, study what, decider_options how)
    : journal_(j),
      study_(std::move(what)),
      id_(study_.id()),
      how_(how),
      worker_(j,
              {.jobs = how.works ? how.jobs : 0,
               .lease_s = how.lease_s,
               .batch = 0,
               .build = study_.build.binary,
               .own = std::make_shared<const study>(study_),
               .stop = how.stop}) {}

result<std::unique_ptr<shared_study>> shared_study::open(journal& j,
                                                         study what,
                                                         decider_options how) {
  std::unique_ptr<shared_study> made(new shared_study(j, std::move(what), how));
  if (const auto known = j.enter(made->study_); !known) {
    return tl::unexpected<error>(known.error());
  }
  return made;
}

result<run_ending> shared_study::run(std::span<const point> points,
                                     std::span<const wanted_run> runs,
                                     const taker& take,
                                     const counter& count) {
  return runs.empty() ? result<run_ending>(run_ending::whole)
                      : round(*this, points, runs, take, count).run();
}

}  // namespace dibs::work
