#!/usr/bin/env python3
"""What became of every yes: a reference fold over events, and histories worked out by hand.

  accepts_fold.py          folds the histories below
  accepts_fold.py RUN...   folds events.jsonl of each run's folder, and compares its metrics.json

An accept in time became a trip, or was no longer wanted before it was decided against (its ride was
gone, or had a driver), or was lost. It is decided against by the first of: its lease's end, a no of
the lease manager or the ledger, its holder's crash or an error in what it does for the ride, the
holder's closing of the try, and the loss of a word since the yes after which nothing has come through. "Before" is by the order of the history.

What is lost is put down to a fault if one struck while the try was open: the holder's crash or
error before its pause (but for one between the offer and the yes), that before a lost message. A try is open until
its lease ends, its holder closes it, its ride is gone, or the lease manager or the ledger says no.

Of the rest, what no end of the lease explains is put down to a no if somebody said one, or ended the
lease, before its holder closed the try.
"""
import bisect
import collections
import json
import pathlib
import sys

NEVER = float("inf")
FATES = ("in_time", "committed", "unwanted", "lost", "late", "late_committed")
CAUSES = ("crash", "pause", "loss", "refused")
REFUSALS = ("confirm_refused", "write_refused")
DECIDERS = ("lease_ended", *REFUSALS)
NOT_LET_GO = ("declined", "cancelled", "denied_by_ledger")
HEARD = ("confirm_accepted", *REFUSALS)


def kind(node):
    return node.split("/")[0]


class Ride:
    """When it had a use for a yes."""

    def __init__(self):
        self.gone, self.drivers, self.changes = False, 0, [(-1, True)]

    def note(self, i):
        wanted = not self.gone and self.drivers == 0
        if self.changes[-1][1] != wanted:
            self.changes.append((i, wanted))

    def was_wanted(self, i):
        return self.changes[bisect.bisect_left(self.changes, (i, False)) - 1][1]


class Try:
    def __init__(self, ride):
        self.ride, self.holder, self.sent, self.deadline = ride, None, NEVER, None
        self.yes, self.against, self.doubt, self.committed = None, NEVER, NEVER, False
        self.called_off = self.revoked = False
        self.granted, self.sent_at, self.shut, self.lost = NEVER, NEVER, NEVER, NEVER
        self.failed = self.given_back = self.refused = False
        self.done, self.ended, self.cause = NEVER, NEVER, None


def tell_try(t, i, e):
    """What a fact about the try changes."""
    fact = e["fact"]
    if fact == "lease_granted":
        t.granted = e["t"]
    elif fact == "offer_sent" and t.sent == NEVER:
        t.sent_at = e["t"]
        t.sent, t.holder = i, f"matcher/{e['matcher']}"
    elif fact == "offer_shown" and t.deadline is None:
        t.deadline = NEVER if e["deadline"] is None else e["deadline"]
    elif fact == "offer_answered" and t.yes is None and e["answer"] == "accepted":
        t.yes = (e["t"], e["in_time"] and (t.deadline is None or e["local"] < t.deadline))
    if t.against == NEVER and (fact in HEARD or fact == "call_made" and e["call"] in ("confirm", "write")):
        t.doubt = NEVER
    if fact in (*DECIDERS, "trip_committed", "try_closed"):
        t.shut = min(t.shut, e["t"])
    t.refused |= fact in REFUSALS and t.done == NEVER
    t.given_back |= fact == "call_made" and e["call"] == "release" and t.cause is None
    if fact == "lease_ended" and t.cause is None:
        t.ended, t.cause = e["t"], e["cause"]
    if fact in (*REFUSALS, "try_closed"):
        t.done = min(t.done, e["t"])
    closed = fact == "try_closed" and e["cause"] != "committed"
    if fact == "work_failed":
        t.failed |= t.shut == NEVER
    if t.against == NEVER and (fact in (*DECIDERS, "work_failed") or closed):
        t.against = i
        t.called_off = closed and e["cause"] == "withdrawn" and t.doubt == NEVER


