#include "study/parameter.hpp"

#include "scenario/complaints.hpp"
#include "scenario/quantity.hpp"
#include "study/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dibs::study {
namespace {

constexpr int digits_of_values = 3;

/// `3s..60s` and `3s..60s:lin` with the spacing and the count that they leave out.
std::string completed(const std::string& item, std::size_t values) {
  const std::size_t dots = item.find("..");
  const auto colons = std::count(item.begin(), item.end(), ':');
  if (dots == std::string::npos || colons >= 2) {
    return item;
  }
  if (colons == 1) {
    return fmt::format("{}:{}", item, values);
  }
  const auto log = read_stretch(item.substr(0, dots), item.substr(dots + 2), true);
  return fmt::format("{}:{}:{}", item, log && log->from > 0 ? "log" : "lin", values);
}

}  // namespace

std::string parameter::text_at(double share) const {
  const double inside = std::clamp(share, 0.0, 1.0);
  if (whole) {
    return scenario::print_real(std::round(range->at(inside))) + range->unit;
  }
  if (inside == 0 || inside == 1) {
    return inside == 0 ? values.front() : values.back();
  }
  return range->text_at(inside, digits_of_values);
}

std::optional<double> parameter::share_of(const std::string& value) const {
  const auto x = in_unit_of(*range, value);
  if (!x || (range->logarithmic && *x <= 0)) {
    return std::nullopt;
  }
  return range->share_of(*x);
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
                               scenario::shown(text)));
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
                               scenario::shown(path)));
  }
  parameter p{a->path, {}, false, std::move(a->values)};
  if (ranged) {
    p.range = read_stretch(
        p.values.front(), p.values.back(), items[0].find(":log:") != std::string::npos);
  }
  return p;
}

}  // namespace dibs::study
