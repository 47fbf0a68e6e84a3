#include "work/run_pool.hpp"

#include "base/stopwatch.hpp"
#include "engine/run.hpp"
#include "work/outcome.hpp"

#include <algorithm>
#include <utility>

namespace dibs::work {

result<std::shared_ptr<const loaded_point>> point_cache::of(const run_order& o) {
  std::shared_ptr<slot> mine;
  {
    const std::lock_guard lock(mutex_);
    auto& known = slots_[o.run.what.hash];
    if (known == nullptr) {
      known = std::make_shared<slot>();
      order_.push_back(o.run.what.hash);
      if (order_.size() > most_) {
        mine = known;
        slots_.erase(order_.front());
        order_.pop_front();
      }
    }
    mine = mine ? mine : known;
  }
  const std::lock_guard lock(mine->mutex);
  if (mine->point == nullptr) {
    auto read = load(*o.of, o.run.what);
    if (!read) {
      return read;
    }
    mine->point = std::move(*read);
  }
  return mine->point;
}

run_pool::run_pool(std::uint32_t threads, const std::atomic<bool>* stop)
    : stop_(stop), points_(std::size_t{threads} + 2) {
  for (std::uint32_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

run_pool::~run_pool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    waiting_.clear();
  }
  news_for_threads_.notify_all();
}

void run_pool::give(std::vector<run_order> orders) {
  {
    const std::lock_guard lock(mutex_);
    for (run_order& each : orders) {
      waiting_.push_back(std::move(each));
    }
  }
  news_for_threads_.notify_all();
}

void run_pool::keep_only(const std::vector<std::int64_t>& tokens) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const run_order& o) {
    return std::ranges::find(tokens, o.run.token) == tokens.end();
  });
}

std::vector<finished_run> run_pool::finished(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  news_for_owner_.wait_for(
      lock, at_most, [this] { return !finished_.empty() || !refused_.empty(); });
  return std::exchange(finished_, {});
}

std::vector<refused_run> run_pool::refused() {
  const std::lock_guard lock(mutex_);
  return std::exchange(refused_, {});
}

std::vector<taken_run> run_pool::let_go(const std::string& study) {
  const std::lock_guard lock(mutex_);
  std::vector<taken_run> gone;
  std::erase_if(waiting_, [&](const run_order& o) {
    const bool is_its = o.run.study == study;
    if (is_its) {
      gone.push_back(o.run);
    }
    return is_its;
  });
  return gone;
}

std::vector<taken_run> run_pool::held() const {
  const std::lock_guard lock(mutex_);
  std::vector<taken_run> all = under_way_;
  for (const run_order& each : waiting_) {
    all.push_back(each.run);
  }
  return all;
}

std::size_t run_pool::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

bool run_pool::is_empty() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && under_way_.empty() && finished_.empty() && refused_.empty();
}

double run_pool::mean_run_s() const {
  const std::lock_guard lock(mutex_);
  return runs_ == 0 ? 0 : busy_s_ / static_cast<double>(runs_);
}

std::uint64_t run_pool::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

void run_pool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    news_for_threads_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
    if (is_over_) {
      return;
    }
    const run_order mine = std::move(waiting_.front());
    waiting_.pop_front();
    under_way_.push_back(mine.run);
    lock.unlock();
    const stopwatch watch;
    auto done = run(mine);
    const double took_s = watch.seconds();
    lock.lock();
    std::erase_if(under_way_, [&](const taken_run& r) { return r.token == mine.run.token; });
    if (done) {
      ++runs_;
      busy_s_ += took_s;
      finished_.push_back(std::move(*done));
      news_for_owner_.notify_one();
    }
  }
}

/// Nothing if it was stopped on the way, or could not begin.
std::optional<finished_run> run_pool::run(const run_order& o) {
  if (is_stopped()) {
    return std::nullopt;
  }
  finished_run done{.id = o.run.id, .result = {}, .failed = {}};
  const auto at = points_.of(o);
  if (!at) {
    const std::lock_guard lock(mutex_);
    refused_.push_back({o.run, at.error()});
    news_for_owner_.notify_one();
    return std::nullopt;
  }
  engine::run_options how;
  how.seed = o.run.seed;
  how.stop = stop_;
  const auto ran = engine::run((*at)->scenario, (*at)->shared, how);
  if (!ran) {
    done.failed = ran.error();
    return done;
  }
  if (ran->interrupted) {
    return std::nullopt;
  }
  done.result = text_of(outcome_of(*ran, o.run.what.hash, o.of->metrics));
  const std::lock_guard lock(mutex_);
  events_ += ran->events;
  return done;
}

}  // namespace dibs::work
