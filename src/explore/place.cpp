#include "explore/place.hpp"

#include "sweep/grid.hpp"
#include "sweep/implied_fields.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace dibs::explore {

std::optional<place> read_place(std::string_view text, const std::vector<slider>& sliders) {
  place p;
  while (p.size() < sliders.size()) {
    const std::size_t dot = text.find('.');
    const auto stop = text::read_whole(text.substr(0, dot));
    const bool is_last = dot == std::string_view::npos;
    if (!stop || *stop >= sliders[p.size()].stops.size() ||
        is_last != (p.size() + 1 == sliders.size())) {
      return std::nullopt;
    }
    p.push_back(static_cast<std::size_t>(*stop));
    text = is_last ? "" : text.substr(dot + 1);
  }
  return p;
}

place own_place(const std::vector<slider>& sliders) {
  place p;
  std::ranges::transform(sliders, std::back_inserter(p), &slider::own);
  return p;
}

result<changes> changes_at(const place& p,
                           const std::vector<slider>& sliders,
                           const explored_scenario& s) {
  sweep::grid_spec one;
  std::vector<std::string> moved;
  std::vector<std::string> fixed;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const slider& each = sliders[i];
    if (p[i] != each.own) {
      one.grid.push_back({each.path, {each.stops[p[i]]}});
      moved.push_back(each.path);
    } else {
      fixed.push_back(each.path);
    }
  }
  if (moved.empty()) {
    return changes{};
  }
  one.derive = sweep::implied_by(moved, fixed, s.base());
  auto points = sweep::expand(one, s.fields());
  return points ? result<changes>(std::move(points->front().fields))
                : tl::unexpected<error>(points.error());
}

objection objection_of(const std::vector<scenario::diagnostic>& all,
                       const std::vector<slider>& sliders) {
  const scenario::diagnostic& first = all.front();
  objection o{std::nullopt, fmt::format("{}: {}", first.path, first.message)};
  if (!first.hint.empty()) {
    o.why += "; " + first.hint;
  }
  // Where a value stands that was set, the text in which it stands is `path=value`.
  const auto at = std::ranges::find_if(sliders, [&](const slider& each) {
    return first.path == each.path || first.path.starts_with(each.path + ".") ||
           (first.file == "--set" && first.source.starts_with(each.path + "="));
  });
  if (at != sliders.end()) {
    o.slider = static_cast<std::size_t>(at - sliders.begin());
  }
  return o;
}

}  // namespace dibs::explore
