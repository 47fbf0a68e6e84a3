#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

namespace dibs::text {

std::string json_as_text(const nlohmann::ordered_json& j, int indent) {
  return j.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json text_as_json(std::string_view text) {
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

}  // namespace dibs::text
