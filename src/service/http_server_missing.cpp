// Where cpp-httplib is missing.
#include "service/http_server.hpp"

namespace dibs::service {

struct http_server::parts {
  listen_address where;
};

http_server::http_server(std::unique_ptr<parts> p) : parts_(std::move(p)) {}
http_server::~http_server() = default;

result<void> can_serve() {
  return failure(exit_code::usage,
                 "this dibs was built without a server for HTTP: install the package "
                 "libcpp-httplib-dev and build again");
}

result<std::unique_ptr<http_server>> http_server::listen(const listen_address&) {
  return tl::unexpected<error>(can_serve().error());
}

const listen_address& http_server::address() const { return parts_->where; }

void http_server::serve(api&, lease_service&, const std::atomic<bool>&) {}

}  // namespace dibs::service
