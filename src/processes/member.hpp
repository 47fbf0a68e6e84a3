/// A process that has joined a run: runs the nodes that were placed with it, and tells the host all
/// that happens there.
///
/// When the connection breaks it goes on alone, and tries to come back: facts wait, messages to
/// nodes elsewhere are lost. It gives up when the host has taken it for crashed.
#pragma once

#include "base/stopwatch.hpp"
#include "processes/link.hpp"
#include "processes/packet_stream.hpp"
#include "processes/party.hpp"
#include "processes/reunion.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dibs::processes {

struct member_options {
  meeting_place host;
  std::string build;
  double wait_s = 60;  ///< for the host to be there
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const std::string&)> say;  ///< what happens, for a person
};

class member final : public party {
 public:
  /// Joins. Errors: nobody is there (exit code 6), or it is refused (exit code 3).
  [[nodiscard]] static result<std::unique_ptr<member>> join(member_options o);
  ~member() override;

  /// What to run.
  [[nodiscard]] const welcome& task() const { return task_; }

  void set_readers(std::vector<events::observer*>) override {}
  [[nodiscard]] std::optional<std::chrono::nanoseconds> await_start(
      runtime::live_system& system, const std::string& rides) override;
  sim_time exchange(sim_time sure) override;
  void wait(double seconds) override;
  [[nodiscard]] bool is_stopped() const override { return is_ended_ || trouble_.has_value(); }
  void finish() override;

  /// Why it could not stay to the end.
  [[nodiscard]] const std::optional<error>& trouble() const { return trouble_; }
  [[nodiscard]] bool is_ended_early() const { return is_ended_early_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  member(member_options o, std::unique_ptr<link> l, welcome task, const placement& who);
  void take_notes();
  void hear(const welcome& m);
  void hear_gone();
  void send_what_waits(sim_time sure, bool is_last);
  void come_back();
  void lose(const runtime::event& e);

  member_options options_;
  std::unique_ptr<link> link_;  ///< null while the connection is broken
  bool is_admitted_ = true;     ///< over this link
  welcome task_;
  packet_stream packets_;
  supply_news news_;
  std::vector<events::event> facts_;
  std::vector<runtime::event> mail_;
  runtime::live_system* system_ = nullptr;
  std::string rides_;
  stopwatch since_sent_;
  stopwatch since_gone_;
  std::shared_ptr<reunion> reunion_;
  std::optional<std::chrono::nanoseconds> begins_;
  std::optional<error> trouble_;
  std::uint64_t lost_ = 0;
  bool is_over_ = false;  ///< here
  bool is_ended_ = false;
  bool is_ended_early_ = false;
  bool is_dismissed_ = false;
};

}  // namespace dibs::processes
