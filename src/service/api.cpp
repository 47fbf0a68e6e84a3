#include "service/api.hpp"

#include "base/stopwatch.hpp"
#include "service/fields.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace dibs::service {
namespace {

using json = nlohmann::ordered_json;

constexpr std::int64_t ttl_ms_standard = 30'000;
constexpr std::int64_t number_max = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t page_max = 1000;
constexpr std::size_t target_bytes_max = 1024;

enum class call : std::uint8_t {
  health,
  metrics,
  openapi,
  list_leases,
  create_lease,
  get_lease,
  release,
  renew,
  create_task,
  next_task,
  get_task,
  heartbeat,
  complete,
};

/// As `2026-01-31T12:00:00.250Z`.
std::string time_text(instant t) {
  const auto day = std::chrono::floor<std::chrono::days>(t);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(t - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
                     static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()),
                     time.hours().count(),
                     time.minutes().count(),
                     time.seconds().count(),
                     time.subseconds().count());
}

constexpr std::array lease_states{std::pair{lease_state::active, "active"},
                                  std::pair{lease_state::expired, "expired"},
                                  std::pair{lease_state::released, "released"}};

const char* name_of(lease_state s) { return lease_states.at(static_cast<std::size_t>(s)).second; }

const char* name_of(task_state s) {
  switch (s) {
    case task_state::waiting:
      return "waiting";
    case task_state::taken:
      return "taken";
    case task_state::done:
      return "done";
  }
  return "";
}

json json_of(const lease& l, instant now) {
  json j{{"token", l.token},
         {"resource", l.resource},
         {"holder", l.holder},
         {"state", name_of(l.state)},
         {"created_at", time_text(l.created)},
         {"expires_at", time_text(l.expires)}};
  if (!l.request.empty()) {
    j["request"] = l.request;
  }
  if (l.state == lease_state::active) {
    j["remaining_ms"] = std::max<std::int64_t>((l.expires - now).count(), 0);
  } else {
    j["ended_at"] = time_text(l.ended);
  }
  return j;
}

json json_of(const task& t, instant now) {
  json j{{"id", t.id},
         {"state", name_of(t.state)},
         {"data", text::text_as_json(t.data)},
         {"attempts", t.attempts},
         {"created_at", time_text(t.created)}};
  if (t.state != task_state::waiting) {
    j["token"] = t.token;
    j["worker"] = t.worker;
  }
  if (t.state == task_state::taken) {
    j["expires_at"] = time_text(t.expires);
    j["remaining_ms"] = std::max<std::int64_t>((t.expires - now).count(), 0);
  }
  if (t.state == task_state::done) {
    j["output"] = text::text_as_json(t.output);
  }
  return j;
}

api_response as_json(int status, const json& j) {
  return {status, "application/json", text::json_as_text(j)};
}

api_response unavailable(const std::string& why) {
  api_response r = problem(503, why);
  r.headers.emplace_back("Retry-After", "1");
  return r;
}

template <class T>
api_response response_of(const answer<T>& a,
                         const std::string& folder,
                         std::int64_t number,
                         const lease_service& s) {
  // Read after the decision, so nobody is told of more time than there is.
  const instant now = s.now();
  switch (a.how) {
    case verdict::made: {
      api_response r = as_json(201, json_of(*a.of, now));
      r.headers.emplace_back("Location", fmt::format("/v1/{}/{}", folder, number));
      return r;
    }
    case verdict::done:
      return as_json(200, json_of(*a.of, now));
    case verdict::none:
      return {.status = 204};
    case verdict::unknown:
      return problem(404, fmt::format("there is none with this number in {}", folder));
    case verdict::not_yours:
      return problem(403, "it is another holder's");
    case verdict::held:
      return problem(409, "the resource is leased");
    case verdict::over:
      return problem(409, "the lease is over, or the token is not the current one");
    case verdict::reused:
      return problem(409, "this holder made the same request for another resource");
    case verdict::full:
      return unavailable("there is no room for more");
    case verdict::away:
      return unavailable("the record of leases cannot be reached");
  }
  return problem(500, "");
}

/// Compares all of both, so that the time it takes tells nothing of where they differ.
bool is_same_secret(std::string_view shown, std::string_view secret) {
  unsigned differs = shown.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const char other = i < shown.size() ? shown[i] : '\0';
    differs |= static_cast<unsigned>(secret[i] ^ other);
  }
  return differs == 0;
}

