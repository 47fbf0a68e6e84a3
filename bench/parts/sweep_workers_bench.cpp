// A sweep of 48 runs by one worker and by two: how much of one worker's time two of them take.
//
//   sweep/N   12 points on 4 seeds, every run kept in memory, by N workers
//
// At the end: the ratio of both, measured in this run, and whether the results are the same.

#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "sweep/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace dibs;

constexpr int repeats = 3;
constexpr std::uint32_t seeds = 4;

study::plan plan_of(const std::string& file) {
  study::sweep_request r;
  r.file = file;
  r.seeds = seeds;
  r.design.grid = {*study::parse_axis("lease.ttl=12s..60s:log:12")};
  auto p = study::make_plan(r);
  if (!p) {
    fmt::print("{}\n", p.error().why.text);
    std::exit(EXIT_FAILURE);
  }
  return std::move(*p);
}

struct timed {
  double seconds = 0;
  std::vector<std::string> histories;
};

timed sweep(const study::plan& p, std::uint32_t workers) {
  timed t;
  t.histories.resize(p.runs());
  study::runner_options how;
  how.jobs = workers;
  const stopwatch watch;
  const auto ran = study::run_rest(p,
                                   std::vector<std::uint32_t>(p.points.size(), p.seeds),
                                   {},
                                   how,
                                   [&](const study::run_record& r) -> result<void> {
                                     t.histories[(r.point - 1) * seeds + r.replication - 1] =
                                         study::hash_of(r);
                                     return {};
                                   });
  t.seconds = watch.seconds();
  if (!ran) {
    fmt::print("{}\n", ran.error().text);
    std::exit(EXIT_FAILURE);
  }
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  take_large_pages();
  const study::plan p =
      plan_of(argc > 1 ? argv[1] : DIBS_SOURCE_DIR "/scenarios/evening-peak.yaml");
  std::vector<double> ratios;
  bool same = true;
  for (int i = 0; i < repeats; ++i) {
    const timed one = sweep(p, 1);
    const timed two = sweep(p, 2);
    same = same && one.histories == two.histories;
    ratios.push_back(two.seconds / one.seconds);
    fmt::print("sweep/1 {:.2f} s   sweep/2 {:.2f} s   {} runs   ratio {:.3f}\n",
               one.seconds,
               two.seconds,
               p.runs(),
               ratios.back());
  }
  std::ranges::sort(ratios);
  fmt::print("two workers : one worker = {:.2f} of the time (median of {}); results {}\n",
             ratios[repeats / 2],
             repeats,
             same ? "identical" : "DIFFER");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
