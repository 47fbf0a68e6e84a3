// Where libcurl is missing.
#include "base/ensure.hpp"
#include "store/http_calls.hpp"

namespace dibs::store {

class http_calls::transfers {};

result<void> can_call_http() {
  return failure(exit_code::usage,
                 "this dibs was built without calls over HTTP: install the package "
                 "libcurl4-openssl-dev and build again");
}

http_calls::http_calls(std::string /*base*/, std::size_t, std::chrono::milliseconds /*patience*/) {
  ensure(false, "calls are made only where the library is there");
}
http_calls::~http_calls() = default;

int http_calls::descriptor() const { return -1; }
void http_calls::authorize(const std::string& /*token*/) {}
void http_calls::ask(http_request /*what*/, taker /*take*/) {}
void http_calls::run() {}
std::size_t http_calls::under_way() const { return 0; }
void http_calls::give_up(const std::string& /*why*/) {}

}  // namespace dibs::store
