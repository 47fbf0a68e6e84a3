// What `--help` says of dibs itself, and of the commands about one run.

#include "cli/help_pages.hpp"

namespace dibs::cli {
namespace {

constexpr std::string_view root_uses = R"(
  dibs run scenarios/first-run.yaml
      Run a scenario: two harms, and what else there is to know
  dibs explain runs/first-run
      Why its worst case happened, and what prevents it
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,15s,45s
      What a field does
)";

constexpr std::string_view root_rest = R"(
Each command tells its own examples, options and exit codes: dibs run --help
)";

constexpr std::string_view run_uses = R"(
  dibs run scenarios/first-run.yaml
      Show the harms and keep the run, in runs/first-run
  dibs run scenarios/evening-peak.yaml --set lease.ttl=20s
      With a field changed
  dibs run scenarios/evening-peak.yaml --runs 20
      Figures with 95 % intervals, on all cores
)";

constexpr std::string_view run_rest = R"(
More examples:
  dibs run scenarios/first-run.yaml --seed 0x2a --events
      Keeps every event
  dibs run scenarios/evening-peak.yaml --watch
      Shows supply and harms while it runs
  dibs run scenarios/first-run.yaml --format json --no-out
      For a program; keeps nothing
  dibs run scenarios/first-run.yaml --live --speed 200
      On the real clock and all cores

The run directory holds scenario.effective.yaml, metrics.json, series.csv, events.jsonl (with
--events) and, last, manifest.json. It is never overwritten. Ctrl-C stops at the next event and
keeps what there is; a second Ctrl-C ends at once.

--live runs the same actors on CAF's work-stealing scheduler and the real clock: a scenario of 20
minutes takes 12 s at a speed of 100. People, links and clocks draw as in virtual time; the machine
adds what it is late by, which is measured and shown. No live run repeats another, so nothing is
kept, and promises that need bounds on delays are not judged. With --nodes N the run waits for as many
`dibs node --join`, on this machine or others, and shares it with them; then --out keeps what
happened, and judges it.
)";

constexpr std::string_view node_uses = R"(
  dibs node --join 127.0.0.1:7430
      Take part in the run of `dibs run ... --live --nodes N` on this machine
  dibs node --join host:7430 --tls-cert me.pem --tls-key me.key --tls-ca ca.pem
      Of another machine
  dibs node --join 127.0.0.1:7430 --wait 10min --cores 2
      Waits longer for the host, on two threads
)";

constexpr std::string_view node_rest = R"(
Both sides:
  dibs run scenarios/first-run.yaml --live --speed 50 --nodes 2
      The host: waits for two nodes, runs, merges and judges
  dibs node --join 127.0.0.1:7430
      A node, started twice

A node runs the matchers, drivers and riders that the host places with it (--place). It reads nothing
but what the host sends: the scenario, the seed, who is where. All messages go by the host. A node
that is cut off goes on alone: its facts wait, its messages are lost. If it is back in time (--rejoin)
it takes part again; if not, it is taken for crashed. Nodes of another build are refused.

Off loopback both sides show a certificate that --tls-ca has signed, and take none that it has not.
Anybody with such a certificate can join, so take an authority of its own.
)";

constexpr std::array node_exits{
    exit_line{exit_code::done, "the run is over, and the host has all facts"},
    exit_line{exit_code::internal_error},
    exit_line{exit_code::usage},
    exit_line{exit_code::invalid_input, "the host refused this node, or a file cannot be read"},
    exit_line{exit_code::store_unreachable, "there is no host, or it went away"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: for the host it is gone"},
};

constexpr std::array run_exits{
    exit_line{exit_code::done},
    exit_line{exit_code::internal_error},
    exit_line{exit_code::usage},
    exit_line{exit_code::invalid_input},
    exit_line{exit_code::invariant_broke},
    exit_line{exit_code::store_unreachable, "the store or a node of a live run was not there"},
    exit_line{exit_code::threshold_missed, "a threshold, or what the scenario expects, was missed"},
    exit_line{exit_code::interrupted},
};

constexpr std::string_view replay_uses = R"(
  dibs run scenarios/first-run.yaml && dibs replay runs/first-run
      Run, and run again
  dibs run scenarios/no-lease.yaml --events && dibs replay runs/no-lease
      With events, a replay names the first that differs
  dibs replay runs/first-run --quiet && echo identical
      In a script
)";

constexpr std::string_view replay_rest = R"(
Compares histories and metrics, and where events were kept names the first that differs.
)";

