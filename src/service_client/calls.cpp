#include "service_client/calls.hpp"

#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <system_error>

namespace dibs::service_client {
namespace {

using json = nlohmann::ordered_json;

constexpr int no_content = 204;
constexpr int forbidden = 403;
constexpr int not_found = 404;
constexpr int conflict = 409;

/// For a query, as RFC 3986 has it.
std::string percent_encoded(std::string_view text) {
  constexpr std::string_view plain = "-._~";
  std::string all;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || plain.find(c) != std::string_view::npos;
    all += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return all;
}

store::http_request with_body(const char* method, std::string path, const json& body) {
  return {method, std::move(path), text::json_as_text(body)};
}

outcome outcome_of(const store::http_answer& a, std::initializer_list<int> refusals) {
  constexpr int good = 200;
  constexpr int not_good = 300;
  constexpr int failed = 500;
  if (a.status < good || a.status >= failed) {
    return outcome::lost;
  }
  if (a.status < not_good) {
    return outcome::yes;
  }
  return std::ranges::count(refusals, a.status) > 0 ? outcome::no : outcome::unfit;
}

/// What the service says of it, for a person.
std::string why_of(const store::http_answer& a, const json& body) {
  if (a.status == 0) {
    return a.why;
  }
  const auto detail = body.is_object() ? body.find("detail") : body.end();
  const bool is_told = body.is_object() && detail != body.end() && detail->is_string();
  return is_told
             ? fmt::format(
                   "{}: {}", a.status, text::display_text(detail->get_ref<const std::string&>()))
             : std::to_string(a.status);
}

/// A whole number of an object; 0 where it has none.
std::int64_t number_in(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string text_in(const json& body, const char* name) {
  const auto found = body.find(name);
  return found != body.end() && found->is_string() ? found->get<std::string>() : "";
}

/// `read` fills in what a yes is about, from an object. False: it is not all there.
template <class T, class Read>
answer<T> answer_of(const store::http_answer& a,
                    std::initializer_list<int> refusals,
                    const Read& read) {
  const json body = text::text_as_json(a.body);
  answer<T> found{.how = outcome_of(a, refusals), .status = a.status, .was_sent = a.was_sent};
  if (found.how != outcome::yes) {
    found.why = why_of(a, body);
    return found;
  }
  T what;
  if (a.status == no_content) {
    return found;
  }
  if (!body.is_object() || !read(body, what)) {
    found.how = outcome::lost;
    found.why = fmt::format("{}: an answer that cannot be read", a.status);
    return found;
  }
  found.of = std::move(what);
  return found;
}

}  // namespace

store::http_request acquire_call(const std::string& resource,
                                 const std::string& holder,
                                 milliseconds ttl,
                                 const std::string& request) {
  return with_body(
      "POST",
      "/v1/leases",
      {{"resource", resource}, {"holder", holder}, {"ttl_ms", ttl.count()}, {"request", request}});
}

store::http_request renew_call(std::int64_t token, const std::string& holder, milliseconds ttl) {
  return with_body("PUT",
                   fmt::format("/v1/leases/{}/renew", token),
                   {{"holder", holder}, {"ttl_ms", ttl.count()}});
}

store::http_request release_call(std::int64_t token, const std::string& holder) {
  return {"DELETE", fmt::format("/v1/leases/{}?holder={}", token, percent_encoded(holder))};
}

store::http_request create_task_call(const std::string& data) {
  return with_body("POST", "/v1/tasks", {{"data", text::text_as_json(data)}});
}

store::http_request next_task_call(const std::string& worker, milliseconds ttl, milliseconds wait) {
  return with_body("POST",
                   "/v1/tasks/next",
                   {{"worker", worker}, {"ttl_ms", ttl.count()}, {"wait_ms", wait.count()}});
}

store::http_request heartbeat_call(const task& t, milliseconds ttl) {
  return with_body("PUT",
                   fmt::format("/v1/tasks/{}/heartbeat", t.id),
                   {{"token", t.token}, {"ttl_ms", ttl.count()}});
}

store::http_request complete_call(const task& t, const std::string& output) {
  return with_body("PUT",
                   fmt::format("/v1/tasks/{}/complete", t.id),
                   {{"token", t.token}, {"output", text::text_as_json(output)}});
}

answer<lease> lease_answer(const store::http_answer& a) {
  auto found = answer_of<lease>(a, {forbidden, not_found, conflict}, [](const json& j, lease& l) {
    l = {number_in(j, "token"), text_in(j, "resource"), text_in(j, "holder")};
    return l.token > 0;
  });
  if (found.how == outcome::yes && !found.of) {
    found.how = outcome::lost;
    found.why = "204: an answer without a lease";
  }
  return found;
}

answer<nothing> release_answer(const store::http_answer& a) {
  return answer_of<nothing>(a, {not_found}, [](const json&, nothing&) { return true; });
}

answer<task> task_answer(const store::http_answer& a) {
  return answer_of<task>(a, {not_found, conflict}, [](const json& j, task& t) {
    const auto data = j.find("data");
    t = {.id = number_in(j, "id"),
         .token = number_in(j, "token"),
         .data = data == j.end() ? "null" : text::json_as_text(*data),
         .attempts = number_in(j, "attempts")};
    return t.id > 0;
  });
}

namespace {

/// Whether what follows the host is nothing, or a port that there can be.
bool has_fit_port(std::string_view rest) {
  rest = rest.substr(0, rest.find('/'));
  const std::size_t colon = rest.find(':', rest.rfind(']') + 1);  // npos + 1 is 0
  if (colon == std::string_view::npos) {
    return true;
  }
  const std::string_view port = rest.substr(colon + 1);
  std::uint16_t number = 0;
  const auto read = std::from_chars(port.data(), port.data() + port.size(), number);
  return read.ec == std::errc() && read.ptr == port.data() + port.size() && number > 0;
}

}  // namespace

result<std::string> read_url(const std::string& text) {
  constexpr std::string_view scheme = "http://";
  if (text.find('@') != std::string::npos) {  // first, so that no complaint shows a password
    return failure(exit_code::usage,
                   "an address with a user or a password is not taken: a bearer token comes from "
                   "a file or the environment");
  }
  std::string url = text;
  while (url.ends_with('/')) {
    url.pop_back();
  }
  const std::string rest = url.starts_with(scheme) ? url.substr(scheme.size()) : "";
  if (rest.empty() || rest.starts_with('/') || rest.starts_with(':') ||
      rest.find_first_of("?#% \t\r\n\"\\<>") != std::string::npos || !has_fit_port(rest)) {
    return failure(exit_code::usage,
                   fmt::format("must be the address of a service such as http://127.0.0.1:8080 "
                               "(got \"{}\")",
                               text::display_text(text)));
  }
  return url;
}

}  // namespace dibs::service_client
