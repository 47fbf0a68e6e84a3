#include "runtime/virtual_scheduler.hpp"

#include "base/ensure.hpp"
#include "runtime/kernel.hpp"
#include "runtime/node_actor.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/group.hpp>
#include <caf/logger.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/resumable.hpp>
#include <caf/system_messages.hpp>

#include <utility>

namespace dibs::runtime {
namespace {

/// CAF asks its scheduler for a printer that serves `aout`; nothing here prints through it.
class silent_printer final : public caf::monitorable_actor {
 public:
  explicit silent_printer(caf::actor_config& config) : caf::monitorable_actor(config) {}
  void enqueue(caf::mailbox_element_ptr, caf::execution_unit*) override {}
};

/// An actor runs at most so many messages in a row; more would be as deterministic, less is fairer.
constexpr std::size_t messages_in_a_row = 1;

}  // namespace

// -- clock ---------------------------------------------------------------------------------------

virtual_clock::time_point virtual_clock::now() const noexcept {
  const sim_duration since_start =
      kernel_ == nullptr ? sim_duration::zero() : kernel_->now().time_since_epoch();
  return time_point{origin + since_start};
}

virtual_clock::duration_type virtual_clock::difference(caf::atom_value,
                                                       long,
                                                       time_point from,
                                                       time_point to) const noexcept {
  return from == to ? duration_type{1} : to - from;  // CAF divides by it
}

void virtual_clock::set_ordinary_timeout(time_point t,
                                         caf::abstract_actor* self,
                                         caf::atom_value type,
                                         std::uint64_t id) {
  cancel_ordinary_timeout(self, type);
  push(t, timeout{caf::strong_actor_ptr{self->ctrl()}, type, id, true});
}

void virtual_clock::set_multi_timeout(time_point t,
                                      caf::abstract_actor* self,
                                      caf::atom_value type,
                                      std::uint64_t id) {
  push(t, timeout{caf::strong_actor_ptr{self->ctrl()}, type, id, false});
}

void virtual_clock::set_request_timeout(time_point t,
                                        caf::abstract_actor* self,
                                        caf::message_id id) {
  push(t, request_timeout{caf::strong_actor_ptr{self->ctrl()}, id});
}

template <class Predicate>
void virtual_clock::drop_if(Predicate matches) {
  for (entry& e : entries_) {
    if (matches(e)) {
      const entry dropped = std::exchange(e, std::monostate{});  // its event fires into nothing
    }
  }
}

void virtual_clock::cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) {
  drop_if([&](const entry& e) {
    const auto* t = std::get_if<timeout>(&e);
    return t != nullptr && t->ordinary && t->actor->get() == self && t->type == type;
  });
}

void virtual_clock::cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) {
  drop_if([&](const entry& e) {
    const auto* t = std::get_if<request_timeout>(&e);
    return t != nullptr && t->actor->get() == self && t->id == id;
  });
}

void virtual_clock::cancel_timeouts(caf::abstract_actor* self) {
  drop_if([&](const entry& e) {
    const auto* t = std::get_if<timeout>(&e);
    const auto* r = std::get_if<request_timeout>(&e);
    return (t != nullptr && t->actor->get() == self) || (r != nullptr && r->actor->get() == self);
  });
}

void virtual_clock::schedule_message(time_point t,
                                     caf::strong_actor_ptr receiver,
                                     caf::mailbox_element_ptr content) {
  push(t, delayed{std::move(receiver), std::move(content)});
}

void virtual_clock::schedule_message(time_point t,
                                     caf::group target,
                                     caf::strong_actor_ptr sender,
                                     caf::message content) {
  push(t, delayed_to_group{std::move(target), std::move(sender), std::move(content)});
}

void virtual_clock::cancel_all() {
  // Dropping the last reference to an actor may run its destructor, which may call back.
  const auto dropped = std::exchange(entries_, {});
  free_.clear();
  kernel_ = nullptr;
}

