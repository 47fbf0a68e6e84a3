// What `--help` says of the commands that run many times.

#include "cli/help_pages.hpp"

namespace dibs::cli {
namespace {

constexpr std::string_view sweep_uses = R"(
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,10s,15s
      Each value on the same 20 seeds
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=3s..60s:log:12 --seeds 40
      12 values with equal ratios between them
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,15s --grid matchers.count=2,4
      Two fields, in every combination
)";

constexpr std::string_view sweep_rest = R"(
More examples:
  dibs sweep scenarios/evening-peak.yaml --grid lease.ttl=5s,10s,15s --grid clocks.drifting.offset=0s,1s --derive 'lease.offer_window=lease.ttl-3s'
      A field that follows from another
  dibs sweep scenarios/first-run.yaml --zip matchers.count=2,4,6 --zip drivers.count=60,120,180
      Fields that change together
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s..20s:lin:4 --grid lease.margin=0s,2s,6s --where 'lease.margin < lease.ttl/2'
      Only points that make sense
  dibs sweep peak.sweep.yaml --out sweeps/peak --resume
      A sweep file, from where it was stopped

  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,10s,15s --shard 1/2 --out part-1
      One of two parts, on any machine; dibs sweep merge part-1 part-2 puts them together
  dibs sweep scenarios/first-run.yaml --grid lease.ttl=5s,10s,15s --journal postgres://dibs@db/studies
      Together with every `dibs worker` of the same journal

VALUES are a list, a range (FROM..TO:log:COUNT or FROM..TO:lin:COUNT) or a list with ranges in it.
An EXPRESSION has fields, quantities such as 3s, + - * / ( ) min( ) and max( ); a CONDITION two of
them and < <= > >= == or !=; in both, what holds other characters than letters, digits, _ and .
stands in backquotes: network.`matcher->driver`.loss (elsewhere it may). A sweep file has the keys
scenario, set, grid, zip, derive, where, seeds and seed. Where lease.ttl varies and the scenario has
an offer window below it, the window follows, unless it is set, varied or derived.

The directory holds sweep.sqlite, the journal, with every run as it ends; then points.csv, a row
for each run, and summary.csv, a row for each point and metric with its 95 % interval. Its column
value holds the figure: of a ratio that of the sums over all runs, of a percentile that of all their
values together, of counts and sums the mean over the runs. `dibs formats` lists all columns.

--resume goes on where a sweep was stopped, by Ctrl-C or a crash, and ends with the same tables; with
--shard it begins the part if it has not begun, so that the same line may be typed again.
The scenario's thresholds are judged at every point, by its figure. Zipped fields change together;
an option with several ('A=1,2; B=3,4') is a group of its own, each group with each other. --warmup
auto leaves out what MSER-5 finds unsettled in ten pilot runs. --precision 1% adds seeds to each
point, half as many again each time, until the 95 % interval of --of is within 1 % of its figure;
where that is 0 in all n runs, no more once even 3 in n would take more runs than there may be.
)";

constexpr std::array sweep_exits{
    exit_line{exit_code::done, "done, and every threshold met at every point"},
    exit_line{exit_code::internal_error},
    exit_line{exit_code::usage,
              "wrong usage: a grid that makes no sense, a directory that is there or in which "
              "another dibs is at work, too many runs"},
    exit_line{exit_code::invalid_input,
              "an invalid scenario or point; a journal that is damaged or of another scenario "
              "or build"},
    exit_line{exit_code::invariant_broke, "a promise of the protocol was broken in some run"},
    exit_line{exit_code::replay_differed, "--journal: two machines came to different results"},
    exit_line{exit_code::store_unreachable, "--journal: PostgreSQL cannot be reached"},
    exit_line{exit_code::inconclusive,
              "some run got nowhere and was ended; some point is not as precise as wanted; "
              "--warmup auto: the scenario does not settle"},
    exit_line{exit_code::threshold_missed, "a threshold was missed at some point"},
    exit_line{exit_code::interrupted,
              "interrupted (Ctrl-C), terminated: what is finished is kept for --resume"},
};

