/// HTTP calls to one server, several at a time, by libcurl.
///
/// Never waits: `poll` on the one descriptor says when there is something to do, and `run` does it.
/// A connection is kept for the next call. A call that finds all of them busy waits its turn, in
/// the order in which they were made.
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace dibs::store {

inline constexpr int http_ok = 200;

struct http_request {
  std::string method;
  std::string path;
  std::string body{};  ///< JSON; empty: none
};

struct http_answer {
  int status = 0;  ///< 0: nobody knows whether the server did it
  std::string body;
  std::string why;       ///< with status 0
  bool was_sent = true;  ///< false: no connection could be made, so the server did nothing
};

/// Errors (exit code 2): the library is missing, or was when dibs was built.
[[nodiscard]] result<void> can_call_http();

/// Not copied, not moved.
class http_calls {
 public:
  using taker = std::function<void(const http_answer&)>;

  /// `base`: `http://host:port`. `at_once`: so many calls. Requires: libcurl is there.
  http_calls(std::string base, std::size_t at_once, std::chrono::milliseconds patience);
  http_calls(const http_calls&) = delete;
  http_calls& operator=(const http_calls&) = delete;
  ~http_calls();

  [[nodiscard]] int descriptor() const;
  /// What each later call bears in its header `Authorization`.
  void authorize(const std::string& token);
  /// Its answer comes from a later `run`, which may ask again.
  void ask(http_request what, taker take);
  void post(const std::string& path, std::string body, taker take) {
    ask({"POST", path, std::move(body)}, std::move(take));
  }
  void run();
  /// Those that have not been answered.
  [[nodiscard]] std::size_t under_way() const;
  /// Answers what is under way with status 0.
  void give_up(const std::string& why);

 private:
  class transfers;
  std::unique_ptr<transfers> all_;
};

}  // namespace dibs::store
