/// What the host and those that joined it have in common as processes of one run: who is where, and
/// what waits to be sent.
#pragma once

#include "processes/placement.hpp"
#include "runtime/live_system.hpp"
#include "runtime/other_processes.hpp"

#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace dibs::processes {

/// Facts about supply, and what belongs to them, for the copies of the record elsewhere.
struct supply_news {
  std::vector<events::event> facts;
  std::vector<runtime::lapse_notice> lapses;

  [[nodiscard]] bool empty() const { return facts.empty() && lapses.empty(); }
  /// Of these facts those that change supply.
  void add(std::span<const events::event> all);
  void add(const std::vector<runtime::lapse_notice>& all) {
    lapses.insert(lapses.end(), all.begin(), all.end());
  }
};

class party : public runtime::other_processes {
 public:
  party(placement who, std::uint32_t self) : who_(std::move(who)), self_(self) {}

  [[nodiscard]] bool have(node_id n) const override { return who_.of(n) != self_; }
  void carry(sim_time sent, std::span<const runtime::event> mail) override;
  void carry(const runtime::lapse_notice& lapse) override;
  void observe(std::span<const events::event> batch) override {
    own_.insert(own_.end(), batch.begin(), batch.end());
  }

 protected:
  struct outgoing {
    std::vector<runtime::event> mail;
    std::vector<runtime::lapse_notice> lapses;
  };

  [[nodiscard]] const placement& who() const { return who_; }
  /// What was sent before `sure`: all facts that led to it were observed.
  [[nodiscard]] outgoing take_outgoing(sim_time sure);
  /// What was observed since the last time.
  [[nodiscard]] std::vector<events::event> take_own() { return std::exchange(own_, {}); }
  /// On record, where it is a message: others are nobody's loss.
  static void record_loss(runtime::live_system& system,
                          const runtime::event& e,
                          events::loss_cause cause);

 private:
  struct sent_event {
    sim_time sent{};
    runtime::event what;
  };

  placement who_;
  std::uint32_t self_;
  std::vector<events::event> own_;
  std::mutex guard_;
  std::vector<sent_event> mail_;
  std::vector<runtime::lapse_notice> lapses_;
};

}  // namespace dibs::processes