def tell_ride(r, t, i, e):
    fact = e["fact"]
    if fact in ("ride_abandoned", "ride_cancelled"):
        r.gone = True
    elif fact == "trip_committed" and not t.committed:
        r.drivers += not t.revoked
    elif fact == "assignment_revoked" and t.committed and not t.revoked:
        r.drivers -= 1
    r.note(i)


def lose(tries, of_ride, i, e):
    """A word of an assignment under way."""
    records = ("lease_manager", "ledger")
    between = kind(e["from"]) in records and kind(e["to"]) in records
    for t in of_ride[e["ride"]]:
        # That a standby was not told of a lease may lose it.
        is_of_records = {kind(e["from"]), kind(e["to"])} == set(records)
        if t is tries.get(("last", e["token"])) and not is_of_records and t.shut == NEVER:
            t.lost = min(t.lost, e["t"])
        if t is tries.get(("last", e["token"])) and not between and t.yes and t.against == NEVER and kind(e["to"]) in ("matcher", *records):
            t.doubt = min(t.doubt, i)


def outages_of(events, begins, ends):
    """By node: when it was out, as pairs of instants."""
    found = collections.defaultdict(list)
    for e in events:
        if e["fact"] == begins and not (found[e["node"]] and found[e["node"]][-1][1] == NEVER):
            found[e["node"]].append([e["t"], NEVER])
        elif e["fact"] in ends and found[e["node"]]:
            found[e["node"]][-1][1] = min(found[e["node"]][-1][1], e["t"])
    return found


def cause_of(t, down, paused):
    """What the loss of the yes is put down to, if to a fault or a no."""
    # Without a lease the crash itself may be what ends the try.
    begun = t.sent_at if t.granted == NEVER else t.granted

    def is_out(spells, since, until):
        return any(max(b, since) < min(e, until) or since <= b == e < until for b, e in spells[t.holder])
    if t.failed or is_out(down, begun, t.shut):
        return "crash"
    if is_out(paused, t.granted, min(t.sent_at, t.shut)) or is_out(paused, max(t.yes[0], begun), t.shut):
        return "pause"
    if t.lost < t.shut:
        return "loss"
    is_ended = t.cause in NOT_LET_GO and not t.given_back and t.ended <= t.done
    return "refused" if is_ended or t.refused and t.cause in (None, *NOT_LET_GO) else None


def fates(events):
    """When each yes was given, and what became of it; of late ones whether a trip did; of lost ones
    to which of the causes."""
    down = outages_of(events, "node_crashed", ("node_restarted",))
    paused = outages_of(events, "node_paused", ("node_resumed", "node_crashed"))
    tries, rides = {}, collections.defaultdict(Ride)
    of_ride, crashes = collections.defaultdict(list), collections.defaultdict(list)
    for i, e in enumerate(events):
        fact = e["fact"]
        if fact == "node_crashed":
            crashes[e["node"]].append(i)
        elif fact == "message_lost":
            lose(tries, of_ride, i, e)
        key = (str(e["token"]), e["driver"]) if e.get("token") is not None and "driver" in e else None
        t = tries.get(key)
        if key and t is None and "ride" in e:
            t = tries[key] = tries["last", e["token"]] = Try(e["ride"])
            of_ride[e["ride"]].append(t)
        if t:
            tell_try(t, i, e)
        if fact in ("ride_abandoned", "ride_cancelled"):
            for each in of_ride[e["ride"]]:
                each.shut, each.done = min(each.shut, e["t"]), min(each.done, e["t"])
        if fact in ("ride_abandoned", "ride_cancelled", "trip_committed", "assignment_revoked"):
            tell_ride(rides[e["ride"]], t, i, e)
            if t:
                t.committed |= fact == "trip_committed"
                t.revoked |= fact == "assignment_revoked"
    for key, t in tries.items():
        if t.yes and key[0] != "last":
            fate = fate_of(t, rides, crashes)
            yield t.yes[0], fate, cause_of(t, down, paused) if fate == "lost" else None


