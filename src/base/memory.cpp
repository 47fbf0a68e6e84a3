#include "base/memory.hpp"

#include <cstdlib>

#if defined __GLIBC__ && !defined DIBS_OTHER_ALLOCATOR
#define DIBS_GLIBC_ALLOCATOR
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>
#endif

namespace dibs {
namespace {

constexpr const char* variable = "GLIBC_TUNABLES";
constexpr const char* large_pages = "glibc.malloc.hugetlb";

}  // namespace

std::optional<std::string> large_page_tunables(const std::string& now) {
  if (now.find(large_pages) != std::string::npos) {
    return std::nullopt;
  }
  // Only what is asked of the system in large pieces can lie in large pages: 48 MiB at a time,
  // which a thread's heap of 64 MiB holds as well, and blocks by themselves only from 4 MiB on.
  return now + (now.empty() ? "" : ":") + large_pages +
         "=1:glibc.malloc.top_pad=0x3000000:glibc.malloc.mmap_threshold=0x400000";
}

#ifdef DIBS_GLIBC_ALLOCATOR

void take_large_pages() {
  const char* now = std::getenv(variable);
  const auto then = large_page_tunables(now == nullptr ? "" : now);
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  std::ifstream from("/proc/self/cmdline", std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(from), {}};
  if (!then || problem || words.empty()) {
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

void give_back_memory() { ::malloc_trim(0); }

#else

void take_large_pages() {}

void give_back_memory() {}

#endif

}  // namespace dibs