constexpr std::string_view worker_uses = R"(
  dibs worker --journal postgres://dibs@db/studies
      Runs what studies with the same --journal want, on all cores
  dibs worker --journal postgres://dibs@db/studies --jobs 2 --idle 0s
      Two runs at a time, and ends when nothing is left
  dibs worker --journal postgres://dibs@db/studies --lease 5min
      For a machine that may stand still for minutes
)";

constexpr std::string_view worker_rest = R"(
`dibs sweep`, `tune`, `region`, `survive` and `hunt` with --journal enter the runs that they want; any
number of workers take them, a batch at a time, and hand in what they came to. A worker holds a run by
a lease, which it renews every third of it. If it dies, stands still or is cut off, another takes the
run when the lease is over. A result that comes twice is compared with the first. A server that goes
away is waited for.

Results are the same wherever they are made, by the same build of dibs: workers of another build are
refused. A scenario that reads files needs them in the same place on each machine. The password comes
from PGPASSWORD or .pgpass. dibs keeps its tables in a schema of their own, dibs_study.
)";

constexpr std::array worker_exits{
    exit_line{exit_code::done, "there was nothing to do for a while"},
    exit_line{exit_code::internal_error, "a run broke off, or the server refused something"},
    exit_line{exit_code::usage, "wrong usage, or a dibs that was built without PostgreSQL"},
    exit_line{exit_code::invalid_input,
              "the journal has runs of another build, or the server may forget"},
    exit_line{exit_code::replay_differed, "a run came to another result than before"},
    exit_line{exit_code::store_unreachable, "PostgreSQL cannot be reached"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: others take what it held"},
};

constexpr std::string_view compare_uses = R"(
  dibs compare scenarios/first-run.yaml fenced
      As it is, and under another protocol
  dibs compare scenarios/first-run.yaml --set-b lease.ttl=10s
      As it is, and with a field changed
  dibs compare scenarios/evening-peak.yaml scenarios/morning-peak.yaml
      Two scenarios
)";

constexpr std::string_view compare_rest = R"(
More examples:
  dibs compare my.yaml hold optimistic
      Under two protocols
  dibs compare runs/first-run runs/first-run-2
      Two kept runs
  dibs compare sweeps/first-run:1 sweeps/first-run:3
      Two points of a sweep

Both sides run on the same seeds, and each figure is compared pair by pair: B - A with its 95 %
interval. What changed is ordered by how clear it is (the difference in its standard errors), not by
how large. An interval that covers 0 is no difference seen at this size.
--precision 1% adds pairs, 20 at least, until the difference of --of is known to 1 % of A's figure.
Scenarios are run; run directories are run again and must give the same histories; sweeps are read.
)";

constexpr std::array compare_exits{
    exit_line{exit_code::done, "done, whatever the difference"},
    exit_line{exit_code::usage, "wrong usage, or no seeds in common"},
    exit_line{exit_code::invalid_input, "an invalid scenario, an unfinished or changed directory"},
    exit_line{exit_code::invariant_broke, "a promise of the protocol was broken in some run"},
    exit_line{exit_code::replay_differed, "a kept run came out differently"},
    exit_line{exit_code::inconclusive,
              "some run got nowhere and was ended; the wanted precision was not reached; "
              "--warmup auto: the scenario does not settle"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: nothing was compared"},
};

constexpr std::string_view tune_uses = R"(
  dibs tune scenarios/evening-peak.yaml --search lease.ttl=3s..60s
      The TTL that costs least in missed accepts and hidden drivers
  dibs tune scenarios/evening-peak.yaml --search lease.ttl=3s..60s --holdout scenarios/morning-peak.yaml
      And what it costs at a demand on which it was not chosen
  dibs tune scenarios/first-run.yaml --search lease.protocol=lease,fenced --objective ttm.mean
      Another field, and another aim
)";

constexpr std::string_view tune_rest = R"(
More examples:
  dibs tune scenarios/evening-peak.yaml --search lease.ttl=3s..60s --missed 1min --constraint 'ttm.p95 <= 45s'
      With other weights, and what must hold
  dibs tune my.yaml --search lease.ttl=3s..60s --search matchers.offers.max=1..8 --budget 8min
      Two fields, in limited time

