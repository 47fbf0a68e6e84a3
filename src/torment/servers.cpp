#include "torment/servers.hpp"

#include "torment/installed.hpp"
#include "torment/server_start.hpp"
#include "torment/sockets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

/// What a server says to one line, as far as it comes at once; empty if it cannot be reached.
std::string say_to(std::uint16_t port, const std::string& line) {
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

// With an empty line behind it, it is a request of HTTP.
bool is_healthy(std::uint16_t etcd) {
  return say_to(etcd, "GET /health HTTP/1.0\r\n").find("true") != std::string::npos;
}

}  // namespace

result<postgres_server> postgres_server::make(const options& how) {
  postgres_server s;
  s.how_ = how;
  auto programs = postgres_programs();
  auto faketime = how.has_faked_clock ? faketime_library() : result<std::string>();
  if (!programs || !faketime) {
    return tl::unexpected(!programs ? programs.error() : faketime.error());
  }
  s.programs_ = std::move(*programs);
  s.faketime_ = std::move(*faketime);
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
  for (const std::string& each : how.also_at) {
    // The clients of that network are the neighbours of this address.
    std::ofstream(how.folder / "data/pg_hba.conf", std::ios::app)
        << fmt::format("host all all {}/30 trust\n", each);
  }
  auto port = free_port();
  if (!port) {
    return tl::unexpected(port.error());
  }
  s.port_ = *port;
  if (auto begun = s.start(); !begun) {
    return tl::unexpected(begun.error());
  }
  const auto is_ready = [&] {
    auto asked = process::start(
        {.words =
             {s.programs_ + "/pg_isready", "-h", "127.0.0.1", "-p", std::to_string(s.port_), "-q"},
         .output = (how.folder / "log").string()});
    return asked && asked->wait() == 0;
  };
  if (auto done = until_it_answers(
          {"PostgreSQL", how.folder / "log"}, is_ready, [&] { return s.process_.is_running(); });
      !done) {
    return tl::unexpected(done.error());
  }
  return s;
}

result<void> postgres_server::start() {
  const fs::path data = how_.folder / "data";
  std::error_code none;
  fs::remove(data / "postmaster.pid", none);
  std::vector<std::string> addresses = how_.also_at;
  addresses.insert(addresses.begin(), "127.0.0.1");
  program what{.words = {programs_ + "/postgres",
                         "-D",
                         data.string(),
                         "-p",
                         std::to_string(port_),
                         "-k",
                         "",
                         "-c",
                         fmt::format("listen_addresses={}", fmt::join(addresses, ",")),
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

std::string postgres_server::log() const { return whole_text(how_.folder / "log"); }

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
  const auto file = redis_program();
  if (!file) {
    return tl::unexpected(file.error());
  }
  program what{.words = {*file,
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
  return until_it_answers(
      {"Redis", how_.folder / "log"},
      [&] { return say_to(port_, "PING").starts_with("+PONG"); },
      [&] { return process_.is_running(); });
}

result<void> redis_server::wait_until_it_follows() {
  const auto follows = [&] {
    return say_to(port_, "INFO replication").find("master_link_status:up") != std::string::npos;
  };
  return until_it_answers(
      {"a replica of Redis", how_.folder / "log"}, follows, [&] { return process_.is_running(); });
}

result<void> redis_server::promote() const {
  const std::string said = say_to(port_, "REPLICAOF NO ONE");
  return said.starts_with("+OK")
             ? result<void>()
             : failure(exit_code::store_unreachable, "Redis: cannot promote: " + said);
}

result<etcd_server> etcd_server::make(const std::filesystem::path& folder) {
  const auto file = etcd_program();
  auto port = free_port();
  auto peers = free_port();
  for (const auto* each : {&port, &peers}) {
    if (!file || !*each) {
      return tl::unexpected(!file ? file.error() : each->error());
    }
  }
  etcd_server s;
  s.port_ = *port;
  const std::string clients_at = fmt::format("http://127.0.0.1:{}", *port);
  const std::string peers_at = fmt::format("http://127.0.0.1:{}", *peers);
  fs::create_directories(folder);
  // etcd gives no lease shorter than one and a half of its election timeouts, in whole seconds.
  auto begun = process::start({.words = {*file,
                                         "--data-dir",
                                         (folder / "data").string(),
                                         "--heartbeat-interval",
                                         "50",
                                         "--election-timeout",
                                         "500",
                                         "--listen-client-urls",
                                         clients_at,
                                         "--advertise-client-urls",
                                         clients_at,
                                         "--listen-peer-urls",
                                         peers_at,
                                         "--initial-advertise-peer-urls",
                                         peers_at,
                                         "--initial-cluster",
                                         "default=" + peers_at},
                               .output = (folder / "log").string()});
  if (!begun) {
    return tl::unexpected(begun.error());
  }
  s.process_ = std::move(*begun);
  if (auto done = until_it_answers(
          {"etcd", folder / "log"},
          [&] { return is_healthy(s.port_); },
          [&] { return s.process_.is_running(); });
      !done) {
    return tl::unexpected(done.error());
  }
  return s;
}

}  // namespace dibs::torment
