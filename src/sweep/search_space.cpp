#include "sweep/search_space.hpp"

#include "scenario/field_paths.hpp"
#include "sweep/implied_fields.hpp"
#include "text/escape.hpp"
#include "text/quantity.hpp"
#include "work/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dibs::sweep {
namespace {

constexpr std::array<std::size_t, parameters_max> values_standard{10, 6, 4};

using refusal = tl::unexpected<planning_error>;

bool names(const std::vector<scenario::override_value>& all, const std::string& path) {
  return std::ranges::any_of(all, [&](const auto& o) { return o.path == path; });
}

/// Whether a field takes only whole numbers: if a value between two of them is refused.
bool is_whole(const space_request& r, const parameter& p) {
  if (!p.range || !p.range->unit.empty() || p.range->from != std::floor(p.range->from) ||
      p.range->to != std::floor(p.range->to)) {
    return false;
  }
  auto overrides = r.overrides;
  overrides.push_back({p.path, text::print_real(p.range->from + 0.5)});
  return !scenario::read_file(r.file, overrides).ok();
}

result<std::vector<parameter>> parameters_of(const space_request& r) {
  if (r.search.empty() || r.search.size() > parameters_max) {
    return failure(exit_code::usage,
                   "name one to three fields to search over, as in --search lease.ttl=3s..60s");
  }
  std::vector<parameter> all;
  for (const std::string& text : r.search) {
    auto p = parse_parameter(text, values_standard[r.search.size() - 1]);
    if (!p) {
      return tl::unexpected<error>(p.error());
    }
    if (names(r.overrides, p->path)) {
      return failure(exit_code::usage,
                     fmt::format("{} is searched over and set; leave one of them away",
                                 text::display_text(p->path)));
    }
    all.push_back(std::move(*p));
  }
  return all;
}

}  // namespace

tl::expected<search_space, planning_error> search_space::make(const space_request& r) {
  search_space s;
  auto parameters = parameters_of(r);
  if (!parameters) {
    return refusal(planning_error{parameters.error(), {}});
  }
  s.parameters_ = std::move(*parameters);
  sweep_request all;
  all.file = r.file;
  all.overrides = r.overrides;
  all.seeds = r.seeds;
  all.seed = r.seed;
  all.yes = r.yes;
  all.leave_invalid = r.leave_invalid;
  all.stop = r.stop;
  const scenario::reading base = scenario::read_file(r.file, r.overrides);
  if (base.ok()) {
    std::vector<std::string> searched;
    std::vector<std::string> derived;
    std::ranges::transform(s.parameters_, std::back_inserter(searched), &parameter::path);
    std::ranges::transform(r.derive, std::back_inserter(derived), &derivation::path);
    s.implied_ = implied_by(searched, derived, base.value);
  }
  for (parameter& p : s.parameters_) {
    if (base.ok() && is_whole(r, p)) {
      p.make_whole();
    }
    axis a{p.path, p.values};
    const std::size_t nth = all.design.grid.size();
    a.from = nth < r.origins.size() ? r.origins[nth] : "--search";
    all.design.grid.push_back(std::move(a));
  }
  all.design.derive = s.implied_;
  all.design.derive.insert(all.design.derive.end(), r.derive.begin(), r.derive.end());
  all.design.where = r.where;
  auto made = make_plan(all);
  if (!made) {
    return refusal(std::move(made.error()));
  }
  s.design_ = std::move(all.design);
  s.plan_ = std::move(*made);
  s.grid_size_ = static_cast<std::uint32_t>(s.plan_.points.size());
  for (std::uint32_t p = 1; p <= s.grid_size_; ++p) {
    s.points_.emplace(s.choice_of(p), p);
  }
  return s;
}

std::optional<std::uint32_t> search_space::point_of(const parameter_values& c) {
  if (const auto known = points_.find(c); known != points_.end()) {
    return known->second;
  }
  grid_spec one = design_;
  for (std::size_t i = 0; i < c.size(); ++i) {
    one.grid[i].values = {c[i]};
  }
  auto made = expand(one, scenario::field_values(plan_.base));
  if (!made) {
    return std::nullopt;
  }
  const scenario::reading read = scenario_of(plan_, made->front());
  auto hash = read.ok() ? work::hash_of(read.value) : result<std::string>();
  if (!read.ok() || !hash) {
    return std::nullopt;
  }
  plan_.points.push_back({std::move(made->front()), std::move(*hash)});
  const auto number = static_cast<std::uint32_t>(plan_.points.size());
  points_.emplace(c, number);
  return number;
}

parameter_values search_space::choice_of(std::uint32_t point) const {
  parameter_values c;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    c.push_back(plan_.points[point - 1].what.fields[i].value);
  }
  return c;
}

std::vector<scenario::override_value> search_space::following_at(std::uint32_t point) const {
  std::vector<scenario::override_value> all;
  for (const auto& field : plan_.points[point - 1].what.fields) {
    if (std::ranges::find(implied_, field.path, &derivation::path) != implied_.end()) {
      all.push_back({field.path, field.value});
    }
  }
  return all;
}

lease::rules search_space::rules_of(std::uint32_t point) const {
  return scenario_of(plan_, plan_.points[point - 1].what).value.lease.rules();
}

parameter_values search_space::baseline() const {
  const scenario::field_values fields(plan_.base);
  parameter_values c;
  for (const parameter& p : parameters_) {
    c.push_back(fields.find(p.path).value_or(""));
  }
  return c;
}

std::string label_of(const std::vector<parameter>& parameters, const parameter_values& c) {
  std::string text;
  for (std::size_t i = 0; i < c.size(); ++i) {
    text += (text.empty() ? "" : ", ") + parameters[i].path + "=" + c[i];
  }
  return text;
}

}  // namespace dibs::sweep
