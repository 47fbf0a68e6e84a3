#include "explore/access.hpp"

#include "base/ensure.hpp"

#include <fmt/format.h>

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace dibs::explore {
namespace {

bool is_same(std::string_view a, std::string_view b) {
  unsigned differ = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    differ |= a[i] == b[i] ? 0U : 1U;
  }
  return differ == 0;
}

}  // namespace

bool is_loopback(std::string_view host, int port) {
  constexpr std::array<std::string_view, 3> names{"127.0.0.1", "localhost", "[::1]"};
  const std::string behind = fmt::format(":{}", port);
  return std::ranges::any_of(names, [&](std::string_view name) {
    return host.starts_with(name) && host.substr(name.size()) == behind;
  });
}

std::string fresh_token() {
  std::array<std::uint64_t, 2> bits{};
  ensure(::getrandom(bits.data(), sizeof bits, 0) == sizeof bits, "the system gives random bytes");
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

std::optional<refused_request> refusal_of(const page_request& r, std::string_view token, int port) {
  if (!is_loopback(r.host, port)) {
    return refused_request{403, "this page is for its own machine: ask by 127.0.0.1"};
  }
  const auto shown = r.query.find("token");
  if (shown == r.query.end() || !is_same(shown->second, token)) {
    return refused_request{
        403, "the token is missing or wrong: take the whole address that dibs printed"};
  }
  if (r.method != "GET") {
    return refused_request{405, "only GET is answered"};
  }
  return std::nullopt;
}

}  // namespace dibs::explore
