#include "sweep/parameter.hpp"

#include "sweep/axis.hpp"
#include "text/escape.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dibs::sweep {
namespace {

constexpr int digits_of_values = 3;

/// `3s..60s` and `3s..60s:lin` with the spacing and the count that they leave out.
std::string completed(const std::string& item, std::size_t values) {
  const std::size_t dots = item.find("..");
  const auto colons = std::ranges::count(item, ':');
  if (dots == std::string::npos || colons >= 2) {
    return item;
  }
  if (colons == 1) {
    return fmt::format("{}:{}", item, values);
  }
  const auto log = read_value_range(item.substr(0, dots), item.substr(dots + 2), true);
  return fmt::format("{}:{}:{}", item, log && log->from > 0 ? "log" : "lin", values);
}

/// What one more in the last digit of a value adds to it, as it is written.
double last_digit_of(double x) {
  constexpr double written_max = 1000;  // three digits
  double unit = x == 0 ? 0 : 1;
  while (std::abs(x) >= written_max * unit && x != 0) {
    unit *= 10;
  }
  while (std::abs(x) * 10 < written_max * unit) {
    unit /= 10;
  }
  return unit;
}

}  // namespace

std::string parameter::text_at(double share) const {
  const double inside = std::clamp(share, 0.0, 1.0);
  if (whole) {
    return text::print_real(std::round(range->at(inside))) + range->unit;
  }
  if (inside == 0 || inside == 1) {
    return inside == 0 ? values.front() : values.back();
  }
  return range->text_at(inside, digits_of_values);
}

std::string parameter::end_at(double share, double toward) const {
  const double inside = std::clamp(share, 0.0, 1.0);
  if (inside == 0 || inside == 1) {
    return text_at(inside);
  }
  const double x = range->at(inside);
  const double unit = whole ? 1 : last_digit_of(x);
  constexpr double hardly_half = 0.499;  // what is written exactly stays
  return text_at(range->share_of(x + toward * hardly_half * unit));
}

std::optional<double> parameter::share_of(const std::string& value) const {
  const auto x = in_unit_of(*range, value);
  if (!x || (range->logarithmic && *x <= 0)) {
    return std::nullopt;
  }
  return range->share_of(*x);
}

bool parameter::covers(const std::string& value) const {
  if (!range) {
    return std::ranges::find(values, value) != values.end();
  }
  const auto share = share_of(value);
  return share && *share >= 0 && *share <= 1;
}

void parameter::make_whole() {
  whole = true;
  std::vector<std::string> kept;
  for (const std::string& v : values) {
    const std::string text = text_at(*share_of(v));
    if (kept.empty() || kept.back() != text) {
      kept.push_back(text);
    }
  }
  values = kept;
}

std::vector<std::size_t> ranged_of(const std::vector<parameter>& some) {
  std::vector<std::size_t> ranged;
  for (std::size_t i = 0; i < some.size(); ++i) {
    if (some[i].range) {
      ranged.push_back(i);
    }
  }
  return ranged;
}

result<parameter> parse_parameter(std::string_view text, std::size_t values) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return failure(exit_code::usage,
                   fmt::format("expected field=from..to such as lease.ttl=3s..60s (got {})",
                               text::display_text(text)));
  }
  const std::string path(text.substr(0, equals));
  std::vector<std::string> items = split_list(text.substr(equals + 1));
  const bool ranged = items.size() == 1 && items[0].find("..") != std::string::npos;
  if (ranged) {
    items[0] = completed(items[0], values);
  }
  auto a = axis_of(path, items);
  if (!a) {
    return tl::unexpected<error>(a.error());
  }
  if (a->values.size() < 2) {
    return failure(exit_code::usage,
                   fmt::format("{}: there is nothing to choose from; name a range such as 3s..60s, "
                               "or two values",
                               text::display_text(path)));
  }
  parameter p{a->path, {}, false, std::move(a->values)};
  if (ranged) {
    p.range = read_value_range(
        p.values.front(), p.values.back(), items[0].find(":log:") != std::string::npos);
  }
  return p;
}

}  // namespace dibs::sweep