std::vector<std::string> segments_of(const std::string& path) {
  std::vector<std::string> all;
  for (std::size_t from = 1; from <= path.size();) {
    const std::size_t end = std::min(path.find('/', from), path.size());
    all.push_back(path.substr(from, end - from));
    from = end + 1;
  }
  return path.starts_with('/') ? all : std::vector<std::string>{};
}

struct pattern {
  const char* method;
  const char* path;  ///< `*` stands for a number
  call what;
};

constexpr std::array patterns{pattern{"GET", "/healthz", call::health},
                              pattern{"GET", "/metrics", call::metrics},
                              pattern{"GET", "/openapi.json", call::openapi},
                              pattern{"GET", "/v1/leases", call::list_leases},
                              pattern{"POST", "/v1/leases", call::create_lease},
                              pattern{"GET", "/v1/leases/*", call::get_lease},
                              pattern{"DELETE", "/v1/leases/*", call::release},
                              pattern{"PUT", "/v1/leases/*/renew", call::renew},
                              pattern{"POST", "/v1/tasks", call::create_task},
                              pattern{"POST", "/v1/tasks/next", call::next_task},
                              pattern{"GET", "/v1/tasks/*", call::get_task},
                              pattern{"PUT", "/v1/tasks/*/heartbeat", call::heartbeat},
                              pattern{"PUT", "/v1/tasks/*/complete", call::complete}};

/// The number at its star, or 0 where it has none; nothing if the path is another.
std::optional<std::int64_t> match(const pattern& p, const std::vector<std::string>& path) {
  const auto wanted = segments_of(p.path);
  std::int64_t number = 0;
  if (wanted.size() != path.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto read = wanted[i] == "*" ? whole_number(path[i]) : std::nullopt;
    if (!read && wanted[i] != path[i]) {
      return std::nullopt;
    }
    number = read.value_or(number);
  }
  return number;
}

tl::expected<page_wish, api_response> page_of(const api_request& r) {
  page_wish wish;
  json none = json::object();
  fields complaints(none);
  for (const auto& [name, value] : r.query) {
    const auto number = whole_number(value);
    const auto* const state = std::find_if(lease_states.begin(),
                                           lease_states.end(),
                                           [&v = value](const auto& s) { return v == s.second; });
    if (name == "state" && state != lease_states.end()) {
      wish.state = state->first;
    } else if (name == "after" && number) {
      wish.after = *number;
    } else if (name == "limit" && number && *number > 0 && *number <= std::int64_t{page_max}) {
      wish.most = static_cast<std::size_t>(*number);
    } else {
      complaints.complain(text::json_as_text(name),
                          "must be state=active|expired|released, after=TOKEN or limit=1..1000");
    }
  }
  if (auto refused = complaints.refusal()) {
    return tl::unexpected<api_response>(std::move(*refused));
  }
  return wish;
}

api_response list(lease_service& s, const api_request& r) {
  const auto wish = page_of(r);
  if (!wish) {
    return wish.error();
  }
  const auto found = s.list(*wish);
  if (!found.of) {
    return unavailable("the record of leases cannot be read");
  }
  json all = json::array();
  for (const lease& l : found.of->leases) {
    all.push_back(json_of(l, s.now()));
  }
  json page{{"leases", std::move(all)}, {"next", nullptr}};
  if (found.of->next) {
    page["next"] = *found.of->next;
  }
  return as_json(200, page);
}

api_response release(lease_service& s, const api_request& r, std::int64_t number) {
  json given = json::object();
  for (const auto& [name, value] : r.query) {
    given[name] = value;
  }
  fields f(given);
  const std::string holder = f.name("holder");
  if (auto refused = f.refusal()) {
    return *refused;
  }
  const auto a = s.release(number, holder);
  return a.how == verdict::done ? api_response{.status = 204} : response_of(a, "leases", number, s);
}

