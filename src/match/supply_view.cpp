#include "match/supply_view.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <utility>

namespace dibs::match {

supply_log::reader supply_log::attach() {
  readers_.push_back(next_);
  return readers_.size() - 1;
}

void supply_log::append(const supply_fact& fact) {
  ensure(fact.at >= last_, "facts become true in order of time");
  last_ = fact.at;
  if (readers_.empty()) {
    return;  // nobody will ever ask for it
  }
  if (next_ - first_ == ring_.size()) {
    make_room();
  }
  ring_[slot_of(next_)] = fact;
  ++next_;
}

const supply_fact* supply_log::peek(reader who) const {
  const std::uint64_t number = readers_[who];
  return number == next_ ? nullptr : &ring_[slot_of(number)];
}

void supply_log::consume(reader who) {
  ensure(readers_[who] < next_, "a reader does not run ahead of the log");
  ++readers_[who];
}

void supply_log::make_room() {
  constexpr std::size_t capacity_min = 64;
  first_ = *std::min_element(readers_.begin(), readers_.end());
  // Half empty is enough: then the next search for room is far off.
  if (next_ - first_ <= ring_.size() / 2 && !ring_.empty()) {
    return;
  }
  std::vector<supply_fact> larger(std::max(capacity_min, ring_.size() * 2));
  for (std::uint64_t number = first_; number < next_; ++number) {
    larger[static_cast<std::size_t>(number) & (larger.size() - 1)] = ring_[slot_of(number)];
  }
  ring_ = std::move(larger);
}

supply_view::supply_view(supply_log& log, sim_duration lag, const supply_index_options& options)
    : log_(&log), reader_(log.attach()), lag_(lag), index_(options) {
  ensure(lag >= 0ns, "nobody sees the future");
}

void supply_view::advance(sim_time now) {
  const sim_time known = now - lag_;
  for (const supply_fact* fact = log_->peek(reader_); fact != nullptr && fact->at <= known;
       fact = log_->peek(reader_)) {
    learn(*fact);
    log_->consume(reader_);
  }
}

void supply_view::learn(const supply_fact& fact) {
  if (index_.contains(fact.driver)) {
    index_.erase(fact.driver);
  }
  if (fact.is_available) {
    index_.insert(fact.driver, fact.place);
  }
}

}  // namespace dibs::match
