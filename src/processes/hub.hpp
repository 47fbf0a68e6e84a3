/// The host of a run over several processes: takes in those that join, passes on what they say to
/// each other, keeps the record of supply alike everywhere, and merges all facts into one history.
///
/// All that is said goes by the host, and after all facts before it. So the history that the host
/// has is closed: whatever is missing of a process that was killed, nobody ever heard of. What is
/// judged of it can be believed.
#pragma once

#include "base/stopwatch.hpp"
#include "processes/clock_offset.hpp"
#include "processes/link.hpp"
#include "processes/merged_streams.hpp"
#include "processes/packet_stream.hpp"
#include "processes/party.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dibs::processes {

struct host_options {
  meeting_place where;
  placement who;
  std::string build;     ///< of this program; those that join must have the same
  std::string scenario;  ///< its YAML
  std::uint64_t seed = 1;
  double speed = 1;
  double wait_s = 60;    ///< for all to join
  double rejoin_s = 10;  ///< who is away for longer is taken for crashed
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string&)> say;  ///< what happens, for a person
};

/// A time during which a process was cut off, as far as the host knows: it heard nothing after
/// `from`, and it was back at `until`.
struct absence {
  sim_time from{};
  std::optional<sim_time> until{};
};

/// What became of a process that joined.
struct process_account {
  std::uint64_t facts = 0;
  std::uint64_t handled = 0;  ///< events
  std::uint64_t lost = 0;     ///< messages to it, or by way of the host
  std::vector<absence> absences;
  std::optional<sim_time> crashed;  ///< nothing is known of it from then on
  bool is_cut_short = false;        ///< the run was stopped before it had told all
  double clock_error_s = 0;         ///< at most
};

class hub final : public party {
 public:
  /// Listens, and waits until all have joined. Errors: the address is taken, not all came, or the
  /// run was stopped.
  [[nodiscard]] static result<std::unique_ptr<hub>> open(host_options o);
  ~hub() override;

  void set_readers(std::vector<events::observer*> readers) override {
    readers_ = std::move(readers);
  }
  [[nodiscard]] std::optional<std::chrono::nanoseconds> await_start(
      runtime::live_system& system, const std::string& rides) override;
  sim_time exchange(sim_time sure) override;
  void wait(double seconds) override { link_->wait(seconds); }
  [[nodiscard]] bool is_stopped() const override { return trouble_.has_value(); }
  void finish() override;

  /// Why the run did not begin.
  [[nodiscard]] const std::optional<error>& trouble() const { return trouble_; }
  /// By process, from 1.
  [[nodiscard]] std::vector<process_account> accounts() const;
  [[nodiscard]] const placement& places() const { return who(); }

 private:
  enum class state : std::uint8_t { expected, present, away, crashed, done };
  struct peer {
    state is = state::expected;
    caf::strong_actor_ptr at;
    packet_stream packets;
    supply_news news;
    std::vector<runtime::event> mail;
    clock_offset clock;
    std::string rides;
    sim_time heard{};
    stopwatch since_sent;
    stopwatch since_gone;
    process_account account;
  };

  hub(host_options o, std::unique_ptr<link> l);
  [[nodiscard]] result<void> await_members();
  [[nodiscard]] bool is_interrupted() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }
  [[nodiscard]] peer& of(std::uint32_t process) { return members_[process - 1]; }
  [[nodiscard]] sim_time now() const;

  // what has come
  void take_notes();
  void hear(const received_note& n, const hello& m);
  void hear_member(received_note& n);
  void admit(std::uint32_t process, const caf::strong_actor_ptr& at, std::uint64_t received);
  void hear_packet(std::uint32_t process, packet p);
  void hear_gone(std::uint32_t process);
  [[nodiscard]] std::string refused(const hello& m) const;

  // what goes
  void pass_on(std::uint32_t process, const runtime::event& e);
  void spread(const supply_news& news, std::uint32_t but_for);
  void flush();
  void give_up_the_missing();
  void declare_crashed(std::uint32_t process);
  void lose(peer& to, const runtime::event& e, events::loss_cause cause);
  void tell_readers();
  [[nodiscard]] bool are_all(state wanted) const;
  [[nodiscard]] bool measure_clocks();
  void part();

  host_options options_;
  std::unique_ptr<link> link_;
  std::uint64_t key_;
  std::vector<peer> members_;
  std::vector<received_note> early_;  ///< packets that came before there was a system
  merged_streams streams_;
  std::vector<events::observer*> readers_;
  runtime::live_system* system_ = nullptr;  ///< while the run lasts
  bool is_over_ = false;                    ///< here
  std::optional<error> trouble_;
};

}  // namespace dibs::processes
