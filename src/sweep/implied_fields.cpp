#include "sweep/implied_fields.hpp"

#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::sweep {

std::vector<derivation> implied_by(const std::vector<std::string>& varied,
                                   const std::vector<std::string>& fixed,
                                   const scenario::scenario& base) {
  constexpr const char* window = "lease.offer_window";
  const auto has = [](const std::vector<std::string>& all, const char* path) {
    return std::ranges::find(all, path) != all.end();
  };
  const auto& lease = base.lease;
  if (!has(varied, "lease.ttl") || has(varied, window) || has(fixed, window) ||
      !lease.offer_window || lease.ttl == forever || *lease.offer_window >= lease.ttl) {
    return {};
  }
  constexpr double least_share = 0.2;
  const double share =
      std::min(least_share, in_seconds(*lease.offer_window) / in_seconds(lease.ttl));
  return {{window,
           fmt::format("max(lease.ttl - {}, lease.ttl * {:.4g})",
                       text::print_duration(lease.ttl - *lease.offer_window),
                       share)}};
}

std::string sentence_of(const derivation& implied, const scenario::scenario& base) {
  const std::string own = text::print_duration(base.lease.offer_window.value_or(base.lease.ttl));
  return fmt::format("{0} follows lease.ttl, as {1}; --set {0}={2} keeps it at the scenario's",
                     implied.path,
                     implied.expression,
                     own);
}

}  // namespace dibs::sweep