def fate_of(t, rides, crashes):
    if not t.yes[1]:
        return "late_committed" if t.committed else "late"
    crash = next((c for c in crashes[t.holder] if c > t.sent), NEVER)
    when = min(t.against, t.doubt, crash)
    unwanted = t.called_off or not rides[t.ride].was_wanted(when)
    return "committed" if t.committed else "unwanted" if unwanted else "lost"


def fold(events, start=0, until=NEVER):
    n = collections.Counter(each for t, *what in fates(events) if start <= t < until for each in what)
    n["late"] += n["late_committed"]
    n["in_time"] = n["committed"] + n["unwanted"] + n["lost"]
    return {name: n[name] for name in FATES + CAUSES}


# -- histories -------------------------------------------------------------------------------------

def H(*told):
    """A history in few words: (seconds, fact, fields); token 1 is of driver 1, ride 1 and matcher 1,
    token 2 of driver 2, ride 1 and matcher 2. Every clock is right."""
    of_token = ("lease_granted", "lease_ended", "offer_sent", "offer_shown", "offer_answered", "try_closed",
                "confirm_refused", "confirm_accepted", "trip_committed", "assignment_revoked", "call_made", "message_lost", "write_refused", "work_failed")
    events = []
    for t, fact, *fields in told:
        e = {"t": t * 1e9, "local": t * 1e9, "fact": fact, **(fields[0] if fields else {})}
        if fact in of_token:
            e.setdefault("token", 1)
            e.update(driver=e["token"], matcher=e["token"], ride=1)
        elif fact.startswith("ride_"):
            e["ride"] = 1
        if fact == "message_lost":
            del e["driver"]
        events.append(e)
    return events


def offer(token=1, screen_until=15):
    return [(0, "lease_granted", dict(token=token)), (0, "offer_sent", dict(token=token)),
            (0, "offer_shown", dict(token=token, deadline=screen_until * 1e9))]


def yes(t, token=1, in_time=True):
    return (t, "offer_answered", dict(token=token, answer="accepted", in_time=in_time))


def end(t, cause="expired", token=1):
    return (t, "lease_ended", dict(token=token, cause=cause))


def close(t, cause, token=1):
    return (t, "try_closed", dict(token=token, cause=cause))


def commit(t, token=1):
    return (t, "trip_committed", dict(token=token))


def lost(t, sender, receiver, token=1):
    return (t, "message_lost", {"from": sender, "to": receiver, "token": token})


def unheard(*then):
    """The answer to the confirm is lost, and the holder gives up at 10."""
    return [*offer(), yes(5), lost(5, "lease_manager", "matcher/1"), *then, close(10, "no_reply")]


