// Runs scenarios drawn from the table of fields, each twice and in a process of its own: no abort,
// no internal error, no hang, the same history both times, and
// nothing of what is said to be 0 in any run of the scenario.
//
//   test_drawn [--first SEED] [--count N] [--findings FOLDER]
//   test_drawn --controls yes [--findings FOLDER]
//
// A scenario that fails is kept in FOLDER, and the command that repeats it is printed. With
// `--controls` runs break in every way that is looked for, and each must be found out.

#include "drawn/drawn_scenario.hpp"
#include "engine/run.hpp"
#include "events/observer.hpp"
#include "metrics/catalogue.hpp"
#include "scenario/warnings.hpp"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;
using dibs::drawn::drawn_scenario;

constexpr std::uint64_t events_max = 20'000;
constexpr rlim_t memory_max = rlim_t{3} << 30;

/// What a process ends with that came to its end; a sanitizer, the C library and whoever leaves in
/// the middle have other numbers.
enum class ending : int { sound = 39, refused = 40, failed = 41 };

/// How a run breaks, for a control.
enum class breakage { none, aborts, throws, leaves, hangs, differs };

struct options {
  std::uint64_t first = 1;
  std::uint64_t count = 100;
  fs::path findings = "drawn-findings";
  bool controls = false;
  breakage breaks = breakage::none;
  rlim_t processor_s_max = 20;
};

/// Breaks a run at its first fact.
class saboteur final : public dibs::events::observer {
 public:
  explicit saboteur(breakage how) : how_(how) {}

  void observe(std::span<const dibs::events::event> /*batch*/) override {
    switch (how_) {
      case breakage::none:
      case breakage::differs:
        return;
      case breakage::aborts:
        std::abort();
      case breakage::throws:
        throw std::logic_error("thrown by a control");
      case breakage::leaves:
        ::_exit(0);
      case breakage::hangs:
        for (volatile unsigned i = 0;;) {
          i = i + 1;
        }
    }
  }

 private:
  breakage how_;
};

/// Runs until it is over, or until so many events are done: at the same event each time.
dibs::result<dibs::engine::run_result> run_once(const dibs::scenario::scenario& s,
                                                bool apart,
                                                breakage breaks) {
  std::atomic<bool> enough{false};
  saboteur broken(breaks);
  dibs::engine::run_options how;
  how.seed = s.seed + (breaks == breakage::differs && apart ? 1 : 0);
  how.observes_on_second_thread = apart;
  how.stop = &enough;
  how.observers.push_back(&broken);
  how.on_progress = [&](const dibs::engine::progress& p) { enough = p.events >= events_max; };
  return dibs::engine::run(s, how);
}

/// A figure that is said to be 0 in any run, and was not; empty if there is none.
std::string contradiction_in(const dibs::scenario::scenario& s, const dibs::engine::run_result& r) {
  for (const dibs::metrics::entry& each : dibs::metrics::catalogue()) {
    const std::string name = each.is_family() ? each.with("max") : std::string(each.name);
    const auto why = dibs::scenario::why_zero(s, name);
    if (why && r.metrics.value(name).value_or(0) != 0) {
      return fmt::format("{} is {}, though {}", name, *r.metrics.value(name), *why);
    }
  }
  return {};
}

ending try_out(const drawn_scenario& drawn, breakage breaks) {
  if (!drawn.reading.ok()) {
    return ending::refused;
  }
  const auto one = run_once(drawn.reading.value, false, breaks);
  const auto other = run_once(drawn.reading.value, true, breaks);
  for (const auto* each : {&one, &other}) {
    if (!*each) {
      std::cerr << each->error().text << '\n';
      return ending::failed;
    }
  }
  if (one->history != other->history || one->events != other->events) {
    std::cerr << fmt::format("two histories: {} after {} events, {} after {}\n",
                             one->history,
                             one->events,
                             other->history,
                             other->events);
    return ending::failed;
  }
  if (const std::string wrong = contradiction_in(drawn.reading.value, *one); !wrong.empty()) {
    std::cerr << wrong << '\n';
    return ending::failed;
  }
  if (std::getenv("DIBS_DRAWN_SAYS_WHY") != nullptr) {
    std::cerr << fmt::format("{} events\n", one->events);
  }
  return ending::sound;
}

void set_limit(int what, rlim_t most) {
  const rlimit limit{most, most};
  ::setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

/// Draws, and tries out, in this process, which may come to any end. `file` gets the text first.
[[noreturn]] void live_out(std::uint64_t seed, const fs::path& file, const options& o) {
  set_limit(RLIMIT_CPU, o.processor_s_max);
  set_limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)
  set_limit(RLIMIT_AS, memory_max);
#endif
  std::signal(SIGABRT, SIG_DFL);
  const drawn_scenario drawn = dibs::drawn::draw_scenario(seed, file.parent_path());
  std::ofstream(file) << drawn.text << std::flush;
  const ending end = try_out(drawn, o.breaks);
  if (end == ending::refused && std::getenv("DIBS_DRAWN_SAYS_WHY") != nullptr) {
    for (const auto& c : drawn.reading.diagnostics) {
      std::cerr << dibs::scenario::format(c) << '\n';
    }
  }
  std::cerr << std::flush;
  ::_exit(static_cast<int>(end));
}

