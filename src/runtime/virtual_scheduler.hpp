/// CAF under virtual time: a scheduler module and an actor clock of our own, for CAF 0.17.6.
///
/// Load it with `config.load<virtual_scheduler>()`. CAF then starts no threads: actors run when the
/// kernel says so, on its thread, and every timer or delayed message that CAF itself asks for is an
/// event in the kernel's one order. Detached actors would run on threads of their own and are not
/// supported; `ensure` catches scheduling from a foreign thread.
#pragma once

#include "runtime/event.hpp"

#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>
#include <caf/execution_unit.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <thread>
#include <variant>
#include <vector>

namespace dibs::runtime {

class kernel;
class virtual_scheduler;

/// Answers CAF's questions about time with the kernel's virtual time.
class virtual_clock final : public caf::actor_clock {
 public:
  /// CAF treats time 0 as "not set", so its clock starts one nanosecond in.
  static constexpr sim_duration origin{1};

  void attach(kernel* k) { kernel_ = k; }

  [[nodiscard]] time_point now() const noexcept override;
  [[nodiscard]] duration_type difference(caf::atom_value,
                                         long,
                                         time_point from,
                                         time_point to) const noexcept override;

  void set_ordinary_timeout(time_point t,
                            caf::abstract_actor* self,
                            caf::atom_value type,
                            std::uint64_t id) override;
  void set_multi_timeout(time_point t,
                         caf::abstract_actor* self,
                         caf::atom_value type,
                         std::uint64_t id) override;
  void set_request_timeout(time_point t, caf::abstract_actor* self, caf::message_id id) override;
  void cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) override;
  void cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) override;
  void cancel_timeouts(caf::abstract_actor* self) override;
  void schedule_message(time_point t,
                        caf::strong_actor_ptr receiver,
                        caf::mailbox_element_ptr content) override;
  void schedule_message(time_point t,
                        caf::group target,
                        caf::strong_actor_ptr sender,
                        caf::message content) override;
  void cancel_all() override;

  /// The entry of this slot is due.
  void fire(std::uint32_t slot, caf::execution_unit* unit);

 private:
  struct timeout {
    caf::strong_actor_ptr actor;
    caf::atom_value type{};
    std::uint64_t id = 0;
    bool ordinary = false;  ///< a new one of the same type replaces it
  };
  struct request_timeout {
    caf::strong_actor_ptr actor;
    caf::message_id id;
  };
  struct delayed {
    caf::strong_actor_ptr receiver;
    caf::mailbox_element_ptr content;
  };
  struct delayed_to_group {
    caf::group target;
    caf::strong_actor_ptr sender;
    caf::message content;
  };
  using entry = std::variant<std::monostate, timeout, request_timeout, delayed, delayed_to_group>;

  void push(time_point t, entry e);
  template <class Predicate>
  void drop_if(Predicate matches);

  kernel* kernel_ = nullptr;
  std::vector<entry> entries_;
  std::vector<std::uint32_t> free_;
};

class virtual_scheduler final : public caf::scheduler::abstract_coordinator {
 public:
  explicit virtual_scheduler(caf::actor_system& system);

  /// How CAF makes its modules.
  static caf::actor_system::module* make(caf::actor_system& system, caf::detail::type_list<>);
  static virtual_scheduler& of(caf::actor_system& system);

  /// From here on CAF's time is the kernel's, and its timers are the kernel's events.
  void attach(kernel& k);

  /// The CAF actor of a node that the kernel hosts, for mailbox delivery and for anybody who wants
  /// to send to it. Made when it is first asked for: an actor takes a kilobyte, and a run that
  /// speaks to the cores directly needs none.
  [[nodiscard]] const caf::strong_actor_ptr& actor_of(node_id node);

  /// Puts the event into its actor's mailbox and runs until no actor has anything left to do.
  void deliver(const event& e);
  void fire(std::uint32_t slot);
  void drain();

  // -- what CAF calls
  [[nodiscard]] bool detaches_utility_actors() const override { return false; }
  virtual_clock& clock() noexcept override { return clock_; }
  void enqueue(caf::resumable* job) override;

 protected:
  void start() override;
  void stop() override;

 private:
  class unit final : public caf::execution_unit {
   public:
    explicit unit(virtual_scheduler& owner);
    void exec_later(caf::resumable* job) override;

   private:
    virtual_scheduler& owner_;
  };

  kernel* kernel_ = nullptr;
  virtual_clock clock_;
  unit unit_;
  std::deque<caf::resumable*> jobs_;
  std::array<std::vector<caf::strong_actor_ptr>, node_kinds> actors_;
  bool draining_ = false;
  std::thread::id thread_;
};

}  // namespace dibs::runtime
