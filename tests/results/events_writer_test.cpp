#include "results/events_writer.hpp"

#include "catch.hpp"
#include "events/jsonl.hpp"
#include "samples.hpp"

#include <sys/resource.h>

#include <array>
#include <csignal>
#include <sstream>

using namespace dibs;

namespace {

events::event sample_event(std::uint32_t ride) {
  return {at(1s * ride), at_local(1s * ride), events::ride_cancelled{ride_id{ride}}};
}

}  // namespace

TEST_CASE("events writer: what it writes reads back") {
  const results::scratch folder;
  auto made = results::run_directory::make(folder.path() / "run");
  REQUIRE(made);
  auto writer = results::events_writer::open(*made);
  REQUIRE(writer);
  const std::array<events::event, 2> first{sample_event(1), sample_event(2)};
  const std::array<events::event, 2> second{sample_event(3), sample_event(4)};
  (*writer)->observe(first);
  (*writer)->observe(second);
  REQUIRE((*writer)->finish(*made));
  std::istringstream text(*results::read_whole(made->path() / "events.jsonl"));
  const auto read = events::read_jsonl(text);
  REQUIRE(read);
  REQUIRE(read->size() == 4);
  CHECK(std::get<events::ride_cancelled>((*read)[3].what).ride == ride_id{4});
}

TEST_CASE("events writer: a full disk does not end the run, and is told with the bytes needed") {
  const results::scratch folder;
  auto made = results::run_directory::make(folder.path() / "run");
  REQUIRE(made);
  auto writer = results::events_writer::open(*made);
  REQUIRE(writer);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1'000'000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  for (std::uint32_t i = 1; i <= 50'000; ++i) {
    const std::array<events::event, 1> batch{sample_event(i)};
    (*writer)->observe(batch);
  }
  const auto done = (*writer)->finish(*made);
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK((*writer)->failed());
  REQUIRE_FALSE(done);
  CHECK(done.error().text.find("events.jsonl") != std::string::npos);
  CHECK(done.error().text.find("bytes needed") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(made->path() / "events.jsonl"));
}
