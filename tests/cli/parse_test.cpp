#include "cli/parse.hpp"

#include "catch.hpp"
#include "has.hpp"

using namespace dibs;
using dibs::test::has;

namespace {

commands::run_request run_of(std::vector<std::string> words) {
  words.insert(words.begin(), "run");
  const auto parsed = cli::parse(words);
  INFO((parsed ? "" : parsed.error().text));
  REQUIRE(parsed);
  return std::get<commands::run_request>(*parsed);
}

std::string complaint_of(const std::vector<std::string>& words) {
  const auto parsed = cli::parse(words);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code == exit_code::usage);
  return parsed.error().text;
}

}  // namespace

TEST_CASE("parse: run takes its options in any order") {
  const auto r = run_of({"--set",
                         "lease.ttl=8s",
                         "peak.yaml",
                         "--seed",
                         "0x2a",
                         "--set",
                         "name=a=b",
                         "--runs",
                         "20",
                         "--jobs",
                         "3",
                         "--format",
                         "json",
                         "--no-out",
                         "-q",
                         "--force"});
  CHECK(r.file == "peak.yaml");
  CHECK(r.seed == 42U);
  REQUIRE(r.overrides.size() == 2);
  CHECK(r.overrides[0].path == "lease.ttl");
  CHECK(r.overrides[0].value == "8s");
  CHECK(r.overrides[1].value == "a=b");
  CHECK(r.runs == 20);
  CHECK(r.jobs == 3);
  CHECK(r.format == commands::format::json);
  CHECK_FALSE(r.keep);
  CHECK(r.quiet);
  CHECK(r.force);
}

TEST_CASE("parse: run without options") {
  const auto r = run_of({"peak.yaml"});
  CHECK_FALSE(r.seed);
  CHECK_FALSE(r.out);
  CHECK(r.keep);
  CHECK(r.runs == 1);
  CHECK(r.jobs >= 1);
  CHECK(r.format == commands::format::text);
  CHECK(r.delivery == engine::delivery::direct);
}

TEST_CASE("parse: what is misspelt meets the nearest known word") {
  CHECK(has(complaint_of({"rnu"}), "did you mean run?"));
  CHECK(has(complaint_of({"run", "x", "--sead", "1"}), "did you mean --seed?"));
  CHECK(has(complaint_of({"--versoin"}), "did you mean --version?"));
  CHECK(has(complaint_of({"run", "x", "--sead=1"}), "did you mean --seed?"));
}

TEST_CASE("parse: escapes in arguments do not reach the terminal") {
  CHECK_FALSE(has(complaint_of({"\x1b[31m"}), "\x1b"));
  CHECK_FALSE(has(complaint_of({"run", "x", "--\x1b[31m"}), "\x1b"));
  CHECK_FALSE(has(complaint_of({"run", "x", "--seed", "\x1b[31m"}), "\x1b"));
  CHECK_FALSE(has(complaint_of({"run", "x", "\x1b[31m"}), "\x1b"));
}

TEST_CASE("parse: a seed is all of 64 bits, decimal or hexadecimal, and nothing else") {
  CHECK(cli::parse_seed("0") == 0U);
  CHECK(cli::parse_seed("18446744073709551615") == UINT64_MAX);
  CHECK(cli::parse_seed("0xffffffffffffffff") == UINT64_MAX);
  for (const char* bad : {"",
                          "0x",
                          "-1",
                          "+1",
                          "1 ",
                          " 1",
                          "1e3",
                          "1.0",
                          "18446744073709551616",
                          "0x10000000000000000",
                          "abc"}) {
    CHECK_FALSE(cli::parse_seed(bad));
  }
}

TEST_CASE("parse: help is asked for before and behind a command, and so is the version") {
  const auto asked_of = [](const std::vector<std::string>& words) {
    const auto parsed = cli::parse(words);
    REQUIRE(parsed);
    return std::get<commands::help_request>(*parsed).command;
  };
  CHECK(asked_of({"--help"}).empty());
  CHECK(asked_of({"help"}).empty());
  CHECK(asked_of({"run", "--help"}) == "run");
  CHECK(asked_of({"help", "run"}) == "run");
  const auto version = cli::parse({"--version"});
  REQUIRE(version);
  CHECK(has(std::get<commands::text_request>(*version).text, "dibs 0."));
}

