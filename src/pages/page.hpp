/// A page that holds all that it shows: one HTML file that opens from disk, asks nothing of the
/// network and may run no script but its own.
///
/// Its content security policy names the hashes of its scripts and style; whatever a scenario says
/// enters as data, and the scripts put it on the page as text.
#pragma once

#include <string>

namespace dibs::pages {

/// `model`: JSON without a `<` in it; `title`: any text.
[[nodiscard]] std::string page_of(const std::string& title, const std::string& model);

/// The page of `dibs explore`, which asks whoever served it, and nobody else, for more.
[[nodiscard]] std::string live_page_of(const std::string& title, const std::string& model);

}  // namespace dibs::pages
