#include "cli/help.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <array>

namespace dibs::cli {
namespace {

struct page {
  std::string_view command;
  std::string_view summary;
  std::string_view footer;
};

constexpr std::string_view exit_codes = R"(
Exit codes:
  0        done, and every threshold met
  1        internal error, such as a full disk
  2        wrong usage
  3        an invalid scenario or file, or not enough memory
  4        a promise of the protocol was broken (wins over 99)
  5        a replay differed
  6        a store could not be reached
  7        inconclusive, or a run that got nowhere and was ended
  99       a threshold was missed
  130, 143 interrupted (Ctrl-C), terminated: the result is partial and says so
)";

constexpr std::string_view run_footer = R"(
Examples:
  dibs run scenarios/first-run.yaml
  dibs run scenarios/evening-peak.yaml --set lease.ttl=20s --set matchers.count=6
  dibs run scenarios/evening-peak.yaml --runs 20 --jobs 4     figures with 95 % intervals
  dibs run scenarios/first-run.yaml --seed 0x2a --events      keeps every event
  dibs run scenarios/evening-peak.yaml --watch                supply and harms while it runs
  dibs run scenarios/first-run.yaml --format json --no-out | jq .metrics
  dibs run scenarios/first-run.yaml --live --speed 200        on the real clock, on all cores

The run directory holds scenario.effective.yaml, metrics.json, series.csv, events.jsonl (with
--events) and, last, manifest.json. It is never overwritten. Ctrl-C stops at the next event and
keeps what there is; a second Ctrl-C ends at once.

--live runs the same actors on CAF's work-stealing scheduler and the real clock: a scenario of 20
minutes takes 12 s at a speed of 100. People, links and clocks draw as in virtual time; the machine
adds what it is late by, which is measured and shown. No live run repeats another, so nothing is
kept, and promises that need bounds on delays are not judged.

Exit codes:
  0        done, and every threshold met
  1        internal error, such as a full disk
  2        wrong usage
  3        an invalid scenario or file, or not enough memory
  4        a promise of the protocol was broken (wins over 99)
  99       a threshold, or what the scenario expects, was missed
  130, 143 interrupted (Ctrl-C), terminated: the result is partial and says so
)";

constexpr std::string_view sweep_footer = R"(
Examples:
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,10s,15s
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=3s..60s:log:12 --seeds 40
  dibs sweep scenarios/evening-peak.yaml --grid lease.ttl=5s,10s,15s \
      --grid clocks.drifting.offset=0s,1s --derive 'lease.offer_window=lease.ttl-3s'
  dibs sweep scenarios/first-run.yaml --zip matchers.count=2,4,6 --zip drivers.count=60,120,180
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s..20s:lin:4 \
      --grid lease.margin=0s,2s,6s --where 'lease.margin < lease.ttl/2'
  dibs sweep peak.sweep.yaml --out sweeps/peak --resume

VALUES are a list, a range (FROM..TO:log:COUNT or FROM..TO:lin:COUNT) or a list with ranges in it.
An EXPRESSION has fields, quantities such as 3s, + - * / ( ) min( ) and max( ); a CONDITION two of
them and < <= > >= == or !=; in both, what holds other characters than letters, digits, _ and .
stands in backquotes: network.`matcher->driver`.loss (elsewhere it may). A sweep file has the keys
scenario, set, grid, zip, derive, where, seeds and seed.

The directory holds sweep.sqlite, the journal, with every run as it ends; then points.csv, a row
for each run, and summary.csv, a row for each point and metric with its 95 % interval. Its column
mean holds the figure: of a ratio that of the sums over all runs, of a percentile that of all their
values together, of counts and sums the mean over the runs.

--resume goes on where a sweep was stopped, by Ctrl-C or a crash, and ends with the same tables.
The scenario's thresholds are judged at every point, by its figure. Zipped fields change together;
an option with several ('A=1,2; B=3,4') is a group of its own, each group with each other. --warmup
auto leaves out what MSER-5 finds unsettled in ten pilot runs. --precision 1% adds seeds to each
point, half as many again each time, until the 95 % interval of --of is within 1 % of its figure;
where that is 0 in all n runs, no more once even 3 in n would take more runs than there may be.

