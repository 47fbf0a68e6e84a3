#include "history/supply_over_time.hpp"

#include "catch.hpp"
#include "engine/run.hpp"
#include "explain/told.hpp"
#include "metrics/evaluators.hpp"

using namespace dibs;
using namespace dibs::history;

namespace {

/// Driver-seconds of a layer within the measured time.
double spent_s(const supply_layers& s, std::size_t layer, const indexed_run& c) {
  double sum = 0;
  for (std::size_t i = 0; i < s.begins.size(); ++i) {
    sum += c.window().holds(s.begins[i]) ? static_cast<double>(s.spent[layer][i]) * 1e-9 : 0;
  }
  return sum;
}

recorded_run run_of_file(const std::string& file,
                         const std::vector<scenario::override_value>& set) {
  const auto read = scenario::read_file(std::string(DIBS_SOURCE_DIR) + "/" + file, set);
  REQUIRE(read.ok());
  event_collector all(UINT64_MAX, nullptr);
  engine::run_options how;
  how.seed = read.value.seed;
  how.observers.push_back(&all);
  const auto r = engine::run(read.value, how);
  REQUIRE(r);
  return history_of(read.value, how.seed, all.take(), r->reached);
}

}  // namespace

TEST_CASE("supply layers: the layers add up to the fleet at every step") {
  const recorded_run h = run_of_file("tests/cli/small.yaml", {});
  const indexed_run c(h);
  const supply_layers s = supply_over_time(c, 5s, 60);
  CHECK(s.begins.size() <= 62);
  for (std::size_t i = 0; i < s.begins.size(); ++i) {
    const sim_time end = i + 1 < s.begins.size() ? s.begins[i + 1] : h.end;
    std::int64_t sum = 0;
    for (const auto& layer : s.spent) {
      sum += layer[i];
    }
    CHECK(sum == (end - s.begins[i]).count() * 40);
  }
}

TEST_CASE("supply layers: within the measured time the layers are the figures of the run") {
  for (const char* file : {"tests/cli/small.yaml", "scenarios/evening-peak.yaml"}) {
    const recorded_run h = run_of_file(file, {});
    const indexed_run c(h);
    const supply_layers s = supply_over_time(c, 7s, 100);
    const auto figure = [&](const std::string& name) { return h.metrics.value(name).value_or(-1); };
    const auto spent = [&](layer l) { return spent_s(s, static_cast<std::size_t>(l), c); };
    CHECK(spent(layer::available) == Approx(figure("supply.available_s")).margin(1e-6));
    CHECK(spent(layer::on_trip) == Approx(figure("supply.trip_s")).margin(1e-6));
    CHECK(spent(layer::converting) == Approx(figure("supply.converted_s")).margin(1e-6));
    for (std::size_t i = 0; i < metrics::hidden_parts().size(); ++i) {
      const std::string part(metrics::hidden_parts()[i]);
      CAPTURE(file, part);
      CHECK(spent_s(s, layers_before_parts + i, c) ==
            Approx(figure("supply.hidden_s." + part)).margin(1e-6));
    }
  }
}
