/// What a page shows of a choice: the best value of some fields, as `dibs tune --format json`
/// prints it, and where everything holds over two of them, as `dibs region --format json` does; or
/// the survival table.
#pragma once

#include "base/result.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace dibs::pages {

struct page_model {
  std::string title;
  nlohmann::ordered_json model;
};

/// Where the runs of a cell of the survival table are kept, below the folder of the table's page,
/// and with `.html` their page. Letters, digits, hyphens and one slash.
[[nodiscard]] std::string cell_stem(const std::string& incident, const std::string& protocol);

/// `j`: as it was printed. Errors (exit 3): it is none of them, or a part is missing. A cell of the
/// survival table has the commands that show its runs side by side, and a link to the page that
/// they make, if it is there already. `folder`: of the page.
[[nodiscard]] result<page_model> choice_model_of(nlohmann::ordered_json j,
                                                 const std::string& version,
                                                 const std::filesystem::path& folder);

}  // namespace dibs::pages
