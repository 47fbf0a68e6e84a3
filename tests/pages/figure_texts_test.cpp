#include "pages/figure_texts.hpp"

#include "catch.hpp"
#include "pages/axes_svg.hpp"
#include "pages/choice_texts.hpp"

#include <algorithm>
#include <string>

using namespace dibs;
using json = nlohmann::ordered_json;

TEST_CASE("figures: a page prints what a terminal prints, with the interval and without") {
  const json figures{{"metrics",
                      {{"supply.hidden_s", 36'000},
                       {"ttm.p95", 119.96},
                       {"ttm.mean", 57},
                       {"rides.match_rate", 0.99999},
                       {"offers.per_match", nullptr}}},
                     {"intervals_95",
                      {{"rides.match_rate", {{"half_width", 0.0}}},
                       {"ttm.mean", {{"half_width", 4.1}, {"low", 49.1}, {"high", 57.4}}}}}};
  const json texts = pages::texts_of(figures);
  CHECK(texts["supply.hidden_s"] == "10 driver-h");
  CHECK(texts["ttm.p95"] == "2 min");
  CHECK(texts["ttm.mean"] == "57.0 (49.1..57.4) s");
  CHECK(texts["rides.match_rate"] == "99.999 %");
  CHECK(texts["offers.per_match"] == "-");
  CHECK(pages::plain_texts_of(figures) == json{{"ttm.mean", "57 s"}});
}

TEST_CASE("figures: what was seen has its rate and interval, what was not its bound") {
  json figures{{"runs_counted", 1},
               {"metrics",
                {{"double.commits", 10},
                 {"double.commits_per_million", 5'000},
                 {"rides.committed", 2'000},
                 {"double.offers", 0},
                 {"offers.sent", 6'908}}},
               {"intervals_95", {{"double.commits_per_million", {{"half_width", 1'000}}}}}};
  const auto level = [&](const char* seen) {
    const json all = pages::levels_json(figures);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const json& l) { return l["seen"] == seen; });
    return found == all.end() ? json() : *found;
  };
  CHECK(level("double.commits")["rate"] == "5");
  CHECK(level("double.commits")["range"] == "2.40 to 9.20");  // 4.795 and 18.390 of 2,000
  CHECK(level("double.offers")["rate"] == "< 1 *");
  CHECK(level("writes.stale_taken").is_null());
  figures["runs_counted"] = 4;
  CHECK(level("double.commits")["range"] == "4 to 6");
  CHECK(level("double.offers")["rate"] == "< 0.250 *");
}

TEST_CASE("figures: the room of a share is one of points, and a better value is no worse") {
  json region{{"units", {"share"}}, {"cells", {{{"room", {0.0123}}, {"half", {0.004}}}}}};
  pages::add_region_texts(region);
  CHECK(region["cells"][0]["room_t"][0] == "+1.23 \u00b1 0.40 points");
  json tuning{{"unit", "s"},
              {"delta", 0.01},
              {"alpha", 0.05},
              {"thresholds", json::array()},
              {"constraints", json::array()},
              {"trade_off", json::array()},
              {"rows",
               {{{"objective", nullptr},
                 {"metrics", json::object()},
                 {"regret", {{"value", -0.2}, {"low_95", -0.29}, {"high_95", -0.15}}}}}}};
  pages::add_tuning_texts(tuning);
  CHECK(tuning["rows"][0]["regret"]["t"] == "-20.0 (-29.0..-15.0) %");
  CHECK(tuning["rows"][0]["regret"]["apart_t"] == "20.0 (15.0..29.0) %");
  CHECK(tuning["texts"]["delta"] == "1 %");
}

TEST_CASE("svg axes: on a page a mark says what it is, and none of its words is markup") {
  pages::panel_mark mark{.x = 1, .y = 2, .y_low = 1, .y_high = 3, .told = "<img> & \"it\""};
  mark.data = {{"data-point", "\"><script>"}};
  pages::svg_axes p{.title = "t", .across = "x", .ticks = {}, .lines = {{"", {mark}, true}}};
  const auto drawings = pages::drawn_for_page(p, 560, 320);
  REQUIRE(drawings.size() == 2);
  for (const std::string& each : drawings) {
    CHECK(each.find("<title>&lt;img&gt; &amp; &quot;it&quot;</title>") != std::string::npos);
    CHECK(each.find("class=\"mark\"") != std::string::npos);
    CHECK(each.find("<script") == std::string::npos);
    CHECK(each.find("class=\"intervals\"") != std::string::npos);
  }
  CHECK(drawings[1].find("viewBox=\"0 0 340 ") != std::string::npos);
}
