#include "torment/private_network.hpp"

#include "torment/installed.hpp"
#include "torment/server_start.hpp"
#include "torment/waiting.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <sstream>
#include <system_error>
#include <vector>

namespace dibs::torment {
namespace {

namespace fs = std::filesystem;

fs::path namespace_of(const std::string& process) {
  std::error_code none;
  return fs::read_symlink("/proc/" + process + "/ns/net", none);
}

/// Two addresses that nothing else on a network has: 198.18.0.0/15 is kept for benchmarks. Another
/// dibs, which has another number, has others.
std::string address(std::uint32_t which, std::uint32_t end) {
  constexpr std::uint32_t each = 16 * 4;
  constexpr std::uint32_t programs = (1U << 17U) / each;
  const auto number = static_cast<std::uint32_t>(::getpid()) % programs;
  const std::uint32_t n = number * each + which * 4 + end;
  return fmt::format("198.{}.{}.{}", 18 + (n >> 16U), (n >> 8U) & 255U, n & 255U);
}

}  // namespace

result<private_network> private_network::make(std::uint32_t which, const fs::path& log) {
  auto ip = ip_program();
  if (!ip) {
    return tl::unexpected(ip.error());
  }
  private_network made(std::move(*ip), fmt::format("dibs{}-{}", ::getpid(), which), log);
  if (auto done = made.begin(which); !done) {
    return tl::unexpected(done.error());
  }
  return made;
}

result<void> private_network::begin(std::uint32_t which) {
  auto begun = process::start(
      {.words = {"/bin/sleep", "infinity"}, .output = log_.string(), .in_new_network = true});
  if (!begun) {
    return tl::unexpected(begun.error());
  }
  member_ = std::move(*begun);
  // It is another process from its start on, and in another network a moment later.
  const fs::path ours = namespace_of("self");
  fs::path theirs = ours;
  while (member_.is_running() && (theirs == ours || theirs.empty())) {
    let_pass(1ms);
    theirs = namespace_of(std::to_string(member_.number()));
  }
  if (!member_.is_running()) {
    return failure(exit_code::store_unreachable,
                   "this program may not make a network of its own here: that takes root");
  }
  outer_ = address(which, 1);
  const std::string inner = "inside";
  const std::vector<std::pair<std::string, bool>> steps{
      {fmt::format(
           "link add {} type veth peer name {} netns {}", interface_, inner, member_.number()),
       false},
      {fmt::format("address add {}/30 dev {}", outer_, interface_), false},
      {fmt::format("link set {} up", interface_), false},
      {fmt::format("address add {}/30 dev {}", address(which, 2), inner), true},
      {fmt::format("link set {} up", inner), true},
      {"link set lo up", true}};
  for (const auto& [words, is_inside] : steps) {
    if (auto done = run_ip(words, is_inside); !done) {
      return done;
    }
  }
  return {};
}

result<void> private_network::let_pass_through(bool yes) const {
  return run_ip(fmt::format("link set {} {}", interface_, yes ? "up" : "down"));
}

result<void> private_network::run_ip(const std::string& words, bool is_inside) const {
  program what{.words = {ip_}, .output = log_.string()};
  std::istringstream from(words);
  for (std::string word; from >> word;) {
    what.words.push_back(word);
  }
  what.in_network_of = is_inside ? member_.number() : 0;
  auto begun = process::start(what);
  if (!begun) {
    return tl::unexpected(begun.error());
  }
  if (begun->wait() == 0) {
    return {};
  }
  return failure(exit_code::store_unreachable,
                 fmt::format("`ip {}` failed here; it said:\n{}", words, whole_text(log_)));
}

}  // namespace dibs::torment
