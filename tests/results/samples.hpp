/// Results made by hand, so that what reports say can be compared with what went in.
#pragma once

#include "results/run_results.hpp"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace dibs::results {

/// A new empty folder that goes with its owner.
class scratch {
 public:
  scratch() {
    static std::atomic<int> count{0};
    path_ = std::filesystem::temp_directory_path() /
            ("dibs-report-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream from(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(from), {}};
  }

 private:
  std::filesystem::path path_;
};

inline engine::run_result sample_run(std::uint64_t seed, double factor = 1) {
  engine::run_result r;
  r.seed = seed;
  r.history = "9f3a21c4d5e6f708";
  r.facts = 180'000;
  r.events = 1'104'233;
  r.wall_s = 0.6;
  r.reached = at(2h + 20min);
  auto& s = r.metrics.sums;
  s = {{"double.offers", 31 * factor},
       {"double.accepts", 4},
       {"double.commits", 0},
       {"double.rides", 0},
       {"offers.sent", 7511},
       {"accepts.in_time", 6210},
       {"rides.committed", 6102},
       {"promises.made", 6090},
       {"promises.broken", 0},
       {"confirms.stale_accepted", 0},
       {"accepts.would_be", 6400},
       {"accepts.lost", 51},
       {"accepts.late", 134},
       {"accepts.missed", 185},
       {"rides.requested", 6412},
       {"rides.matched", 5970},
       {"rides.abandoned", 442},
       {"rides.kept", 5900},
       {"measured_s", 7200},
       {"offers.of_rides", 7400},
       {"offers.contended", 60},
       {"supply.online_s", 17'280'000},
       {"supply.lease_s", 300'000},
       {"supply.hidden_s", 209'000 * factor},
       {"supply.hidden_s.ignored", 100'000 * factor},
       {"supply.hidden_s.declined", 65'000 * factor},
       {"supply.hidden_s.overhang", 44'000 * factor},
       {"supply.wait_s", 50'000},
       {"supply.starved_s", 310},
       {"accepts.lost_count.latency", 32},
       {"accepts.lost_count.skew", 13}};
  for (int i = 1; i <= 1000; ++i) {
    r.metrics.histograms["ttm"].add(sim_duration(i * 31ms));
  }
  r.metrics.series.push_back({.t = at(900s), .online = 2400, .available = 2000, .requested = 12});
  r.metrics.notables.push_back(
      {metrics::harm_kind::lost_accept,
       2,
       at(1h + 12min),
       4711,
       "accepted 0.18 s after its lease ended, while matcher/3 was paused"});
  r.checks.judged = lease::rules_of(lease::protocol::fenced).promises;
  return r;
}

inline run_results sample_account() {
  run_results a;
  a.scenario.name = "evening-peak";
  a.scenario.question = "Four matchers share Manhattan's drivers. Who is hurt?";
  a.scenario.clock = {.start = 17h, .warmup = 15min, .duration = 2h, .drain = 5min};
  a.scenario.drivers.count = 2400;
  a.scenario.matchers.count = 4;
  a.scenario.lease.protocol = lease::protocol::fenced;
  a.scenario.thresholds = {{"rides.match_rate", scenario::comparison::at_least, 0.85, ">= 0.85"},
                           {"supply.hidden_share", scenario::comparison::at_most, 0.01, "<= 1%"}};
  a.file = "scenarios/evening-peak.yaml";
  a.file_hash = "00";
  a.seed = 20181109;
  a.runs = {sample_run(a.seed)};
  a.wall_s = 0.6;
  return a;
}

}  // namespace dibs::results
