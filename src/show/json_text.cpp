#include "show/json_text.hpp"

#include "metrics/catalogue.hpp"
#include "report/number.hpp"

namespace dibs::show {

std::string script_safe(const nlohmann::ordered_json& j) {
  using handler = nlohmann::ordered_json::error_handler_t;
  std::string out;
  for (const char c : j.dump(-1, ' ', false, handler::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

nlohmann::ordered_json catalogue_json() {
  auto all = nlohmann::ordered_json::array();
  for (const metrics::entry& e : metrics::catalogue()) {
    all.push_back({{"name", e.name},
                   {"unit", report::name_of(e.unit)},
                   {"better",
                    e.direction == metrics::direction::more_is_better   ? "more"
                    : e.direction == metrics::direction::less_is_better ? "less"
                                                                        : ""},
                   {"is", e.definition},
                   {"per", e.per},
                   {"scale", e.scale}});
  }
  return all;
}

}  // namespace dibs::show