/// The calls with a body.
api_response change(lease_service& s, call what, const json& body, std::int64_t number) {
  fields f(body);
  const auto ttl_of = [&] {
    return milliseconds(f.number_or("ttl_ms", ttl_ms_standard, 1, ttl_ms_max));
  };
  answer<lease> of_lease;
  answer<task> of_task;
  if (what == call::create_lease) {
    const lease_wish wish{f.name("resource"),
                          f.name("holder"),
                          milliseconds(f.number("ttl_ms", 1, ttl_ms_max)),
                          f.name_or_none("request")};
    if (auto refused = f.refusal()) {
      return *refused;
    }
    const auto a = s.create(wish);
    return response_of(a, "leases", a.of ? a.of->token : 0, s);
  }
  if (what == call::renew) {
    const std::string holder = f.name("holder");
    const milliseconds ttl(f.number("ttl_ms", 1, ttl_ms_max));
    if (auto refused = f.refusal()) {
      return *refused;
    }
    return response_of(s.renew(number, holder, ttl), "leases", number, s);
  }
  if (what == call::create_task) {
    std::string data = f.json("data");
    if (auto refused = f.refusal()) {
      return *refused;
    }
    const auto a = s.create_task(std::move(data));
    return response_of(a, "tasks", a.of ? a.of->id : 0, s);
  }
  if (what == call::next_task) {
    const std::string worker = f.name("worker");
    const milliseconds ttl = ttl_of();
    const milliseconds wait(f.number_or("wait_ms", 0, 0, wait_ms_max));
    if (auto refused = f.refusal()) {
      return *refused;
    }
    return response_of(s.next_task(worker, ttl, wait), "tasks", number, s);
  }
  const token t = f.number("token", 1, number_max);
  const bool is_end = what == call::complete;
  const milliseconds ttl = is_end ? milliseconds(0) : ttl_of();
  std::string output = is_end ? f.json("output") : "";
  if (auto refused = f.refusal()) {
    return *refused;
  }
  return response_of(
      is_end ? s.complete(number, t, std::move(output)) : s.heartbeat(number, t, ttl),
      "tasks",
      number,
      s);
}

}  // namespace

bool api::is_welcome(const api_request& r) const {
  return bearer_.empty() || r.path == "/healthz" || r.path == "/openapi.json" ||
         is_same_secret(r.authorization, "Bearer " + bearer_);
}

api_response api::answer(const api_request& r) {
  const stopwatch watch;
  std::string route_name = "none";
  const auto respond = [&]() -> api_response {
    if (r.path.size() > target_bytes_max) {
      return problem(414, fmt::format("a path may have {} bytes", target_bytes_max));
    }
    if (!is_welcome(r)) {
      api_response refused = problem(401, "a bearer token is needed");
      refused.headers.emplace_back("WWW-Authenticate", "Bearer");
      return refused;
    }
    const auto path = segments_of(r.path);
    const std::string method = r.method == "HEAD" ? "GET" : r.method;
    std::string allowed;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const pattern& p = patterns.at(i);
      const auto number = match(p, path);
      if (number && p.method == method) {
        route_name = p.path;
        return answer(i, *number, r);
      }
      if (number) {
        allowed += (allowed.empty() ? "" : ", ") + std::string(p.method);
      }
    }
    if (allowed.empty()) {
      return problem(404, "there is nothing at this path");
    }
    api_response refused = problem(405, "this path takes " + allowed);
    refused.headers.emplace_back("Allow", allowed);
    return refused;
  };
  api_response response = respond();
  metrics_.count(route_name, response.status, watch.seconds());
  return response;
}

api_response api::answer(std::size_t pattern, std::int64_t number, const api_request& r) {
  const call what = patterns.at(pattern).what;
  switch (what) {
    case call::health:
      return {200, "text/plain", "ok\n"};
    case call::metrics:
      return {200, "text/plain; version=0.0.4", metrics_.page(service_->count())};
    case call::openapi:
      return {200, "application/json", std::string(openapi)};
    case call::list_leases:
      return list(*service_, r);
    case call::get_lease:
      return response_of(service_->get(number), "leases", number, *service_);
    case call::get_task:
      return response_of(service_->get_task(number), "tasks", number, *service_);
    case call::release:
      return release(*service_, r, number);
    case call::create_lease:
    case call::renew:
    case call::create_task:
    case call::next_task:
    case call::heartbeat:
    case call::complete: {
      const auto body = body_of(r);
      return body ? change(*service_, what, *body, number) : body.error();
    }
  }
  return problem(404, "");
}

}  // namespace dibs::service
