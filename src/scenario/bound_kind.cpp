// Comparisons of metrics with values: `ttm.p95: "<= 45s"`. The metric's unit decides how the value
// is written.

#include "metrics/catalogue.hpp"
#include "scenario/leaf_kinds.hpp"

#include <array>

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

constexpr std::array<unit, 2> per_hour_units{{{"", 1, 1}, {"/h", 1, 1}}};
constexpr unit_family per_hour_values{"a rate", "120/h", per_hour_units};

/// The value in the metric's base unit.
reading_of<double> parse_value(std::string_view text, metrics::unit unit) {
  switch (unit) {
    case metrics::unit::share:
      return read_quantity(text, shares());
    case metrics::unit::seconds:
    case metrics::unit::driver_s:
    case metrics::unit::rider_s:
      return read_duration(text).map([](sim_duration d) { return in_seconds(d); });
    case metrics::unit::per_hour:
      return read_quantity(text, per_hour_values);
    case metrics::unit::count:
    case metrics::unit::ratio:
      break;
  }
  return read_real(text);
}

const char* example_of(metrics::unit unit) {
  switch (unit) {
    case metrics::unit::share:
      return "\"<= 1%\"";
    case metrics::unit::seconds:
    case metrics::unit::driver_s:
    case metrics::unit::rider_s:
      return "\"<= 45s\"";
    case metrics::unit::per_hour:
      return "\">= 120/h\"";
    case metrics::unit::count:
    case metrics::unit::ratio:
      break;
  }
  return "\"<= 5\"";
}

reading_of<bound> parse_bound(const std::string& metric, const node& n) {
  const metrics::entry* entry = metrics::find(metric);
  if (entry == nullptr) {
    const std::string near = metrics::nearest(shown(metric));
    return tl::unexpected(trouble{"E-REFERENCE",
                                  "there is no such metric",
                                  near.empty() ? "" : "did you mean `" + near + "`?"});
  }
  std::string_view text = n.text;
  const auto it = std::find_if(
      signs.begin(), signs.end(), [&](const sign& s) { return text.starts_with(s.text); });
  if (!n.is(node::form::scalar) || it == signs.end()) {
    return tl::unexpected(trouble{
        "E-TYPE",
        fmt::format(
            "expected a comparison such as {} (got {})", example_of(entry->unit), found(n))});
  }
  text.remove_prefix(it->text.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  reading_of<double> value = parse_value(text, entry->unit);
  if (!value) {
    return tl::unexpected(std::move(value.error()));
  }
  const bool is_share = entry->unit == metrics::unit::share;
  if (*value < 0 || (is_share && *value > 1)) {
    return tl::unexpected(trouble{
        "E-RANGE",
        fmt::format("must be {} (got {})", is_share ? "from 0% to 100%" : "at least 0", found(n))});
  }
  return bound{metric, it->is, *value, n.text};
}

}  // namespace

kind<std::string> a_metric() {
  shape about;
  about.type = "metric";
  about.schema = json{{"type", "string"}};
  return leaf<std::string>(
      std::move(about),
      "a metric",
      [](const node& n) -> reading_of<std::string> {
        if (metrics::find(n.text) == nullptr) {
          const std::string near = metrics::nearest(shown(n.text));
          return tl::unexpected(trouble{"E-REFERENCE",
                                        "there is no such metric (got " + found(n) + ")",
                                        near.empty() ? "" : "did you mean `" + near + "`?"});
        }
        return n.text;
      },
      [](const std::string& name) { return plain(name); });
}

kind<std::vector<bound>> some_bounds() {
  shape about;
  about.what = shape::form::bounds;
  about.type = "comparisons";
  kind<std::vector<bound>> k;
  k.about = std::make_shared<const shape>(std::move(about));
  k.read = [](reader& r, const node& n, std::vector<bound>& into) {
    if (n.is(node::form::unreadable)) {
      return;
    }
    if (!n.is(node::form::mapping)) {
      r.complain({"E-TYPE",
                  "expected a mapping from metrics to comparisons (got " + found(n) + ")",
                  "such as `ttm.p95: \"<= 45s\"`"},
                 n.at);
      return;
    }
    into.clear();
    for (std::size_t i = 0; i < n.keys.size() && !r.is_full(); ++i) {
      const std::string step = shown(n.keys[i].text);
      const reader::scope in(r, step, step, n.items[i].at);
      if (n.items[i].is(node::form::unreadable)) {
        continue;
      }
      reading_of<bound> b = parse_bound(n.keys[i].text, n.items[i]);
      if (b) {
        into.push_back(std::move(*b));
      } else {
        const bool is_reference = b.error().code == "E-REFERENCE";
        r.complain(std::move(b.error()), is_reference ? n.keys[i].at : n.items[i].at);
      }
    }
  };
  k.write = [](const std::vector<bound>& bounds) {
    node n = empty_mapping();
    for (const bound& b : bounds) {
      n.add(b.metric, quoted(b.text));
    }
    return n;
  };
  return k;
}

}  // namespace dibs::scenario
