// A worker of `dibs serve leases`, as a program outside would be: it squares numbers, and writes
// each down while it holds the lease of the file.
//
//   worker URL NAME FILE     until no task is left; the bearer token is in DIBS_SERVICE_TOKEN
//
// A line of the file is the token of the lease and the number. Tokens in it grow: a worker that was
// away too long looks at its lease before it writes.

#include "service_client/kept_lease.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <poll.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace {

using namespace dibs::service_client;

constexpr milliseconds ttl{1500};
constexpr int before_asking_again_ms = 20;

/// Waits for the lease for as long as the worker has its task.
std::optional<held_lease> lease_of_file(const client_options& service,
                                        const std::string& name,
                                        const std::function<bool()>& stands) {
  while (stands()) {
    auto got = held_lease::acquire(service, "file", name, ttl);
    if (got && got->of) {
      return std::move(*got->of);
    }
    ::poll(nullptr, 0, before_asking_again_ms);
  }
  return std::nullopt;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    fmt::print(stderr, "worker URL NAME FILE\n");
    return 2;
  }
  const char* const bearer = std::getenv("DIBS_SERVICE_TOKEN");
  const client_options service{.url = words[1], .bearer = bearer == nullptr ? "" : bearer};
  const std::string name = words[2];
  const auto square = [&](const task& t,
                          const std::function<bool()>& stands) -> std::optional<std::string> {
    const auto n = dibs::text::text_as_json(t.data).value("n", 0);
    auto lease = lease_of_file(service, name, stands);
    if (!lease || !lease->stands()) {
      return std::nullopt;  // another worker has the task by now, or the lease
    }
    std::ofstream(words[3], std::ios::app) << fmt::format("{} {}\n", lease->token(), n);
    return std::to_string(n * n);
  };
  const std::atomic<bool> never{false};
  const auto done =
      work({.service = service, .worker = name, .ttl = ttl, .ends_when_none = true}, square, never);
  if (!done) {
    fmt::print(stderr, "worker: {}\n", done.error().text);
    return static_cast<int>(done.error().code);
  }
  fmt::print("{} completed\n", *done);
  return 0;
}
