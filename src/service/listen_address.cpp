#include "service/fields.hpp"
#include "service/http_server.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

namespace dibs::service {

result<listen_address> read_listen_address(const std::string& text) {
  constexpr std::int64_t port_max = 65535;
  const std::size_t colon = text.rfind(':');
  std::string host = text.substr(0, colon == std::string::npos ? text.size() : colon);
  const auto port = whole_number(colon == std::string::npos ? "" : text.substr(colon + 1));
  const bool is_bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (is_bracketed) {
    host = host.substr(1, host.size() - 2);
  }
  const bool is_whole = !host.empty() && (is_bracketed || host.find(':') == std::string::npos) &&
                        host.find_first_of(" \t/@[]") == std::string::npos;
  if (!port || *port > port_max || !is_whole) {
    return failure(exit_code::usage,
                   fmt::format("must be HOST:PORT such as 127.0.0.1:8080 (got \"{}\")",
                               text::display_text(text)));
  }
  return listen_address{std::move(host), static_cast<int>(*port)};
}

std::string text_of(const listen_address& a) {
  const bool is_v6 = a.host.find(':') != std::string::npos;
  return is_v6 ? fmt::format("[{}]:{}", a.host, a.port) : fmt::format("{}:{}", a.host, a.port);
}

}  // namespace dibs::service
