#include "torment/run_matchers.hpp"

#include "base/wall_clock.hpp"
#include "torment/fact_file.hpp"
#include "torment/matcher.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

constexpr sim_duration process_poll{20ms};
/// Processes may take so long to connect, on a machine with much else to do.
constexpr sim_duration connected_within{60s};
/// From the last arrival to the beginning: all have read by then when it is.
constexpr sim_duration before_the_run{50ms};
/// What was begun may take so long after the end of a run.
constexpr sim_duration after_the_run{10s};
/// A fault that is to come at a grant comes without one after this.
constexpr sim_duration granted_within{3s};

}  // namespace

run_matchers::run_matchers(run_terms terms, fs::path folder, const run_stores& stores)
    : terms_(std::move(terms)),
      folder_(std::move(folder)),
      stores_(stores),
      barrier_(folder_),
      processes_(matcher_processes),
      lives_(matcher_processes) {}

matcher_plan run_matchers::plan_of(std::uint32_t process) const {
  matcher_plan p;
  p.what = terms_.what;
  p.process = process;
  p.life = lives_[process];
  p.seed = terms_.seed;
  p.length = terms_.length;
  p.out = (folder_ / fmt::format("matcher-{}", process)).string();
  stores_.tell(p);
  return p;
}

std::string run_matchers::log_of(std::uint32_t process) const {
  std::stringstream text;
  text << std::ifstream(plan_of(process).out + ".log").rdbuf();
  return text.str();
}

result<void> run_matchers::start(std::uint32_t process) {
  const matcher_plan p = plan_of(process);
  const std::string file = p.out + ".plan.json";
  std::ofstream(file) << to_json(p);
  auto begun = process::start({.words = {terms_.program, "matcher", file},
                               .output = p.out + ".log",
                               .in_network_of = stores_.network_of(process)});
  if (!begun) {
    return tl::unexpected(begun.error());
  }
  processes_[process] = std::move(*begun);
  return {};
}

result<void> run_matchers::begin() {
  for (std::uint32_t i = 0; i < matcher_processes; ++i) {
    if (auto done = start(i); !done) {
      return done;
    }
  }
  if (auto done = wait_until_connected(); !done) {
    return done;
  }
  began_ = machine_time() + before_the_run;
  barrier_.open(began_);
  return {};
}

result<void> run_matchers::wait_until_connected() {
  const sim_duration patience = machine_time() + connected_within;
  for (std::uint32_t i = 0; i < matcher_processes; ++i) {
    while (!barrier_.has_arrived(i)) {
      if (!processes_[i].is_running() || machine_time() > patience) {
        return failure(exit_code::store_unreachable,
                       fmt::format("{}: matcher process {} did not connect; it said:\n{}",
                                   terms_.what->name,
                                   i + 1,
                                   log_of(i)));
      }
      if (auto done = wait_until(machine_time() + process_poll, terms_.stop); !done) {
        return done;
      }
    }
  }
  return {};
}

result<void> run_matchers::apply(const real_fault& f) {
  process& it = processes_[f.which];
  switch (f.what) {
    case fault_action::stop:
      it.signal(SIGSTOP);
      return {};
    case fault_action::go_on:
      it.signal(SIGCONT);
      return {};
    case fault_action::kill:
      it.kill_all();
      return {};
    case fault_action::start:
      ++lives_[f.which];
      return start(f.which);
    case fault_action::cut_link:
    case fault_action::hold_link:
    case fault_action::refuse_link:
    case fault_action::delay_link:
    case fault_action::open_link:
    case fault_action::move_clock:
    case fault_action::promote:
      break;
  }
  return {};
}

result<void> run_matchers::wait_for_a_grant() const {
  std::vector<std::ifstream> files;
  for (std::uint32_t i = 0; i < matcher_processes; ++i) {
    files.emplace_back(facts_of(plan_of(i), lives_[i]), std::ios::ate);
  }
  const sim_duration patience = machine_time() + granted_within;
  while (machine_time() < patience) {
    for (std::ifstream& file : files) {
      const std::string more{std::istreambuf_iterator<char>(file), {}};
      file.clear();
      if (more.find(events::lease_granted::name) != std::string::npos) {
        return {};
      }
    }
    if (auto done = wait_until(machine_time() + 1ms, terms_.stop); !done) {
      return done;
    }
  }
  return {};
}

result<void> run_matchers::wait_for_the_end() {
  if (auto done = wait_until(began_ + terms_.length, terms_.stop); !done) {
    return done;
  }
  const sim_duration patience = began_ + terms_.length + after_the_run;
  for (std::uint32_t i = 0; i < matcher_processes; ++i) {
    while (processes_[i].is_running()) {
      if (auto done = wait_until(machine_time() + process_poll, terms_.stop); !done) {
        return done;
      }
      if (machine_time() > patience) {
        return failure(exit_code::store_unreachable,
                       fmt::format("{}: matcher process {} has not ended; it said:\n{}",
                                   terms_.what->name,
                                   i + 1,
                                   log_of(i)));
      }
    }
  }
  return {};
}

result<std::vector<std::vector<events::event>>> run_matchers::facts() const {
  std::vector<std::vector<events::event>> parts;
  for (std::uint32_t i = 0; i < matcher_processes; ++i) {
    const matcher_plan p = plan_of(i);
    for (std::uint32_t life = 0; life <= lives_[i]; ++life) {
      auto part = read_facts(facts_of(p, life));
      if (!part) {
        return tl::unexpected(part.error());
      }
      parts.push_back(std::move(*part));
    }
  }
  return parts;
}

}  // namespace dibs::torment
