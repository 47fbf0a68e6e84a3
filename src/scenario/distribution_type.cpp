#include "scenario/distribution_type.hpp"

#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"
#include "sim/clocks.hpp"

#include <charconv>

namespace dibs::scenario {

namespace {

constexpr double sigma_max = 10;
/// Shapes of a Weibull or a gamma distribution: beyond, nothing is told apart from a constant, or
/// nearly all draws are 0.
constexpr double shape_min = 0.1;
constexpr double shape_max = 1000;
constexpr std::size_t knots_max = 1000;

/// `p99.5` is 0.995; nothing for other keys. At most 6 decimals, without leading zeros.
std::optional<double> probability_of(std::string_view key) {
  constexpr std::size_t length_max = 10;
  if (key.size() < 2 || key.size() > length_max || key[0] != 'p') {
    return std::nullopt;
  }
  const std::string_view digits = key.substr(1);
  const std::size_t dot = digits.find('.');
  const std::string_view whole = digits.substr(0, dot);
  const std::string_view fraction =
      dot == std::string_view::npos ? std::string_view() : digits.substr(dot + 1);
  const auto all_digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!all_digits(whole) || (whole.size() > 1 && whole[0] == '0') ||
      (dot != std::string_view::npos && (!all_digits(fraction) || fraction.size() > 6))) {
    return std::nullopt;
  }
  double percent = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), percent);
  return percent <= 100 ? std::optional<double>(percent / 100) : std::nullopt;
}

/// The shortest key that reads back to the same probability.
std::string key_of(double probability) {
  constexpr int decimals_max = 6;
  std::string key;
  for (int decimals = 0; decimals <= decimals_max; ++decimals) {
    key = fmt::format("p{:.{}f}", probability * 100, decimals);
    if (probability_of(key) == probability) {
      break;
    }
  }
  return key;
}

void finish_quantiles(reader& r, const node& n, quantiles_duration& q) {
  std::ranges::stable_sort(
      q.knots, [](const auto& a, const auto& b) { return a.probability < b.probability; });
  const auto has = [&](double p) {
    return std::ranges::any_of(q.knots, [p](const auto& knot) { return knot.probability == p; });
  };
  for (const auto& [key, p] : {std::pair{"p0", 0.0}, std::pair{"p100", 1.0}}) {
    if (!has(p) && r.is_clean(key)) {
      r.complain_at(key,
                    {"E-MISSING",
                     "the field is missing",
                     "quantiles go from p0, the least, to p100, the greatest"},
                    n.at);
    }
  }
  for (std::size_t i = 1; i < q.knots.size(); ++i) {
    const auto& [p, value] = q.knots[i];
    const std::string key = key_of(p);
    const node* at = n.find(key);
    if (p == q.knots[i - 1].probability) {
      r.complain_at(key, {"E-DUPLICATE", "the quantile is given twice"}, at ? at->at : n.at);
    } else if (value < q.knots[i - 1].value) {
      r.complain_at(key,
                    {"E-CONFLICT",
                     fmt::format("must not be below {}: {} (got {})",
                                 key_of(q.knots[i - 1].probability),
                                 text::print_duration(q.knots[i - 1].value),
                                 text::print_duration(value))},
                    at ? at->at : n.at);
    }
  }
}

record<quantiles_duration> quantiles(const field_type<sim_duration>& value) {
  pattern_members<quantiles_duration> p;
  p.pattern = "^p(100|[1-9]?[0-9](\\.[0-9]{1,6})?)$";
  p.doc =
      "pNN: the value below which NN per cent of the draws lie; `p0` and `p100` are required, "
      "values in between lie on straight lines";
  p.value = value.about;
  p.read = [value](reader& r, const node::key& key, const node& n, quantiles_duration& into) {
    const std::optional<double> probability = probability_of(key.text);
    if (!probability || into.knots.size() >= knots_max) {
      return false;
    }
    sim_duration knot{};
    value.read(r, n, knot);
    // A value that could not be read is complained about; it must not seem to fall.
    if (r.is_here_clean()) {
      into.knots.push_back({*probability, knot});
    }
    return true;
  };
  p.finish = finish_quantiles;
  p.write = [value](const quantiles_duration& from, node& into) {
    for (const auto& knot : from.knots) {
      into.add(key_of(knot.probability), value.write(knot.value));
    }
  };
  record<quantiles_duration> q;
  q.further(std::move(p));
  return q;
}

/// Takes `1500ms` for `{dist: constant, value: 1500ms}`.
field_type<distribution> with_short_form(const field_type<distribution>& full,
                                         const field_type<sim_duration>& value) {
  field_description about = *full.about;
  about.short_form = value.about;
  field_type<distribution> k = full;
  k.about = std::make_shared<const field_description>(std::move(about));
  k.read = [read = full.read, value](reader& r, const node& n, distribution& into) {
    if (n.is(node::form::scalar)) {
      constant_duration constant;
      value.read(r, n, constant.value);
      into = constant;
    } else {
      read(r, n, into);
    }
  };
  return k;
}

/// A drift, kept as what a clock gains in a second.
field_type<sim_duration> a_drift_rate(reading_limits<double> in) {
  const field_type<double> rate = a_quantity(text::drifts(), in);
  field_type<sim_duration> k;
  k.about = rate.about;
  k.read = [read = rate.read](reader& r, const node& n, sim_duration& into) {
    double value = 0;
    read(r, n, value);
    into = sim::ppm(value);
  };
  k.write = [write = rate.write](const sim_duration& gained) {
    return write(static_cast<double>(gained.count()) / 1000);
  };
  return k;
}