Exit codes:
  0        done, and every threshold met at every point
  1        internal error, such as a full disk
  2        wrong usage: a grid that makes no sense, a directory that is there or in which another
           dibs is at work, too many runs
  3        an invalid scenario or point; a journal that is damaged or of another scenario or build
  4        a promise of the protocol was broken in some run
  7        some point is not as precise as wanted; --warmup auto: the scenario does not settle
  99       a threshold was missed at some point
  130, 143 interrupted (Ctrl-C), terminated: what is finished is kept for --resume
)";

constexpr std::string_view compare_footer = R"(
Examples:
  dibs compare scenarios/first-run.yaml fenced          as it is, and fenced
  dibs compare my.yaml hold optimistic                  under two protocols
  dibs compare my.yaml --set-b lease.ttl=10s
  dibs compare old.yaml new.yaml --seeds 50
  dibs compare runs/first-run runs/first-run-2
  dibs compare sweeps/first-run:1 sweeps/first-run:3
  dibs compare old.yaml new.yaml --format json | jq '.comparisons[0].metrics[0]'

Both sides run on the same seeds, and each figure is compared pair by pair: B - A with its 95 %
interval. What changed is ordered by how clear it is (the difference in its standard errors), not by
how large. An interval that covers 0 is no difference seen at this size.
--precision 1% adds pairs, 20 at least, until the difference of --of is known to 1 % of A's figure.
Scenarios are run; run directories are run again and must give the same histories; sweeps are read.

Exit codes:
  0        done, whatever the difference
  2        wrong usage, or no seeds in common
  3        an invalid scenario, an unfinished or changed directory
  4        a promise of the protocol was broken in some run
  5        a kept run came out differently
  7        the wanted precision was not reached; --warmup auto: the scenario does not settle
  130, 143 interrupted (Ctrl-C), terminated: nothing was compared
)";

constexpr std::string_view tune_footer = R"(
Examples:
  dibs tune scenarios/evening-peak.yaml --search lease.ttl=3s..60s
  dibs tune scenarios/evening-peak.yaml --search lease.ttl=3s..60s --missed 1min \
      --constraint 'ttm.p95 <= 45s' --holdout scenarios/morning-peak.yaml
  dibs tune my.yaml --search lease.ttl=3s..60s --search matchers.offers.max=1..8 --budget 8min
  dibs tune my.yaml --search lease.protocol=lease,fenced --objective ttm.mean

A range is tried at 10 values (6 each for two fields, 4 for three), spaced geometrically if it
begins above 0; 3s..60s:lin:20 says otherwise. A value at which a promise breaks is out, one that
puts drivers on 2 trips, 2 drivers on a ride or breaks a promise to a rider (whatever its protocol
promises, unless --allow-doubles), and one that misses a --constraint. Among the rest the procedure
of Kim and Nelson selects: with probability 1 - error none is better by more than delta. A curve
through values around it refines it, and fresh seeds, on which nothing was chosen, judge it. Where
the scenario has an offer window below the TTL, it follows the TTL, unless --derive says how.

Answers: the best, or BOUNDARY (an end of the range, or what a condition cuts off, may be as good, or
the objective has no value beyond), FLAT (nothing differs by more than delta), INCONCLUSIVE (the
budget was spent first, or a value that no fit leads to, such as today's within the ranges, may be
better; once all values had their first look, the best so far is shown, from the runs of the search where no fresh
seeds were left, and confirms nothing).

Exit codes:
  0        the best was found, and meets the scenario's thresholds
  2        wrong usage: no such metric, units that clash, a range that makes no sense, a budget
           that the screening alone exceeds
  3        an invalid scenario or value
  4        a promise of the protocol was broken at every value, or at the best one
  7        boundary, flat or inconclusive
  99       the best misses a threshold, or no value meets the constraints
  130, 143 interrupted (Ctrl-C), terminated: there is no answer
)";

constexpr std::string_view region_footer = R"(
Examples:
  dibs region scenarios/evening-peak.yaml --x lease.ttl --y clocks.drifting.offset
  dibs region my.yaml --x lease.ttl=3s..30s:lin:10 --y lease.cleanup.every=1s,5s,10s \
      --require 'accepts.missed_rate <= 5%'
  dibs region my.yaml --x lease.ttl --y lease.grace=0s..4s --format csv > region.csv

