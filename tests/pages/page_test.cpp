#include "pages/page.hpp"

#include "catch.hpp"
#include "explain/harm.hpp"
#include "explain/told.hpp"
#include "has.hpp"
#include "history/event_text.hpp"
#include "history/response_times.hpp"
#include "metrics/catalogue.hpp"
#include "pages/choice_model.hpp"
#include "pages/figure_texts.hpp"
#include "pages/perfetto_trace.hpp"
#include "pages/run_model.hpp"
#include "pages/run_svg.hpp"
#include "report/run_table.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

using namespace dibs;
using namespace dibs::pages;
using dibs::test::has;

namespace {

constexpr const char* hostile = "</script><script>alert(1)</script><b>\xff|`\x1b[31m";

history::recorded_run hostile_history() {
  history::recorded_run h = explain::told_by(explain::two_trips(), lease::protocol::none);
  h.scenario.name = hostile;
  h.scenario.question = hostile;
  return h;
}

nlohmann::ordered_json figures_in(const std::string& metrics_json) {
  return *report::read_figures(metrics_json);
}

}  // namespace

TEST_CASE("page: what a scenario says is data, and neither markup nor script") {
  const history::recorded_run h = hostile_history();
  const history::indexed_run c(h);
  const std::string model = model_of(c, {.run = hostile, .metrics = "{}", .version = "1"});
  CHECK_FALSE(has(model, "<"));
  const auto parsed = nlohmann::json::parse(model);
  CHECK(has(parsed["scenario"]["name"].get<std::string>(), "<script>alert(1)</script>"));
  const std::string page = page_of(h.scenario.name, model);
  CHECK(has(page, "\\\\u001b[31m"));  // no parser makes a control of it again
  CHECK(has(page, "<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
  CHECK_FALSE(has(page, "<script>alert"));
}

TEST_CASE("page: its policy allows its own script and style, by their hashes, and nothing else") {
  const std::string page = page_of("a page", "{}");
  const std::size_t from = page.find("Content-Security-Policy\" content=\"") + 34;
  const std::string policy = page.substr(from, page.find('"', from) - from);
  CHECK(policy.starts_with("default-src 'none'; script-src 'sha256-"));
  CHECK_FALSE(has(policy, "unsafe"));
  CHECK_FALSE(has(policy, "http"));
  // 32 bytes are 43 letters and a sign that fills them up.
  const std::size_t hash = policy.find("sha256-") + 7;
  CHECK(policy.find('\'', hash) - hash == 44);
}

TEST_CASE("page: one that is served may ask its server, and nobody else") {
  const std::string page = live_page_of("a <page>", "{}");
  CHECK(has(page, "connect-src 'self'"));
  CHECK(has(page, "default-src 'none'; script-src 'sha256-"));
  CHECK_FALSE(has(page, "unsafe"));
  CHECK(has(page, "<title>a &lt;page&gt;</title>"));
  CHECK_FALSE(has(page_of("a page", "{}"), "connect-src"));
}

TEST_CASE("page: a table in Markdown keeps its shape, whatever the names are") {
  const nlohmann::ordered_json figures{
      {"scenario", hostile},
      {"question", "a | b\n| c"},
      {"metrics", {{"double.commits", 3}, {"rides.committed", 1000}}}};
  const std::string text = report::markdown_of_run(figures);
  CHECK(has(text, "| drivers on 2 trips | 3 | 3 |"));
  CHECK_FALSE(has(text, "<script>"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\n| c"));
  CHECK_FALSE(report::read_figures("[]"));
  CHECK_FALSE(report::read_figures("nonsense"));
}

TEST_CASE("page: csv has the ends of each interval") {
  const std::string text = report::csv_of_run(figures_in(
      R"({"metrics":{"ttm.p95":40.5,"rides.requested":7},"intervals_95":{"ttm.p95":{"half_width":0.5}}})"));
  CHECK(has(text, "ttm.p95,s,40.5,40,41,seeds\n"));
  CHECK(has(text, "rides.requested,count,7,,,\n"));
}

TEST_CASE("page: intervals of one run come out of its stretches, and say so") {
  auto figures = figures_in(
      R"({"metrics":{"ttm.p95":40.5,"rides.match_rate":0.5},"intervals_95":{"ttm.p95":{"half_width":0.5}}})");
  report::add_batches(figures, {{"ttm.p95", 7}, {"rides.match_rate", 0.25}});
  const std::string csv = report::csv_of_run(figures);
  CHECK(has(csv, "ttm.p95,s,40.5,40,41,seeds\n"));
  CHECK(has(csv, "rides.match_rate,share,0.5,0.25,0.75,stretches\n"));
  const std::string md = report::markdown_of_run(figures);
  CHECK(has(md, "| `rides.match_rate` | 50 \u00b1 25 % |"));
  CHECK(has(md, "out of 10 equal stretches of this one run"));
  auto without = figures_in(R"({"metrics":{"ttm.p95":40.5}})");
  report::add_batches(without, {});
  CHECK_FALSE(has(report::markdown_of_run(without), "stretches"));
  // None in 2,000 assignments of each of 3 runs is none in 6,000: ln 1000 of them.
  CHECK(has(report::markdown_of_run(figures_in(
                R"({"runs_counted":3,"metrics":{"double.commits":0,"rides.committed":2000}})")),
            "| drivers on 2 trips | 0 | < 1.15 |"));
}

TEST_CASE("page: runs of different lengths say so, side by side") {
  const auto beside = [](const char* name, double until) {
    return nlohmann::ordered_json{
        {"directory", name},
        {"metrics",
         figures_in(fmt::format(
             R"({{"metrics":{{"double.commits":3,"rides.match_rate":0.5}},"measured_from_s":60,)"
             R"("measured_until_s":{},"intervals_95":{{"rides.match_rate":{{"half_width":0.25,)"
             R"("of":"stretches"}}}}}})",
             until))}};
  };
  const auto md_of = [&](double first, double other) {
    return report::markdown_of_runs({beside("a_1", first), beside("b", other)});
  };
  const std::string differ = md_of(360, 1260);
  CHECK(
      has(differ, "Measured for different lengths of time: a\\_1 for 5 min, b for 20 min. Counts"));
  CHECK(has(differ, "| `rides.match_rate` | 50 \u00b1 25 % | 50 \u00b1 25 % |"));
  CHECK(has(differ, "of a single run out of 10 equal stretches of it"));
  CHECK(has(differ, "Without one: counts, and figures"));
  CHECK_FALSE(has(md_of(360, 360), "different lengths"));
}

TEST_CASE("page: a picture is well-formed, whatever the names are") {
  const history::recorded_run h = hostile_history();
  const std::string picture = run_svg(history::indexed_run(h));
  CHECK(picture.starts_with("<svg xmlns"));
  CHECK_FALSE(has(picture, "<script"));
  CHECK_FALSE(has(picture, "\x1b"));
  CHECK(has(picture, "decided at 0:06.000"));
}

TEST_CASE("page: every k-th driver is drawn where there are too many, and everyone in a breach") {
  const history::recorded_run h = explain::told_by(explain::two_trips(), lease::protocol::none);
  const history::indexed_run c(h);
  const auto model = nlohmann::json::parse(
      model_of(c, {.run = "r", .metrics = "{}", .version = "1", .tries_max = 1}));
  CHECK(model["sample"]["every"] == 3);
  CHECK(model["sample"]["tries"] == 2);
  CHECK(model["sample"]["tries_in_all"] == 2);
}

TEST_CASE("page: a ledger's no answers what it was asked, though it names no driver") {
  constexpr node_id matcher{node_kind::matcher, 0};
  metrics::teller h = explain::accepted();
  h.tell(6, events::call_made{matcher, events::call::write, driver_id{0}, ride_id{0}, token_id{1}});
  h.tell(6.25,
         events::call_answered{.client = matcher,
                               .what = events::call::write,
                               .answer = events::call_answer::no,
                               .driver = driver_id::none(),
                               .ride = ride_id{0},
                               .token = token_id{1}});
  CHECK(history::describe(h.history.back()) == "hears a no about lease 1 for ride 1");
  const history::recorded_run all = explain::told_by(h, lease::protocol::fenced);
  const history::indexed_run c(all);
  const auto model =
      nlohmann::json::parse(model_of(c, {.run = "r", .metrics = "{}", .version = "1"}));
  const auto& took = model["calls"]["took"];
  CHECK(took[took.size() - 1] == 250);
}

TEST_CASE("page: the harm of a story is on its page, whether the run lists it or not") {
  const history::recorded_run h = explain::measured_within(
      explain::told_by(explain::accepted_in_vain(), lease::protocol::hold), 50s, 0s);
  const history::indexed_run c(h);
  REQUIRE(explain::harms_of(c).empty());
  const explain::explanation t = *explain::explanation_of(c, ride_id{0}, {});
  const auto model = nlohmann::json::parse(
      model_of(c, {.run = "r", .metrics = "{}", .version = "1", .story = &t}));
  REQUIRE(model["breaches"].size() == 1);
  CHECK(model["breaches"][0]["harm_s"] == 16);
  CHECK(model["story"]["breach"] == 0);
}

TEST_CASE("page: a remedy is good where the terminal says so, and says what it costs where not") {
  const history::recorded_run h =
      explain::told_by(explain::accepted_in_vain(), lease::protocol::hold);
  const history::indexed_run c(h);
  const explain::explanation t = *explain::explanation_of(c, ride_id{0}, {});
  explain::counterfactual tried;
  tried.before = 10;
  tried.after = 2;
  tried.happens = false;
  const auto remedy_of = [&] {
    return nlohmann::json::parse(model_of(c,
                                          {.run = "r",
                                           .metrics = "{}",
                                           .version = "1",
                                           .story = &t,
                                           .counterfactuals = {tried}}))["story"]["remedies"][0];
  };
  CHECK(remedy_of()["good"] == true);
  CHECK(remedy_of()["outcome"] == "\u2713 prevents it");
  tried.missed = {"ttm.p95 <= 30s"};
  CHECK(remedy_of()["good"] == false);
  tried.missed.clear();
  tried.loses_ride = true;
  CHECK(remedy_of()["good"] == false);
  CHECK(remedy_of()["outcome"] == "\u2717 spares this one, but its ride leaves");
}

TEST_CASE("responses: each offer is counted once, by what came of it") {
  metrics::teller h;
  h.online(0, 0);
  for (std::uint32_t r = 0; r < 5; ++r) {
    h.request(0, r);
  }
  for (std::uint32_t r = 0; r < 5; ++r) {
    h.offer(1 + r, r + 1, 0, r);
  }
  h.show(10, 1, 22);
  h.show(10, 2, 22);
  h.show(10, 3, 22);
  h.show(10, 4, 22);
  h.accept(11, 1);
  h.decline(12.5, 2);
  h.answer(30, 3, events::offer_response::accepted, false);
  const history::recorded_run told = explain::told_by(h, lease::protocol::none);
  const history::responses r = history::response_times(history::indexed_run(told), 1s, 10);
  CHECK(r.accepted[1] == 1);
  CHECK(r.declined[2] == 1);
  CHECK(r.late[9] == 1);  // the last step holds what took longer
  CHECK(r.unanswered == 1);
  CHECK(r.undelivered == 1);
}

TEST_CASE("trace: overlapping leases are events of their own at their driver, each with an end") {
  metrics::teller h;
  h.what.drivers = 1;
  h.online(0, 0);
  h.request(0, 0);
  h.request(0, 1);
  h.grant(1, 1, 0, 0);
  h.grant(2, 2, 0, 1);  // a broken manager
  h.expires(16, 1);
  h.expires(17, 2);
  const history::recorded_run told = explain::told_by(h, lease::protocol::lease);
  const auto trace = nlohmann::json::parse(trace_of(history::indexed_run(told)))["traceEvents"];
  std::set<std::string> begun;
  std::set<std::string> ended;
  for (const auto& e : trace) {
    if (e.value("cat", "") == "lease") {
      CHECK_FALSE(e.contains("id"));  // which would take it away from its driver
      (e["ph"] == "b" ? begun : ended).insert(e["id2"]["local"].get<std::string>());
    }
  }
  CHECK(begun.size() == 2);
  CHECK(ended == begun);
}

TEST_CASE("survival: what is no survival table is refused") {
  CHECK(choice_model_of(text::text_as_json(R"([{"incident":"a","cells":[]}])"), "1", "."));
  CHECK_FALSE(choice_model_of(text::text_as_json("{}"), "1", "."));
  CHECK_FALSE(choice_model_of(text::text_as_json("[]"), "1", "."));
  CHECK_FALSE(choice_model_of(text::text_as_json("[3]"), "1", "."));
}

TEST_CASE("page: titles are plain where those of files are not") {
  for (const auto& each : pages::catalogue_json()) {
    const auto title = each.at("title").get<std::string>();
    INFO(title);
    CHECK_FALSE(has(title, "stale"));
    CHECK_FALSE(has(title, "starved"));
  }
}

TEST_CASE("page: each part of hidden supply has its words") {
  const auto words = pages::layers_json();
  const std::string before = "supply.hidden_s.";
  std::size_t parts = 0;
  for (const metrics::entry& e : metrics::catalogue()) {
    if (std::string_view(e.name).substr(0, before.size()) == before) {
      INFO(e.name);
      CHECK(words.contains(std::string(e.name.substr(before.size()))));
      ++parts;
    }
  }
  CHECK(parts + 1 == words.size());  // and the time of leases that became a trip
}
