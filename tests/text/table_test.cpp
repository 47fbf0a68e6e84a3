#include "text/table.hpp"

#include "catch.hpp"

using namespace dibs::text;
using dibs::stats::margins;
using dibs::stats::within;
using dibs::text::side;
using unit = dibs::text::unit;

namespace {

/// One row, with each kind of value.
table one_of_each() {
  return {{{.title = "lease.ttl", .mark = emphasis::code},
           {.title = "share", .to = side::right, .has_ends = true},
           {.title = "none", .to = side::right, .has_ends = true},
           {.title = "runs", .to = side::right},
           {.title = "met"},
           {.title = ""}},
          {{std::string("a|b"),
            cell(std::optional(within(0.5, 0.25, 4)), unit::share),
            cell(std::optional<dibs::stats::estimate>()),
            cell(std::uint64_t{4}),
            cell(true),
            {std::string("missed"), emphasis::strong}}}};
}

}  // namespace

TEST_CASE("table: in CSV an estimate is three columns, and one without an interval too") {
  CHECK(as_csv(one_of_each()) ==
        "lease.ttl,share,low_95,high_95,none,low_95,high_95,runs,met,\n"
        "a|b,0.5,0.25,0.75,,,,4,true,missed\n");
  const table bare{{{.title = "x", .has_ends = true}},
                   {{cell(std::optional(dibs::stats::estimate{3}))}}};
  CHECK(as_csv(bare) == "x,low_95,high_95\n3,,\n");
}

TEST_CASE("table: in Markdown it keeps its shape, and figures stand as people read them") {
  CHECK(as_markdown(one_of_each()) ==
        "| `lease.ttl` | share | none | runs | met | |\n"
        "|---|---:|---:|---:|---|---|\n"
        "| a\\|b | 50 \u00b1 25 % | - | 4 | yes | **missed** |\n");
  const table hostile{{{.title = "a`|b", .mark = emphasis::code}}, {{std::string("*x*\n| y")}}};
  CHECK(as_markdown(hostile) == "| a\\`\\|b |\n|---|\n| \\*x\\*\\\\x0a\\| y |\n");
}

TEST_CASE("table: for a terminal it says the same without marks") {
  const dibs::text::terminal_style plain{};
  CHECK(as_text(one_of_each(), plain, {.width = 80}) ==
        "lease.ttl        share  none  runs  met\n"
        "a|b        50 +/- 25 %     -     4  yes  missed\n");
}

TEST_CASE("table: where it is narrow, columns go in their order, and no more than it takes") {
  const dibs::text::terminal_style plain{};
  const table t{{{.title = "metric"}, figures("A", 2), figures("B - A"), figures("change", 1)},
                {{std::string("x"), cell(1.0), std::string("+1"), std::string("+100 %")}}};
  const auto shown = [&](int width) {
    return as_text(narrowed(t, plain, {.width = width}), plain, {.width = width});
  };
  CHECK(shown(24) ==
        "metric  A  B - A  change\n"
        "x       1     +1  +100 %\n");
  CHECK(shown(23) ==
        "metric  A  B - A\n"
        "x       1     +1\n");
  CHECK(shown(15) ==
        "metric  B - A\n"
        "x          +1\n");
  CHECK(narrowed(t, plain, {.width = 1}).columns.size() == 2);
}

TEST_CASE("table: without titles it has no line of them") {
  CHECK(as_text({{{}, {}}, {{std::string("a"), cell(std::uint64_t{1})}}}, {}, {}) == "a  1\n");
}
