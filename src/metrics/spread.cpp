#include "metrics/spread.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

namespace dibs::metrics {
namespace {

/// Takes a number off the front of a text.
template <class Number>
bool take(std::string_view& text, Number& to) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), to);
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return read.ec == std::errc();
}

bool take(std::string_view& text, char c) {
  const bool is_there = !text.empty() && text.front() == c;
  text.remove_prefix(is_there ? 1 : 0);
  return is_there;
}

}  // namespace

std::uint64_t spread::count() const {
  std::uint64_t n = 0;
  for (const part& p : parts) {
    n += p.count;
  }
  return n;
}

spread spread_of(const histogram& h) {
  spread s{{}, h.min().count(), h.max().count()};
  std::uint32_t bucket = 0;
  for (const std::uint64_t count : h.buckets()) {
    if (count > 0) {
      s.parts.push_back({bucket, count});
    }
    ++bucket;
  }
  return s;
}

std::string text_of(const spread& s) {
  std::string text = fmt::format("{} {}", s.min, s.max);
  std::uint32_t last = 0;
  for (const spread::part& p : s.parts) {
    fmt::format_to(std::back_inserter(text), " {}*{}", p.bucket - last, p.count);
    last = p.bucket;
  }
  return text;
}

std::optional<spread> read_spread(std::string_view text) {
  spread s;
  if (!take(text, s.min) || !take(text, ' ') || !take(text, s.max)) {
    return std::nullopt;
  }
  std::uint32_t last = 0;
  while (!text.empty()) {
    std::uint32_t gap = 0;
    spread::part p;
    if (!take(text, ' ') || !take(text, gap) || !take(text, '*') || !take(text, p.count) ||
        p.count == 0 || (gap == 0 && !s.parts.empty())) {
      return std::nullopt;
    }
    p.bucket = last += gap;
    s.parts.push_back(p);
  }
  return s;
}

}  // namespace dibs::metrics
