#include "explore/point_runner.hpp"

#include <algorithm>
#include <utility>

namespace dibs::explore {

point_runner::point_runner(options how) : how_(std::move(how)) {
  for (std::uint32_t i = 0; i < std::max(how_.jobs, 1U); ++i) {
    workers_.emplace_back([this] { work(); });
  }
}

point_runner::~point_runner() {
  stop();
  workers_.clear();  // joins them
}

std::uint64_t point_runner::look(const std::string& page, const place& at) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto before =
        std::ranges::find_if(gazes_, [&](const auto& each) { return each.second.page == page; });
    if (before != gazes_.end()) {
      drop(before->first);
    }
    number = ++looks_;
    gazes_.emplace(number, gaze{page, at});
    entry& e = entries_[at];
    e.looked = number;
    if (e.stop == nullptr || *e.stop) {
      // A run that was told to stop may not have noticed yet: it keeps the old one.
      e.stop = std::make_shared<std::atomic<bool>>(is_over_);
    }
    if (e.is_made) {
      changed_.notify_all();
      return number;
    }
  }
  auto made = how_.make(at);
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(at);
  // Another page may have been faster, or look elsewhere by now and the place be forgotten.
  if (found != entries_.end() && !found->second.is_made) {
    enter(found->second, std::move(made));
    forget_oldest();
  }
  changed_.notify_all();
  return number;
}

/// Requires: the lock.
void point_runner::enter(entry& e, made_point made) {
  e.is_made = true;
  if (!made) {
    e.refused = std::move(made.error());
    return;
  }
  e.point = std::move(*made);
  for (std::uint32_t k = 0; k < how_.seeds; ++k) {
    e.missing.insert(k);
  }
}

point_runner::answer point_runner::wait(std::uint64_t look,
                                        std::uint32_t known,
                                        std::chrono::milliseconds most) {
  std::shared_ptr<looked_point> point;
  {
    std::unique_lock lock(mutex_);
    const auto of_look = [&]() -> entry* {
      const auto g = gazes_.find(look);
      return is_over_ || g == gazes_.end() ? nullptr : &entries_.at(g->second.at);
    };
    changed_.wait_for(lock, most, [&] {
      const entry* e = of_look();
      return e == nullptr || e->refused || e->runs > known;
    });
    const entry* e = of_look();
    if (e == nullptr) {
      return outdated{};
    }
    if (e->refused) {
      return *e->refused;
    }
    if (e->runs <= known) {
      return nothing_new{};
    }
    point = e->point;
  }
  auto told = point->told(how_.tell, how_.seeds);
  return news{told.runs, told.runs >= how_.seeds, std::move(told.text)};
}

void point_runner::leave(std::uint64_t look) {
  const std::lock_guard lock(mutex_);
  if (gazes_.contains(look)) {
    drop(look);
  }
}

void point_runner::stop() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  for (auto& [at, e] : entries_) {
    if (e.stop != nullptr) {
      *e.stop = true;
    }
  }
  changed_.notify_all();
}

point_runner::counts point_runner::counted() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::size_t point_runner::points() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

void point_runner::work() {
  while (true) {
    std::optional<task> t;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_ || (t = next()); });
      if (is_over_) {
        return;
      }
      ++counts_.begun;
    }
    engine::run_options how;
    how.seed = engine::seed_of(t->point->scenario().seed, t->k);
    how.stop = t->stop.get();
    finish(*t, engine::run(t->point->scenario(), t->point->shared(), how));
  }
}

/// Of what is looked at, the latest look first.
std::optional<point_runner::task> point_runner::next() {
  for (auto g = gazes_.rbegin(); g != gazes_.rend(); ++g) {
    entry& e = entries_.at(g->second.at);
    if (e.point != nullptr && !e.refused && !e.missing.empty()) {
      const std::uint32_t k = *e.missing.begin();
      e.missing.erase(e.missing.begin());
      return task{g->second.at, e.point, e.stop, k};
    }
  }
  return std::nullopt;
}

void point_runner::finish(const task& t, result<engine::run_result> ran) {
  const bool is_whole = ran && !ran->interrupted;
  const std::uint32_t runs = is_whole ? t.point->add(t.k, std::move(*ran)) : 0;
  const std::lock_guard lock(mutex_);
  ++(is_whole ? counts_.ended : counts_.stopped);
  const auto found = entries_.find(t.at);
  if (found == entries_.end() || found->second.point != t.point) {
    return;  // forgotten meanwhile
  }
  entry& e = found->second;
  if (!ran) {
    e.refused = objection{std::nullopt, ran.error().text};
  } else if (!is_whole) {
    e.missing.insert(t.k);
  }
  e.runs = std::max(e.runs, runs);
  changed_.notify_all();
}

/// Requires: the lock, and that there is such a look.
void point_runner::drop(std::uint64_t look) {
  const auto g = gazes_.find(look);
  const place at = g->second.at;
  gazes_.erase(g);
  entry& e = entries_.at(at);
  if (!is_looked_at(at) && e.stop != nullptr) {
    *e.stop = true;
  }
  changed_.notify_all();
}

/// Requires: the lock.
void point_runner::forget_oldest() {
  const auto is_unfinished = [&](const auto& e) { return e.second.runs < how_.seeds; };
  const auto is_any = [](const auto&) { return true; };
  while (std::ranges::count_if(entries_, is_unfinished) > unfinished_max &&
         forget_oldest_of(is_unfinished)) {
  }
  while (entries_.size() > points_max && forget_oldest_of(is_any)) {
  }
}

/// Of those that no page looks at. Whether there was one.
template <class Which>
bool point_runner::forget_oldest_of(Which is_meant) {
  auto oldest = entries_.end();
  for (auto e = entries_.begin(); e != entries_.end(); ++e) {
    const bool is_older = oldest == entries_.end() || e->second.looked < oldest->second.looked;
    oldest = is_meant(*e) && is_older && !is_looked_at(e->first) ? e : oldest;
  }
  if (oldest == entries_.end()) {
    return false;
  }
  entries_.erase(oldest);
  return true;
}

bool point_runner::is_looked_at(const place& at) const {
  return std::ranges::any_of(gazes_, [&](const auto& each) { return each.second.at == at; });
}

}  // namespace dibs::explore
