#include "shrink/ddmin.hpp"

#include <algorithm>
#include <numeric>

namespace dibs::shrink {
namespace {

using parts = std::vector<std::size_t>;

/// The k-th of n pieces of nearly equal size.
parts piece(const parts& all, std::size_t k, std::size_t n) {
  const auto begin = static_cast<std::ptrdiff_t>(all.size() * k / n);
  const auto end = static_cast<std::ptrdiff_t>(all.size() * (k + 1) / n);
  return {all.begin() + begin, all.begin() + end};
}

parts without(const parts& all, const parts& some) {
  parts rest;
  std::ranges::set_difference(all, some, std::back_inserter(rest));
  return rest;
}

}  // namespace

std::vector<std::size_t> ddmin(std::size_t count, const still_shows& shows) {
  parts kept(count);
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  if (kept.empty() || shows({})) {
    return {};
  }
  std::size_t n = std::min<std::size_t>(2, kept.size());
  while (kept.size() > 1) {
    bool is_smaller = false;
    for (std::size_t k = 0; k < n && !is_smaller; ++k) {
      parts one = piece(kept, k, n);
      if (shows(one)) {
        kept = std::move(one);
        n = std::min<std::size_t>(2, kept.size());
        is_smaller = true;
      }
    }
    // Of two pieces each is what the other leaves.
    for (std::size_t k = 0; k < n && !is_smaller && n > 2; ++k) {
      parts rest = without(kept, piece(kept, k, n));
      if (shows(rest)) {
        kept = std::move(rest);
        n = std::max<std::size_t>(n - 1, 2);
        is_smaller = true;
      }
    }
    if (!is_smaller) {
      if (n >= kept.size()) {
        break;
      }
      n = std::min(2 * n, kept.size());
    }
  }
  return kept;
}

}  // namespace dibs::shrink
