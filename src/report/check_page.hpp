/// What a check found as a page, with a link from each row to its story.
#pragma once

#include "report/check_text.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace dibs::report {

/// HTML without a script. `links`: the file of each row's story, by the row's name.
[[nodiscard]] std::string check_page_of(const checked_column& c,
                                        const std::map<std::string, std::string>& links);

/// Of several variants: the verdict of each with a link to its page, in these folders beside it,
/// and what each cause does to them.
[[nodiscard]] std::string columns_page_of(std::span<const checked_column> columns,
                                          const std::vector<std::string>& folders);

/// The story of a row: what happened, step by step, what mends it, and what puts the cause into the
/// scenario. `runs`: with the cause.
[[nodiscard]] std::string story_page_of(const check::row& r,
                                        const check::story& s,
                                        std::uint32_t runs);

}  // namespace dibs::report
