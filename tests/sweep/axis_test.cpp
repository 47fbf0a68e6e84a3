#include "sweep/axis.hpp"

#include "has.hpp"
#include "sweep/small.hpp"

using namespace dibs;
using namespace dibs::sweep;
using dibs::test::has;
using sweep::test::axis_from;

namespace {

using texts = std::vector<std::string>;

std::string complaint_of(const std::string& text) {
  const auto a = parse_axis(text);
  INFO(text);
  REQUIRE_FALSE(a);
  CHECK(a.error().code == exit_code::usage);
  return a.error().text;
}

}  // namespace

TEST_CASE("axis: a list is taken as it is written") {
  const axis a = axis_from("lease.ttl=5s, 10s,15s");
  CHECK(a.path == "lease.ttl");
  CHECK(a.values == texts{"5s", "10s", "15s"});
}

TEST_CASE("axis: a path may stand in backquotes, as in expressions") {
  CHECK(parse_axis("network.`matcher->driver`.loss=0%,4%")->path == "network.matcher->driver.loss");
  CHECK(parse_axis("`lease.ttl`=5s,6s")->path == "lease.ttl");
}

TEST_CASE("axis: commas inside braces and quotes separate nothing") {
  CHECK(axis_from("lease.cleanup={kind: timer},{kind: periodic, every: 1s}").values ==
        texts{"{kind: timer}", "{kind: periodic, every: 1s}"});
  CHECK(axis_from("question=\"a, b\",c").values == texts{"\"a, b\"", "c"});
}

TEST_CASE("axis: ranges are even on their scale, with their ends as written") {
  CHECK(axis_from("x=3s..60s:lin:5").values == texts{"3s", "17.25s", "31.5s", "45.75s", "60s"});
  CHECK(axis_from("x=1..32:log:6").values == texts{"1", "2", "4", "8", "16", "32"});
  CHECK(axis_from("x=0..1:lin:5").values == texts{"0", "0.25", "0.5", "0.75", "1"});
  CHECK(axis_from("x=-2s..2s:lin:3").values == texts{"-2s", "0s", "2s"});
  CHECK(axis_from("x=500ms..2s:log:3").values == texts{"500ms", "1000ms", "2s"});
  CHECK(axis_from("x=30s..5m:lin:3").values == texts{"30s", "165s", "5m"});
  CHECK(axis_from("x=0%..100%:lin:3").values == texts{"0%", "50%", "100%"});
  CHECK(axis_from("x=3s..60s:log:12").values.size() == 12);
}

TEST_CASE("axis: a list may hold ranges") {
  CHECK(axis_from("x=1s,2s..4s:lin:3,9s").values == texts{"1s", "2s", "3s", "4s", "9s"});
}

TEST_CASE("axis: values stay apart however many there are") {
  const axis a = axis_from("x=3s..60s:lin:100000");
  CHECK(a.values.size() == 100'000);
}

TEST_CASE("axis: empty and contradictory ranges are refused with what is wrong") {
  CHECK(has(complaint_of("lease.ttl=60s..3s:log:5"), "is empty"));
  CHECK(has(complaint_of("lease.ttl=3s..3s:log:5"), "is empty"));
  CHECK(has(complaint_of("lease.ttl=3s..60s"), "3s..60s:log:12"));
  CHECK(has(complaint_of("lease.ttl=3s..60s:cubic:5"), "3s..60s:log:12"));
  CHECK(has(complaint_of("lease.ttl=3s..60s:log:1"), "at least 2"));
  CHECK(has(complaint_of("lease.ttl=3s..60s:log:x"), "at least 2"));
  CHECK(has(complaint_of("lease.ttl=3s..60s:log:-4"), "at least 2"));
  CHECK(has(complaint_of("lease.ttl=0s..60s:log:4"), "begin above 0"));
  CHECK(has(complaint_of("lease.ttl=3s..60km:log:4"), "of one kind"));
  CHECK(has(complaint_of("lease.ttl=3..60s:log:4"), "of one kind"));
  CHECK(has(complaint_of("lease.ttl=3s..:log:4"), "of one kind"));
  CHECK(has(complaint_of("lease.ttl=3s..60s:log:1000000000000"), "1,000,000,000,000 values"));
  CHECK(has(complaint_of("lease.ttl=3s..60s:log:99999999999999999999"), "an axis has at most"));
}

TEST_CASE("axis: lists with holes and repeats are refused") {
  CHECK(has(complaint_of("lease.ttl="), "no value"));
  CHECK(has(complaint_of("lease.ttl=5s,,10s"), "no value"));
  CHECK(has(complaint_of("lease.ttl=5s,5s"), "given twice"));
  CHECK(
      has(complaint_of("lease.ttl=5s,5000ms"), "`5000ms` is given twice, the first time as `5s`"));
  CHECK(has(complaint_of("lease.ttl=15s,15.0s"), "given twice"));
  CHECK(has(complaint_of("lease.ttl=3s..12s:lin:4,9000ms"), "given twice"));
  CHECK(axis_from("lease.ttl=5s,5min").values.size() == 2);
  CHECK(axis_from("matchers.count=1,10").values.size() == 2);
  CHECK(has(complaint_of("lease.ttl"), "lease.ttl=5s,10s"));
  CHECK(has(complaint_of("=5s"), "lease.ttl=5s,10s"));
  CHECK_FALSE(has(complaint_of("lease.ttl=\x1b,\x1b"), "\x1b"));
}

TEST_CASE("axis: a path with dots in it is no range") {
  CHECK(axis_from("demand.1.file=../a.csv,b..c.csv").values == texts{"../a.csv", "b..c.csv"});
}
