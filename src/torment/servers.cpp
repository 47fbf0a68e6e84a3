#include "torment/servers.hpp"

#include "base/stopwatch.hpp"
#include "torment/sockets.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

constexpr double patience_s = 15;
constexpr sim_duration look_again{20ms};

tl::unexpected<error> missing(std::string_view what, std::string_view package) {
  return failure(exit_code::store_unreachable,
                 fmt::format("{} is not installed here: its Debian package is {}", what, package));
}

/// The newest file of this name that the pattern's folders hold.
std::string newest(const fs::path& parent, const fs::path& below) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& each : fs::directory_iterator(parent, none)) {
    if (fs::exists(each.path() / below, none)) {
      found.push_back(each.path() / below);
    }
  }
  std::ranges::sort(found, {}, [](const fs::path& p) { return std::pair(p.string().size(), p); });
  return found.empty() ? "" : found.back().string();
}

/// What a Redis says to one line, as far as it comes at once; empty if it cannot be reached.
std::string say_to_redis(std::uint16_t port, const std::string& line) {
  const descriptor s = connect_to(port);
  const std::string words = line + "\r\n";
  pollfd waiting{s.get(), POLLIN, 0};
  if (s.get() < 0 ||
      ::send(s.get(), words.data(), words.size(), MSG_NOSIGNAL) !=
          static_cast<ssize_t>(words.size()) ||
      ::poll(&waiting, 1, 1'000) != 1) {
    return {};
  }
  std::array<char, 4096> room{};
  const ssize_t got = ::recv(s.get(), room.data(), room.size(), 0);
  return {room.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

std::string whole(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

tl::unexpected<error> silent(std::string_view name, const fs::path& log) {
  return failure(
      exit_code::store_unreachable,
      fmt::format(
          "{} did not begin to answer within {} s; it said:\n{}", name, patience_s, whole(log)));
}

}  // namespace

result<std::uint16_t> free_port() {
  std::uint16_t port = 0;
  if (listen_on_loopback(port).get() < 0) {
    return failure(exit_code::internal_error, "no free port on loopback");
  }
  return port;
}

result<postgres_server> postgres_server::make(const options& how) {
  postgres_server s;
  s.how_ = how;
  const std::string program = newest("/usr/lib/postgresql", "bin/postgres");
  if (program.empty()) {
    return missing("PostgreSQL", "postgresql");
  }
  s.programs_ = fs::path(program).parent_path().string();
  if (how.has_faked_clock) {
    s.faketime_ = newest("/usr/lib", "faketime/libfaketime.so.1");
    if (s.faketime_.empty()) {
      return missing("libfaketime, which moves PostgreSQL's clock,", "faketime");
    }
  }
  fs::create_directories(how.folder);
  give_to_nobody(how.folder.string());
  s.set_clock_ahead({});
  auto init = process::start({.words = {s.programs_ + "/initdb",
                                        "-D",
                                        (how.folder / "data").string(),
                                        "-A",
                                        "trust",  // only this machine can reach it
                                        "-U",
                                        "dibs",
                                        "--no-sync"},
                              .output = (how.folder / "log").string(),
                              .as_nobody = true});
  if (!init) {
    return tl::unexpected(init.error());
  }
  if (init->wait() != 0) {
    return failure(exit_code::store_unreachable,
                   "initdb of PostgreSQL failed; it said:\n" + s.log());
  }
  auto port = free_port();
  if (!port) {
    return tl::unexpected(port.error());
  }
  s.port_ = *port;
  if (auto begun = s.start(); !begun) {
    return tl::unexpected(begun.error());
  }
  const stopwatch watch;
  for (;;) {
    auto ready = process::start(
        {.words =
             {s.programs_ + "/pg_isready", "-h", "127.0.0.1", "-p", std::to_string(s.port_), "-q"},
         .output = (how.folder / "log").string()});
    if (ready && ready->wait() == 0) {
      return s;
    }
    if (watch.seconds() > patience_s) {
      return silent("PostgreSQL", how.folder / "log");
    }
    let_pass(look_again);
  }
}

result<void> postgres_server::start() {
  const fs::path data = how_.folder / "data";
  std::error_code none;
  fs::remove(data / "postmaster.pid", none);
  program what{.words = {programs_ + "/postgres",
                         "-D",
                         data.string(),
                         "-p",
                         std::to_string(port_),
                         "-k",
                         "",
                         "-c",
                         "listen_addresses=127.0.0.1",
                         "-c",
                         "recovery_init_sync_method=syncfs"},
               .output = (how_.folder / "log").string(),
               .as_nobody = true};
  if (how_.writes_late) {
    what.words.insert(what.words.end(), {"-c", "wal_writer_delay=10s"});
  }
  if (!faketime_.empty()) {
    what.environment = {"LD_PRELOAD=" + faketime_,
                        "FAKETIME_TIMESTAMP_FILE=" + (how_.folder / "clock").string(),
                        "FAKETIME_NO_CACHE=1",
                        "FAKETIME_DONT_FAKE_MONOTONIC=1"};
  }
  auto begun = process::start(what);
  if (!begun) {
    return tl::unexpected(begun.error());
  }
  process_ = std::move(*begun);
  return {};
}

// Put in place in one step: the server reads it whenever it asks what time it is.
void postgres_server::set_clock_ahead(sim_duration by) {
  const fs::path next = how_.folder / "clock.next";
  std::ofstream(next) << fmt::format("+{:.3f}\n", in_seconds(by));
  fs::rename(next, how_.folder / "clock");
}

std::string postgres_server::log() const { return whole(how_.folder / "log"); }

result<redis_server> redis_server::make(const options& how) {
  redis_server s;
  s.how_ = how;
  fs::create_directories(how.folder);
  auto port = free_port();
  if (!port) {
    return tl::unexpected(port.error());
  }
  s.port_ = *port;
  if (auto begun = s.start(); !begun) {
    return tl::unexpected(begun.error());
  }
  return s;
}

result<void> redis_server::start() {
  const char* const file = "/usr/bin/redis-server";
  if (!fs::exists(file)) {
    return missing("Redis", "redis-server");
  }
  program what{.words = {file,
                         "--bind",
                         "127.0.0.1",
                         "--port",
                         std::to_string(port_),
                         "--dir",
                         how_.folder.string(),
                         "--save",
                         "",
                         "--appendonly",
                         how_.appends ? "yes" : "no",
                         "--appendfsync",
                         "everysec"},
               .output = (how_.folder / "log").string()};
  if (how_.follows != 0) {
    what.words.insert(what.words.end(), {"--replicaof", fmt::format("127.0.0.1 {}", how_.follows)});
  }
  auto begun = process::start(what);
  if (!begun) {
    return tl::unexpected(begun.error());
  }
  process_ = std::move(*begun);
  const stopwatch watch;
  while (!say_to_redis(port_, "PING").starts_with("+PONG")) {
    if (watch.seconds() > patience_s || !process_.is_running()) {
      return silent("Redis", how_.folder / "log");
    }
    let_pass(look_again);
  }
  return {};
}

result<void> redis_server::wait_until_it_follows() const {
  const stopwatch watch;
  while (say_to_redis(port_, "INFO replication").find("master_link_status:up") ==
         std::string::npos) {
    if (watch.seconds() > patience_s) {
      return silent("a replica of Redis", how_.folder / "log");
    }
    let_pass(look_again);
  }
  return {};
}

result<void> redis_server::promote() const {
  const std::string said = say_to_redis(port_, "REPLICAOF NO ONE");
  return said.starts_with("+OK")
             ? result<void>()
             : failure(exit_code::store_unreachable, "Redis: cannot promote: " + said);
}

}  // namespace dibs::torment
