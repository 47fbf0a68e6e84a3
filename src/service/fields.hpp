/// Reads the fields of a call, and collects what is wrong with them.
#pragma once

#include "service/api.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace dibs::service {

inline constexpr std::int64_t ttl_ms_max = 24LL * 3600 * 1000;
inline constexpr std::int64_t wait_ms_max = 60'000;
inline constexpr std::size_t name_bytes_max = 256;

/// A whole number in decimal digits.
[[nodiscard]] std::optional<std::int64_t> whole_number(const std::string& text);

/// The object that a call's body holds; or the response that refuses it: 400 or 413.
[[nodiscard]] tl::expected<nlohmann::ordered_json, api_response> body_of(const api_request& r);

class fields {
 public:
  explicit fields(const nlohmann::ordered_json& object) : object_(&object) {}

  /// A text of 1 to 256 bytes.
  std::string name(const std::string& field);
  std::string name_or_none(const std::string& field);
  std::int64_t number(const std::string& field, std::int64_t least, std::int64_t most);
  std::int64_t number_or(const std::string& field,
                         std::int64_t otherwise,
                         std::int64_t least,
                         std::int64_t most);
  /// Any value, as JSON on one line.
  std::string json(const std::string& field);
  void complain(const std::string& field, const std::string& what);

  /// 422 with all complaints; nothing if there are none. Call it last: a field that nobody asked
  /// for is a complaint, too.
  [[nodiscard]] std::optional<api_response> refusal();

 private:
  [[nodiscard]] const nlohmann::ordered_json* find(const std::string& field, bool is_needed);

  const nlohmann::ordered_json* object_;
  std::set<std::string> asked_;
  nlohmann::ordered_json complaints_ = nlohmann::ordered_json::array();
};

}  // namespace dibs::service
