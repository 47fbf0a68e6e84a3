#include "engine/observer_thread.hpp"

#include "base/last_words.hpp"

#include <algorithm>
#include <utility>

namespace dibs::engine {
namespace {

constexpr std::size_t facts_in_a_stack = 2048;

/// Several readers go through so many before the next ones, which are then still in the cache.
constexpr std::size_t facts_at_a_time = 256;

}  // namespace

observer_thread::observer_thread(std::vector<events::observer*> readers, std::string replay_line)
    : readers_(std::move(readers)),
      thread_([this, line = std::move(replay_line)] { read_all(line); }) {}

observer_thread::~observer_thread() {
  const std::lock_guard lock(guard_);
  is_over_ = true;
  changed_.notify_all();
}

void observer_thread::observe(std::span<const events::event> batch) {
  stack& filling = stacks_[written_ % stacks_.size()];
  filling.insert(filling.end(), batch.begin(), batch.end());
  if (filling.size() >= facts_in_a_stack) {
    hand_over(false);
  }
}

void observer_thread::finish() {
  hand_over(true);
  thread_.join();
  if (thrown_) {
    std::rethrow_exception(thrown_);
  }
}

void observer_thread::hand_over(bool is_last) {
  std::unique_lock lock(guard_);
  ++written_;
  is_over_ = is_last;
  changed_.notify_all();
  changed_.wait(lock, [this] { return written_ - read_ < stacks_.size() || thrown_; });
  if (thrown_) {
    std::rethrow_exception(thrown_);
  }
}

void observer_thread::read_all(std::string replay_line) {
  set_replay_line(std::move(replay_line));
  std::unique_lock lock(guard_);
  while (!thrown_) {
    changed_.wait(lock, [this] { return read_ < written_ || is_over_; });
    if (read_ == written_) {
      return;
    }
    stack& facts = stacks_[read_ % stacks_.size()];
    lock.unlock();
    std::exception_ptr thrown = read(facts);
    facts.clear();
    lock.lock();
    ++read_;
    thrown_ = std::move(thrown);
    changed_.notify_all();
  }
}

std::exception_ptr observer_thread::read(const stack& facts) {
  try {
    const std::span<const events::event> all(facts);
    for (std::size_t i = 0; i < all.size(); i += facts_at_a_time) {
      const auto some = all.subspan(i, std::min(facts_at_a_time, all.size() - i));
      for (events::observer* o : readers_) {
        o->observe(some);
      }
    }
  } catch (...) {
    return std::current_exception();
  }
  return {};
}

}  // namespace dibs::engine