void virtual_clock::push(time_point t, entry e) {
  ensure(kernel_ != nullptr, "CAF's timers need a running kernel");
  std::uint32_t slot = 0;
  if (free_.empty()) {
    slot = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  entries_[slot] = std::move(e);
  kernel_->push_foreign(sim_time{t.time_since_epoch() - origin}, slot);
}

void virtual_clock::fire(std::uint32_t slot, caf::execution_unit* unit) {
  entry due = std::exchange(entries_[slot], std::monostate{});
  free_.push_back(slot);
  if (auto* t = std::get_if<timeout>(&due)) {
    t->actor->get()->eq_impl(
        caf::make_message_id(), t->actor, unit, caf::timeout_msg{t->type, t->id});
  } else if (auto* r = std::get_if<request_timeout>(&due)) {
    r->actor->get()->eq_impl(r->id, r->actor, unit, caf::sec::request_timeout);
  } else if (auto* d = std::get_if<delayed>(&due)) {
    d->receiver->enqueue(std::move(d->content), unit);
  } else if (auto* g = std::get_if<delayed_to_group>(&due)) {
    g->target->eq_impl(caf::make_message_id(), g->sender, unit, g->content);
  }
}

// -- scheduler -----------------------------------------------------------------------------------

virtual_scheduler::unit::unit(virtual_scheduler& owner)
    : caf::execution_unit(&owner.system()), owner_(owner) {}

void virtual_scheduler::unit::exec_later(caf::resumable* job) { owner_.jobs_.push_back(job); }

virtual_scheduler::virtual_scheduler(caf::actor_system& system)
    : caf::scheduler::abstract_coordinator(system),
      unit_(*this),
      thread_(std::this_thread::get_id()) {}

caf::actor_system::module* virtual_scheduler::make(caf::actor_system& system,
                                                   caf::detail::type_list<>) {
  return new virtual_scheduler(system);  // CAF owns its modules
}

virtual_scheduler& virtual_scheduler::of(caf::actor_system& system) {
  return static_cast<virtual_scheduler&>(system.scheduler());
}

void virtual_scheduler::attach(kernel& k) {
  kernel_ = &k;
  clock_.attach(&k);
  k.foreigners_ = this;
}

const caf::strong_actor_ptr& virtual_scheduler::actor_of(node_id node) {
  ensure(kernel_->hosts(node), "only a node that is hosted has an actor");
  auto& of_kind = actors_[static_cast<std::size_t>(node.kind())];
  if (of_kind.size() <= node.index()) {
    of_kind.resize(node.index() + 1);
  }
  caf::strong_actor_ptr& its = of_kind[node.index()];
  if (its == nullptr) {
    const auto made = system().spawn<node_actor, caf::lazy_init>(*kernel_, node);
    its = caf::actor_cast<caf::strong_actor_ptr>(made);
  }
  return its;
}

void virtual_scheduler::deliver(const event& e) {
  actor_of(e.to)->enqueue(
      caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, envelope{e}), &unit_);
  drain();
}

void virtual_scheduler::fire(std::uint32_t slot) {
  clock_.fire(slot, &unit_);
  drain();
}

void virtual_scheduler::drain() {
  if (draining_) {
    return;
  }
  draining_ = true;
  while (!jobs_.empty()) {
    caf::resumable* job = jobs_.front();
    jobs_.pop_front();
    switch (job->resume(&unit_, messages_in_a_row)) {
      case caf::resumable::resume_later:
        jobs_.push_back(job);
        break;
      case caf::resumable::done:
      case caf::resumable::awaiting_message:
        caf::intrusive_ptr_release(job);
        break;
      case caf::resumable::shutdown_execution_unit:
        break;
    }
  }
  draining_ = false;
}

void virtual_scheduler::enqueue(caf::resumable* job) {
  ensure(std::this_thread::get_id() == thread_, "virtual time has one thread");
  jobs_.push_back(job);
}

void virtual_scheduler::start() {
  // The base class would start a printer thread here.
  caf::actor_config config{&unit_};
  auto& sys = system();
  utility_actors_[printer_id] =
      caf::make_actor<silent_printer, caf::actor>(sys.next_actor_id(), sys.node(), &sys, config);
}

void virtual_scheduler::stop() {
  drain();
  clock_.cancel_all();
  for (auto& of_kind : actors_) {
    of_kind.clear();
  }
  while (!jobs_.empty()) {
    caf::resumable* job = jobs_.front();
    jobs_.pop_front();
    cleanup_and_release(job);
  }
}

}  // namespace dibs::runtime
