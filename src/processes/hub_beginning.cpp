// The beginning of a run over several processes, and its end.

#include "base/wall_clock.hpp"
#include "processes/hub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace dibs::processes {
namespace {

/// How long those that joined may take to read the scenario, and have their drivers come to work.
constexpr double ready_max_s = 120;
/// How long a run that was interrupted waits for the last facts; the program ends after a second.
constexpr double hurried_s = 0.4;
constexpr double parting_s = 3;
constexpr double hurried_parting_s = 0.15;
/// How far ahead the beginning lies, so that all hear of it before.
constexpr std::chrono::milliseconds begins_in{300};
constexpr int clock_questions = 15;
constexpr double clock_answers_s = 5;
constexpr double look_often = 0.05;

}  // namespace

bool hub::measure_clocks() {
  for (int i = 0; i < clock_questions; ++i) {
    for (peer& m : members_) {
      link_->send(m.at, clock_question{machine_time().count()});
    }
    const stopwatch since;
    const auto has_answered = [i](const peer& m) { return m.clock.answers() > i; };
    while (!std::ranges::all_of(members_, has_answered)) {
      take_notes();
      if (!are_all(state::present) || since.seconds() > clock_answers_s || is_interrupted()) {
        return false;
      }
      link_->wait(look_often);
    }
  }
  for (peer& m : members_) {
    m.account.clock_error_s = static_cast<double>(m.clock.error_max()) * 1e-9;
  }
  return true;
}

std::optional<std::chrono::nanoseconds> hub::await_start(runtime::live_system& system,
                                                         const std::string& rides) {
  system_ = &system;
  const auto own = take_own();
  supply_news news;
  news.add(own);
  spread(news, the_host);
  streams_.append(the_host, own, {});
  const auto fails = [this](exit_code code, const std::string& why) {
    trouble_ = error{code, why};
    return std::nullopt;
  };
  const stopwatch since;
  const auto is_ready = [](const peer& m) { return m.packets.received() > 0; };
  while (!std::ranges::all_of(members_, is_ready)) {
    take_notes();
    if (is_interrupted()) {
      return fails(exit_code::interrupted, "stopped before the run began");
    }
    if (!are_all(state::present) || since.seconds() > ready_max_s) {
      return fails(exit_code::store_unreachable, "a node went away before the run began");
    }
    link_->wait(look_often);
  }
  for (std::uint32_t k = 1; k <= members_.size(); ++k) {
    if (of(k).rides != rides) {
      return fails(exit_code::invalid_input,
                   fmt::format("node {} reads another demand from the same scenario: its files "
                               "differ",
                               k));
    }
  }
  flush();
  if (!measure_clocks()) {
    return fails(exit_code::store_unreachable, "a node went away before the run began");
  }
  const std::chrono::nanoseconds when = machine_time() + begins_in;
  for (peer& m : members_) {
    link_->send(m.at, begin{m.clock.there(when.count())});
  }
  options_.say("all nodes are ready: the run begins");
  return when;
}

void hub::finish() {
  is_over_ = true;
  streams_.append(the_host, take_own(), sim_time::max());
  for (peer& m : members_) {
    if (m.at != nullptr) {
      link_->send(m.at, end_run{is_interrupted()});
    }
  }
  const stopwatch since;
  const auto is_settled = [](const peer& m) {
    return m.is == state::done || m.is == state::crashed;
  };
  while (!std::ranges::all_of(members_, is_settled)) {
    take_notes();
    give_up_the_missing();
    flush();
    if (is_interrupted() && since.seconds() > hurried_s) {
      for (std::uint32_t k = 1; k <= members_.size(); ++k) {
        of(k).account.is_cut_short = !is_settled(of(k));
        streams_.close(k);
      }
      break;
    }
    link_->wait(runtime::exchange_every);
  }
  tell_readers();
  part();
  system_ = nullptr;
}

void hub::part() {
  for (peer& m : members_) {
    if (m.at != nullptr) {
      link_->send(m.at, farewell{});
    }
  }
  // What is sent as the program ends may never arrive: each goes as soon as it has heard.
  const stopwatch parting;
  const auto is_gone = [](const peer& m) { return m.at == nullptr; };
  while (!std::ranges::all_of(members_, is_gone) &&
         parting.seconds() < (is_interrupted() ? hurried_parting_s : parting_s)) {
    link_->wait(look_often);
    take_notes();
  }
}

}  // namespace dibs::processes