record<uniform_duration> uniform(const field_type<sim_duration>& value,
                                 std::string (*print)(sim_duration)) {
  return record<uniform_duration>()
      .field("min", &uniform_duration::min, value, "the least value")
      .required()
      .field("max", &uniform_duration::max, value, "the greatest value")
      .required()
      .check([print](reader& r, const node& n, const uniform_duration& u) {
        if (u.min > u.max && r.is_clean("min") && r.is_clean("max")) {
          const node* max = n.find("max");
          r.complain_at(
              "max",
              {"E-CONFLICT",
               fmt::format("must not be below min: {} (got {})", print(u.min), print(u.max))},
              max != nullptr ? max->at : n.at);
        }
      });
}

std::string print_drift(sim_duration gained) {
  return text::print_quantity(static_cast<double>(gained.count()) / 1000, text::drifts());
}

record<constant_duration> constant(const field_type<sim_duration>& value) {
  return record<constant_duration>()
      .field("value", &constant_duration::value, value, "the value of every draw")
      .required();
}

record<normal_duration> normal(const field_type<sim_duration>& value,
                               const field_type<sim_duration>& spread) {
  return record<normal_duration>()
      .field("mean", &normal_duration::mean, value, "the mean")
      .required()
      .field("sd", &normal_duration::sd, spread, "the standard deviation")
      .required();
}

field_type<double> a_shape() { return a_real({.at_least = shape_min, .at_most = shape_max}); }

constexpr const char* shape_sentence =
    "1 is the exponential distribution; above 1 draws lie closer together, below 1 most are short "
    "and a few very long";

/// Of values as `value` takes them.
field_type<distribution> shapes(const std::string& name,
                                const field_type<sim_duration>& value,
                                bool may_be_never,
                                bool may_be_negative = false) {
  const auto self = [](auto& d) -> auto& { return d; };
  const field_type<sim_duration> positive = a_duration({.above = sim_duration{0}});
  record<distribution> d;
  d.tag("dist", "which distribution");
  d.alternative("constant", self, constant(value), "always the same");
  d.alternative(
      "uniform", self, uniform(value, text::print_duration), "all values in between alike");
  d.alternative("exponential",
                self,
                record<exponential_duration>()
                    .field("mean", &exponential_duration::mean, positive, "the mean")
                    .required(),
                "without memory");
  d.alternative("normal",
                self,
                normal(value, a_duration()),
                may_be_negative ? "the bell curve" : "the bell curve; draws below 0 count as 0");
  d.alternative("lognormal",
                self,
                record<lognormal_duration>()
                    .field("median", &lognormal_duration::median, positive, "the median")
                    .required()
                    .field("sigma",
                           &lognormal_duration::sigma,
                           a_real({.at_least = 0.0, .at_most = sigma_max}),
                           "the standard deviation of the logarithm")
                    .required(),
                "skewed, as human answers are");
  d.alternative(
      "weibull",
      self,
      record<weibull_duration>()
          .field("scale",
                 &weibull_duration::scale,
                 positive,
                 "the value below which 63.2 % of the draws lie")
          .required()
          .field("shape", &weibull_duration::shape, a_shape(), shape_sentence)
          .required(),
      "times to an event that comes ever sooner, or ever later, the longer it is awaited");
  d.alternative("gamma",
                self,
                record<gamma_duration>()
                    .field("mean", &gamma_duration::mean, positive, "the mean")
                    .required()
                    .field("shape", &gamma_duration::shape, a_shape(), shape_sentence)
                    .required(),
                "several exponential times one after another, as many as `shape` says");
  d.alternative("quantiles", self, quantiles(value), "straight lines between known quantiles");
  if (may_be_never) {
    d.alternative("never", self, record<never_duration>(), "does not happen");
  }
  return d.as_kind(name, true);
}

field_type<distribution> make(const std::string& name, bool may_be_negative, bool may_be_never) {
  const field_type<sim_duration> value =
      may_be_negative ? a_duration({.at_least = -duration_max}) : a_duration();
  return with_short_form(shapes(name, value, may_be_never, may_be_negative), value);
}

field_type<signed_distribution> either_way(const field_type<distribution>& of) {
  return {of.about,
          [read = of.read](reader& r, const node& n, signed_distribution& into) {
            read(r, n, into.shape);
          },
          [write = of.write](const signed_distribution& from) { return write(from.shape); }};
}

}  // namespace

field_type<distribution> a_wait() { return make("distribution", false, true); }
field_type<distribution> a_length() {
  const field_type<sim_duration> above_0 = a_duration({.above = sim_duration{0}});
  field_type<distribution> k = with_short_form(shapes("length", a_duration(), false), above_0);
  k.write = [full = k.write, above_0](const distribution& from) {
    const auto* constant = std::get_if<constant_duration>(&from);
    return constant != nullptr ? above_0.write(constant->value) : full(from);
  };
  return k;
}
field_type<distribution> a_delay() { return make("delay", false, false); }
field_type<signed_distribution> a_drift() {
  constexpr double drift_max_ppm = 500'000;
  const auto self = [](auto& d) -> auto& { return d; };
  const field_type<sim_duration> value =
      a_drift_rate({.at_least = -drift_max_ppm, .at_most = drift_max_ppm});
  const field_type<sim_duration> spread = a_drift_rate({.at_least = 0.0, .at_most = drift_max_ppm});
  record<distribution> d;
  d.tag("dist", "which distribution");
  d.alternative("constant", self, constant(value), "always the same");
  d.alternative("uniform", self, uniform(value, print_drift), "all values in between alike");
  d.alternative("normal",
                self,
                normal(value, spread),
                "the bell curve; no draw is beyond half of true time either way");
  return either_way(with_short_form(d.as_kind("drift", true), value));
}

field_type<signed_distribution> an_offset() { return either_way(make("offset", true, false)); }

}  // namespace dibs::scenario
