#include "base/ensure.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace dibs {
namespace {

thread_local std::string replay_line;  // each replication has a thread of its own

}  // namespace

void set_replay_line(std::string line) { replay_line = std::move(line); }

void ensure_failed(std::string_view what, const char* file, int line) {
  (void)std::fprintf(stderr,
                     "dibs: internal error: %.*s (%s:%d)\n",
                     static_cast<int>(what.size()),
                     what.data(),
                     file,
                     line);
  if (!replay_line.empty()) {
    (void)std::fprintf(stderr, "replay: %s\n", replay_line.c_str());
  }
  std::abort();
}

}  // namespace dibs
