#include "commands/build_info.hpp"

#include "events/facts.hpp"
#include "results/metrics_json.hpp"

#include <fmt/format.h>

namespace dibs::commands {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

results::build_info this_build() {
  const auto binary = results::record_of("/proc/self/exe");
  return {DIBS_VERSION, compiler(), DIBS_BUILD_TYPE, binary ? binary->hash : std::string()};
}

std::string name_and_version() { return "dibs " DIBS_VERSION; }

std::string version_text() {
  return fmt::format("dibs {} ({}, {}; schemas: events {}, metrics {}, manifest {})\n",
                     DIBS_VERSION,
                     compiler(),
                     DIBS_BUILD_TYPE,
                     events::schema_version,
                     results::metrics_schema,
                     results::manifest_schema);
}

}  // namespace dibs::commands
