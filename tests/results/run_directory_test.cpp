#include "results/run_directory.hpp"

#include "catch.hpp"
#include "samples.hpp"

using namespace dibs;
using results::run_directory;
namespace fs = std::filesystem;

namespace {

results::manifest sample_manifest() {
  return results::manifest_of(results::sample_account(), {"0.1.0", "g++ 12", "Debug", "ab"});
}

void overwrite(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

TEST_CASE("run directory: names are made safe") {
  CHECK(results::folder_name("evening-peak") == "evening-peak");
  CHECK(results::folder_name("../../etc/passwd") == "_.-..-etc-passwd");
  CHECK(results::folder_name("..") == "_.");
  CHECK(results::folder_name("-rf") == "_rf");
  CHECK(results::folder_name("") == "run");
  CHECK(results::folder_name("a\x1b[31m b") == "a--31m-b");
  CHECK(results::folder_name(std::string(500, 'x')).size() == 100);
}

TEST_CASE("run directory: a taken name is counted up, never overwritten") {
  const results::scratch folder;
  for (const char* expected : {"peak", "peak-2", "peak-3"}) {
    auto made = run_directory::make_numbered(folder.path() / "runs", "peak");
    REQUIRE(made);
    CHECK(made->path() == folder.path() / "runs" / expected);
    REQUIRE(made->write("metrics.json", "{}"));
    REQUIRE(made->seal(sample_manifest()));
  }
}

TEST_CASE("run directory: a given one must not exist, even empty") {
  const results::scratch folder;
  fs::create_directory(folder.path() / "taken");
  const auto made = run_directory::make(folder.path() / "taken");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == exit_code::usage);
  CHECK(made.error().text.find("never overwritten") != std::string::npos);
  CHECK(run_directory::make(folder.path() / "deep" / "new/"));
}

TEST_CASE("run directory: one where nothing can be made is an error before the run") {
  const results::scratch folder;
  overwrite(folder.path() / "file", "x");
  const auto made = run_directory::make(folder.path() / "file" / "run");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == exit_code::internal_error);
  CHECK(made.error().text.find((folder.path() / "file" / "run").string()) != std::string::npos);
}

TEST_CASE("run directory: two processes do not share one") {
  const results::scratch folder;
  const auto first = run_directory::make(folder.path() / "run");
  REQUIRE(first);
  const auto second = run_directory::make(folder.path() / "run");
  REQUIRE_FALSE(second);
  CHECK(second.error().text.find("is being written by another dibs") != std::string::npos);
  CHECK(second.error().text.find(std::to_string(::getpid())) != std::string::npos);
  const auto read = results::read_run(folder.path() / "run");
  REQUIRE_FALSE(read);
  CHECK(read.error().text.find("is being written by another dibs") != std::string::npos);
}

TEST_CASE("run directory: unless sealed, it goes again") {
  const results::scratch folder;
  {
    auto made = run_directory::make(folder.path() / "run");
    REQUIRE(made);
    REQUIRE(made->write("metrics.json", "{}"));
  }
  CHECK_FALSE(fs::exists(folder.path() / "run"));
}

TEST_CASE("run directory: a sealed one reads back as it was written") {
  const results::scratch folder;
  auto made = run_directory::make(folder.path() / "run");
  REQUIRE(made);
  REQUIRE(made->write("metrics.json", "{}\n"));
  auto m = sample_manifest();
  m.overrides = {{"lease.ttl", "8s"}};
  REQUIRE(made->seal(m));
  const auto read = results::read_run(folder.path() / "run");
  REQUIRE(read);
  CHECK(read->seed == 20181109);
  CHECK(read->build == m.build);
  CHECK(read->replications == m.replications);
  CHECK(read->overrides.at(0).value == "8s");
  CHECK(read->replay.at(0) == "dibs run scenarios/evening-peak.yaml --seed 20181109");
  REQUIRE(read->files.size() == 1);
  CHECK(read->files[0].bytes == 3);
  CHECK_FALSE(fs::exists(folder.path() / "run" / ".lock"));
}

TEST_CASE("run directory: whatever was changed afterwards is refused") {
  const results::scratch folder;
  const fs::path run = folder.path() / "run";
  {
    auto made = run_directory::make(run);
    REQUIRE(made);
    REQUIRE(made->write("metrics.json", "{\"a\": 1}\n"));
    REQUIRE(made->seal(sample_manifest()));
  }
  REQUIRE(results::read_run(run));
  const auto complaint = [&] {
    const auto read = results::read_run(run);
    CHECK((read || read.error().code == exit_code::invalid_input));
    return read ? std::string() : read.error().text;
  };
  SECTION("a file") {
    overwrite(run / "metrics.json", "{\"a\": 2}\n");
    CHECK(complaint().find("metrics.json was changed") != std::string::npos);
  }
  SECTION("a file is gone") {
    fs::remove(run / "metrics.json");
    CHECK(complaint().find("cannot read") != std::string::npos);
  }
  SECTION("the manifest") {
    std::string text = *results::read_whole(run / "manifest.json");
    text.replace(text.find("20181109"), 8, "20181110");
    overwrite(run / "manifest.json", text);
    CHECK(complaint().find("its seal is broken") != std::string::npos);
  }
  SECTION("the manifest is cut") {
    const std::string text = *results::read_whole(run / "manifest.json");
    overwrite(run / "manifest.json", text.substr(0, text.size() / 2));
    CHECK(complaint().find("is not the manifest of a run") != std::string::npos);
  }
  SECTION("the manifest is gone") {
    fs::rename(run / "manifest.json", run / "manifest.json.partial-1");
    CHECK(complaint().find("not a finished run") != std::string::npos);
  }
  SECTION("it is no directory") { CHECK_FALSE(results::read_run(run / "metrics.json")); }
}

TEST_CASE("run directory: one whose writer was killed is called unfinished") {
  const results::scratch folder;
  fs::create_directory(folder.path() / "run");
  overwrite(folder.path() / "run" / ".lock", "1\n");
  const auto read = results::read_run(folder.path() / "run");
  REQUIRE_FALSE(read);
  CHECK(read.error().text.find("is unfinished") != std::string::npos);
}
