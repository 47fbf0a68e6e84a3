/// Who may ask the page's server for what. Pure; it knows nothing of the library for HTTP.
///
/// The page is for one person at this machine. What comes with the name of another host is refused,
/// so that a page from elsewhere whose name was made to lead here (DNS rebinding) learns nothing,
/// and what comes without the token, which no other program of this machine has been told.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::explore {

struct page_request {
  std::string method;
  std::string path;
  std::string host;                          ///< the header
  std::map<std::string, std::string> query;  ///< the first of each name
};

struct refused_request {
  int status = 0;
  std::string_view why;
};

/// Whether a `Host` names this machine's loopback, with this port.
[[nodiscard]] bool is_loopback(std::string_view host, int port);

/// 128 bits from the system, as hexadecimal digits.
[[nodiscard]] std::string fresh_token();

/// 403 for another host or token, 405 for another method than GET; nothing for what may be
/// answered. Takes as long for every wrong token.
[[nodiscard]] std::optional<refused_request> refusal_of(const page_request& r,
                                                        std::string_view token,
                                                        int port);

}  // namespace dibs::explore
