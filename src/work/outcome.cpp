#include "work/outcome.hpp"

#include "lease/protocol.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace dibs::work {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view seal_key = R"(,"seal":")";
constexpr std::string_view after_seal = R"("})";

/// An object with a hash over all that it says, as its last member.
std::string sealed(std::string object) {
  const std::string seal = results::hash_of(object);
  object.pop_back();
  return object.append(seal_key).append(seal).append(after_seal);
}

bool is_sealed(std::string_view text) {
  const std::size_t at = text.rfind(seal_key);
  if (at == std::string_view::npos || !text.ends_with(after_seal)) {
    return false;
  }
  const std::string object = std::string(text.substr(0, at)) + "}";
  text.remove_prefix(at + seal_key.size());
  text.remove_suffix(after_seal.size());
  return text == results::hash_of(object);
}

json json_of(const std::optional<double>& x) { return x ? json(*x) : json(nullptr); }

std::optional<double> number_in(const json& j) {
  return j.is_null() ? std::nullopt : std::optional(j.get<double>());
}

outcome outcome_in(const json& j) {
  outcome o;
  results::run_record& r = o.record;
  r.seed = j.at("seed").get<std::uint64_t>();
  r.scenario_hash = j.at("scenario").get<std::string>();
  r.history = j.at("history").get<std::string>();
  r.facts = j.at("facts").get<std::uint64_t>();
  r.events = j.at("events").get<std::uint64_t>();
  r.violations = j.at("violations").get<std::uint64_t>();
  r.violation = j.at("violation").get<std::string>();
  o.judged = j.at("judged").get<std::uint32_t>();
  o.broken = j.at("broken").get<std::vector<std::string>>();
  results::run_values values;
  for (const auto& [family, text] : j.at("values").items()) {
    auto read = stats::parse_sparse_histogram(text.get<std::string>());
    values.emplace(family,
                   std::make_shared<const stats::sparse_histogram>(
                       read ? std::move(*read) : stats::sparse_histogram{}));
  }
  for (const json& each : j.at("measures")) {
    results::metric_sample m{each.at(0).get<std::string>(),
                             number_in(each.at(1)),
                             number_in(each.at(2)),
                             number_in(each.at(3))};
    if (const auto own = values.find(results::family_of(m.metric)); own != values.end()) {
      m.values = own->second;
    }
    r.measures.push_back(std::move(m));
  }
  return o;
}

}  // namespace

outcome outcome_of(const engine::run_result& r,
                   const std::string& scenario_hash,
                   const std::vector<std::string>& metrics) {
  outcome o;
  o.record = results::record_of(r);
  o.record.scenario_hash = scenario_hash;
  o.judged = r.checks.judged;
  for (const checkers::violation& v : r.checks.violations) {
    o.broken.push_back(fmt::format("{}: {}", lease::code_of(v.broken), v.what));
  }
  const results::run_values values = results::values_of(r.metrics);
  for (const std::string& name : metrics) {
    o.record.measures.push_back(results::measure_of(name, r.metrics, values));
  }
  return o;
}

std::string text_of(const outcome& o) {
  const results::run_record& r = o.record;
  json j{{"seed", r.seed},
         {"scenario", r.scenario_hash},
         {"history", r.history},
         {"facts", r.facts},
         {"events", r.events},
         {"violations", r.violations},
         {"violation", r.violation},
         {"judged", o.judged},
         {"broken", o.broken},
         {"measures", json::array()},
         {"values", json::object()}};
  for (const results::metric_sample& m : r.measures) {
    j["measures"].push_back({m.metric, json_of(m.value), json_of(m.over), json_of(m.per)});
  }
  for (const auto& [family, values] : results::values_of(r)) {
    j["values"][family] = stats::text_of(*values);
  }
  return sealed(text::json_as_text(j));
}

std::optional<outcome> parse_outcome(std::string_view text) {
  if (!is_sealed(text)) {
    return std::nullopt;
  }
  const json j = text::text_as_json(text);
  if (j.is_discarded()) {
    return std::nullopt;
  }
  try {
    return outcome_in(j);
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace dibs::work