It answers which value hurts least in a scenario, by simulation: in its currency where the scenario
has `costs`, else by weights. (`dibs economics` answers another question, by arithmetic alone: how
long the lease of an owner should be that may fail under it.)

A range is tried at 10 values (6 each for two fields, 4 for three), spaced geometrically if it
begins above 0; 3s..60s:lin:20 says otherwise. A value at which a promise breaks is out, one that
puts drivers on 2 trips, 2 drivers on a ride or breaks a promise to a rider (whatever its protocol
promises, unless --allow-doubles), one at which a run gets nowhere, and one that misses a
--constraint. Among the rest the procedure of Kim and Nelson selects: with probability 1 - error
none is better by more than delta. A curve through values around it refines it, and fresh seeds, on
which nothing was chosen, judge it. Where the scenario has an offer window below the TTL, it follows
the TTL, unless --derive says how.

Answers: the best, or BOUNDARY (an end of the range, or what a condition cuts off, may be as good, or
the objective has no value beyond), FLAT (nothing differs by more than delta), INCONCLUSIVE (the
budget was spent first, or a value that no fit leads to, such as today's within the ranges, may be
better; once all values had their first look, the best so far is shown, from the runs of the search where no fresh
seeds were left, and confirms nothing).
)";

constexpr std::array tune_exits{
    exit_line{exit_code::done, "the best was found, and meets the scenario's thresholds"},
    exit_line{exit_code::usage,
              "wrong usage: no such metric, units that clash, a range that makes no sense, a "
              "budget that the screening alone exceeds"},
    exit_line{exit_code::invalid_input, "an invalid scenario or value"},
    exit_line{exit_code::invariant_broke,
              "a promise of the protocol was broken at every value, or at the best one"},
    exit_line{exit_code::replay_differed, "--journal: two machines came to different results"},
    exit_line{exit_code::store_unreachable, "--journal: PostgreSQL cannot be reached"},
    exit_line{exit_code::inconclusive,
              "boundary, flat or inconclusive; or some run got nowhere and was ended"},
    exit_line{exit_code::threshold_missed,
              "the best misses a threshold, or no value meets the constraints"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: there is no answer"},
};

constexpr std::string_view region_uses = R"(
  dibs region scenarios/evening-peak.yaml --x lease.ttl --y lease.grace=0s..4s
      The TTL from a quarter to four times its value
  dibs region scenarios/first-run.yaml --x lease.ttl --y lease.grace=0s,2s,4s --require 'accepts.missed_rate <= 5%'
      What must hold besides promises and thresholds
  dibs region scenarios/first-run.yaml --x lease.ttl --y lease.grace=0s,2s,4s --format csv > region.csv
      As a table
)";

constexpr std::string_view region_rest = R"(
More examples:
  dibs region scenarios/evening-peak.yaml --x lease.ttl=3s..30s:lin:10 --y clocks.drifting.offset
      With the values to map

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
  S  undecided: a run got nowhere and was ended
)";

constexpr std::array region_exits{
    exit_line{exit_code::done, "done, whatever the map shows"},
    exit_line{exit_code::usage,
              "wrong usage: no such field or metric, units that clash, too many runs"},
    exit_line{exit_code::invalid_input, "an invalid scenario or cell"},
    exit_line{exit_code::invariant_broke, "a promise of the protocol was broken in some cell"},
    exit_line{exit_code::replay_differed, "--journal: two machines came to different results"},
    exit_line{exit_code::store_unreachable, "--journal: PostgreSQL cannot be reached"},
    exit_line{exit_code::inconclusive, "some run got nowhere and was ended"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: there is no map"},
};

constexpr std::string_view check_uses = R"(
  dibs check scenarios/first-run.yaml
      A scenario under the cause of every incident that ships, and what would mend it
  dibs check scenarios/first-run.yaml --set lease.protocol=fenced
      With one change
  dibs check scenarios/first-run.yaml --cause 15 --protocol lease --protocol fenced --set lease.ttl=10s --set lease.ttl=30s
      One cause, two protocols and two TTLs beside each other
)";

