#include "stats/sparse_histogram.hpp"

#include "base/append.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

namespace dibs::stats {
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

std::string text_of(const std::vector<std::int64_t>& values) {
  std::string text = "=";
  std::int64_t last = 0;
  for (auto from = values.begin(); from != values.end();) {
    const auto to = std::upper_bound(from, values.end(), *from);
    fmt::format_to(std::back_inserter(text), " {}", *from - last);
    if (to - from > 1) {
      fmt::format_to(std::back_inserter(text), "*{}", to - from);
    }
    last = *from;
    from = to;
  }
  return text;
}

std::optional<sparse_histogram> read_values(std::string_view text) {
  histogram h;
  std::int64_t last = 0;
  while (!text.empty()) {
    std::int64_t gap = 0;
    std::uint64_t count = 1;
    if (!take(text, ' ') || !take(text, gap) || gap < 0 || gap > INT64_MAX - last ||
        (take(text, '*') && !take(text, count)) || count == 0 ||
        count > histogram::exact_max - h.count()) {
      return std::nullopt;
    }
    last += gap;
    for (; count > 0; --count) {
      h.add(sim_duration{last});
    }
  }
  return sparse_of(h, h.count());
}

}  // namespace

std::uint64_t sparse_histogram::count() const {
  std::uint64_t n = 0;
  for (const part& p : parts) {
    n += p.count;
  }
  return n;
}

sparse_histogram sparse_of(const histogram& h, std::uint64_t values_max) {
  sparse_histogram s{{}, h.min().count(), h.max().count(), {}};
  std::uint32_t bucket = 0;
  for (const std::uint64_t count : h.buckets()) {
    if (count > 0) {
      s.parts.push_back({bucket, count});
    }
    ++bucket;
  }
  if (h.is_exact() && h.count() <= values_max) {
    s.values.assign(h.values().begin(), h.values().end());
    std::sort(s.values.begin(), s.values.end());
  }
  return s;
}

std::string text_of(const sparse_histogram& s) {
  if (!s.values.empty()) {
    return text_of(s.values);
  }
  std::string text = fmt::format("{} {}", s.min, s.max);
  std::uint32_t last = 0;
  for (const sparse_histogram::part& p : s.parts) {
    append(text, " {}*{}", p.bucket - last, p.count);
    last = p.bucket;
  }
  return text;
}

std::optional<sparse_histogram> parse_sparse_histogram(std::string_view text) {
  if (take(text, '=')) {
    return read_values(text);
  }
  sparse_histogram s;
  if (!take(text, s.min) || !take(text, ' ') || !take(text, s.max)) {
    return std::nullopt;
  }
  std::uint32_t last = 0;
  while (!text.empty()) {
    std::uint32_t gap = 0;
    sparse_histogram::part p;
    if (!take(text, ' ') || !take(text, gap) || !take(text, '*') || !take(text, p.count) ||
        p.count == 0 || (gap == 0 && !s.parts.empty())) {
      return std::nullopt;
    }
    p.bucket = last += gap;
    s.parts.push_back(p);
  }
  return s;
}

}  // namespace dibs::stats
