#include "report/progress_line.hpp"

#include "catch.hpp"

using namespace dibs;

namespace {

struct fixture {
  double now = 0;
  std::string out;

  report::progress_line line(bool live, std::uint32_t runs = 1, int width = 100) {
    return {{.live = live, .style = {.width = width}, .runs = runs},
            [this] { return now; },
            [this](std::string_view text) { out += text; }};
  }
};

engine::progress at_share(double share) {
  const auto whole = std::chrono::duration_cast<sim_duration>(2h + 20min);
  return {.reached = at(
              sim_duration(static_cast<std::int64_t>(static_cast<double>(whole.count()) * share))),
          .ends = at(whole),
          .events = 1'000'000};
}

}  // namespace

TEST_CASE("progress: a short run away from a terminal says nothing") {
  fixture f;
  auto line = f.line(false);
  for (f.now = 0; f.now < 9.9; f.now += 0.1) {
    line.update(at_share(f.now / 10));
  }
  line.finish();
  CHECK(f.out.empty());
}

TEST_CASE("progress: elsewhere than on a terminal one plain line every 10 s") {
  fixture f;
  auto line = f.line(false);
  for (f.now = 0; f.now < 35; f.now += 0.5) {
    line.update(at_share(f.now / 40));
  }
  line.finish();
  CHECK(f.out ==
        "dibs: 25 % of 2 h 20 min: at 35 min, 100 k events/s, about 30 s left\n"
        "dibs: 50 % of 2 h 20 min: at 1 h 10 min, 50 k events/s, about 20 s left\n"
        "dibs: 75 % of 2 h 20 min: at 1 h 45 min, 33.3 k events/s, about 10 s left\n");
}

TEST_CASE("progress: on a terminal one line is drawn again and taken away at the end") {
  fixture f;
  auto line = f.line(true);
  f.now = 0.1;
  line.update(at_share(0.1));
  CHECK(f.out.empty());
  f.now = 0.5;
  line.update(at_share(0.5));
  CHECK(f.out.starts_with("\r[##########          ] 50 % of 2 h 20 min: at 1 h 10 min, "));
  CHECK(f.out.find("less than 1 s left") != std::string::npos);
  CHECK(f.out.find('\n') == std::string::npos);
  const std::size_t drawn = f.out.size();
  f.now = 0.55;
  line.update(at_share(0.55));
  CHECK(f.out.size() == drawn);
  line.finish();
  CHECK(f.out.ends_with(" \r"));
  CHECK(f.out.find('\x1b') == std::string::npos);
}

TEST_CASE("progress: of several runs it says how many") {
  fixture f;
  auto line = f.line(false, 20);
  f.now = 10;
  line.update(at_share(0.25));
  CHECK(f.out.starts_with("dibs: 25 %, 5 of 20 runs, "));
}

TEST_CASE("progress: a live line is narrower than the terminal, whatever has to go") {
  for (const int width : {100, 80, 60, 40, 20}) {
    fixture f;
    auto line = f.line(true, 1, width);
    f.now = 100;
    line.update(at_share(0.5));
    CHECK(text::columns(f.out.substr(1)) < width);
    CHECK(f.out.find("50 %") != std::string::npos);
  }
}

TEST_CASE("progress: from 60 columns on a live line says all four: share, time, rate and rest") {
  for (int width = 60; width <= 130; ++width) {
    for (const double now : {0.5, 30.0, 700.0, 7e4}) {
      for (const std::uint32_t runs : {1U, 20U}) {
        for (const double share : {0.01, 0.434, 1.0}) {
          fixture f;
          auto line = f.line(true, runs, width);
          f.now = now;
          line.update(at_share(share));
          INFO(width << ": " << f.out);
          CHECK(text::columns(f.out.substr(1)) < width);
          CHECK(f.out.find(share == 0.434 ? "43 %" : " %") != std::string::npos);
          const char* where = runs > 1         ? (share == 0.434 ? " 8 of 20 runs"
                                                  : share == 1   ? " 20 of 20 runs"
                                                                 : " 0 of 20 runs")
                              : share == 0.434 ? "1 h"
                              : share == 1     ? "2 h 20 min"
                                               : "84 s";
          CHECK(f.out.find(where) != std::string::npos);
          CHECK(f.out.find("events/s") != std::string::npos);
          CHECK(f.out.find(" left") != std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("progress: a line of 60 or 80 columns has a bar as wide as there is room for") {
  for (const auto& [width, begins] :
       {std::pair{60, "\r[####      ] 43 %, at 1 h, "},
        std::pair{80, "\r[####      ] 43 % of 2 h 20 min: at 1 h 45 s, "}}) {
    fixture f;
    auto line = f.line(true, 1, width);
    f.now = 0.5;
    line.update(at_share(0.434));
    INFO(f.out);
    CHECK(f.out.starts_with(begins));
  }
}
