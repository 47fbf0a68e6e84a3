#include "torment/start_barrier.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <system_error>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

fs::path arrival(const fs::path& folder, std::uint32_t process) {
  return folder / fmt::format("matcher-{}.connected", process);
}

fs::path opening(const fs::path& folder) { return folder / "begins"; }

}  // namespace

void start_barrier::arrive(std::uint32_t process) const {
  std::ofstream(arrival(folder_, process)) << '\n';
}

bool start_barrier::has_arrived(std::uint32_t process) const {
  std::error_code none;
  return fs::exists(arrival(folder_, process), none);
}

// Put in place in one step: who reads it reads all of it.
void start_barrier::open(sim_duration begins) const {
  const fs::path next = folder_ / "begins.next";
  std::ofstream(next) << begins.count() << '\n';
  fs::rename(next, opening(folder_));
}

std::optional<sim_duration> start_barrier::begins() const {
  std::int64_t ns = 0;
  std::ifstream from(opening(folder_));
  return from >> ns ? std::optional(sim_duration{ns}) : std::nullopt;
}

}  // namespace dibs::torment
