#include "service_client/client.hpp"

#include "store/connection.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <optional>
#include <utility>

namespace dibs::service_client {

client::client(const client_options& how)
    : calls_(std::make_unique<store::http_calls>(how.url, 1, how.patience)),
      name_(store::new_space()) {
  if (!how.bearer.empty()) {
    calls_->authorize("Bearer " + how.bearer);
  }
}

result<client> client::make(const client_options& how) {
  auto url = read_url(how.url);
  if (!url) {
    return tl::unexpected(url.error());
  }
  if (const auto can = store::can_call_http(); !can) {
    return tl::unexpected(can.error());
  }
  client_options known = how;
  known.url = std::move(*url);
  return client(known);
}

store::http_answer client::ask(store::http_request what) {
  std::optional<store::http_answer> came;
  calls_->ask(std::move(what), [&](const store::http_answer& a) { came = a; });
  while (!came) {  // bounded by its patience
    pollfd waiting{calls_->descriptor(), POLLIN, 0};
    ::poll(&waiting, 1, -1);
    calls_->run();
  }
  return *came;
}

answer<lease> client::acquire(const std::string& resource,
                              const std::string& holder,
                              milliseconds ttl) {
  const auto call = acquire_call(resource, holder, ttl, fmt::format("{}/{}", name_, ++requests_));
  auto first = lease_answer(ask(call));
  return first.how == outcome::lost ? lease_answer(ask(call)) : first;
}

answer<lease> client::renew(const lease& l, milliseconds ttl) {
  return lease_answer(ask(renew_call(l.token, l.holder, ttl)));
}

answer<nothing> client::release(const lease& l) {
  return release_answer(ask(release_call(l.token, l.holder)));
}

answer<task> client::create_task(const std::string& data) {
  return task_answer(ask(create_task_call(data)));
}

answer<task> client::next_task(const std::string& worker, milliseconds ttl, milliseconds wait) {
  return task_answer(ask(next_task_call(worker, ttl, wait)));
}

answer<task> client::heartbeat(const task& t, milliseconds ttl) {
  return task_answer(ask(heartbeat_call(t, ttl)));
}

answer<task> client::complete(const task& t, const std::string& output) {
  return task_answer(ask(complete_call(t, output)));
}

}  // namespace dibs::service_client
