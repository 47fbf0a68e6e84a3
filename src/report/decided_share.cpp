#include "report/decided_share.hpp"

#include "incidents/decided_count.hpp"

#include <cstddef>

namespace dibs::show {

std::vector<std::string> breaks_in(const nlohmann::ordered_json& rows) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < rows.at(0).at("cells").size(); ++i) {
    survive::tally seen;
    for (const auto& row : rows) {
      if (i < row.at("cells").size()) {
        seen.count(row.at("cells").at(i).value("verdict", ""));
      }
    }
    all.push_back(seen.words());
  }
  return all;
}

}  // namespace dibs::show
