// Comparisons of metrics with values: `ttm.p95: "<= 45s"`, or several of one metric in a list. The
// metric's unit decides how the values are written.

#include "metrics/catalogue.hpp"
#include "scenario/scalar_types.hpp"
#include "text/trimmed.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace dibs::scenario {

namespace {

struct sign {
  std::string_view text;
  comparison is{};
};

/// Longer signs first, so that `<=` is not taken for `<`.
constexpr std::array<sign, 5> signs{{{"<=", comparison::at_most},
                                     {">=", comparison::at_least},
                                     {"==", comparison::equal},
                                     {"<", comparison::less},
                                     {">", comparison::greater}}};

constexpr std::array<text::unit_factor, 2> per_hour_units{{{"", 1, 1}, {"/h", 1, 1}}};
constexpr text::unit_family per_hour_values{"a rate", "120/h", per_hour_units};

/// The value in the metric's base unit.
text::parse_result<double> parse_value(std::string_view text, text::unit unit) {
  switch (unit) {
    case text::unit::share:
      return text::read_quantity(text, text::shares());
    case text::unit::seconds:
    case text::unit::driver_s:
    case text::unit::rider_s:
      return text::read_duration(text).map([](sim_duration d) { return in_seconds(d); });
    case text::unit::per_hour:
      return text::read_quantity(text, per_hour_values);
    case text::unit::count:
    case text::unit::ratio:
      break;
  }
  return text::read_real(text);
}

const char* example_of(text::unit unit) {
  switch (unit) {
    case text::unit::share:
      return "\"<= 1%\"";
    case text::unit::seconds:
    case text::unit::driver_s:
    case text::unit::rider_s:
      return "\"<= 45s\"";
    case text::unit::per_hour:
      return "\">= 120/h\"";
    case text::unit::count:
    case text::unit::ratio:
      break;
  }
  return "\"<= 5\"";
}

/// A metric by its full name, such as `ttm.p95`, and its entry, which may stand for a family.
struct named_metric {
  const std::string& name;
  const metrics::entry& as;
};

text::parse_result<bound> parse_bound(const named_metric& metric, const node& n) {
  std::string_view text = n.text;
  const auto it =
      std::ranges::find_if(signs, [&](const sign& s) { return text.starts_with(s.text); });
  if (!n.is(node::form::scalar) || it == signs.end()) {
    return tl::unexpected(text::parse_error{"E-TYPE",
                                            fmt::format("expected a comparison such as {} (got {})",
                                                        example_of(metric.as.unit),
                                                        describe_node(n))});
  }
  text.remove_prefix(it->text.size());
  text = text::trimmed(text);
  text::parse_result<double> value = parse_value(text, metric.as.unit);
  if (!value) {
    return tl::unexpected(std::move(value.error()));
  }
  const bool is_share = metric.as.unit == text::unit::share;
  if (*value < 0 || (is_share && *value > 1)) {
    return tl::unexpected(text::parse_error{
        "E-RANGE",
        fmt::format(
            "must be {} (got {})", is_share ? "from 0% to 100%" : "at least 0", describe_node(n))});
  }
  if ((it->is == comparison::less && *value == 0) ||
      (it->is == comparison::greater && is_share && *value == 1)) {
    return tl::unexpected(
        text::parse_error{"E-RANGE",
                          fmt::format("no value of it is {} (got {})",
                                      it->is == comparison::less ? "below 0" : "above 100%",
                                      describe_node(n))});
  }
  return bound{metric.name, it->is, *value, n.text};
}

bool is_from_below(comparison c) {
  return c == comparison::at_least || c == comparison::greater || c == comparison::equal;
}

bool is_from_above(comparison c) {
  return c == comparison::at_most || c == comparison::less || c == comparison::equal;
}

bool includes_its_value(comparison c) { return c != comparison::less && c != comparison::greater; }

/// Whether no value is above the one and below the other.
bool leave_nothing(const bound& low, const bound& high) {
  const bool share_a_value = includes_its_value(low.is) && includes_its_value(high.is);
  return is_from_below(low.is) && is_from_above(high.is) &&
         (low.value > high.value || (low.value == high.value && !share_a_value));
}

bool contradict(const bound& a, const bound& b) {
  return leave_nothing(a, b) || leave_nothing(b, a);
}

/// Adds one comparison, unless it is none or leaves nothing for those of its metric from `first`
/// on.
void read_bound(reader& r,
                const named_metric& metric,
                const node& n,
                std::size_t first,
                std::vector<bound>& into) {
  if (n.is(node::form::unreadable)) {
    return;
  }
  text::parse_result<bound> b = parse_bound(metric, n);
  if (!b) {
    r.complain(std::move(b.error()), n.at);
    return;
  }
  const auto other = std::find_if(into.begin() + static_cast<std::ptrdiff_t>(first),
                                  into.end(),
                                  [&b](const bound& before) { return contradict(before, *b); });
  if (other != into.end()) {
    r.complain({"E-CONFLICT",
                fmt::format("no value is both {} and {}",
                            text::display_text(other->text),
                            text::display_text(b->text))},
               n.at);
    return;
  }
  into.push_back(std::move(*b));
}

void read_bounds(reader& r, const node::key& key, const node& value, std::vector<bound>& into) {
  const metrics::entry* entry = metrics::find(key.text);
  if (entry == nullptr) {
    const std::string near =
        r.log().only_counts() ? "" : metrics::nearest(text::display_text(key.text));
    r.complain({"E-REFERENCE",
                "there is no such metric",
                near.empty() ? "" : "did you mean `" + near + "`?"},
               key.at);
    return;
  }
  const named_metric metric{key.text, *entry};
  const std::size_t first = into.size();
  if (!value.is(node::form::list)) {
    read_bound(r, metric, value, first, into);
    return;
  }
  if (value.items.empty()) {
    r.complain({"E-RANGE", "must have at least one comparison (got none)"}, value.at);
  }
  for (std::size_t i = 0; i < value.items.size() && !r.is_full(); ++i) {
    const std::string number = std::to_string(i + 1);
    const reader::scope in(r, number, number, value.items[i].at);
    read_bound(r, metric, value.items[i], first, into);
  }
}

}  // namespace

