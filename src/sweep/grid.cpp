#include "sweep/grid.hpp"

#include "sweep/expression.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace dibs::sweep {
namespace {

/// How many values the axes of a group have; 1 for a group without axes.
std::uint64_t length_of(const grid_spec& d, std::size_t group) {
  const auto first = std::ranges::find(d.zip, group, &axis::group);
  return first == d.zip.end() ? 1 : first->values.size();
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/// The `index`-th combination of the axes.
point combination(const grid_spec& d, std::uint64_t index) {
  point p;
  std::uint64_t rest = index;
  std::vector<std::uint64_t> at(next_group(d));
  for (std::size_t group = at.size(); group-- > 0;) {
    at[group] = rest % length_of(d, group);
    rest /= length_of(d, group);
  }
  for (auto a = d.grid.rbegin(); a != d.grid.rend(); ++a) {
    p.fields.push_back({a->path, a->values[static_cast<std::size_t>(rest % a->values.size())]});
    rest /= a->values.size();
  }
  std::ranges::reverse(p.fields);
  for (const axis& a : d.zip) {
    p.fields.push_back({a.path, a.values[static_cast<std::size_t>(at[a.group])]});
  }
  return p;
}

/// What the expressions of a point may name: its own fields, then those of the scenario.
evaluation_scope around(const point& p,
                        const std::vector<std::string>& columns,
                        const scenario::field_values& base) {
  evaluation_scope in;
  in.own = columns;
  in.value = [&p, &base](const std::string& path) -> std::optional<std::string> {
    for (const scenario::override_value& f : p.fields) {
      if (f.path == path) {
        return f.value;
      }
    }
    return base.find(path);
  };
  in.nearest = [&base](const std::string& path) { return base.nearest(path); };
  return in;
}

/// Adds what is derived to a point, in the order given. What is not derived yet has no value: to
/// take the scenario's for it would be a circle, or a number that nobody meant.
result<void> derive_all(const grid_spec& d, const evaluation_scope& in, point& p) {
  for (std::size_t i = 0; i < d.derive.size(); ++i) {
    const derivation& v = d.derive[i];
    std::string pending;
    evaluation_scope so_far = in;
    so_far.value = [&](const std::string& path) {
      const auto later = std::find_if(d.derive.begin() + static_cast<std::ptrdiff_t>(i),
                                      d.derive.end(),
                                      [&](const derivation& each) { return each.path == path; });
      pending = later == d.derive.end() ? pending : path;
      return in.value(path);
    };
    auto value = evaluate(v.expression, so_far);
    if (!pending.empty()) {
      return failure(exit_code::usage,
                     pending == v.path
                         ? fmt::format("{} cannot follow from itself", text::display_text(v.path))
                         : fmt::format("{} follows from {}, which follows later or from it; name "
                                       "{} first, and let it follow from others",
                                       text::display_text(v.path),
                                       text::display_text(pending),
                                       text::display_text(pending)));
    }
    if (!value) {
      return tl::unexpected<error>(value.error());
    }
    p.fields.push_back({v.path, std::move(*value)});
  }
  return {};
}

}  // namespace

result<derivation> parse_derivation(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return failure(exit_code::usage,
                   fmt::format("expected field=expression such as lease.offer_window=lease.ttl-3s "
                               "(got {})",
                               text::display_text(text)));
  }
  return derivation{unquoted(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

result<void> check(const grid_spec& d) {
  if (d.grid.empty() && d.zip.empty()) {
    return failure(exit_code::usage,
                   "there is nothing to vary: name a field and its values, as in --grid "
                   "lease.ttl=5s,10s,15s");
  }
  for (const axis& a : d.zip) {
    const axis& first = *std::ranges::find(d.zip, a.group, &axis::group);
    if (a.values.size() != first.values.size()) {
      return failure(exit_code::usage,
                     fmt::format("zipped axes must be of one length: {} has {} values, {} has {}",
                                 text::display_text(first.path),
                                 text::with_thousands(first.values.size()),
                                 text::display_text(a.path),
                                 text::with_thousands(a.values.size())));
    }
  }
  std::set<std::string> seen;
  for (const std::string& path : columns_of(d)) {
    if (path == "seed" || path == "name" || path == "question" || path.starts_with("output.")) {
      return failure(exit_code::usage,
                     fmt::format("{} cannot be varied{}",
                                 text::display_text(path),
                                 path == "seed" ? "; --seeds says how many there are"
                                                : ": no result depends on it"));
    }
    if (path.starts_with("thresholds.") || path.starts_with("expect.")) {
      return failure(exit_code::usage,
                     fmt::format("{} cannot be varied: it judges every run alike, and changes none",
                                 text::display_text(path)));
    }
    if (!seen.insert(path).second) {
      return failure(exit_code::usage,
                     fmt::format("{} is varied or derived twice", text::display_text(path)));
    }
  }
  return {};
}

std::size_t next_group(const grid_spec& d) {
  std::size_t next = 0;
  for (const axis& a : d.zip) {
    next = std::max(next, a.group + 1);
  }
  return next;
}

std::uint64_t size_of(const grid_spec& d) {
  std::uint64_t size = 1;
  for (std::size_t group = 0; group < next_group(d); ++group) {
    size = product(size, length_of(d, group));
  }
  for (const axis& a : d.grid) {
    size = product(size, a.values.size());
  }
  return size;
}

std::vector<std::string> columns_of(const grid_spec& d) {
  std::vector<std::string> columns;
  for (const axis& a : d.grid) {
    columns.push_back(a.path);
  }
  for (const axis& a : d.zip) {
    columns.push_back(a.path);
  }
  for (const derivation& v : d.derive) {
    columns.push_back(v.path);
  }
  return columns;
}

result<std::vector<point>> expand(const grid_spec& d, const scenario::field_values& base) {
  const std::uint64_t size = size_of(d);
  if (size > points_max) {
    return failure(exit_code::usage,
                   fmt::format("the grid has {} points; {} is the most that there can be",
                               size == UINT64_MAX ? "too many" : text::with_thousands(size),
                               text::with_thousands(points_max)));
  }
  const std::vector<std::string> columns = columns_of(d);
  std::vector<point> points;
  for (std::uint64_t i = 0; i < size; ++i) {
    point p = combination(d, i);
    const evaluation_scope in = around(p, columns, base);
    if (auto derived = derive_all(d, in, p); !derived) {
      return tl::unexpected<error>(derived.error());
    }
    bool kept = true;
    for (const std::string& condition : d.where) {
      const auto holding = holds(condition, in);
      if (!holding) {
        return tl::unexpected<error>(holding.error());
      }
      kept = kept && *holding;
    }
    if (kept) {
      points.push_back(std::move(p));
    }
  }
  if (points.empty()) {
    return failure(
        exit_code::usage,
        fmt::format("the conditions leave none of {} points", text::with_thousands(size)));
  }
  return points;
}

std::string label_of(const point& p) {
  std::string text;
  for (const scenario::override_value& f : p.fields) {
    text += (text.empty() ? "" : ", ") + f.path + "=" + f.value;
  }
  return text.empty() ? "the scenario as it is" : text;
}

}  // namespace dibs::sweep
