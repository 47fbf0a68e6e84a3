#include "base/memory.hpp"

#include <array>
#include <utility>

#if defined __GLIBC__ && !defined DIBS_OTHER_ALLOCATOR
#define DIBS_GLIBC_ALLOCATOR
#include <malloc.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>
#endif

namespace dibs {
namespace {

constexpr const char* variable = "GLIBC_TUNABLES";

/// Only what is asked of the system in large pieces can lie in large pages: 48 MiB at a time, which
/// a thread's heap of 64 MiB holds as well, and blocks by themselves only from 4 MiB on.
constexpr std::array wanted{std::pair{"glibc.malloc.hugetlb", "1"},
                            std::pair{"glibc.malloc.top_pad", "0x3000000"},
                            std::pair{"glibc.malloc.mmap_threshold", "0x400000"}};

}  // namespace

std::optional<std::string> large_page_tunables(const std::string& now) {
  if (now.find(wanted[0].first) != std::string::npos) {
    return std::nullopt;
  }
  std::string then = now;
  for (const auto& [name, value] : wanted) {
    if (now.find(name) == std::string::npos) {
      then += (then.empty() ? "" : ":") + std::string(name) + "=" + value;
    }
  }
  return then;
}

#ifdef DIBS_GLIBC_ALLOCATOR

namespace {

/// As the program was started, each word with a zero at its end; empty if the system does not say.
std::string command_line() {
  std::ifstream from("/proc/self/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

}  // namespace

void take_large_pages() {
  // With the rights of another user glibc hears nothing of its environment, nor does it keep it.
  if (::getauxval(AT_SECURE) != 0) {
    return;
  }
  const char* now = std::getenv(variable);
  const auto then = large_page_tunables(now == nullptr ? "" : now);
  if (!then) {
    return;
  }
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  std::string words = command_line();
  if (problem || words.empty()) {
    return;
  }
  std::vector<char*> arguments;
  for (std::size_t at = 0; at < words.size();
       at = std::min(words.find('\0', at), words.size()) + 1) {
    arguments.push_back(&words[at]);
  }
  arguments.push_back(nullptr);
  ::setenv(variable, then->c_str(), 1);
  ::execv(program.c_str(), arguments.data());
  // It could not be started anew, so it goes on as it is.
}

void limit_heaps(int most) { ::mallopt(M_ARENA_MAX, most); }

void give_back_memory() { ::malloc_trim(0); }

#else

void take_large_pages() {}

void limit_heaps(int) {}

void give_back_memory() {}

#endif

}  // namespace dibs
