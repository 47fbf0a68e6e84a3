// Where cpp-httplib is missing.
#include "explore/page_server.hpp"
#include "service/http_server.hpp"

namespace dibs::explore {

struct page_server::parts {};

page_server::page_server(std::unique_ptr<parts> p) : parts_(std::move(p)) {}
page_server::~page_server() = default;

result<void> can_show() { return service::can_serve(); }

result<std::unique_ptr<page_server>> page_server::listen(int) {
  return tl::unexpected<error>(can_show().error());
}

int page_server::port() const { return 0; }

void page_server::serve(const page_content&, const std::atomic<bool>&) {}

}  // namespace dibs::explore
