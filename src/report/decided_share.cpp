#include "report/decided_share.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <utility>

namespace dibs::report {
namespace {

/// `seen`: how many incidents came to each verdict.
std::string share_told(std::map<std::string, int> seen) {
  std::string text = fmt::format(
      "{} of {} decided", seen["breaks"], seen["breaks"] + seen["degrades"] + seen["survives"]);
  if (const int undecided = seen["undecided"]; undecided > 0) {
    text += fmt::format(", {} undecided", undecided);
  }
  if (const int untouched = seen["untouched"]; untouched > 0) {
    text += fmt::format(", {} {} not apply", untouched, untouched == 1 ? "does" : "do");
  }
  return text;
}

}  // namespace

std::vector<std::string> breaks_in(const nlohmann::ordered_json& rows) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < rows.at(0).at("cells").size(); ++i) {
    std::map<std::string, int> seen;
    for (const auto& row : rows) {
      if (i < row.at("cells").size()) {
        ++seen[row.at("cells").at(i).value("verdict", "")];
      }
    }
    all.push_back(share_told(std::move(seen)));
  }
  return all;
}

}  // namespace dibs::report