/// Empty if it came to one of the ends that are foreseen.
std::string how_it_died(int status, const options& o) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return number == SIGXCPU || number == SIGKILL
               ? fmt::format("no end within {} s of processor time", o.processor_s_max)
               : fmt::format("ended by signal {}", number);
  }
  const int code = WEXITSTATUS(status);
  for (const ending each : {ending::sound, ending::refused, ending::failed}) {
    if (code == static_cast<int>(each)) {
      return {};
    }
  }
  return fmt::format("ended with status {}", code);
}

ending run_apart(std::uint64_t seed, const options& o) {
  const fs::path file = o.findings / fmt::format("drawn-{}.yaml", seed);
  const pid_t child = ::fork();
  if (child < 0) {
    std::cerr << "cannot fork\n";
    return ending::failed;
  }
  if (child == 0) {
    live_out(seed, file, o);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
  }
  const std::string died = how_it_died(status, o);
  const ending end = died.empty() ? static_cast<ending>(WEXITSTATUS(status)) : ending::failed;
  if (end == ending::failed) {
    std::cerr << fmt::format(
        "FAILED: {}{}\n  repeat: dibs run {} --no-out\n  or:     test_drawn --first {} --count 1\n",
        died.empty() ? "see above" : died,
        fs::exists(file) ? "" : ", while it was read",
        file.string(),
        seed);
  } else {
    fs::remove(file);
  }
  return end;
}

options options_of(int count, char** words) {
  options o;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = words[i];
    if (name == "--first") {
      o.first = std::strtoull(words[i + 1], nullptr, 10);
    } else if (name == "--count") {
      o.count = std::strtoull(words[i + 1], nullptr, 10);
    } else if (name == "--findings") {
      o.findings = words[i + 1];
    } else if (name == "--controls") {
      o.controls = true;
    }
  }
  return o;
}

using endings = std::map<ending, std::uint64_t>;

bool are_most_run(const endings& ends, std::uint64_t count) {
  const auto refused = ends.find(ending::refused);
  return refused == ends.end() || refused->second * 2 < count;
}

bool is_passed(const endings& ends, std::uint64_t count) {
  return !ends.contains(ending::failed) && are_most_run(ends, count);
}

/// Breaks a scenario that is sound in every way; returns how many of them are not found out.
int look_at_controls(options o) {
  constexpr std::uint64_t drawn_max = 100;
  while (run_apart(o.first, o) != ending::sound) {
    if (++o.first > drawn_max) {
      std::cout << "no sound scenario to break\n";
      return 1;
    }
  }
  o.processor_s_max = 1;
  int missed = 0;
  for (const breakage each :
       {breakage::aborts, breakage::throws, breakage::leaves, breakage::hangs, breakage::differs}) {
    o.breaks = each;
    if (run_apart(o.first, o) != ending::failed) {
      std::cout << fmt::format("MISSED: control {}\n", static_cast<int>(each));
      ++missed;
    }
  }
  const bool judges_well = is_passed({{ending::sound, 51}, {ending::refused, 49}}, 100) &&
                           !is_passed({{ending::sound, 50}, {ending::refused, 50}}, 100) &&
                           !is_passed({{ending::sound, 99}, {ending::failed, 1}}, 100);
  std::cout << fmt::format(
      "controls: {} missed; all ends are judged {}\n", missed, judges_well ? "well" : "badly");
  return missed + (judges_well ? 0 : 1);
}

}  // namespace

int main(int count, char** words) {
  const options o = options_of(count, words);
  fs::create_directories(o.findings);
  std::ofstream(o.findings / "rows.csv") << dibs::drawn::trace_rows();
  if (o.controls) {
    return look_at_controls(o) == 0 ? 0 : 1;
  }
  endings ends;
  for (std::uint64_t i = 0; i < o.count; ++i) {
    ++ends[run_apart(o.first + i, o)];
  }
  const auto so_many = [&](ending each) { return ends.contains(each) ? ends.at(each) : 0; };
  std::cout << fmt::format("{} scenarios drawn: {} run twice, {} refused, {} failed\n",
                           o.count,
                           so_many(ending::sound),
                           so_many(ending::refused),
                           so_many(ending::failed));
  if (!are_most_run(ends, o.count)) {
    std::cout << "too few of them are scenarios: mend how they are drawn\n";
  }
  return is_passed(ends, o.count) ? 0 : 1;
}