A field alone is mapped from a quarter to four times its value. Each cell is run on the same seeds
and held to the protocol's promises, the scenario's thresholds and every --require; where there is
neither, to no double assignment and no broken promise to a rider. Beside stands what the closed
form says: TTL >= decision + 2 latency + skew + clean-up.
  #  all holds, and the bound says so
  +  all holds, though the TTL is below the bound
  !  something is missed, though the bound is met
  .  something is missed, and so the bound
  ?  too near to what has to hold for so few seeds
  X  a promise of the protocol is broken

Exit codes:
  0        done, whatever the map shows
  2        wrong usage: no such field or metric, units that clash, too many runs
  3        an invalid scenario or cell
  4        a promise of the protocol was broken in some cell
  130, 143 interrupted (Ctrl-C), terminated: there is no map
)";

constexpr std::string_view root_footer = R"(
Examples:
  dibs list                                what ships, each with its question
  dibs run scenarios/first-run.yaml        run one
  dibs init my.yaml                        write one to start from
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,15s,45s    what does a field do?
  dibs compare old.yaml new.yaml           what differs, and how sure is that?
  dibs report runs/no-lease                a page to look at
  dibs explain runs/no-lease breach 1      why it happened, and what would have prevented it
  dibs tune my.yaml --search lease.ttl=3s..60s     which value is best, and how sure is that?
  dibs validate my.yaml                    everything that is wrong with it
  dibs run --help                          options, examples, exit codes
  source <(dibs completion bash)           complete commands and options with Tab
)";