constexpr std::array replay_exits{
    exit_line{exit_code::done, "identical"},
    exit_line{exit_code::invalid_input, "the directory is unfinished or was changed"},
    exit_line{exit_code::replay_differed, "different"},
};

constexpr std::string_view explain_uses = R"(
  dibs run scenarios/no-lease.yaml && dibs explain runs/no-lease
      Run, and tell what says most
  dibs explain runs/no-lease ride 2901
      The story of a ride
  dibs explain runs/no-lease breach 1 --html
      A page of it: runs/no-lease/breach-1.html
)";

constexpr std::string_view explain_rest = R"(
More examples:
  dibs explain runs/no-lease breach 3
      The third of those that the run lists
  dibs explain runs/no-lease driver 1645 --from 48:50 --until 1h
      Of a driver, some minutes
  dibs explain runs/evening-peak lease 4711
      Of a lease

Who did what when, by true time and by the clock of each; which words were on their way at the same
time; from when on it was unavoidable; which feature of a protocol would have prevented it, tried on
the same seed. Where events were not kept the run is repeated, and must give the same history.

A harm was unavoidable from the first millisecond on at which it is too late to heal everything: the
same seed is run again and again, and from some instant on nothing is lost or late, nobody is down,
clocks are right and views fresh, while people, protocol and what was forgotten stay as they are;
and again with messages as slow and views as old as ever. The later of the two turns counts.
)";

constexpr std::array explain_exits{
    exit_line{exit_code::done, "done"},
    exit_line{exit_code::usage, "there is no such breach or ride"},
    exit_line{exit_code::invalid_input, "the directory is unfinished or was changed"},
    exit_line{exit_code::replay_differed, "the repetition differed"},
};

constexpr std::string_view report_uses = R"(
  dibs run scenarios/first-run.yaml && dibs report runs/first-run
      A page: runs/first-run/report.html
  dibs report runs/first-run --format svg > first-run.svg
      A picture
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,15s,45s && dibs report sweeps/first-run
      Curves, trade-off, heat map, the safe region
)";

constexpr std::string_view report_rest = R"(
More examples:
  dibs report runs/a runs/b
      Side by side: runs/comparison.html
  dibs report runs/evening-peak --format trace
      trace.json, for ui.perfetto.dev
  dibs survive --format json > survival.json; dibs report survival.json
      The survival table
  dibs tune my.yaml --search lease.ttl=3s..60s --format json > best.json; dibs report best.json
      A choice
  dibs region my.yaml --x lease.ttl --y lease.grace=0s..4s --format json > map.json; dibs report map.json
      A map

A page is one file, opens from disk, asks nothing of the network and runs no script but its own. Of
a run it shows the two harms and the service level, supply over time with the faults, response times
against the offer window, a map with time to move, swim-lanes of each harm, and every figure.
Several runs come on one page: each figure with its interval, and what differs from the first, paired
over the seeds in common where there are two or more (runs of --runs K are then repeated).
  trace    Chrome trace events: a track for each node, leases with ids, flows from ride to trip
  md, csv  the figures, for papers and programs
  json     what the page holds
  svg      a picture
Sweeps, choices, maps and the survival table have all of these but the trace, which is of one run; runs
side by side have no picture either.

Where events were not kept the run is repeated, and must give the same history. A report that is
there is replaced.
)";

constexpr std::array report_exits{
    exit_line{exit_code::done, "done"},
    exit_line{exit_code::usage},
    exit_line{exit_code::invalid_input, "what is to be shown is unfinished, changed or damaged"},
    exit_line{exit_code::replay_differed, "the repetition differed"},
};

constexpr std::string_view bench_uses = R"(
  dibs bench matching
      Matches a second of live runs, from 1 matcher to 64
  dibs bench engine --drivers 1000,10000
      Events a second in virtual time
  dibs bench lease --drivers 1000
      Operations of the lease machine and its actor
)";

