#include "actors/runtime/kernel.hpp"

#include "actors/runtime/virtual_scheduler.hpp"
#include "base/ensure.hpp"

#include <algorithm>

namespace dibs::actors::runtime {
namespace {

/// Timers further away than this are never set: no run is that long.
constexpr sim_duration horizon = 24h * 365 * 100;
constexpr std::uint64_t events_between_reports = 4096;

}  // namespace

kernel::kernel(const kernel_options& options, surroundings& world)
    : world_(world),
      seed_(options.seed),
      ends_(options.ends),
      heals_(options.heals),
      network_(options.network, options.seed),
      clocks_(options.clocks, options.counts, options.seed),
      plan_(options.faults),
      traps_(options.faults.triggered, options.seed),
      recorder_(options.observers) {
  if (heals_ != sim_time::max()) {
    clocks_.heal(heals_);
  }
  schedule_outages();
}

void kernel::run(const std::function<void()>& on_progress, const std::atomic<bool>* stop) {
  if (foreigners_ != nullptr) {
    foreigners_->drain();
  }
  std::uint64_t next_report = events_;
  while (!queue_.empty() && queue_.next_due() < ends_) {
    if (events_ >= next_report) {
      next_report = events_ + events_between_reports;
      if (on_progress) {
        on_progress();
      }
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
        flush();
        return;
      }
    }
    const event e = queue_.pop();
    queue_.look_ahead([this](const event& next) {
      if (const auto fetch = lodgings_[static_cast<std::size_t>(next.to.kind())].fetch) {
        fetch(*this, next.to);
      }
    });
    ensure(e.due >= now_, "true time never runs backwards");
    now_ = e.due;
    dispatch(e);
    if (!strikes_.empty()) [[unlikely]] {
      strike_now();
    }
  }
  now_ = ends_;
  flush();
}

// -- sending -------------------------------------------------------------------------------------

sim_time kernel::local_due(node_id node, sim_duration after) const {
  ensure(after >= sim_duration::zero(), "a timer lies in the future");
  if (after > horizon) {
    return sim_time::max();
  }
  if (clocks_.all_perfect(node.kind())) {
    return now_ + after;
  }
  const sim::node_clock& clock = clocks_.of(node);
  return clock.due(clock.reading(now_) + after, now_);
}

sim_duration kernel::true_length(node_id node, sim_duration local) const {
  const sim_time due = local_due(node, local);
  return due == sim_time::max() ? forever : due - now_;
}

sim_time kernel::true_time_of(node_id node, local_time when) const {
  return when == local_time::max() ? sim_time::max() : clocks_.of(node).due(when, now_);
}

void kernel::transmit(event& e, const topic& about, bool is_request) {
  const sim::link_options* link = network_.link(e.from, e.to);
  if (link != nullptr && link->retry) {
    e.exchange = exchanges_.open(
        {e, about, link->retry->max, link->retry->after, gates_.life(e.from), is_request});
    event again = addressed(e.from, e.from, role::repeat);
    again.exchange = e.exchange;
    again.due = local_due(e.from, link->retry->after);
    push(again);
  }
  pass_on(e, about);
}

void kernel::pass_on(event& e, const topic& about) {
  const meddling done = traps_.empty() ? meddling{} : meddle(e, about);
  if (done.dropped) {
    lose(e, e.from, about, events::loss_cause::loss);
    return;
  }
  const std::uint32_t passed =
      counts_passages_ && about.ride.is_some() ? passed_.count(about.ride, about.number) : 0;
  if (!plan_.cuts.empty() && is_cut(e, about, passed)) {
    lose(e, e.from, about, events::loss_cause::partition);
    return;
  }
  sim::passage through{.delays = {}, .copies = 1};
  const sim::link_options* link = now_ < heals_ ? network_.link(e.from, e.to) : nullptr;
  if (link != nullptr) {
    const std::uint32_t nth =
        link->is_steady() || !about.ride.is_some() ? 0 : sent_.count(about.ride, about.number);
    through = network_.pass(*link, e.from, e.to, {about.number, about.ride.value, nth});
  }
  if (through.copies == 0) {
    lose(e, e.from, about, events::loss_cause::loss);
  }
  const sim_time latest = std::max(now_, heals_);
  for (int copy = 0; copy < through.copies; ++copy) {
    const sim_duration delay = through.delays[static_cast<std::size_t>(copy)];
    e.due = std::min(now_ + slowed(e, about, passed, delay) + done.delay, latest);
    push(e);
  }
  if (through.copies > 0) {
    const sim_time first = e.due;
    for (const sim_duration after : done.copies) {
      e.due = std::min(first + after, latest);
      push(e);
    }
  }
}

void kernel::lose(const event& e, node_id where, const topic& about, events::loss_cause cause) {
  record(where, events::message_lost{e.from, e.to, about.ride, about.token, cause});
}

void kernel::lose_to_crash(const event& e) {
  if (e.role == role::message || e.role == role::answer) {
    lose(e, e.to, handlers_[e.number].topic_of(e), events::loss_cause::crash);
  }
}

void kernel::push_foreign(sim_time when, std::uint32_t slot) {
  event e = addressed({}, {}, role::foreign);
  e.due = std::max(when, now_);
  e.exchange = slot;
  push(e);
}

// -- arriving ------------------------------------------------------------------------------------

void kernel::dispatch(const event& e) {
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
  if (!traps_.empty()) {
    spring(e);
  }
  pass_gate(e);
}

void kernel::pass_gate(const event& e) {
  switch (gates_.of(e.to)) {
    case gates::state::open:
      arrive(e);
      return;
    case gates::state::paused:
      gates_.hold(e);
      return;
    case gates::state::crashed:
      lose_to_crash(e);
      return;
  }
}

void kernel::arrive(const event& e) {
  switch (e.role) {
    case role::message:
      acknowledge(e);
      deliver(e);
      return;
    case role::answer:
      // The answer to a repeated request may come twice: the sender takes the first.
      if (e.exchange == 0 || exchanges_.close(e.exchange)) {
        deliver(e);
      }
      return;
    case role::timer:
      if (e.exchange == gates_.life(e.to)) {
        deliver(e);
      }
      return;
    case role::acknowledgement:
      exchanges_.close(e.exchange);
      return;
    case role::repeat:
      repeat(e);
      return;
    default:
      ensure(false, "only these roles arrive at a gate");
  }
}

void kernel::deliver(const event& e) {
  ++events_;
  if (mailboxes_ != nullptr) [[unlikely]] {
    mailboxes_->deliver(e);
  } else {
    enter(e);
  }
}

void kernel::acknowledge(const event& e) {
  if (e.exchange == 0) {
    return;
  }
  const unacknowledged* sent = exchanges_.find(e.exchange);
  if (sent == nullptr || sent->is_request) {
    return;
  }
  topic about = sent->about;
  about.number |= 0x8000;  // draws of its own
  event back = addressed(e.to, e.from, role::acknowledgement);
  back.exchange = e.exchange;
  pass_on(back, about);
}

void kernel::repeat(const event& e) {
  unacknowledged* sent = exchanges_.find(e.exchange);
  if (sent == nullptr) {
    return;
  }
  if (sent->repeats_left == 0 || sent->life != gates_.life(e.to)) {
    exchanges_.close(e.exchange);
    return;
  }
  --sent->repeats_left;
  event copy = sent->message;
  copy.exchange = e.exchange;
  const topic about = sent->about;
  event again = e;
  again.due = local_due(e.to, sent->every);
  push(again);
  pass_on(copy, about);
}

}  // namespace dibs::actors::runtime
