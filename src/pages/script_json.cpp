#include "pages/script_json.hpp"

#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <cstdint>

namespace dibs::pages {
namespace {

void spell_out_what_scripts_round(nlohmann::ordered_json& j) {
  constexpr std::uint64_t first_inexact = std::uint64_t{1} << 53U;
  if (j.is_structured()) {
    for (nlohmann::ordered_json& each : j) {
      spell_out_what_scripts_round(each);
    }
  } else if (j.is_number_unsigned() && j.get<std::uint64_t>() >= first_inexact) {
    j = text::json_as_text(j);
  }
}

}  // namespace

std::string script_safe(nlohmann::ordered_json j) {
  spell_out_what_scripts_round(j);
  std::string out;
  for (const char c : text::json_as_text(j)) {
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
                   {"title", metrics::file_title_of(e.name)},
                   {"unit", text::name_of(e.unit)},
                   {"better",
                    e.meaning.direction == metrics::direction::more_is_better   ? "more"
                    : e.meaning.direction == metrics::direction::less_is_better ? "less"
                                                                                : ""},
                   {"is", e.definition},
                   {"per", e.per},
                   {"scale", e.scale}});
  }
  return all;
}

}  // namespace dibs::pages
