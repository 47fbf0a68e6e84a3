// The tables of a run, unpacked: tries, rides and where drivers were, with what is looked up in them.

const flagNames = ['leased', 'converted', 'accepted', 'in_time', 'revoked', 'broken', 'confirmed', 'withdrawn', 'message_lost'];
const endings = ['', 'declined', 'expired', 'swept', 'released', 'cancelled', 'refused by the ledger', 'never written', 'forgotten by the lease manager', 'zone lost'];
// The row of each bar within its track, as the program has laid it (bar_rows in swimlanes.hpp).
const rowsOf = (code) => Object.fromEntries(['lease', 'trip', 'belief', 'screen', 'ofMatcher'].map((bar, i) => [bar, Math.floor(code / 32 ** i) % 32]));
const endOfRun = model.scenario ? model.scenario.end_s : 0;

function unpackTries() {
  const t = model.tries;
  const all = [];
  let begin = 0;
  for (let i = 0; i < t.rows; ++i) {
    begin += t.begin[i];
    const after = (ms) => (ms < 0 ? null : (begin + ms) / 1000);
    const one = { row: i, token: t.token[i], driver: t.driver[i], ride: t.ride[i], matcher: t.matcher[i], begin: begin / 1000, sent: after(t.sent[i]), shown: after(t.shown[i]),
      left: after(t.left[i]), decided: after(t.decided[i]), over: after(t.over[i]), expires: after(t.ttl[i]), promised: after(t.promised[i]),
      committed: after(t.committed[i]), tripOver: after(t.trip_over[i]), believed: after(t.believed[i]), falseFrom: after(t.false_from[i]), ending: endings[t.ending[i]], rows: rowsOf(model.lanes.rows[i]), confirms: [] };
    flagNames.forEach((name, bit) => { one[name] = (t.flags[i] >> bit & 1) === 1; });
    all.push(one);
  }
  const w = model.words;
  for (let i = 0; i < w.rows; ++i) all[w.try[i]].confirms.push({ t: w.t[i] / 1000, what: ['taken', 'refused', 'not written', 'lost'][w.what[i]] });
  unpackCalls(all);
  return all;
}

// Of two lease managers each has a lane; `n` counts from 0.
const managerKey = (n) => (n > 0 ? 'lease_manager/' + (n + 1) : 'lease_manager');
const callNames = ['acquire', 'confirm', 'renew', 'release', 'write'];
const answerNames = ['yes', 'no', 'heard', null];
function unpackCalls(all) {
  const c = model.calls;
  let made = 0, row = 0;
  for (const one of all) one.calls = [];
  for (let i = 0; i < c.rows; ++i) {
    made += c.made[i];
    row += c.try[i];
    const code = c.what[i];
    all[row].calls.push({ what: callNames[code % 5], answer: answerNames[Math.floor(code / 5) % 4], byPhone: Math.floor(code / 20) % 2 === 1, at: managerKey(Math.floor(code / 40)), made: made / 1000, answered: c.took[i] < 0 ? null : (made + c.took[i]) / 1000 });
  }
}

// By how much the clock by which a node judges is ahead of true time: as the run has drawn it.
const clocksOff = new Map((model.clocks || []).map((each) => [each.on, each]));
function clockOff(node, t) {
  const k = clocksOff.get(node);
  if (!k) return 0;
  let off = t > k.from ? (t - k.from) * k.ppb / 1e9 : 0;
  if (k.offset && t >= k.from) off += k.offset;
  for (const [at, by] of k.steps || []) if (at <= t) off += by;
  if (k.strobe) {
    const [every, by, from, until] = k.strobe;
    if (t >= from && t < until && Math.floor((t - from) / every) % 2 === 0) off += by;
  }
  return off;
}
const ownClock = (node, t) => (node && t !== null && Math.abs(clockOff(node, t)) >= 0.001 ? clock(t + clockOff(node, t), 3) : '');

// What faults that lay in wait did, one by one.
const strikeNames = ['drop', 'delay', 'duplicate', 'error'];
const nodeKinds = ['driver', 'rider', 'matcher', 'lease_manager', 'ledger', 'demand', 'sweeper'];
const laneOf = (node) => { const kind = nodeKinds[node % 8], n = Math.floor(node / 8); return ['driver', 'rider', 'matcher'].includes(kind) || n > 0 ? kind + '/' + (n + 1) : kind; };
const callOf = (lane) => lane.replace('driver/', 'driver ').replace('rider/', 'ride ').replace('_', ' ');