field_type<std::string> a_metric() {
  field_description about;
  about.type = "metric";
  about.schema = json{{"type", "string"}};
  return leaf<std::string>(
      std::move(about),
      "a metric",
      [](const node& n) -> text::parse_result<std::string> {
        if (metrics::find(n.text) == nullptr) {
          const std::string near = metrics::nearest(text::display_text(n.text));
          return tl::unexpected(
              text::parse_error{"E-REFERENCE",
                                "there is no such metric (got " + describe_node(n) + ")",
                                near.empty() ? "" : "did you mean `" + near + "`?"});
        }
        return n.text;
      },
      [](const std::string& name) { return plain(name); });
}

field_type<std::vector<bound>> some_bounds() {
  field_description about;
  about.what = field_description::form::bounds;
  about.type = "comparisons";
  field_type<std::vector<bound>> k;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [](reader& r, const node& n, std::vector<bound>& into) {
    if (n.is(node::form::unreadable)) {
      return;
    }
    if (!n.is(node::form::mapping)) {
      r.complain({"E-TYPE",
                  "expected a mapping from metrics to comparisons (got " + describe_node(n) + ")",
                  "such as `ttm.p95: \"<= 45s\"`"},
                 n.at);
      return;
    }
    into.clear();
    for (std::size_t i = 0; i < n.keys.size() && !r.is_full(); ++i) {
      const std::string step = text::display_text(n.keys[i].text);
      const reader::scope in(r, step, step, n.items[i].at);
      if (!n.items[i].is(node::form::unreadable)) {
        read_bounds(r, n.keys[i], n.items[i], into);
      }
    }
  };
  k.write = [](const std::vector<bound>& bounds) {
    node n = empty_mapping();
    for (const bound& b : bounds) {
      node* const before = n.find(b.metric);
      if (before == nullptr) {
        n.add(b.metric, quoted(b.text));
        continue;
      }
      if (!before->is(node::form::list)) {
        node all = empty_list();
        all.items.push_back(std::exchange(*before, {}));
        *before = std::move(all);
      }
      before->items.push_back(quoted(b.text));
    }
    return n;
  };
  return k;
}

}  // namespace dibs::scenario
