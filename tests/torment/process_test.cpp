#include "torment/process.hpp"

#include "catch.hpp"
#include "torment/server_start.hpp"
#include "torment/waiting.hpp"
#include "torment/work_folder.hpp"

#include <csignal>
#include <filesystem>
#include <string>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

TEST_CASE("process: what it says goes to its file, and its exit code is told") {
  const auto folder = work_folder::make();
  REQUIRE(folder);
  const fs::path log = folder->path() / "log";
  auto p = process::start({.words = {"/bin/sh", "-c", "echo \"$WORD\"; exit 3"},
                           .output = log.string(),
                           .environment = {"WORD=hello"}});
  REQUIRE(p);
  CHECK(p->wait() == 3);
  CHECK(whole_text(log) == "hello\n");
}

bool is_there(pid_t pid) {
  std::error_code none;
  return fs::exists("/proc/" + std::to_string(pid) + "/exe", none);
}

TEST_CASE("process: a kill ends what it has started, too") {
  const auto folder = work_folder::make();
  REQUIRE(folder);
  const fs::path log = folder->path() / "log";
  auto p = process::start(
      {.words = {"/bin/sh", "-c", "sleep 600 & echo $!; wait"}, .output = log.string()});
  REQUIRE(p);
  for (int tries = 0; tries < 3'000 && whole_text(log).find('\n') == std::string::npos; ++tries) {
    let_pass(10ms);
  }
  const pid_t child = std::stoi(whole_text(log));
  CHECK(is_there(child));
  p->kill_all();
  for (int tries = 0; tries < 3'000 && is_there(child); ++tries) {
    let_pass(10ms);
  }
  CHECK_FALSE(is_there(child));
}

}  // namespace
}  // namespace dibs::torment
