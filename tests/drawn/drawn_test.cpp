// Runs scenarios drawn from the table of fields, each twice and in a process of its own: no abort,
// no internal error, no hang, and the same history both times.
//
//   test_drawn [--first SEED] [--count N] [--findings FOLDER]
//
// A scenario that fails is kept in FOLDER, and the command that repeats it is printed.

#include "drawn/drawn_scenario.hpp"
#include "engine/run.hpp"

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
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;
using dibs::drawn::drawn_scenario;

constexpr std::uint64_t events_max = 20'000;
constexpr rlim_t processor_s_max = 20;
constexpr rlim_t memory_max = rlim_t{3} << 30;

/// What a process ends with that came to its end; a sanitizer or the C library has other numbers.
enum class ending : int { sound = 0, refused = 40, failed = 41 };

struct options {
  std::uint64_t first = 1;
  std::uint64_t count = 100;
  fs::path findings = "drawn-findings";
};

/// Runs until it is over, or until so many events are done: at the same event each time.
dibs::result<dibs::engine::run_result> run_once(const dibs::scenario::scenario& s, bool apart) {
  std::atomic<bool> enough{false};
  dibs::engine::run_options how;
  how.seed = s.seed;
  how.reads_apart = apart;
  how.stop = &enough;
  how.on_progress = [&](const dibs::engine::progress& p) { enough = p.events >= events_max; };
  return dibs::engine::run(s, how);
}

ending try_out(const drawn_scenario& drawn) {
  if (!drawn.reading.ok()) {
    return ending::refused;
  }
  const auto one = run_once(drawn.reading.value, false);
  const auto other = run_once(drawn.reading.value, true);
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
[[noreturn]] void live_out(std::uint64_t seed, const fs::path& file) {
  set_limit(RLIMIT_CPU, processor_s_max);
  set_limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)
  set_limit(RLIMIT_AS, memory_max);
#endif
  std::signal(SIGABRT, SIG_DFL);
  const drawn_scenario drawn = dibs::drawn::draw_scenario(seed, file.parent_path());
  std::ofstream(file) << drawn.text << std::flush;
  const ending end = try_out(drawn);
  if (end == ending::refused && std::getenv("DIBS_DRAWN_SAYS_WHY") != nullptr) {
    for (const auto& c : drawn.reading.complaints) {
      std::cerr << dibs::scenario::format(c) << '\n';
    }
  }
  std::cerr << std::flush;
  ::_exit(static_cast<int>(end));
}

/// Empty if it came to one of the ends that are foreseen.
std::string how_it_died(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return number == SIGXCPU || number == SIGKILL
               ? fmt::format("no end within {} s of processor time", processor_s_max)
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
    live_out(seed, file);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
  }
  const std::string died = how_it_died(status);
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
    }
  }
  return o;
}

}  // namespace

int main(int count, char** words) {
  const options o = options_of(count, words);
  fs::create_directories(o.findings);
  std::ofstream(o.findings / "rows.csv") << dibs::drawn::trace_rows();
  std::map<ending, std::uint64_t> ends;
  for (std::uint64_t i = 0; i < o.count; ++i) {
    ++ends[run_apart(o.first + i, o)];
  }
  std::cout << fmt::format("{} scenarios drawn: {} run twice, {} refused, {} failed\n",
                           o.count,
                           ends[ending::sound],
                           ends[ending::refused],
                           ends[ending::failed]);
  const bool are_most_run = ends[ending::refused] * 2 < o.count;
  if (!are_most_run) {
    std::cout << "too few of them are scenarios: mend how they are drawn\n";
  }
  return ends[ending::failed] == 0 && are_most_run ? 0 : 1;
}