constexpr std::array pages{
    page{"run", "Run a scenario: who gets the driver, and what does it cost?", run_footer},
    page{"sweep",
         "Run every point of a grid on the same seeds: what does a field do?",
         sweep_footer},
    page{"compare",
         "Compare two scenarios or kept runs, pair by pair: what differs?",
         compare_footer},
    page{"tune",
         "Find the best value of one to three fields: how sure, and at what cost?",
         tune_footer},
    page{"region",
         "Map where everything holds over two fields, against the closed form",
         region_footer},
    page{"replay",
         "Run a kept run again: is it identical?",
         R"(
Examples:
  dibs replay runs/first-run

Compares histories and metrics, and where events were kept names the first that differs.
Exit codes: 0 identical, 5 different, 3 the directory is unfinished or was changed.
)"},
    page{"explain",
         "Tell the story of one breach, ride, driver or lease of a kept run",
         R"(
Examples:
  dibs explain runs/no-lease                    the most instructive breach
  dibs explain runs/no-lease breach 3
  dibs explain runs/no-lease breach 1 --html    writes runs/no-lease/breach-1.html
  dibs explain runs/no-lease ride 2901
  dibs explain runs/no-lease driver 1645 --from 48:50 --until 1h
  dibs explain runs/evening-peak lease 4711

Who did what when, by true time and by the clock of each; which words were on their way at the same
time; from when on it was unavoidable; which feature of a protocol would have prevented it, tried on
the same seed. Where events were not kept the run is repeated, and must give the same history.

A harm was unavoidable from the first millisecond on at which it is too late to heal everything: the
same seed is run again and again, and from some instant on nothing is lost or late, nobody is down,
clocks are right and views fresh, while people, protocol and what was forgotten stay as they are;
and again with messages as slow and views as old as ever. The later of the two turns counts.

Exit codes: 0 done, 2 there is no such breach or ride, 3 the directory is unfinished or was changed,
5 the repetition differed.
)"},
    page{"report",
         "Make a page of a run, a sweep, a choice or the survival table, to look at",
         R"(
Examples:
  dibs report runs/evening-peak                 writes runs/evening-peak/report.html
  dibs report runs/evening-peak --out peak.html
  dibs report runs/evening-peak --format trace  runs/evening-peak/trace.json, for ui.perfetto.dev
  dibs report runs/evening-peak --format svg > peak.svg
  dibs report runs/evening-peak --format md
  dibs report runs/a runs/b                     the runs side by side: runs/comparison.html
  dibs report sweeps/evening-peak               curves, trade-off, heat map, the safe region
  dibs survive --format json > survival.json; dibs report survival.json
  dibs tune my.yaml --search lease.ttl=3s..60s --format json > best.json; dibs report best.json
  dibs region my.yaml --x lease.ttl --y lease.grace=0s..4s --format json > map.json; dibs report map.json

A page is one file, opens from disk, asks nothing of the network and runs no script but its own. Of
a run it shows the two harms and the service level, supply over time with the faults, response times
against the offer window, a map with time to move, swim-lanes of each breach, and every figure.
Several runs come on one page: each figure with its interval, and what differs from the first, paired
over the seeds in common where there are two or more (runs of --runs K are then repeated).
  trace    Chrome trace events: a track for each node, leases with ids, flows from ride to trip
  md, csv  the figures, for papers and programs
  json     what the page holds
  svg      a picture
Sweeps, choices, maps and the survival table have all of these but the trace, which is of one run; runs
side by side have no picture either.

Where events were not kept the run is repeated, and must give the same history. A report that is
there is replaced. Exit codes: 0 done, 2 wrong usage, 3 unfinished, changed or damaged, 5 the
repetition differed.
)"},
    page{"validate",
         "Check scenarios: everything that is wrong, in one pass",
         R"(
Examples:
  dibs validate scenarios/*.yaml
  dibs validate my.yaml --set drivers.count=100000

Exit codes: 0 all are valid, 3 at least one is not.
)"},
    page{"schema",
         "Print the JSON Schema of scenarios, for editors",
         R"(
Examples:
  dibs schema > scenario.schema.json
  # and as the first line of a scenario:
  # yaml-language-server: $schema=./scenario.schema.json
)"},
    page{"reference",
         "Print the reference of all scenario fields, in Markdown",
         R"(
Examples:
  dibs reference | less
)"},
    page{"init",
         "Write a commented scenario to start from",
         R"(
Examples:
  dibs init                 writes scenario.yaml
  dibs init my.yaml
  dibs init -               prints it
)"},
    page{"list",
         "List the scenarios that ship, each with its question",
         R"(
Examples:
  dibs list
  DIBS_SCENARIOS=~/scenarios dibs list

Looks in $DIBS_SCENARIOS, else in ./scenarios, else near the program.
)"},
    page{"metrics",
         "List all metrics: names for thresholds, and what they mean",
         R"(
Examples:
  dibs metrics
  dibs metrics accepts      those of accepts alone
  dibs metrics --format json | jq '.[].name'

In a scenario:
  thresholds:
    rides.match_rate: ">= 0.85"
    ttm.p95: "<= 45s"
)"},
    page{"survive",
         "Show which protocol survives which incident",
         R"(
Examples:
  dibs survive                              all that ship, under all protocols
  dibs survive naive-race gc-pause-holder
  dibs survive 15 --runs 20 --format md
  dibs survive my-incident.yaml --format csv
  dibs survive --pages survival             and survival/index.html, to walk through the runs

An incident is a scenario with an `incident` section. Each is run with its cause and without, on the
same seeds. A protocol breaks where a double assignment, a broken promise, a late confirm or a harm
that the incident names is worse with the cause; it degrades where only service suffers. It is
undecided where something looks worse and the runs are too few to tell it from chance, and untouched
(-) where every run is the same with the cause as without. An incident that touches no protocol, such
as a fault that is never triggered, says nothing of any: exit code 7.
)"},
    page{"hunt",
         "Look for a mixture of faults under which a promise breaks",
         R"(
Examples:
  dibs hunt scenarios/hunt.yaml --runs 20000 --protocol fenced
  dibs hunt scenarios/hunt.yaml --runs 5000 --chance 6%      few faults a run: bounds hold
  dibs hunt scenarios/hunt.yaml --protocol lease --seed 7
  dibs hunt scenarios/hunt.yaml --only 4711          one of its runs again

Each run gets every kind of fault that leaves the lease manager in one piece and its tokens durable
with probability one half: bad links, wrong clocks, pauses, crashes, what happens between two
steps, people who change their minds, and other ways to hold a lease: renewals, claims, zones,
broadcast offers, a commit at the lease manager. `--set` replaces what is drawn. What the protocol
promises is judged in each, as far as what was drawn leaves it within bounds: the line `judged`
counts the runs. Few mixtures of that many faults have bounds, so `--chance` draws fewer. A run
that breaks a promise ends with the line that repeats it. Each negative control takes away one
thing that the promises rest on, and must do harm in more runs than the same runs with that thing
in place; pairs are run until that is plain, with an error of one in a thousand.

Exit codes: 0 nothing broke and every control showed harm, 4 a promise was broken, 99 a control
showed none.
)"},
    page{"economics",
         "Calculate how long a lease should be, by what it costs",
         R"(
Examples:
  dibs economics --operation 5s --rtt 50ms --failures 2/h --false-positive-cost 10 \
                 --unavailability-cost 1
  dibs economics ... --mode corrected --format json | jq .corrected.lease_s

A short lease is renewed often, and one renewal in 1,000 takes a living owner for a dead one; a long
lease keeps what a dead owner held from everybody else.
  compat      the calculator of the document "Lease Pattern: time-bound resource ownership", bit for
              bit, with its mistakes
  corrected   checked arguments, one unit, any length: d = sqrt(7.2 fp / (rate un)), or an operation
              and three round trips if that is longer
  both        the two side by side, and what the document gets wrong

Exit codes: 0 done, 2 wrong usage, or arguments for which there is no answer.
)"},
    page{"bench",
         "Measure the engine, the lease machine, or live matching, on this machine",
         R"(
Examples:
  dibs bench engine                         at 1,000 to 1,000,000 drivers
  dibs bench engine --drivers 1000000 --hours 0.2 --repeats 3
  dibs bench lease --drivers 100000
  dibs bench engine --format json > speed.json
  dibs bench matching                       matches a second, from 1 matcher to 64
  dibs bench matching --matchers 8 --zipf 1.1 --candidates 2 --drivers 1000
  dibs bench matching --matchers 8 --rate 5000 --seconds 10

engine  the offer race: rides of 0.00132 a second and driver ask for leases of drivers at random, over
        links of 50 ms on average; through the cores of the actors of `dibs run`, called directly as
        there (through CAF's mailboxes: dibs run --delivery mailbox). Beside it in the same process
        bare loops over the same model: with one 4-ary heap, with the engine's own queue, and with what
        no run can do without as well: all messages and keyed draws, what nodes must remember, the hash of
        its facts and both harms. What counts is the ratio; times are this machine's. Metrics and
        checkers on its own thread, on a second one, and off; and the memory of a driver.
lease   the lease machine alone: cycles of acquire, confirm 6 s later and expire, with a timer for each
        lease in the engine's own queue. And its actor, live: four clients with 128 requests each under
        way ask for leases of drivers at random, confirm a quarter, give half back and let the rest run
        out, after 0.15 s. A run has one lease manager; a line each for 1, 2, 4 and so on, up to the
        threads, says what more would bring, each with the leases of its own drivers.
matching  the actors live, on several threads and the real clock, over perfect links, with drivers who
        answer at once and trips that take no time: what is left is the protocol and the machine. Keeps
        --in-flight rides under way (how much can be matched?), or has them appear at --rate whatever
        becomes of them (how long do they wait?); then time counts from when a ride should have
        appeared. Matchers have --at-once rides at a time, the others wait, and their time counts too.
        Matchers draw --candidates drivers for a try, by --zipf some far more often than others, and
        take the first who is available; --blind ones do not look. Metrics and checkers watch: doubles
        are double assignments, broken are promises of the protocol that did not hold. Lease operations
        are requests for a lease, granted or denied, confirms and releases; a conflict is a denied
        request, or, where a protocol has no leases, a refused write. No p99 of fewer than 100 rides,
        no p99.9 of fewer than 1,000.

Measurements take turns, so that what else the machine does falls on all; noise is how far the
fastest and the slowest lie apart, as a share of the median.
)"},
    page{"completion",
         "Print a completion script for a shell",
         R"(
Examples:
  source <(dibs completion bash)
  dibs completion zsh > ~/.zfunc/_dibs
  dibs completion fish > ~/.config/fish/completions/dibs.fish
)"},
};

const page& page_of(std::string_view command) {
  const auto* found =
      std::find_if(pages.begin(), pages.end(), [&](const page& p) { return p.command == command; });
  ensure(found != pages.end(), "every command has a page");
  return *found;
}

}  // namespace

std::string_view about_text() {
  return "dibs: when several matchers want the same driver, who gets her, what does the answer "
         "cost, and what breaks when clocks, networks and processes misbehave?";
}

std::string_view summary_of(std::string_view command) { return page_of(command).summary; }

std::string_view footer_of(std::string_view command) {
  static const std::string root = std::string(root_footer) + std::string(exit_codes);
  return command.empty() ? std::string_view(root) : page_of(command).footer;
}

std::string all_commands() {
  std::string text;
  for (const page& p : pages) {
    text += (text.empty() ? "" : ", ") + std::string(p.command);
  }
  return text;
}

}  // namespace dibs::cli