constexpr std::string_view bench_rest = R"(
More examples:
  dibs bench engine --drivers 1000000 --hours 0.2 --repeats 3
      A million drivers
  dibs bench matching --matchers 8 --zipf 1.1 --candidates 2 --drivers 1000
      Drivers whom many want
  dibs bench matching --matchers 8 --rate 5000 --seconds 10
      Rides that come whatever becomes of them
  dibs bench lease --store postgres://127.0.0.1 --store etcd://127.0.0.1
      The lease machine beside stores outside

  engine    the offer race: rides of 0.00132 a second and driver ask for leases of drivers at
            random, over links of 50 ms on average; through the cores of the actors of `dibs run`,
            called directly as there (through CAF's mailboxes: dibs run --delivery mailbox).
            Beside it in the same process bare loops over the same model: with one 4-ary heap,
            with the engine's own queue, and with what no run can do without as well: all messages
            and keyed draws, what nodes must remember, the hash of its facts and both harms. What
            counts is the ratio; times are this machine's. Metrics and checkers on its own thread,
            on a second one, and off; and the memory of a driver.
  lease     the lease machine alone: cycles of acquire, confirm 6 s later and expire, with a timer
            for each lease in the engine's own queue. And its actor, live: four clients with 128
            requests each under way ask for leases of drivers at random, confirm a quarter, give
            half back and let the rest run out, after 0.15 s. A run has one lease manager; a line
            each for 1, 2, 4 and so on, up to the threads, says what more would bring, each with
            the leases of its own drivers.
  matching  the actors live, on several threads and the real clock, over perfect links, with
            drivers who answer at once and trips that take no time: what is left is the protocol
            and the machine. Keeps --in-flight rides under way (how much can be matched?), or has
            them appear at --rate whatever becomes of them (how long do they wait?); then time
            counts from when a ride should have appeared. Matchers have --at-once rides at a time,
            the others wait, and their time counts too. Matchers draw --candidates drivers for a
            try, by --zipf some far more often than others, and take the first who is available;
            --blind ones do not look. Metrics and checkers watch: doubles are double assignments,
            broken are promises of the protocol that did not hold. Lease operations are requests
            for a lease, granted or denied, confirms and releases; a conflict is a denied request,
            or, where a protocol has no leases, a refused write. No p99 of fewer than 100 rides,
            no p99.9 of fewer than 1,000.

Measurements take turns, so that what else the machine does falls on all; noise is how far the
fastest and the slowest lie apart, as a share of the median.
)";

constexpr std::string_view explore_uses = R"(
  dibs explore scenarios/first-run.yaml
      Sliders for the TTL and what else matters most there
  dibs explore scenarios/evening-peak.yaml --field lease.ttl=5s..60s --field drivers.count
      Two fields of one's own choice
  dibs explore scenarios/first-run.yaml --field lease.ttl --field lease.protocol=lease,fenced --open
      Words are stops, too; and the browser opens
)";

constexpr std::string_view explore_rest = R"(
It prints the address of a page on this machine. As a slider moves, runs show both harms, service and the
trade-off, at first of few seeds, then of more with their 95 % intervals. All points run on the same
seeds. What is no longer looked at is stopped; a point that was seen before is there at once. The page
lists where the sliders rested, and gives the scenario of a point, or the command whose figures are the
same. Everything works by keyboard.

  --field lease.ttl             from a quarter of the scenario's value to four times it
  --field lease.ttl=5s..60s     round numbers between, by ratio if the ends are far apart
  --field lease.ttl=5s..60s:lin:12
                                as in a sweep
  --field lease.ttl=5s,8s,15s   only these

The scenario's own value is always a stop. Where the TTL moves, lease.offer_window keeps its distance,
unless it has a slider. The page listens on 127.0.0.1 alone and answers only who has the token in its
address. Ctrl-C ends it.
)";

constexpr std::array explore_exits{
    exit_line{exit_code::internal_error, "the port is in use"},
    exit_line{exit_code::usage,
              "wrong usage, no such field, or a dibs that was built without a server for HTTP"},
    exit_line{exit_code::invalid_input, "an invalid scenario"},
    exit_line{exit_code::interrupted, "ended (Ctrl-C), terminated"},
};

constexpr std::array runs_pages{
    page{"",
         "Simulate matchers that compete for drivers through leases",
         root_uses,
         root_rest,
         exit_meanings},
    page{"run",
         "Run a scenario: who gets the driver, and what does it cost?",
         run_uses,
         run_rest,
         run_exits},
    page{
        "replay", "Run a kept run again: is it identical?", replay_uses, replay_rest, replay_exits},
    page{"node", "Take part in a live run of another process", node_uses, node_rest, node_exits},
    page{"explain",
         "Explain one harm, ride, driver or lease",
         explain_uses,
         explain_rest,
         explain_exits},
    page{"explore",
         "Move fields on a page and see what changes at once",
         explore_uses,
         explore_rest,
         explore_exits},
    page{"report",
         "Make a page to look at, of runs, a sweep or a study",
         report_uses,
         report_rest,
         report_exits},
    page{"bench", "Measure how fast dibs is on this machine", bench_uses, bench_rest},
};

}  // namespace

std::span<const page> pages_of_runs() { return runs_pages; }

}  // namespace dibs::cli