TEST_CASE("parse: what only an installation starts is a command that no list has") {
  const auto parsed = cli::parse({"man", "somewhere"});
  REQUIRE(parsed);
  CHECK(std::get<commands::man_request>(*parsed).directory == "somewhere");
  CHECK_FALSE(has(complaint_of({}), ", man"));
}

TEST_CASE("parse: what a value must be is said in our words, with what was found") {
  const auto of_run = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "x.yaml"});
    return complaint_of(words);
  };
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--format", "xml"}, "dibs run: --format: must be text or json (got xml)\n"},
      {{"--delivery", "pigeon"}, "--delivery: must be direct or mailbox (got pigeon)\n"},
      {{"--jobs", "abc"}, "--jobs: must be a whole number from 1 to 1024 (got abc)\n"},
      {{"--runs", "0"}, "--runs: must be a whole number from 1 to 100000 (got 0)\n"},
      {{"--runs", "100001"}, "--runs: must be a whole number from 1 to 100000 (got 100001)\n"},
      {{"--seed", "-1"}, "--seed: must be a number of 64 bits such as 42 or 0x2a (got -1)\n"},
      {{"--set", "x"}, "--set: must be path=value (got x)\n"},
      {{"--live", "--speed", "nan"}, "--speed: must be a number from 0.001 to 100000 (got nan)\n"},
      {{"--live", "--speed", "0"}, "--speed: must be a number from 0.001 to 100000 (got 0)\n"},
      {{"--speed", "10"}, "--speed requires --live\n"},
      {{"--out"}, "--out: the value is missing (DIR)\n"},
      {{"--runs="}, "--runs: the value is missing (K)\n"},
      {{"--quiet=maybe"}, "--quiet takes no value\n"},
      {{"--seed", "1", "--seed", "2"}, "--seed is given twice; leave one of them away\n"},
      {{"--out", "a", "--no-out"}, "--out keeps the run and --no-out does not"},
      {{"extra"}, "there is an argument too many: extra\n"},
      {{"--", "extra"}, "there is an argument too many: extra\n"},
      {{"--qu"}, "there is no option --qu; did you mean --quiet?\n"}};
  for (const auto& [words, expected] : cases) {
    const std::string text = of_run(words);
    INFO(text);
    CHECK(has(text, expected));
  }
  CHECK(has(complaint_of({"list", "--format", "xml"}), "must be text or json (got xml)"));
  CHECK(has(complaint_of({"completion", "csh"}), "SHELL: must be bash, zsh or fish (got csh)"));
  CHECK(has(complaint_of({"bench", "engine", "--hours", "nan"}),
            "--hours: must be a number from 0.001 to 1000 (got nan)"));
  CHECK(has(complaint_of({"bench", "engine", "--drivers", "1000,,10"}),
            "--drivers: must be a whole number from 1 to 10000000 (got nothing)"));
  CHECK(has(complaint_of({"bench", "engine", "--drivers", "10,"}), "(got nothing)"));
  CHECK(has(complaint_of({"bench", "matching", "--matchers", "1,x"}), "(got x)"));
  CHECK(has(complaint_of({"bench", "matching", "--rate", "1e8"}),
            "--rate: must be a number from 0.001 to 10000000 (got 1e8)"));
  CHECK(has(complaint_of({"replay"}), "RUN is missing"));
  CHECK(run_of({"x", "--runs", "100000"}).runs == 100'000);
  CHECK(run_of({"x", "--jobs", "010"}).jobs == 10);
}

