#include "commands/memory_check.hpp"

#include "catch.hpp"

#include <unistd.h>

#include <fstream>

using namespace dibs;
namespace fs = std::filesystem;

namespace {

/// A file system root with what the kernel would say.
class fake_root {
 public:
  fake_root() : path_(fs::temp_directory_path() / ("dibs-memory-" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    put("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n");
  }
  fake_root(const fake_root&) = delete;
  fake_root& operator=(const fake_root&) = delete;
  ~fake_root() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file) << text;
  }

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("memory: without groups it is what the machine has left") {
  const fake_root root;
  const commands::memory_limit r = commands::memory_available(root.path());
  CHECK(r.bytes == std::uint64_t{4'000'000} * 1024);
  CHECK(r.of == "this machine");
}

TEST_CASE("memory: the tightest group above this process counts, its caches as free") {
  const fake_root root;
  root.put("proc/self/cgroup", "0::/a/b\n");
  root.put("sys/fs/cgroup/a/b/memory.max", "max\n");
  root.put("sys/fs/cgroup/a/b/memory.current", "1\n");
  root.put("sys/fs/cgroup/a/memory.max", "1000000\n");
  root.put("sys/fs/cgroup/a/memory.current", "400000\n");
  root.put("sys/fs/cgroup/a/memory.stat", "anon 300000\ninactive_file 100000\n");
  const commands::memory_limit r = commands::memory_available(root.path());
  CHECK(r.bytes == 700'000);
  CHECK(r.of == "the control group");
}

TEST_CASE("memory: groups of the first version count too") {
  const fake_root root;
  root.put("proc/self/cgroup", "9:cpu:/x\n4:memory:/x\n");
  root.put("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "500000\n");
  root.put("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "600000\n");
  CHECK(commands::memory_available(root.path()).bytes == 0);
}

TEST_CASE("memory: a run that does not fit is refused with both numbers") {
  const commands::memory_limit r{1024 * 1024, "this machine"};
  CHECK(commands::check_memory(1024 * 1024, r));
  const auto refused = commands::check_memory(1024 * 1024 + 1, r);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == exit_code::invalid_input);
  CHECK(refused.error().text.find("--force") != std::string::npos);
  CHECK(refused.error().text.find("1 MiB left") != std::string::npos);
}