constexpr std::string_view check_rest = R"(
More examples:
  dibs check my-city.yaml --cause gc-pause-holder --cause 18 --runs 10
      A few causes, more surely
  dibs check my-city.yaml --all --html checked
      Every row, and why a cause does not apply; checked/index.html links each row to its story
  dibs check my-city.yaml --format json > checked.json
      For a program: verdicts, harms with their intervals, and mends

A cause is put into your scenario with its times counted in your TTL, over your length, on your
matchers: crashes, pauses, cuts, clocks, lost and late messages. It is run with the cause and without,
on the same seeds. It breaks where drivers or rides are assigned twice, a promise is broken or a late
confirm is taken; it degrades where something else is worse by a tenth. A rule that your scenario has
as wrong as an incident has it breaks where the harm of that incident shows. What would mend a row is
tried, and so is what that costs where nothing happens.
)";

constexpr std::array check_exits{
    exit_line{exit_code::done, "no promise broke, and no threshold of the file was missed"},
    exit_line{exit_code::usage, "wrong usage, or an incident that nobody knows"},
    exit_line{exit_code::invalid_input, "an invalid scenario or incident"},
    exit_line{exit_code::invariant_broke, "a promise of the protocol was broken"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: nothing is shown"},
    exit_line{exit_code::threshold_missed, "a threshold of the file was missed"},
};

constexpr std::string_view survive_uses = R"(
  dibs survive
      All that ship, under all protocols
  dibs survive naive-race gc-pause-holder
      Two of them
  dibs survive 15 --runs 20 --format md
      By number, more surely, in Markdown
)";

constexpr std::string_view survive_rest = R"(
More examples:
  dibs survive my-incident.yaml --format csv
      One of your own
  dibs survive --pages survival
      And survival/index.html, to walk through the runs

An incident is a scenario with an `incident` section. Each is run with its cause and without, on the
same seeds. A protocol breaks where a double assignment, a broken promise, a late confirm or a harm
that the incident names is worse with the cause; it degrades where only service suffers. It is
undecided where something looks worse and the runs are too few to tell it from chance, and untouched
(-) where every run is the same with the cause as without. An incident that touches no protocol, such
as a fault that is never triggered, says nothing of any.
)";

constexpr std::array survive_exits{
    exit_line{exit_code::done, "done, whatever the table shows"},
    exit_line{exit_code::usage, "wrong usage, or an incident that nobody knows"},
    exit_line{exit_code::invalid_input, "an invalid incident"},
    exit_line{exit_code::invariant_broke, "a promise of a protocol was broken"},
    exit_line{exit_code::replay_differed, "--journal: two machines came to different results"},
    exit_line{exit_code::store_unreachable, "--journal: PostgreSQL cannot be reached"},
    exit_line{exit_code::inconclusive, "an incident that touches no protocol"},
};

constexpr std::string_view hunt_uses = R"(
  dibs hunt scenarios/hunt.yaml
      1,000 runs under the scenario's protocol
  dibs hunt scenarios/hunt.yaml --runs 5000 --chance 6%
      Few faults a run, so that more promises have bounds
  dibs hunt scenarios/hunt.yaml --until-broken
      Until a promise was broken, and that made small
)";

constexpr std::string_view hunt_rest = R"(
More examples:
  dibs hunt scenarios/hunt.yaml --protocol lease --seed 7 --runs 20000
      Other faults, and many
  dibs hunt scenarios/hunt.yaml --blind --only 711
      One of the runs again that are drawn blindly

Each run gets every kind of fault that leaves the lease manager in one piece and its tokens durable
with probability one half: bad links, wrong clocks, pauses, crashes, what happens between two
steps, people who change their minds, and other ways to hold a lease: renewals, claims, zones,
broadcast offers, a commit at the lease manager. `--set` replaces what is drawn. What the protocol
promises is judged in each, as far as what was drawn leaves it within bounds: the line `judged`
counts the runs. Few mixtures of that many faults have bounds, so `--chance` draws fewer. A run
that breaks a promise ends with the line that repeats it, and the first of them is made small, as
`dibs shrink` does.

