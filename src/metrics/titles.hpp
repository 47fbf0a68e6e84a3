/// What metrics are called in headings and on axes, where their names would be riddles.
#pragma once

#include <string>
#include <string_view>

namespace dibs::metrics {

/// `drivers' time hidden for nothing` for `supply.hidden_share`, `time to match, p95` for
/// `ttm.p95`, `time to match` for its family; the text itself where no metric is called that, such
/// as a formula.
[[nodiscard]] std::string title_of(std::string_view name);

/// The same as files have it: for a few metrics an older word, so that programs find what they
/// found before.
[[nodiscard]] std::string file_title_of(std::string_view name);

}  // namespace dibs::metrics