CASES = {
    "a clean trip": (H(*offer(), yes(6), commit(6), close(6, "committed")), dict(committed=1)),
    "a yes at the deadline is late": (H(*offer(), end(15), yes(15), (15, "confirm_refused")), dict(late=1)),
    "latency": (H(*offer(), yes(14.8), end(15), (15.3, "confirm_refused"), (20, "ride_abandoned")), dict(lost=1)),
    "the last try's lease ends before the yes": (H(*offer(1, 30), end(15), close(15, "lease_lost"), (15, "ride_abandoned"), yes(20)), dict(lost=1)),
    "no time between the yes, the no and the end of the ride": (
        H(*offer(), end(14), yes(14.5), (14.5, "confirm_refused"), close(14.5, "refused"), (14.5, "ride_abandoned")), dict(lost=1)),
    "the holder's clock is 20 s ahead": (H(*offer(), close(0, "timed_out"), (0, "ride_abandoned"), yes(5), end(15)), dict(lost=1)),
    "it is 12 s ahead": (H(*offer(), close(3, "timed_out"), yes(5), (9, "ride_abandoned"), end(15)), dict(lost=1)),
    "late, sent, a trip": (H(*offer(1, 10), yes(11, in_time=False), commit(11)), dict(late=1, late_committed=1)),
    "late within the grace": (H(*offer(), yes(17, in_time=False), commit(17)), dict(late=1, late_committed=1)),
    "another driver had won the ride": (
        H(*offer(), *offer(2), yes(5), yes(5.5, 2), commit(5.5, 2), (6, "confirm_refused"), end(6, "cancelled")), dict(committed=1, unwanted=1)),
    "the rider had left before the yes": (H(*offer(), (4, "ride_abandoned"), yes(5), close(5.5, "withdrawn"), end(6, "cancelled")), dict(unwanted=1)),
    "she left while it was under way": (H(*offer(), yes(3.5), (4, "ride_abandoned"), close(5.5, "withdrawn"), end(6, "cancelled")), dict(unwanted=1)),
    "the wait for drivers was over before it": (H(*offer(), yes(3.9), close(4, "withdrawn"), (4.1, "ride_abandoned"), end(4.1, "cancelled")), dict(unwanted=1)),
    "the yes is lost on its way, and then the rider leaves": (
        H(*offer(), yes(5), lost(5, "driver/1", "matcher/1"), (8, "ride_abandoned"), end(15)), dict(lost=1, loss=1)),
    "it is said again, and then the rider leaves": (
        H(*offer(), yes(5), lost(5, "driver/1", "matcher/1"), (6, "call_made", dict(call="confirm")),
          (6.5, "ride_abandoned"), end(7, "cancelled")), dict(unwanted=1)),
    "the holder crashes before the rider leaves": (
        H(*offer(), (3, "node_crashed", dict(node="matcher/1")), (4, "ride_abandoned"), yes(5), end(15)), dict(lost=1, crash=1)),
    "the holder's work ends with an error": (
        H(*offer(), yes(5), (5, "work_failed", dict(token=1)), end(15), (20, "ride_abandoned")), dict(lost=1, crash=1)),
    "an error before the rider leaves": (
        H(*offer(), (3, "work_failed", dict(token=1)), (4, "ride_abandoned"), yes(5), end(15)), dict(lost=1, crash=1)),
    "an error that gives the lease back": (
        H(*offer(), yes(5), (5, "work_failed", dict(token=1)), end(5, "released")), dict(lost=1, crash=1)),
    "an error in another try": (
        H(*offer(), *offer(2), yes(5), (5, "work_failed", dict(token=2)), end(15), end(15, token=2)), dict(lost=1)),
    "an error when the lease was over": (
        H(*offer(), yes(14.5), end(15), (15, "work_failed", dict(token=1)), (20, "ride_abandoned")), dict(lost=1)),
    "a no": (H(*offer(), yes(5), (6, "confirm_refused"), close(6.5, "refused"), end(7, "cancelled")), dict(lost=1, refused=1)),
    "no reply, and the holder gives the lease back": (
        H(*offer(), yes(5), close(10, "no_reply"), (10, "call_made", dict(call="release")), end(11, "cancelled")), dict(lost=1)),
    "a no when it has done so": (
        H(*offer(), yes(5), close(10, "no_reply"), (10.5, "confirm_refused"), (10, "call_made", dict(call="release")), end(11, "cancelled")), dict(lost=1)),
    "her other trip ends the lease": (H(*offer(), yes(5), end(9, "cancelled"), close(10, "no_reply"), (10, "call_made", dict(call="release"))), dict(lost=1, refused=1)),
    "a pause after the holder gave up": (
        H(*unheard(), (12, "node_paused", dict(node="matcher/1")), end(15)), dict(lost=1, loss=1)),
    "a crash after the holder gave up": (
        H(*unheard(), (12, "node_crashed", dict(node="matcher/1")), end(15)), dict(lost=1, loss=1)),
    "a pause before the holder gave up": (
        H(*unheard((7, "node_paused", dict(node="matcher/1"))), end(15)), dict(lost=1, pause=1)),
    "messages that are lost when the holder gives up": (
        H(*offer(), yes(5), lost(10, "matcher/1", "lease_manager"), close(10, "timed_out"), end(15)),
        dict(lost=1)),
    "the other driver was called off": (
        H(*offer(), *offer(2), yes(5), commit(5, 2), (6, "assignment_revoked", dict(token=2)), end(15)), dict(lost=1)),
    "it was over when the yes had been lost on its way": (
        H(*offer(), yes(5), lost(5, "driver/1", "matcher/1"), close(8, "withdrawn"), (8, "ride_abandoned"), end(15)), dict(lost=1, loss=1)),
    "a word of it is lost, and a no comes when the rider has left": (
        H(*offer(), yes(5), lost(5, "matcher/1", "lease_manager"), (8, "ride_abandoned"), (9, "confirm_refused"), end(9, "cancelled")), dict(unwanted=1)),
    "a word is lost before it, and then she leaves": (
        H(*offer(), lost(2, "matcher/1", "lease_manager"), yes(5), (6, "ride_abandoned"), end(7, "cancelled")), dict(unwanted=1)),
    "a word to the driver is lost, and then she leaves": (
        H(*offer(), yes(5), lost(5, "matcher/1", "driver/1"), (6, "ride_abandoned"), end(7, "cancelled")), dict(unwanted=1)),
    "a word of her other try is lost, and then she leaves": (
        H(*offer(), *offer(2), yes(5), lost(5, "driver/2", "matcher/2", 2), (6, "ride_abandoned"), end(7, "cancelled"), end(15, token=2)), dict(unwanted=1)),
    "offered when the ride was gone": (H((1, "ride_abandoned"), *offer(), yes(5), end(15)), dict(unwanted=1)),
    "said again when it is late": (H(*offer(), yes(5), yes(16, in_time=False), commit(17)), dict(committed=1)),
    "a crash before the offer": (
        H((0, "node_crashed", dict(node="matcher/1")), (0, "node_restarted", dict(node="matcher/1")), *offer(), yes(5), (6, "ride_abandoned"),
          (7, "confirm_refused")), dict(unwanted=1)),
    "the holder crashes before a lost word comes through": (
        H(*offer(), yes(5), lost(5, "lease_manager", "matcher/1"), (7, "node_crashed", dict(node="matcher/1")), (8, "ride_abandoned"),
          (9, "confirm_refused")), dict(lost=1, crash=1)),
    "the rider leaves before such a crash": (
        H(*offer(), yes(5), lost(5, "lease_manager", "matcher/1"), (6, "ride_abandoned"), (7, "node_crashed", dict(node="matcher/1")),
          (9, "confirm_refused")), dict(unwanted=1)),
    "the rider cancels": (H(*offer(), yes(5), (6, "ride_cancelled"), (7, "confirm_refused")), dict(unwanted=1)),
    "the other driver was called off before the commit": (
        H(*offer(), *offer(2), yes(5), (5, "assignment_revoked", dict(token=2)), commit(5, 2), (6, "confirm_refused")), dict(lost=1, refused=1)),
    "a commit after the lease's end": (H(*offer(), yes(14), end(15), commit(16)), dict(committed=1)),
}


def measured_in(metrics):
    """The same counts as `fold` returns, as a run's metrics tell them."""
    n = {name: metrics["accepts." + name] for name in FATES}
    would_be = n["in_time"] + n["late"]
    return n | {name: round((metrics["accepts.lost." + name] or 0) * would_be) for name in CAUSES}


def main():
    bad = 0
    for name, (events, expected) in CASES.items():
        expected = dict(dict.fromkeys(FATES + CAUSES, 0), **expected)
        expected["in_time"] = expected["committed"] + expected["unwanted"] + expected["lost"]
        found = fold(events)
        if found != expected:
            print(f"{name}: {found}, expected {expected}")
            bad += 1
    for run in map(pathlib.Path, sys.argv[1:]):
        with (run / "events.jsonl").open() as lines:
            events = [json.loads(line) for line in lines][1:]
        metrics = json.loads((run / "metrics.json").read_text())
        found = fold(events, metrics["measured_from_s"] * 1e9, metrics["measured_until_s"] * 1e9)
        measured = measured_in(metrics["metrics"])
        print(run.name, found)
        if measured != found:
            print(f"{run}: measured are {measured}")
            bad += 1
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
