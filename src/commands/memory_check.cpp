#include "commands/memory_check.hpp"

#include "text/number.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

/// A file that holds one number; nothing if it is not there or says `max`.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream from(file);
  std::string text;
  std::uint64_t value = 0;
  if (!(from >> text)) {
    return std::nullopt;
  }
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value)
                                                                         : std::nullopt;
}

/// The value of `key` in a file of lines `key value [kB]`, as written.
std::optional<std::uint64_t> value_in(const fs::path& file, std::string_view key) {
  std::ifstream from(file);
  std::string line;
  while (std::getline(from, line)) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t value = 0;
    if (words >> word >> value && word == key) {
      return value;
    }
  }
  return std::nullopt;
}

void tighten(memory_limit& r, std::uint64_t limit, std::uint64_t used, const char* of) {
  const std::uint64_t left = limit > used ? limit - used : 0;
  if (left < r.bytes) {
    r = {left, of};
  }
}

void look_at_group(memory_limit& r, const fs::path& at, bool unified) {
  const auto limit = number_in(at / (unified ? "memory.max" : "memory.limit_in_bytes"));
  const auto used = number_in(at / (unified ? "memory.current" : "memory.usage_in_bytes"));
  if (limit && used) {
    const std::uint64_t cache =
        value_in(at / "memory.stat", unified ? "inactive_file" : "total_inactive_file").value_or(0);
    tighten(r, *limit, *used > cache ? *used - cache : 0, "the control group");
  }
}

/// Every group from ours up to the root may have a limit; caches can be given back and count as
/// free. Version 2 keeps them in `memory.max`, version 1 in `memory.limit_in_bytes`.
void look_at_groups(memory_limit& r, const fs::path& root) {
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && controllers.find("memory") == std::string::npos) {
      continue;
    }
    const fs::path base = root / (unified ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    look_at_group(r, base / group, unified);
    while (!group.empty()) {
      group = group.parent_path();
      look_at_group(r, base / group, unified);
    }
  }
}

}  // namespace

memory_limit memory_available(const fs::path& root) {
  memory_limit r;
  if (const auto kib = value_in(root / "proc/meminfo", "MemAvailable:")) {
    tighten(r, *kib * 1024, 0, "this machine");
  }
  look_at_groups(r, root);
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t own = value_in(root / "proc/self/status", "VmSize:").value_or(0) * 1024;
    tighten(r, limit.rlim_cur, own, "the limit of this process (ulimit -v)");
  }
  return r;
}

result<void> check_memory(std::uint64_t needed,
                          const memory_limit& available,
                          std::string_view what_needs,
                          std::string_view advice) {
  if (needed <= available.bytes) {
    return {};
  }
  return failure(exit_code::invalid_input,
                 fmt::format("{} about {}, and {} has {} left; {}",
                             what_needs,
                             text::bytes(needed),
                             available.of,
                             text::bytes(available.bytes),
                             advice));
}

}  // namespace dibs::commands
