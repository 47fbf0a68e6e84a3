// Goal: what a study says to have changed nothing has changed nothing, and the reason is right.
// Method: points with made-up histories; and runs of which the table of fields says that a field
// changes nothing, once without it and once with it.
#include "study/without_effect.hpp"

#include "engine/run.hpp"
#include "scenario/needs.hpp"
#include "study/small.hpp"

using namespace dibs;
using namespace dibs::study;
using study::test::small_text;

namespace {

tried_point tried(const std::string& ttl, const std::string& grace, const std::string& history) {
  return {{{"lease.ttl", ttl}, {"lease.grace", grace}}, {history}};
}

scenario::scenario small_with(const std::vector<scenario::override_value>& set) {
  const auto reading = scenario::read_text(small_text, "small.yaml", {}, set);
  INFO((reading.ok() ? std::string() : format(reading.complaints.front())));
  REQUIRE(reading.ok());
  return reading.value;
}

const scenario_at unknown = [](std::size_t) { return std::nullopt; };

std::vector<std::string> texts_of(const std::vector<tried_point>& points,
                                  const scenario_at& at = unknown) {
  std::vector<std::string> all;
  for (const without_effect& each : fields_without_effect(points, at)) {
    all.push_back(each.text());
  }
  return all;
}

}  // namespace

TEST_CASE("without effect: a field whose points all have one history, whatever the others are") {
  const std::vector<tried_point> points{tried("5s", "0s", "a"),
                                        tried("5s", "1s", "a"),
                                        tried("9s", "0s", "b"),
                                        tried("9s", "1s", "b")};
  CHECK(texts_of(points) == std::vector<std::string>{"lease.grace changed nothing: whatever it "
                                                     "is, every run is the same"});
}

TEST_CASE("without effect: one pair that differs is an effect, and what is not known is none") {
  const std::vector<tried_point> differs{tried("5s", "0s", "a"),
                                         tried("5s", "1s", "a"),
                                         tried("9s", "0s", "b"),
                                         tried("9s", "1s", "c")};
  CHECK(texts_of(differs).empty());
  CHECK(texts_of({tried("5s", "0s", ""), tried("9s", "0s", "")}).empty());
  CHECK(texts_of({tried("5s", "0s", "a"), tried("5s", "0s", "a")}).empty());
  CHECK(texts_of({}).empty());
}

TEST_CASE("without effect: fields that vary together alone are named together") {
  CHECK(texts_of({tried("5s", "0s", "a"), tried("9s", "1s", "a")}) ==
        std::vector<std::string>{"lease.ttl, lease.grace changed nothing: whatever they are "
                                 "together, every run is the same"});
}

TEST_CASE("without effect: the table's reason is given where it holds at all points") {
  const std::vector<tried_point> points{{{{"lease.margin", "0s"}}, {"a"}},
                                        {{{"lease.margin", "1s"}}, {"a"}}};
  const scenario_at manager = [](std::size_t) { return small_with({}); };
  CHECK(texts_of(points, manager).front() ==
        "lease.margin changed nothing: no holder judges its lease; see `lease.judge`");
  const scenario_at mixed = [](std::size_t i) {
    return small_with(i == 0 ? std::vector<scenario::override_value>{}
                             : std::vector<scenario::override_value>{{"lease.judge", "both"}});
  };
  CHECK(texts_of(points, mixed).front() ==
        "lease.margin changed nothing: whatever it is, every run is the same");
}

TEST_CASE("without effect: what the table says to change nothing changes no history") {
  struct idle_field {
    std::vector<scenario::override_value> in;
    scenario::override_value set;
  };
  const std::vector<scenario::override_value> none{{"lease.protocol", "none"}};
  const std::vector<scenario::override_value> locks{{"lease.protocol", "pessimistic"}};
  const std::vector<idle_field> fields{
      {{}, {"clocks.drifting.offset", "5s"}},
      {{}, {"clocks.drifting.steps", "[{at: 20s, by: 9s}]"}},
      {{}, {"clocks.drifting.strobe", "{every: 5s, by: 3s}"}},
      {{}, {"clocks.drifting.redraw", "lease"}},
      {{}, {"clock.start", "5h"}},
      {{}, {"world.travel.speed", "50km/h"}},
      {{}, {"world.bounds.north", "40.8"}},
      {{}, {"matchers.policy.candidates", "1"}},
      {{}, {"matchers.policy.radius", "10m"}},
      {{{"matchers.policy.kind", "nearest"}}, {"matchers.policy.radius", "10m"}},
      {{{"matchers.count", "1"}, {"clocks", "[]"}}, {"matchers.assignment", "random"}},
      {{}, {"riders.patience", "{share: 0%, after: 1s}"}},
      {{}, {"riders.cancel_after_match", "{share: 0%, after: 1s}"}},
      {{}, {"riders.cancel_at_accept", "{share: 0%, after: 1s}"}},
      {{}, {"drivers.drop_out", "{share: 0%, after: 1s, back_after: 9s}"}},
      {{}, {"lease.margin", "3s"}},
      {{}, {"lease.renewal.retry", "100ms"}},
      {{}, {"lease.restart.leases", "forgotten"}},
      {{{"lease.judge", "holder"}}, {"lease.confirm_hold", "1ms"}},
      {{{"lease.protocol", "lease"}}, {"lease.fence", "first-write"}},
      {none, {"lease.jitter", "5s"}},
      {none, {"lease.lock_delay", "20s"}},
      {none, {"lease.transaction", "2s"}},
      {none, {"lease.released", "held"}},
      {none, {"lease.releases", "always"}},
      {none, {"lease.known_by", "anyone"}},
      {none, {"lease.expiry", "ignored"}},
      {none, {"lease.handshake", "2s"}},
      {none, {"lease.confirm_hold", "1s"}},
      {none, {"lease.renewal.kind", "eager"}},
      {{{"lease.protocol", "none"}, {"lease.cleanup.kind", "periodic"}},
       {"lease.cleanup.every", "100ms"}},
      {locks, {"lease.jitter", "5s"}},
      {locks, {"lease.lock_delay", "20s"}},
      {{{"lease.protocol", "pessimistic"}, {"lease.cleanup.kind", "periodic"}},
       {"lease.cleanup.every", "100ms"}}};
  for (const idle_field& f : fields) {
    const scenario::scenario without = small_with(f.in);
    std::vector<scenario::override_value> set = f.in;
    set.push_back(f.set);
    const scenario::scenario with = small_with(set);
    INFO(f.set.path);
    // Of a mapping that must have a share, what the share is of.
    const std::string path = f.set.value.starts_with("{share") ? f.set.path + ".after" : f.set.path;
    CHECK(scenario::why_idle(without, path).has_value());
    CHECK(scenario::why_idle(with, path).has_value());
    const auto before = engine::run(without, {.seed = 7});
    const auto after = engine::run(with, {.seed = 7});
    REQUIRE(before);
    REQUIRE(after);
    CHECK(before->history == after->history);
  }
}