TEST_CASE("parse: sweep takes axes, derivations and conditions") {
  const auto parsed = cli::parse({"sweep",
                                  "peak.yaml",
                                  "--grid",
                                  "lease.ttl=5s,10s",
                                  "--grid",
                                  "matchers.count=1..4:lin:4",
                                  "--zip",
                                  "a=1,2",
                                  "--derive",
                                  "lease.offer_window=lease.ttl-3s",
                                  "--where",
                                  "lease.offer_window <= lease.ttl",
                                  "--seeds",
                                  "7",
                                  "--resume",
                                  "--out",
                                  "here"});
  INFO((parsed ? "" : parsed.error().text));
  REQUIRE(parsed);
  const auto r = std::get<commands::sweep_request>(*parsed);
  CHECK(r.file == "peak.yaml");
  REQUIRE(r.design.grid.size() == 2);
  CHECK(r.design.grid[1].values.size() == 4);
  CHECK(r.design.zip.size() == 1);
  CHECK(r.design.derive.at(0).path == "lease.offer_window");
  CHECK(r.design.where.at(0) == "lease.offer_window <= lease.ttl");
  CHECK(r.seeds == 7U);
  CHECK(r.resume);
  CHECK_FALSE(r.yes);
  CHECK(r.out == "here");
}

TEST_CASE("parse: a sweep's axes are read at once") {
  CHECK(has(complaint_of({"sweep", "x.yaml", "--grid", "lease.ttl=60s..3s:log:4"}), "is empty"));
  CHECK(has(complaint_of({"sweep", "x.yaml", "--derive", "lease.ttl"}), "field=expression"));
}

TEST_CASE("parse: compare takes fields of both sides and of each") {
  const auto parsed = cli::parse({"compare",
                                  "a.yaml",
                                  "--set",
                                  "matchers.count=2",
                                  "--set-a",
                                  "lease.ttl=5s",
                                  "--set-b",
                                  "lease.ttl=9s",
                                  "--format",
                                  "json"});
  REQUIRE(parsed);
  const auto r = std::get<commands::compare_request>(*parsed);
  CHECK(r.a == "a.yaml");
  CHECK(r.b.empty());
  CHECK(r.overrides.at(0).path == "matchers.count");
  CHECK(r.overrides_of_a.at(0).value == "5s");
  CHECK(r.overrides_of_b.at(0).value == "9s");
  CHECK_FALSE(r.seeds);
  CHECK(has(complaint_of({"compare", "a.yaml"}), "one side only"));
  CHECK(has(complaint_of({"compare", "a.yaml", "--set-b", "seed=5"}), "seed cannot differ"));
  CHECK(has(complaint_of({"compare", "a.yaml", "b.yaml", "--of", "ttm.mean"}),
            "--of requires --precision"));
}

TEST_CASE("parse: compare under a protocol keeps what is set on that side") {
  const auto parsed = cli::parse({"compare", "a.yaml", "fenced", "--set-b", "lease.ttl=9s"});
  REQUIRE(parsed);
  const auto r = std::get<commands::compare_request>(*parsed);
  REQUIRE(r.overrides_of_b.size() == 2);
  CHECK(r.overrides_of_b[0].value == "fenced");
  CHECK(r.overrides_of_b[1].value == "9s");
}

TEST_CASE("parse: shares, times and budgets are read as they are typed") {
  const auto parsed = cli::parse({"tune",
                                  "x.yaml",
                                  "--search",
                                  "lease.ttl=3s..60s",
                                  "--delta",
                                  "2%",
                                  "--missed",
                                  "45s",
                                  "--budget",
                                  "8min",
                                  "--precision",
                                  "0.5%"});
  INFO((parsed ? "" : parsed.error().text));
  REQUIRE(parsed);
  const auto t = std::get<commands::tune_request>(*parsed);
  CHECK(t.how.delta == Approx(0.02));
  CHECK(t.goal.missed_weight_s == 45);
  CHECK(t.seconds == Approx(480));
  CHECK(t.how.precision.value() == Approx(0.005));
  CHECK(t.space.file == "x.yaml");
  CHECK(t.space.seeds == t.how.first);
  CHECK(has(complaint_of({"tune", "x", "--delta", "7"}),
            "--delta: must be a share such as 1% (got 7)"));
  CHECK(has(complaint_of({"tune", "x", "--budget", "0"}),
            "--budget: must be runs or a time, such as 2000 or 8min (got 0)"));
  CHECK(has(complaint_of({"tune", "x", "--objective", "ttm.p95", "--missed", "9s"}),
            "--missed is part of the objective"));
  CHECK(has(complaint_of({"economics", "--operation", "5"}), "--operation: "));
}

