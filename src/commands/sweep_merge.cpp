#include "commands/sweep_merge.hpp"

#include "base/stopwatch.hpp"
#include "commands/build_info.hpp"
#include "commands/console.hpp"
#include "commands/sweep_conclusion.hpp"
#include "sweep/merge.hpp"

#include <filesystem>
#include <vector>

namespace dibs::commands {

int merge_sweep(const sweep_request& r, const std::string& program) {
  const stopwatch watch;
  const std::vector<std::filesystem::path> directories(r.parts.begin(), r.parts.end());
  const auto parts = sweep::read_parts(directories, this_build());
  if (!parts) {
    return fail(parts.error());
  }
  const auto d =
      r.out ? sweep::sweep_directory::open(*r.out, r.resume)
            : sweep::sweep_directory::open_numbered(sweeps_folder, parts->whole.base.name, false);
  if (!d) {
    return fail(d.error());
  }
  // What an earlier attempt left: it holds nothing that the parts do not have.
  std::error_code none;
  std::filesystem::remove(d->journal(), none);
  for (const char* log : {"-wal", "-shm", "-journal"}) {
    std::filesystem::remove(d->journal().string() + log, none);
  }
  auto j = sweep::journal::begin(d->journal(), parts->whole, this_build());
  if (!j) {
    return fail(j.error());
  }
  auto copied = sweep::copy_runs(*parts, *j);
  copied = copied ? j->close_log() : copied;
  if (!copied) {
    return fail(copied.error());
  }
  const sweep::replication_targets wanted{
      std::vector<std::uint32_t>(parts->whole.points.size(), parts->whole.seeds), 0, 0};
  return conclude_sweep(r, program, *d, parts->whole, *j, wanted, watch);
}

}  // namespace dibs::commands