One run in four is drawn like that. The others are like a run before, with some faults drawn anew or
left out. The more a run has seen that few runs see, the more are like it: who holds a driver, how
many believe that they do, how near the end of the lease a confirm came, which refusals there were.
So a hunt spends its runs near what may break; with --blind each run is drawn by itself. Either way
the same seed gives the same runs with any number of jobs. Runs of a journal and --only are drawn
blindly.

Each negative control takes away one thing that the promises rest on, and must do harm in more runs
than the same runs with that thing in place; pairs are run until that is plain, with an error of one
in a thousand.
)";

constexpr std::string_view conform_uses = R"(
  dibs conform postgres://postgres@127.0.0.1:5432/postgres
      3,000 sequences of commands to PostgreSQL and to the lease machine
  dibs conform redis://127.0.0.1:6379 --seed 7 --sequences 50000
      To Redis; others, and more of them
  dibs conform etcd://127.0.0.1:2379 --durations 1s,2s,3s,4s,5s
      How long leases stand in etcd, against what lease.profile says
)";

constexpr std::string_view conform_rest = R"(
Both are given the same commands, with tokens that are current, old or another driver's, at times just
before, at and after the end of leases. The store is told the time, so nothing waits. Every answer is
compared: outcome, cause, expiry, the lease that a command ended. A disagreement is cut to a sequence
from which no command can be left out.

etcd cannot be told the time. It gets sequences in which none passes, and some that wait once, in
truth; the times in its answers are not compared.

At the end a confirm and a grant wait for somebody's lock on a row of PostgreSQL, in real time.
--variant has PostgreSQL or Redis keep leases as others do, to see what is wrong with it:
  conditional-update  PostgreSQL: a confirm is an UPDATE with the expiry in its condition
  now                 PostgreSQL: the time is now(), which stands still in a transaction
  on-conflict         PostgreSQL: an acquire is INSERT ... ON CONFLICT
  by-holder           PostgreSQL: renewals and releases do not look at the token
  set-nx              Redis: SET NX PX, with the holder's name as the value

--durations grants leases, has another holder ask for the driver all the while, and says how long each
lease stood. One that ended before its holder was told is exit code 4.

dibs makes a schema (PostgreSQL) or keys (Redis, etcd) that begin with dibs_ and removes them at the
end. It touches nothing else. A password comes from the environment: PGPASSWORD, REDIS_PASSWORD or
ETCD_PASSWORD.
)";

constexpr std::array conform_exits{
    exit_line{exit_code::done, "the store answered as the machine did"},
    exit_line{exit_code::usage, "wrong usage, or a store that this dibs was built without"},
    exit_line{exit_code::invariant_broke, "some answer differed, or a lease ended too early"},
    exit_line{exit_code::store_unreachable, "the store cannot be reached, or went away"},
    exit_line{exit_code::interrupted,
              "interrupted (Ctrl-C), terminated: what was compared is shown"},
};

constexpr std::string_view torment_uses = R"(
  dibs torment --list
      Which cases there are, what strikes, and what must come of it
  dibs torment matcher-paused matcher-paused-unfenced --runs 10
      A matcher stops in the middle of its work, with a fence and without
  dibs torment redis-failover --out runs/real
      Keeps a run, for dibs explain runs/real/redis-failover
)";

constexpr std::string_view torment_rest = R"(
dibs starts PostgreSQL, Redis and etcd from Debian's packages on free ports of this machine, in a
folder that it removes, and three matchers as processes of their own, each with four rides at a time.
While they work it stops and kills them or the servers, cuts and slows links, and moves clocks.
PostgreSQL runs under libfaketime where its clock is moved, and Redis is told the time there. Where
matchers have networks of their own, dibs has to run as root. What a case needs and this machine does
not have is said; such a case is left out unless it was named.