function strikeText(s) {
  if (s.what === 'error') return 'error: what ' + s.from + ' did for ride ' + s.ride + ' ended there';
  const done = { drop: 'dropped', delay: 'held up for ' + duration(s.by), duplicate: 'doubled, the copy ' + duration(s.by) + ' later' }[s.what];
  return 'the message ' + s.message.replace(/_/g, ' ') + ' of ' + callOf(s.from) + ' to ' + callOf(s.to) + (s.ride ? ' about ride ' + s.ride : '') + ' was ' + done + ' by a fault';
}

function unpackStrikes() {
  const k = model.strikes;
  let t = 0;
  return k ? k.t.map((after, i) => {
    t += after;
    const s = { t: t / 1000, what: strikeNames[k.what[i]], from: laneOf(k.from[i]), to: laneOf(k.to[i]), message: k.message[i] < 0 ? '' : model.message_words[k.message[i]], by: k.by[i] / 1000, ride: k.ride[i] < 0 ? null : k.ride[i] };
    s.text = strikeText(s);
    return s;
  }) : [];
}

function groupBy(all, key) {
  const map = new Map();
  for (const one of all) {
    if (!map.has(one[key])) map.set(one[key], []);
    map.get(one[key]).push(one);
  }
  return map;
}

const strikes = model.tries ? unpackStrikes() : [];
const tries = model.tries ? unpackTries() : [];
const triesOfDriver = groupBy(tries, 'driver');
const triesOfRide = groupBy(tries, 'ride');

const rides = new Map();
if (model.rides) {
  const r = model.rides;
  for (let i = 0; i < r.rows; ++i) {
    const at = (ms) => (ms < 0 ? null : ms / 1000);
    rides.set(r.ride[i], { ride: r.ride[i], requested: at(r.requested[i]), committed: at(r.committed[i]), gone: at(r.gone[i]), x: r.x[i], y: r.y[i], starved: r.starved[i] / 1000 });
  }
}

const places = new Map();
if (model.places && model.places.rows) {
  const p = model.places;
  let t = 0;
  for (let i = 0; i < p.rows; ++i) {
    t += p.t[i];
    if (!places.has(p.driver[i])) places.set(p.driver[i], []);
    places.get(p.driver[i]).push({ t: t / 1000, x: p.x[i], y: p.y[i] });
  }
}

// When each driver went off line.
const gone = new Map();
if (model.gone) model.gone.t.forEach((t, i) => {
  const driver = model.gone.driver[i];
  if (!gone.has(driver)) gone.set(driver, []);
  gone.get(driver).push({ t: t / 1000 });
});
function isGone(driver, t) {
  const off = gone.get(driver);
  const last = off ? lastBefore(off, 't', t) : -1;
  if (last < 0) return false;
  const list = places.get(driver);
  const at = lastBefore(list, 't', t);
  return at < 0 || list[at].t < off[last].t;
}

// The last of a list in order of `key` that is not after `t`.
function lastBefore(list, key, t) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle][key] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const within = (from, until, t) => from !== null && from <= t && (until === null || t < until);

// What a driver does at an instant: on_trip, converting, wasted, available, and the try that says so.
function stateOf(driver, t) {
  const list = triesOfDriver.get(driver) || [];
  let held = null;
  for (let i = lastBefore(list, 'begin', t); i >= 0 && i > lastBefore(list, 'begin', t) - 12; --i) {
    const one = list[i];
    if (within(one.committed, one.tripOver, t)) return { state: 'on_trip', by: one };
    if (!held && one.leased && within(one.begin, one.over, t)) held = one;
  }
  if (held) return { state: held.converted ? 'converting' : 'wasted', by: held };
  return { state: 'available', by: null };
}

const nameOfToken = (one) => (one.token > 0 ? 'lease ' + one.token : 'try ' + -one.token + ' of matcher/' + one.matcher);

function outcomeOf(one) {
  const late = one.leased && one.over !== null && one.committed > one.over ? ', written after the lease was over' : '';
  if (one.committed !== null) return (one.broken ? 'a trip, and the promise was broken' : one.revoked ? 'a trip, taken back' : 'a trip') + late;
  if (one.accepted && one.in_time) return 'accepted in vain';
  if (one.accepted) return 'accepted too late';
  if (one.decided !== null) return 'declined';
  if (one.shown === null) return 'never seen';
  return one.ending || 'not answered';
}
