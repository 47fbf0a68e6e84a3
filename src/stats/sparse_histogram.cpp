#include "stats/sparse_histogram.hpp"

#include "base/append.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

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

/// Digits of base 32 with a sign that another follows: the variable-length quantities of source
/// maps (ECMA-426, section 5.2), less their sign, in the letters of RFC 4648, section 5.
constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::array<std::uint8_t, 256> values_of_letters = [] {
  std::array<std::uint8_t, 256> all{};
  all.fill(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    all[static_cast<unsigned char>(letters[i])] = static_cast<std::uint8_t>(i);
  }
  return all;
}();
constexpr unsigned digit_bits = 5;
constexpr std::uint64_t followed = 1U << digit_bits;  // added to a digit

void append_number(std::string& to, std::uint64_t n) {
  for (; n >= followed; n >>= digit_bits) {
    to += letters[followed | (n % followed)];
  }
  to += letters[n];
}

/// Takes a number off the front of a text, if it is one that `append_number` wrote.
bool take_number(std::string_view& text, std::int64_t& to) {
  constexpr auto bits_max = 63U;
  std::uint64_t n = 0;
  for (unsigned shift = 0; !text.empty() && shift < bits_max; shift += digit_bits) {
    const std::uint64_t letter = values_of_letters[static_cast<unsigned char>(text.front())];
    if (letter == letters.size()) {
      return false;
    }
    text.remove_prefix(1);
    n |= (letter % followed) << shift;
    if (letter < followed) {
      to = static_cast<std::int64_t>(n);
      return to >= 0 && (letter > 0 || shift == 0);
    }
  }
  return false;
}

std::string text_of(const std::vector<std::int64_t>& values) {
  std::string text = "=";
  std::int64_t last = 0;
  for (const std::int64_t value : values) {
    append_number(text, static_cast<std::uint64_t>(value - last));
    last = value;
  }
  return text;
}

std::optional<sparse_histogram> read_values(std::string_view text) {
  histogram h;
  std::int64_t last = 0;
  while (!text.empty()) {
    std::int64_t gap = 0;
    if (h.count() == histogram::exact_max || !take_number(text, gap) || gap > INT64_MAX - last) {
      return std::nullopt;
    }
    last += gap;
    h.add(sim_duration{last});
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