All facts bear the machine's monotonic clock. They are merged into one history, and L, S4 and S5 are
judged: what clients were told fits one order, no driver is on two trips, a token commits once. Nobody
has on record what the servers did, so nothing else is judged. A case that must break has to in nine of
ten runs. No run repeats another: the seed fixes the faults, and the machine does the rest.
)";

constexpr std::array torment_exits{
    exit_line{exit_code::done, "every case held or broke as it must"},
    exit_line{exit_code::usage, "wrong usage"},
    exit_line{exit_code::invariant_broke, "a promise was broken that should hold"},
    exit_line{exit_code::store_unreachable, "a package is missing, or a server did not start"},
    exit_line{exit_code::threshold_missed, "a case that must break held in too many runs"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated"},
};

constexpr std::string_view serve_uses = R"(
  dibs serve leases
      Leases and tasks for programs on this machine, in memory
  dibs serve leases --store sqlite:leases.sqlite
      What was answered outlives a crash; so it does with postgres://user@host/database
  dibs serve leases --listen 0.0.0.0:8080 --token-file secret.txt
      For other machines, who must show what the file holds
)";

constexpr std::string_view serve_rest = R"(
A lease is a resource that its holder has alone until the lease runs out, is released or renewed. Its
token is greater than that of every lease before. A task is taken by one worker at a time, and its
token completes it. GET /openapi.json describes all calls; src/service/README.md shows them with curl.
Ctrl-C and SIGTERM answer what is under way and end. A file, or a database of PostgreSQL, belongs to one
service at a time. The password of PostgreSQL comes from PGPASSWORD. While it is away calls are 503.

It speaks HTTP without encryption: put a proxy with TLS before what leaves this machine. The token is
the first line of the file, 16 to 512 characters.
)";

constexpr std::array serve_exits{
    exit_line{exit_code::internal_error,
              "the address or the store is in use, or the file cannot be used"},
    exit_line{exit_code::usage, "wrong usage, or a dibs that was built without a server for HTTP"},
    exit_line{exit_code::invalid_input,
              "no file of leases, a bad file with a token, or a PostgreSQL that may forget"},
    exit_line{exit_code::store_unreachable, "PostgreSQL cannot be reached"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: all was answered"},
};

constexpr std::string_view load_uses = R"(
  dibs load http://127.0.0.1:8080
      Ten seconds of first-run: does a service keep its word, and how fast is it?
  dibs load http://127.0.0.1:8080 scenarios/evening-peak.yaml --speed 300 --connections 64
      More rides, and more at once
  dibs load http://127.0.0.1:8080 --seconds 60 --out runs/load
      Keeps what happened, for dibs explain runs/load and dibs report runs/load
)";

constexpr std::string_view load_rest = R"(
Rides begin when the scenario says, faster by --speed and whatever became of those before. A matcher
picks a driver by the scenario's policy, as its view shows them, and leases her under a resource of
that name. She answers as in the scenario. If she accepts, the lease is renewed until the trip is over,
and then released. Whatever else a scenario has, such as faults, stays away: stop the service, or kill
it, and see what comes. It may be any service with the calls of src/service/openapi.json.

Every call is on record from before it was sent to after its answer, by the clock that nobody sets.
Two promises are judged: L, that the answers fit one order of the calls, in which a resource has one
lease at a time, for as long as was asked, and tokens grow; S4, that no two holders who knew by their
own clocks of a lease worked on one driver at once. An answer that was lost is taken for neither yes nor
no, nor is 5xx. Resources have names of this load's own, so other callers do no harm.

Latency counts from when a call was begun, so a wait for a free connection counts; how late they were
begun stands beside it. There is no p99 of fewer than 100 answers, and no p99.9 of fewer than 1,000.
)";

constexpr std::array load_exits{
    exit_line{exit_code::done, "every promise was kept"},
    exit_line{exit_code::usage, "wrong usage, or the service wants a bearer token"},
    exit_line{exit_code::invalid_input, "an invalid scenario, or leases that do not fit"},
    exit_line{exit_code::invariant_broke, "the service broke a promise"},
    exit_line{exit_code::store_unreachable,
              "the service cannot be reached, was still away at the end, or is another one"},
    exit_line{exit_code::interrupted,
              "interrupted (Ctrl-C), terminated: what came until then is shown"},
};

