// A run directory that is whole, but says of its run what another program would have said: the
// shell test cannot forge one, for it cannot seal it.

#include "catch.hpp"
#include "commands/commands.hpp"
#include "results/events_writer.hpp"
#include "results/metrics_json.hpp"
#include "results/run_directory.hpp"

#include <unistd.h>

#include <filesystem>

using namespace dibs;
namespace fs = std::filesystem;

namespace {

class kept_run {
 public:
  kept_run() : path_(fs::temp_directory_path() / ("dibs-replay-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    results_.file = DIBS_SOURCE_DIR "/tests/cli/small.yaml";
    auto reading = scenario::read_file(results_.file);
    REQUIRE(reading.ok());
    results_.scenario = std::move(reading.value);
    results_.seed = results_.scenario.seed;
    auto run = engine::run(results_.scenario, {.seed = results_.seed});
    REQUIRE(run);
    results_.runs.push_back(std::move(*run));
  }
  kept_run(const kept_run&) = delete;
  kept_run& operator=(const kept_run&) = delete;
  ~kept_run() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  engine::run_result& result() { return results_.runs.front(); }

  int replay() {
    const results::metric_estimates f(results_);
    auto made = results::run_directory::make(path_);
    REQUIRE(made);
    REQUIRE(made->write("scenario.effective.yaml", scenario::dump(results_.scenario)));
    REQUIRE(made->write("metrics.json",
                        results::metrics_json(results_, f, results::judge_bounds(results_, f))));
    REQUIRE(made->seal(results::manifest_of(results_, {"0.0.1", "cc", "Debug", ""})));
    return commands::replay({.directory = path_.string(), .quiet = true});
  }

 private:
  fs::path path_;
  results::run_results results_;
};

}  // namespace

TEST_CASE("replay: a run that repeats exactly is identical, whichever program made it") {
  CHECK(kept_run().replay() == 0);
}

TEST_CASE("replay: another history is a difference") {
  kept_run run;
  run.result().history = "0000000000000000";
  CHECK(run.replay() == static_cast<int>(exit_code::replay_differed));
}

TEST_CASE("replay: another figure is a difference, even with the same history") {
  kept_run run;
  run.result().metrics.sums["offers.sent"] += 1;
  CHECK(run.replay() == static_cast<int>(exit_code::replay_differed));
}

TEST_CASE("replay: an interrupted run is compared as far as it had come") {
  kept_run run;
  run.result().interrupted = true;
  CHECK(run.replay() == 0);
}

TEST_CASE("replay: an interrupted run with another beginning differs") {
  kept_run run;
  run.result().interrupted = true;
  run.result().facts -= 1;
  CHECK(run.replay() == static_cast<int>(exit_code::replay_differed));
}
