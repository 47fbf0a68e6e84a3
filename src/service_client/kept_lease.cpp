#include "service_client/kept_lease.hpp"

#include "base/wall_clock.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace dibs::service_client {
namespace {

constexpr int renewals_in_ttl = 3;
constexpr milliseconds patience_min{100};
constexpr milliseconds before_asking_again{200};

client_options with_patience(client_options how, milliseconds patience) {
  how.patience = std::max(patience, patience_min);
  return how;
}

/// Waits so long, or until it shall stop.
void let_pass(milliseconds length, const std::atomic<bool>& stop) {
  constexpr milliseconds look{20};
  for (milliseconds left = length; left.count() > 0 && !stop; left -= look) {
    ::poll(nullptr, 0, static_cast<int>(std::min(left, look).count()));
  }
}

}  // namespace

struct renewal::state {
  state(sim_duration asked, milliseconds length, std::function<outcome()> r)
      : ttl(length), until(asked + length), renew(std::move(r)) {}

  void run() {
    std::unique_lock held(lock);
    sim_duration next = until - ttl + ttl / renewals_in_ttl;
    while (true) {
      const sim_duration wait = std::max(next - machine_time(), sim_duration::zero());
      if (changed.wait_for(held, wait, [this] { return is_over; }) || machine_time() >= until) {
        return;
      }
      held.unlock();
      const sim_duration asked = machine_time();
      const outcome how = renew();
      held.lock();
      if (how == outcome::no || how == outcome::unfit) {
        until = sim_duration::zero();
        return;
      }
      until = how == outcome::yes ? asked + ttl : until;
      next = how == outcome::yes ? asked + ttl / renewals_in_ttl
                                 : machine_time() + ttl / (2 * renewals_in_ttl);
    }
  }

  const sim_duration ttl;
  mutable std::mutex lock;
  std::condition_variable changed;
  bool is_over = false;
  sim_duration until;  ///< it stands
  std::function<outcome()> renew;
  std::thread thread;
};

renewal::renewal(sim_duration asked, milliseconds ttl, std::function<outcome()> renew)
    : state_(std::make_unique<state>(asked, ttl, std::move(renew))) {
  state_->thread = std::thread([s = state_.get()] { s->run(); });
}

renewal::~renewal() { stop(); }

void renewal::stop() {
  {
    const std::lock_guard held(state_->lock);
    state_->is_over = true;
    state_->changed.notify_all();
  }
  if (state_->thread.joinable()) {
    state_->thread.join();
  }
}

bool renewal::stands() const {
  const std::lock_guard held(state_->lock);
  return machine_time() < state_->until;
}

struct held_lease::parts {
  parts(client c, const lease& l, sim_duration asked, milliseconds ttl)
      : service(std::move(c)),
        kept(asked, ttl, [this, l, ttl] { return service.renew(l, ttl).how; }) {}

  client service;  ///< of the renewal's thread while that runs
  renewal kept;
};

held_lease::held_lease(lease l, std::unique_ptr<parts> p)
    : lease_(std::move(l)), parts_(std::move(p)) {}
held_lease::held_lease(held_lease&&) noexcept = default;

held_lease::~held_lease() {
  if (parts_ != nullptr) {
    parts_->kept.stop();
    static_cast<void>(parts_->service.release(lease_));  // else it is over by itself
  }
}

bool held_lease::stands() const { return parts_->kept.stands(); }

result<answer<held_lease>> held_lease::acquire(const client_options& how,
                                               const std::string& resource,
                                               const std::string& holder,
                                               milliseconds ttl) {
  auto service = client::make(with_patience(how, ttl / renewals_in_ttl));
  if (!service) {
    return tl::unexpected(service.error());
  }
  const sim_duration asked = machine_time();
  auto got = service->acquire(resource, holder, ttl);
  answer<held_lease> found{
      .how = got.how, .status = got.status, .why = got.why, .was_sent = got.was_sent};
  if (got.of) {
    got.of->holder = holder;
    found.of.emplace(
        held_lease(*got.of, std::make_unique<parts>(std::move(*service), *got.of, asked, ttl)));
  }
  return found;
}

namespace {

/// Works on one task. Whether it was completed.
bool work_on_one(const work_options& how,
                 const task& t,
                 sim_duration asked,
                 client& service,
                 client& heartbeats,
                 const work_on& act,
                 const std::atomic<bool>& stop) {
  renewal kept(asked, how.ttl, [&] { return heartbeats.heartbeat(t, how.ttl).how; });
  const auto output = act(t, [&] { return kept.stands(); });
  if (!output) {
    return false;
  }
  while (true) {
    const auto said = service.complete(t, *output);
    if (said.how != outcome::lost || !kept.stands()) {
      return said.how == outcome::yes;
    }
    let_pass(before_asking_again, stop);
  }
}

}  // namespace

result<std::uint64_t> work(const work_options& how,
                           const work_on& act,
                           const std::atomic<bool>& stop) {
  auto service = client::make(how.service);
  auto heartbeats = client::make(with_patience(how.service, how.ttl / renewals_in_ttl));
  if (!service || !heartbeats) {
    return tl::unexpected(!service ? service.error() : heartbeats.error());
  }
  // Its time is counted from before the call, so a wait must leave most of it.
  const milliseconds wait = std::min(how.wait, how.ttl / renewals_in_ttl);
  std::uint64_t completed = 0;
  while (!stop) {
    const sim_duration asked = machine_time();
    const auto next = service->next_task(how.worker, how.ttl, wait);
    if (next.how == outcome::lost) {
      let_pass(before_asking_again, stop);
    } else if (next.how != outcome::yes) {
      return failure(exit_code::store_unreachable,
                     fmt::format("{} gives out no tasks: {}", how.service.url, next.why));
    } else if (next.of) {
      completed += work_on_one(how, *next.of, asked, *service, *heartbeats, act, stop) ? 1U : 0U;
    } else if (how.ends_when_none) {
      break;
    }
  }
  return completed;
}

}  // namespace dibs::service_client
