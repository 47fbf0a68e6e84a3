#include "runtime/kernel.hpp"

#include "base/ensure.hpp"
#include "runtime/shared_world.hpp"
#include "runtime/virtual_scheduler.hpp"

#include <algorithm>

namespace dibs::runtime {
namespace {

constexpr std::uint64_t events_between_looks = 4096;

/// A cache holds so many of them and their rides.
constexpr std::uint32_t cached_drivers = 2'000;

}  // namespace

kernel::kernel(const kernel_options& options, shared_world& world)
    : world_(world),
      conditions_(options.terms),
      faults_(options.terms.faults.triggered, options.terms.seed),
      recorder_(options.observers),
      is_large_(options.terms.counts[static_cast<std::size_t>(node_kind::driver)] >
                cached_drivers) {
  schedule_outages();
}

void kernel::run(const std::function<void()>& on_progress, const std::atomic<bool>* stop) {
  if (foreigners_ != nullptr) {
    foreigners_->drain();
  }
  std::uint64_t next_look = events_;
  while (!queue_.empty() && queue_.next_due() < conditions_.ends) {
    if (events_ >= next_look) {
      next_look = events_ + events_between_looks;
      if (on_progress) {
        on_progress();
      }
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
        flush();
        return;
      }
    }
    const event e = queue_.pop();
    if (is_large_) {
      queue_.look_ahead([this](const event& next) {
        if (next.role <= role::physical) {
          handlers_[next.number].fetch(*this, next);
        }
      });
    }
    ensure(e.due >= now_, "true time never runs backwards");
    now_ = e.due;
    if (e.leads) [[unlikely]] {
      lead_on(e);
    }
    dispatch(e);
    if (has_strikes()) [[unlikely]] {
      strike_now();
    }
  }
  now_ = conditions_.ends;
  flush();
}

sim_time kernel::true_time_of(node_id node, local_time when) const {
  return when == local_time::max() ? sim_time::max() : conditions_.clocks.of(node).due(when, now_);
}

void kernel::push_foreign(sim_time when, std::uint32_t slot) {
  event e = addressed({}, {}, role::foreign);
  e.due = std::max(when, now_);
  e.exchange = slot;
  push(e);
}

// -- arriving ------------------------------------------------------------------------------------

void kernel::dispatch(const event& e) {
  if (e.role < role::physical) [[likely]] {
    arrive_at_gate(e);
    return;
  }
  switch (e.role) {
    case role::physical:
      deliver(e);
      return;
    case role::pause:
    case role::crash:
      begin_planned(e);
      return;
    case role::resume:
    case role::restart:
      end_outage(e);
      return;
    case role::foreign:
      foreigners_->fire(e.exchange);
      return;
    case role::message:
    case role::answer:
    case role::timer:
    case role::acknowledgement:
    case role::repeat:
      break;
  }
  arrive_at_gate(e);
}

void kernel::lead_on(const event& e) {
  event next = e;
  next.to = next.from = {e.to.kind(), e.to.index() + 1};
  if (hosts(next.to)) {
    ++next.order;
    queue_.push(next);
  }
}

void kernel::mail(const event& e) { mailboxes_->deliver(e); }

}  // namespace dibs::runtime
