#include "service/fields.hpp"

#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>

#include <charconv>

namespace dibs::service {
namespace {

/// A deeper value could not be written without as deep a stack.
constexpr int depth_max = 64;

constexpr std::string_view problem_type = "application/problem+json";

const char* title_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Payload Too Large";
    case 414:
      return "URI Too Long";
    case 416:
      return "Range Not Satisfiable";
    case 422:
      return "Unprocessable Entity";
    case 503:
      return "Service Unavailable";
    default:
      return status < 500 ? "Bad Request" : "Internal Server Error";
  }
}

}  // namespace

api_response problem(int status, const std::string& detail) {
  return {status,
          std::string(problem_type),
          text::json_as_text({{"type", "about:blank"},
                              {"title", title_of(status)},
                              {"status", status},
                              {"detail", detail}})};
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end && value >= 0 ? std::optional(value)
                                                                 : std::nullopt;
}

tl::expected<nlohmann::ordered_json, api_response> body_of(const api_request& r) {
  if (r.is_body_too_long || r.body.size() > body_bytes_max) {
    return tl::unexpected<api_response>(
        problem(413, fmt::format("a body may have {} bytes", body_bytes_max)));
  }
  bool is_too_deep = false;
  const auto look = [&](int depth, nlohmann::ordered_json::parse_event_t, auto&) {
    is_too_deep = is_too_deep || depth > depth_max;
    return !is_too_deep;
  };
  auto j = nlohmann::ordered_json::parse(r.body, look, false);
  if (is_too_deep) {
    return tl::unexpected<api_response>(
        problem(400, fmt::format("the body is nested deeper than {} levels", depth_max)));
  }
  if (j.is_discarded() || !j.is_object()) {
    return tl::unexpected<api_response>(problem(400, "the body is no JSON object"));
  }
  return j;
}

const nlohmann::ordered_json* fields::find(const std::string& field, bool is_needed) {
  asked_.insert(field);
  const auto found = object_->find(field);
  if (found != object_->end()) {
    return &*found;
  }
  if (is_needed) {
    complain(field, "is missing");
  }
  return nullptr;
}

std::string fields::name(const std::string& field) {
  return find(field, true) == nullptr ? "" : name_or_none(field);
}

std::string fields::name_or_none(const std::string& field) {
  const auto* j = find(field, false);
  if (j == nullptr) {
    return "";
  }
  const auto* text = j->get_ptr<const std::string*>();
  // Not every store keeps a NUL.
  if (text == nullptr || text->empty() || text->size() > name_bytes_max ||
      text->find('\0') != std::string::npos) {
    complain(field, fmt::format("must be a text of 1 to {} bytes without a NUL", name_bytes_max));
    return "";
  }
  return *text;
}

std::int64_t fields::number(const std::string& field, std::int64_t least, std::int64_t most) {
  return find(field, true) == nullptr ? least : number_or(field, least, least, most);
}

std::int64_t fields::number_or(const std::string& field,
                               std::int64_t otherwise,
                               std::int64_t least,
                               std::int64_t most) {
  const auto* j = find(field, false);
  if (j == nullptr) {
    return otherwise;
  }
  const bool fits = j->is_number_unsigned()
                        ? j->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                        : j->is_number_integer();
  const std::int64_t value = fits ? j->get<std::int64_t>() : least;
  if (!fits || value < least || value > most) {
    complain(field, fmt::format("must be a whole number from {} to {}", least, most));
  }
  return value;
}

std::string fields::json(const std::string& field) {
  const auto* j = find(field, true);
  return j == nullptr ? "" : text::json_as_text(*j);
}

void fields::complain(const std::string& field, const std::string& what) {
  complaints_.push_back({{"field", field}, {"problem", what}});
}

std::optional<api_response> fields::refusal() {
  for (const auto& each : object_->items()) {
    if (!asked_.contains(each.key())) {
      complain(text::display_text(each.key()), "is no field of this call");
    }
  }
  if (complaints_.empty()) {
    return std::nullopt;
  }
  constexpr int unprocessable = 422;
  return api_response{unprocessable,
                      std::string(problem_type),
                      text::json_as_text({{"type", "about:blank"},
                                          {"title", title_of(unprocessable)},
                                          {"status", unprocessable},
                                          {"detail", "fields are missing or wrong"},
                                          {"errors", complaints_}})};
}

}  // namespace dibs::service
