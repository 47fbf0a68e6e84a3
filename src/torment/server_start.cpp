#include "torment/server_start.hpp"

#include "base/stopwatch.hpp"
#include "torment/sockets.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace dibs::torment {
namespace {

constexpr double patience_s = 15;
constexpr sim_duration answer_poll{20ms};

}  // namespace

result<std::uint16_t> free_port() {
  std::uint16_t port = 0;
  if (listen_on_loopback(port).get() < 0) {
    return failure(exit_code::internal_error, "no free port on loopback");
  }
  return port;
}

std::string whole_text(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

result<void> until_it_answers(const started_server& server,
                              const std::function<bool()>& answers,
                              const std::function<bool()>& is_running) {
  const stopwatch watch;
  while (!answers()) {
    if (watch.seconds() > patience_s || !is_running()) {
      return failure(exit_code::store_unreachable,
                     fmt::format("{} did not begin to answer within {} s; it said:\n{}",
                                 server.name,
                                 patience_s,
                                 whole_text(server.log)));
    }
    let_pass(answer_poll);
  }
  return {};
}

}  // namespace dibs::torment