constexpr std::string_view shrink_uses = R"(
  dibs shrink scenarios/no-lease.yaml --while 'double.commits >= 1'
      The least that still assigns a driver twice
  dibs shrink scenarios/no-lease.yaml --while 'double.commits >= 1' --budget 10s
      What is left after ten seconds
  dibs shrink scenarios/no-lease.yaml --while 'double.commits >= 1' --seed 3
      Of the run with seed 3
)";

constexpr std::string_view shrink_rest = R"(
More examples:
  dibs shrink FILE --while S4 --out small.yaml
      Of a scenario that breaks a promise, into a file

What it does not take for the harm goes: faults, clocks, links, matchers, drivers, rides and time.
What is left becomes plain: constants for distributions, the n-th message for a share of them, an
instant for a rate, round times. Each candidate is run, with the same seed and with fresh ones, and
is kept if the harm is the same: the same promise, broken in the same words but for numbers, or the
bound of the metric. It ends with the scenario, its story, and a test to paste. The same seed leads
to the same scenario, as long as the time is enough. Ctrl-C shows the smallest so far.
)";

constexpr std::array shrink_exits{
    exit_line{exit_code::done, "it became as small as it gets, or as small as its time allowed"},
    exit_line{exit_code::internal_error,
              "no file can be written there: at the end it is shown all the same"},
    exit_line{exit_code::usage, "wrong usage, no such harm, or a file that is there already"},
    exit_line{exit_code::invalid_input, "an invalid scenario"},
    exit_line{exit_code::inconclusive, "the scenario does no such harm with this seed"},
    exit_line{exit_code::interrupted, "interrupted (Ctrl-C), terminated: the smallest so far"},
};

constexpr std::array hunt_exits{
    exit_line{exit_code::done, "nothing broke, and every control showed harm"},
    exit_line{exit_code::invariant_broke, "a promise was broken"},
    exit_line{exit_code::replay_differed, "--journal: two machines came to different results"},
    exit_line{exit_code::store_unreachable, "--journal: PostgreSQL cannot be reached"},
    exit_line{exit_code::threshold_missed, "a control showed no harm"},
};

constexpr std::array studies_pages{
    page{"sweep",
         "Run every combination of values: what does a field do?",
         sweep_uses,
         sweep_rest,
         sweep_exits},
    page{"worker",
         "Run parts of studies that other processes began",
         worker_uses,
         worker_rest,
         worker_exits},
    page{"compare",
         "Compare two scenarios or kept runs: what differs?",
         compare_uses,
         compare_rest,
         compare_exits},
    page{"tune", "Find the best values of one to three fields", tune_uses, tune_rest, tune_exits},
    page{"region",
         "Map where everything holds over two fields",
         region_uses,
         region_rest,
         region_exits},
    page{"check",
         "Put a scenario under the cause of each incident",
         check_uses,
         check_rest,
         check_exits},
    page{"survive",
         "Show which protocol survives which incident",
         survive_uses,
         survive_rest,
         survive_exits},
    page{"hunt",
         "Look for a mixture of faults under which a promise breaks",
         hunt_uses,
         hunt_rest,
         hunt_exits},
    page{"shrink",
         "Make a scenario small that does some harm",
         shrink_uses,
         shrink_rest,
         shrink_exits},
    page{"conform",
         "Check that a store keeps leases as dibs does",
         conform_uses,
         conform_rest,
         conform_exits},
    page{"torment",
         "Inject faults into real stores, and check the promises",
         torment_uses,
         torment_rest,
         torment_exits},
    page{"serve",
         "Serve leases and tasks to other programs over HTTP",
         serve_uses,
         serve_rest,
         serve_exits},
    page{"load",
         "Drive a lease service with a scenario's demand, and judge it",
         load_uses,
         load_rest,
         load_exits},
};

}  // namespace

std::span<const page> pages_of_studies() { return studies_pages; }

}  // namespace dibs::cli
