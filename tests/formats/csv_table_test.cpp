#include "formats/csv_table.hpp"

#include "catch.hpp"
#include "metrics/catalogue.hpp"
#include "text/unit.hpp"

#include <set>

using namespace dibs;

TEST_CASE("csv tables: a number with a unit says so in its name, or in the column `unit`") {
  for (const formats::csv_table* t : formats::csv_tables()) {
    std::set<std::string_view> seen;
    for (const formats::csv_column& c : t->columns) {
      INFO(t->name << " " << c.name);
      CHECK(seen.insert(c.name).second);
      CHECK_FALSE(c.meaning.empty());
      if (c.unit == "unit") {
        CHECK(seen.contains("unit"));
      } else if (!c.unit.empty()) {
        CHECK(c.name.ends_with("_" + std::string(c.unit)));
      }
    }
  }
}

TEST_CASE("csv tables: the column of a metric with a unit has it in its name") {
  CHECK(formats::metric_column("ttm.p95") == "ttm.p95_s");
  CHECK(formats::metric_column("rides.goodput") == "rides.goodput_per_h");
  CHECK(formats::metric_column("supply.hidden_share") == "supply.hidden_share");
  for (const metrics::entry& e : metrics::catalogue()) {
    const std::string name = formats::metric_column(e.name);
    INFO(name);
    const bool is_time = e.unit == text::unit::seconds || e.unit == text::unit::driver_s ||
                         e.unit == text::unit::rider_s;
    CHECK(is_time == (name.ends_with("_s") || name.find("_s.") != std::string::npos));
  }
}

TEST_CASE("csv tables: the columns of fields and metrics stand where the table has them") {
  const std::vector<std::string> names{"ttm.p95", "double.commits"};
  CHECK(text::csv_titles(
            formats::columns_of(formats::points_table, {{.title = "lease.ttl_s"}}, names)) ==
        "point,lease.ttl_s,replication,seed,history,violations,stuck,ttm.p95_s,double.commits\n");
  CHECK(text::csv_titles(formats::columns_of(formats::summary_table)) ==
        "point,metric,unit,value,low_95,high_95,runs\n");
}
