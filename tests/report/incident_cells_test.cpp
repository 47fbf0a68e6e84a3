/// Goal: every cell of the survival table is what it is said to be, and every incident shows its
/// cause.
/// Method: run each shipped incident under each protocol, with its cause and without. A cell that
/// is not what the incident's source leads one to expect, or of which the source says nothing and
/// which does not survive, has its protocol named in the scenario's comment, which says why; and
/// without the cause some `expect:` is missed.
#include "catch.hpp"
#include "engine/run.hpp"
#include "incidents/incident_runs.hpp"
#include "incidents/incidents.hpp"
#include "results/assessment.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace dibs;
using incidents::test::incident;
using incidents::test::incidents_folder;

namespace {

/// One character for each protocol, in the order none, hold, lease, fenced, optimistic,
/// pessimistic, idempotent. `B` breaks, `d` degrades, `u` undecided, `.` survives, `-` untouched;
/// expected are breaks alone: `B`, `.`, or `?` where the source says nothing of the protocol.
struct cells {
  const char* file;
  const char* expected;
  const char* found;
};

constexpr cells table[] = {
    {"01-naive-race", "B...B.?", "B...B.B"},
    {"02-offer-sent-then-crash", "BBBB???", "BBBBBBB"},
    {"03-expire-while-deciding", "BBBBBBB", "BBBB.BB"},
    {"04-late-confirm-before-sweep", ".BB....", "-BBB---"},
    {"05-stale-confirm-old-token", "BB..???", "-Bdd-.-"},
    {"06-retry-confirm-after-change", "BB..BB.", ".d..Bd."},
    {"07-cleanup-grace-negative", ".BBB...", "-BBB---"},
    {"07-cleanup-too-early", ".BBB...", "-BBB---"},
    {"08-cleanup-inservice", ".BBB...", ".BBB.d."},
    {"08-cleanup-lazy", ".BBB...", "-BBB---"},
    {"08-cleanup-missing", ".BBB...", "-BBB---"},
    {"08-cleanup-periodic", ".BBB...", "-BBB---"},
    {"09-ttl-too-long-supply-hiding", "?BBB?\??", "dBBBdBd"},
    {"10-ttl-too-short-churn", "BBBBBBB", "BBBBBBB"},
    {"11-clock-server-ahead", ".BB....", "-BBd---"},
    {"12-clock-client-slow", ".BB....", "BBBdddB"},
    {"13-clock-rate-drift", ".BB....", "BBBdddB"},
    {"14-clock-step-jump", ".BB....", "-BBB-.-"},
    {"14-clock-strobe", ".BB....", "-BBB-.-"},
    {"15-gc-pause-holder", "BBB.BBB", ".BBd.d."},
    {"16-no-fence-etcd-style", "BBB.BBB", "-BBd-d-"},
    {"17-fence-raised-at-grant-vs-first-write", "...B...", "---B---"},
    {"18-asymmetric", ".BBB.?.", "-BBB-d-"},
    {"18-partition-from-manager", ".BBB.?.", "-BBB-B-"},
    {"18-partition-cannot-renew", ".BB..?.", "-BBB-d-"},
    {"19-thundering-herd-expiry", ".BBB...", "-BBB---"},
    {"20-renewal-error-then-late-retry", ".BBB.?.", "-BBB---"},
    {"21-renew-ack-lost", ".BBB.?.", "-BBB---"},
    {"22-failover-ttl-reset", ".BBB.?.", "-BBB---"},
    {"23-old-leader-revokes", ".BBB.?.", "-BBB---"},
    {"24-two-times-ttl-and-lock-delay", ".BBB.?.", "-BBB---"},
    {"25-released-but-held", ".BBB.?.", "-BBB-B-"},
    {"26-same-holder-aba", ".B...?.", "-BBB---"},
    {"27-unlock-in-finally", ".B...?.", "-BBB-B-"},
    {"27-unlock-without-ownership", ".B...?.", "-BBB---"},
    {"28-lock-leak-finally", ".......", "-...-d-"},
    {"28-lock-leak-on-exception", ".BBB.B.", "-BBB-B-"},
    {"29-redlock-clock-jump", ".BB....", "-BBd-.-"},
    {"30-store-forgets-leases", ".BB..?.", "-BBd-B-"},
    {"31-failover-lagging-replica", ".BB..?.", ".BBB.B."},
    {"32-lock-without-fence-partition", ".BB..?.", ".BBd.d."},
};

/// The lines of the file's comment.
std::string comment_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string all;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() == '#') {
      all += line + "\n";
    }
  }
  return all;
}

char letter_of(incidents::incident_outcome v) { return "-.udB"[static_cast<std::size_t>(v)]; }

bool meets_all(const scenario::scenario& s) {
  const auto run = engine::run(s, {.seed = s.seed});
  REQUIRE(run);
  return std::all_of(s.expect.begin(), s.expect.end(), [&](const scenario::bound& b) {
    const auto value = run->metrics.value(b.metric);
    return value && results::meets(*value, b);
  });
}

}  // namespace

TEST_CASE("cells: every shipped incident is in the table") {
  std::set<std::string> shipped;
  for (const auto& entry : std::filesystem::directory_iterator(incidents_folder)) {
    if (entry.path().extension() == ".yaml") {
      shipped.insert(entry.path().stem().string());
    }
  }
  std::set<std::string> listed;
  for (const cells& row : table) {
    listed.insert(row.file);
  }
  CHECK(shipped == listed);
}

TEST_CASE("cells: the page of what is covered names every incident") {
  std::ifstream in(incidents_folder.parent_path() / "COVERAGE.md");
  std::stringstream page;
  page << in.rdbuf();
  for (const cells& row : table) {
    INFO(row.file);
    CHECK(page.str().find("`" + incident(row.file).with_cause.name + "`") != std::string::npos);
  }
}

TEST_CASE("cells: each is as the table says, and its scenario tells why it is not as expected",
          "[slow]") {
  incidents::incident_options how;
  how.jobs = 2;
  for (const lease::rules& row : lease::all_rules()) {
    how.protocols.push_back(row.which);
  }
  for (const cells& row : table) {
    const auto what = incident(row.file);
    const auto tried = incidents::run_incident(what, how);
    REQUIRE(tried);
    const std::string comment = comment_of(what.file);
    std::string found;
    for (std::size_t i = 0; i < tried->cells.size(); ++i) {
      const incidents::incident_cell& c = tried->cells[i];
      const std::string name(lease::rules_of(c.protocol).name);
      INFO(row.file << " under " << name);
      CHECK(c.broken_promises == 0);
      found += letter_of(c.assessment.outcome);
      const bool is_whole = found.back() == '.' || found.back() == '-';
      const bool is_expected = found.back() == row.expected[i] ||
                               (is_whole && (row.expected[i] == '.' || row.expected[i] == '?'));
      if (!is_expected) {
        CHECK(comment.find("`" + name + "`") != std::string::npos);
      }
    }
    INFO(row.file);
    CHECK(found == row.found);
  }
}

TEST_CASE("cells: what an incident expects comes with its cause, and not without") {
  for (const cells& row : table) {
    INFO(row.file);
    const auto what = incident(row.file);
    CHECK(meets_all(what.with_cause));
    CHECK_FALSE(meets_all(what.without));
  }
}
