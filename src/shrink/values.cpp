// Simpler values in the place of those that were drawn.

#include "scenario/tree.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::shrink {
namespace {

using scenario::node;

/// Tries values in the place of a part, in their order, until one is taken.
bool take_one(trials& t, const tree_path& path, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    node changed = t.best();
    node* part = find(changed, path);
    if (part == nullptr || part->text == value) {
      continue;
    }
    *part = scenario::plain(value);
    if (t.take(std::move(changed))) {
      return true;
    }
  }
  return false;
}

// -- whole numbers -------------------------------------------------------------------------------

/// Fewer by steps that grow: the fewest first.
std::vector<std::uint64_t> fewer(std::uint64_t n) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t k = 1; k < n; k = k < 4 ? k + 1 : 2 * k) {
    all.push_back(k);
  }
  return all;
}

void lower(trials& t, const tree_part& part) {
  const node* there = find(t.best(), part.path);
  if (there == nullptr || !there->is(node::form::scalar)) {
    return;
  }
  const auto now = text::read_whole(there->text);
  if (!now) {
    return;
  }
  for (const std::uint64_t k : fewer(*now)) {
    node changed = t.best();
    put_number(changed, part, k);
    if (t.take(std::move(changed))) {
      return;
    }
  }
}

// -- distributions -------------------------------------------------------------------------------

bool is_distribution(const tree_part& part, const node& n) {
  return part.about != nullptr && part.about->short_form && n.find("dist") != nullptr;
}

/// So many times as long, for what most draws are below or above.
std::string times(const std::string& value, std::int64_t up, std::int64_t down) {
  const auto d = text::read_duration(value);
  return d ? text::print_duration(*d * up / down) : value;
}

/// The values that it names, as constants: its median or mean, its least and greatest, what it
/// spreads by either way. A shape without a unit is none. At last what lies further out: a race may
/// take a slow answer.
std::vector<std::string> constants_of(const node& distribution) {
  std::vector<std::string> all;
  std::vector<std::string> further;
  for (std::size_t i = 0; i < distribution.keys.size(); ++i) {
    const std::string& key = distribution.keys[i].text;
    const std::string& value = distribution.items[i].text;
    if (key == "dist" || key == "sigma" || value.empty()) {
      continue;
    }
    all.push_back(value);
    if (key == "sd") {
      all.push_back("-" + value);
    }
    for (const auto& [up, down] : {std::pair{2, 1}, std::pair{3, 1}, std::pair{1, 3}}) {
      further.push_back(times(value, up, down));
    }
  }
  all.insert(all.end(), further.begin(), further.end());
  return all;
}

// -- quantities ----------------------------------------------------------------------------------

/// A number with its unit: `13%`, `0.5/s`, `16847ms`.
struct quantity_text {
  double number = 0;
  std::string unit;
  std::size_t digits = 0;  ///< that it takes to say the number
};

std::size_t digits_of(std::string_view number) {
  std::string digits;
  for (const char c : number) {
    if (c >= '0' && c <= '9') {
      digits += c;
    }
  }
  digits.erase(0, digits.find_first_not_of('0'));
  const std::size_t last = digits.find_last_not_of('0');
  return last == std::string::npos ? 0 : last + 1;
}

/// Digits 0 where it is no number.
quantity_text quantity_in(const std::string& text) {
  const std::size_t end = std::min(text.find_first_not_of("-0123456789."), text.size());
  const auto number = text::read_real(text.substr(0, end));
  if (!number) {
    return {};
  }
  return {*number, text.substr(end), digits_of(text.substr(0, end))};
}

/// To so many digits, in the decimal system: no power of ten is as exact.
double rounded(double x, int digits) {
  const std::string text = fmt::format("{:.{}e}", x, digits - 1);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

constexpr int digits_max = 6;  ///< more are tried for no value

/// Rounder values near it; each takes fewer digits than the value that it stands for.
std::vector<std::string> rounder(const std::string& text, const std::string& type) {
  const quantity_text now = quantity_in(text);
  std::vector<std::string> all;
  for (int digits = 1; digits <= digits_max && static_cast<std::size_t>(digits) < now.digits;
       ++digits) {
    std::string value = text::print_real(rounded(now.number, digits)) + now.unit;
    if (type == "duration") {
      const auto d = text::read_duration(value);
      value = d ? text::print_duration(*d) : value;
    }
    all.push_back(std::move(value));
  }
  return all;
}

bool is_share(const tree_part& part) { return part.about->type == "share"; }

/// What always or never happens needs no luck.
std::vector<std::string> certain(const std::string& text) {
  const bool is_certain = text == "100%" || text == "0%" || text == "1" || text == "0";
  return is_certain ? std::vector<std::string>{} : std::vector<std::string>{"100%", "0%"};
}

}  // namespace

void lower_counts(trials& t) {
  for (const tree_part& part : parts_of(t.best())) {
    if (part.about != nullptr && part.about->type == "whole number" && !t.is_over()) {
      lower(t, part);
    }
  }
}

void fix_distributions(trials& t) {
  for (const tree_part& part : parts_of(t.best())) {
    const node* n = find(t.best(), part.path);
    if (n != nullptr && is_distribution(part, *n) && !t.is_over()) {
      take_one(t, part.path, constants_of(*n));
    }
  }
}

void round_values(trials& t) {
  for (const tree_part& part : parts_of(t.best())) {
    const node* n = find(t.best(), part.path);
    const bool is_value = n != nullptr && n->is(node::form::scalar) && !n->quoted &&
                          part.about != nullptr && part.about->type != "whole number";
    if (!is_value || t.is_over()) {
      continue;
    }
    const std::string now = n->text;
    if (!is_share(part) || !take_one(t, part.path, certain(now))) {
      take_one(t, part.path, rounder(now, part.about->type));
    }
  }
}

}  // namespace dibs::shrink