TEST_CASE("parse: where leases are served, and what keeps them") {
  const auto parsed =
      dibs::cli::parse({"serve", "leases", "--listen", "[::1]:0", "--store", "sqlite:a b.db"});
  REQUIRE(parsed);
  const auto s = std::get<commands::serve_request>(*parsed);
  CHECK(s.listen.host == "::1");
  CHECK(s.listen.port == 0);
  CHECK(s.file.value() == "a b.db");
  CHECK(!std::get<commands::serve_request>(*dibs::cli::parse({"serve", "leases"})).file);
  for (const char* bad :
       {"8080", "a:b", ":80", "h:65536", "::1:80", "u@h:80", "h:-1", "[]:80", "h:"}) {
    CHECK(has(complaint_of({"serve", "leases", "--listen", bad}), "must be HOST:PORT"));
  }
  CHECK(has(complaint_of({"serve", "leases", "--store", "sqlite:"}), "memory, sqlite:FILE or"));
  CHECK(has(complaint_of({"serve", "leases", "--store", "postgres://me:x@db"}), "PGPASSWORD"));
  const auto database = dibs::cli::parse({"serve", "leases", "--store", "postgres://me@db/rides"});
  REQUIRE(database);
  CHECK(std::get<commands::serve_request>(*database).database->host == "db");
}

TEST_CASE("parse: which fields are moved on a page, and where it is served") {
  const auto parsed = dibs::cli::parse({"explore",
                                        "a b.yaml",
                                        "--field",
                                        "lease.ttl=5s..60s",
                                        "--field",
                                        "drivers.count",
                                        "--set",
                                        "lease.grace=1s",
                                        "--seeds",
                                        "7",
                                        "--seed",
                                        "0x10",
                                        "--port",
                                        "8123",
                                        "--open"});
  REQUIRE(parsed);
  const auto e = std::get<commands::explore_request>(*parsed);
  CHECK(e.file == "a b.yaml");
  CHECK(e.fields == std::vector<std::string>{"lease.ttl=5s..60s", "drivers.count"});
  CHECK(e.overrides.at(0).value == "1s");
  CHECK(e.seeds == 7);
  CHECK(e.seed == 16U);
  CHECK(e.port == 8123);
  CHECK(e.open);
  const auto plain = std::get<commands::explore_request>(*dibs::cli::parse({"explore", "x"}));
  CHECK(plain.fields.empty());
  CHECK(plain.seeds == 20);
  CHECK(plain.port == 0);
  CHECK_FALSE(plain.open);
  CHECK(has(complaint_of({"explore", "x", "--port", "65536"}), "--port"));
  CHECK(has(complaint_of({"explore", "x", "--seeds", "0"}), "--seeds"));
  CHECK(has(complaint_of({"explore"}), "SCENARIO is missing"));
}

TEST_CASE("parse: which service is loaded, with whose demand") {
  const auto parsed = dibs::cli::parse({"load", "http://127.0.0.1:80/", "a.yaml", "--speed", "7"});
  REQUIRE(parsed);
  const auto l = std::get<commands::load_request>(*parsed);
  CHECK(l.url == "http://127.0.0.1:80");
  CHECK(l.file == "a.yaml");
  CHECK(l.speed == 7);
  CHECK(std::get<commands::load_request>(*dibs::cli::parse({"load", "http://x"})).file.empty());
  CHECK(has(complaint_of({"load", "https://x"}), "must be the address of a service"));
  CHECK(has(complaint_of({"load", "http://x", "--connections", "0"}), "must be"));
}
