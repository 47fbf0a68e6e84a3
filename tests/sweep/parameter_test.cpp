// What may be searched over, as people write it.

#include "sweep/parameter.hpp"

#include "catch.hpp"

using namespace dibs;
using namespace dibs::sweep;

namespace {

parameter read(const std::string& text, std::size_t values = 10) {
  auto p = parse_parameter(text, values);
  INFO((p ? "" : p.error().text));
  REQUIRE(p);
  return *p;
}

std::string parameter_refusal(const std::string& text) {
  const auto p = parse_parameter(text, 10);
  REQUIRE_FALSE(p);
  CHECK(p.error().code == exit_code::usage);
  return p.error().text;
}

}  // namespace

TEST_CASE("parameters: a range is geometric if it begins above 0") {
  const parameter p = read("lease.ttl=3s..60s");
  CHECK(p.path == "lease.ttl");
  CHECK(p.values.size() == 10);
  CHECK(p.values.front() == "3s");
  CHECK(p.values[1] == "4.185s");
  CHECK(p.values.back() == "60s");
  CHECK(p.range->logarithmic);
  CHECK(p.text_at(0.5) == "13.4s");
  CHECK(*p.share_of("13.4164079s") == Approx(0.5));
  CHECK(*p.share_of("1min") == Approx(1));
  CHECK_FALSE(p.share_of("400m/s"));
}

TEST_CASE("parameters: spacing, count and lists are as written") {
  CHECK(read("lease.margin=0s..4s").values == std::vector<std::string>{"0s",
                                                                       "0.4444s",
                                                                       "0.8889s",
                                                                       "1.333s",
                                                                       "1.778s",
                                                                       "2.222s",
                                                                       "2.667s",
                                                                       "3.111s",
                                                                       "3.556s",
                                                                       "4s"});
  CHECK(read("lease.ttl=5s..15s:lin:3").values == std::vector<std::string>{"5s", "10s", "15s"});
  CHECK(read("lease.ttl=5s..15s:lin", 3).values == std::vector<std::string>{"5s", "10s", "15s"});
  const parameter p = read("lease.protocol=lease,fenced");
  CHECK_FALSE(p.range);
  CHECK(p.values == std::vector<std::string>{"lease", "fenced"});
}

TEST_CASE("parameters: whole numbers stay whole") {
  parameter p = read("matchers.count=1..6:log:8");
  p.make_whole();
  CHECK(p.values == std::vector<std::string>{"1", "2", "3", "4", "5", "6"});
  CHECK(p.text_at(0.5) == "2");
}

TEST_CASE("parameters: the ends of an interval are rounded outwards, and the range's own stay") {
  const parameter p = read("lease.ttl=3s..60s");
  const double share = *p.share_of("13.06s");
  CHECK(p.text_at(share) == "13.1s");
  CHECK(p.end_at(share, -1) == "13s");
  CHECK(p.end_at(share, 1) == "13.1s");
  CHECK(p.end_at(*p.share_of("13.02s"), 1) == "13.1s");
  CHECK(p.end_at(*p.share_of("13s"), -1) == "13s");
  CHECK(p.end_at(*p.share_of("13s"), 1) == "13s");
  CHECK(p.end_at(*p.share_of("9.996s"), 1) == "10s");
  CHECK(p.end_at(-0.1, -1) == "3s");
  CHECK(p.end_at(1, 1) == "60s");
}

TEST_CASE("parameters: which values they cover") {
  const parameter range = read("lease.ttl=3s..60s");
  CHECK(range.covers("15s"));
  CHECK(range.covers("1min"));
  CHECK_FALSE(range.covers("2s"));
  CHECK_FALSE(range.covers("lease"));
  const parameter list = read("lease.protocol=lease,fenced");
  CHECK(list.covers("fenced"));
  CHECK_FALSE(list.covers("hold"));
}

TEST_CASE("parameters: what makes no sense is refused") {
  CHECK_FALSE(parameter_refusal("lease.ttl").empty());
  CHECK_FALSE(parameter_refusal("lease.ttl=60s..3s").empty());
  CHECK_FALSE(parameter_refusal("lease.ttl=3s..60m/s").empty());
  CHECK_FALSE(parameter_refusal("lease.ttl=15s").empty());
  CHECK_FALSE(parameter_refusal("lease.ttl=").empty());
  CHECK_FALSE(parameter_refusal("lease.ttl=3s..60s:cubic:4").empty());
}
