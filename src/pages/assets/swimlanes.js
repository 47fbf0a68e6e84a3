// Swim-lanes of a stretch: one lane for each matcher, lease manager, the ledger and each driver.
// In which row of its track each bar lies, and which stretch a breach takes, says the program; what is
// chosen here is who is shown, and when.

const lanes = { from: 0, until: 60, drivers: [], more: false, marks: [] };
const rowStep = 19;

// Acquires that brought no lease.
const denials = model.denials ? model.denials.made.map((made, i) => ({ made: made / 1000, answered: model.denials.took[i] < 0 ? null : (made + model.denials.took[i]) / 1000, matcher: model.denials.matcher[i], at: managerKey(model.denials.by[i]), driver: model.denials.driver[i], ride: model.denials.ride[i] })) : [];

function involved() {
  const chosen = [...lanes.drivers];
  if (lanes.more || !chosen.length) {
    const busy = new Set();
    for (const one of tries) {
      const end = Math.max(one.over || one.begin, one.believed || 0, one.left || 0);
      if (one.begin < lanes.until && end > lanes.from) busy.add(one.driver);
    }
    for (const d of [...busy].sort((a, b) => a - b)) {
      if (chosen.length >= Math.max(lanes.drivers.length, 14)) break;
      if (!chosen.includes(d)) chosen.push(d);
    }
  }
  return chosen;
}

function reached(one) {
  return Math.max(one.over || 0, one.tripOver || one.begin, one.believed || 0, one.left || 0);
}

// A lease that was over before its trip was written down.
const outlived = (one) => one.leased && one.over !== null && one.committed !== null && one.committed > one.over;

// The bars of a try that are in the stretch: on the tracks of its driver, and on its matcher's lane.
function barsOf(one) {
  const name = nameOfToken(one) + ', ride ' + one.ride, held = one.believed === null ? null : one.sent;
  const bar = (track, row, from, until, look) => ({ one, track, row, from, until: until ?? endOfRun, fill: null, ...look });
  return [bar('true', one.rows.lease, one.leased ? one.begin : null, one.over, { fill: one.converted ? 'converting' : outlived(one) ? 'lost_accept' : 'ignored', label: 'leased for ' + one.ride, text: 'true: ' + name + ' held her, ' + outcomeOf(one) }),
    bar('true', one.rows.trip, one.committed, one.tripOver, { fill: 'on_trip', label: 'trip of ' + one.ride, text: 'true: on the trip of ride ' + one.ride }),
    bar('believed', one.rows.belief, held, one.believed, { stale: one.falseFrom, label: 'matcher/' + one.matcher + ': ' + one.ride, text: 'believed: matcher/' + one.matcher + ' meant to have her for ride ' + one.ride }),
    bar('screen', one.rows.screen, one.shown, one.left ?? one.decided, { fill: !one.accepted ? 'censored' : one.in_time ? 'cancelled' : 'declined', label: 'offer of ' + one.ride, text: 'on her screen: the offer of ride ' + one.ride + ', ' + outcomeOf(one) }),
    bar('work', one.rows.ofMatcher, held, one.believed, { label: 'ride ' + one.ride, text: 'matcher/' + one.matcher + ': ' + name })]
    .filter((each) => each.from !== null && each.from < lanes.until && each.until > lanes.from);
}

// How far the clock by which the node judges is off in the middle of what is shown.
function clockText(key) {
  const off = clockOff(key, (lanes.from + lanes.until) / 2);
  return Math.abs(off) < 0.001 ? '' : '\u25f4 ' + (off > 0 ? '+' : '\u2212') + duration(Math.abs(off));
}

// Whether a bad link or clock runs along a matcher's or driver's lane, whose name needs room there.
function hasStrip(key) {
  const all = key.split('/')[0] + '/*';
  return model.faults.some((f) => f.form !== 'outage' && f.from <= lanes.until && f.until >= lanes.from && (f.on.includes(key) || f.on.includes(all)));
}

// The lanes of who is shown, one below the other.
function shownLanes() {
  const drivers = involved();
  const here = drivers.flatMap((d) => triesOfDriver.get(d) || []).filter((one) => one.begin < lanes.until && reached(one) > lanes.from);
  const bars = here.flatMap(barsOf);
  const list = [];
  let y = 26;
  const put = (key, name, kind, tracks) => {
    const rowsIn = (track) => Math.max(1, ...track.bars.map((bar) => bar.row + 1));
    const rows = Math.max(tracks.reduce((sum, track) => sum + rowsIn(track), 0), 1);
    // A matcher's bars are told on the drivers' tracks as well: where there are many, they are small.
    const step = kind === 'matcher' && rows > 3 ? 13 : rowStep;
    let top = 0;
    for (const track of tracks) {
      Object.assign(track, { top, step });
      top += rowsIn(track) * step;
    }
    const off = clockText(key), room = off || hasStrip(key) ? 14 : 0;
    const h = kind === 'service' ? 28 : rows * step + 5 + (kind === 'matcher' ? 14 : 0);
    list.push({ key, name, kind, y, h: h + room, tracks, off });
    y += h + room + 6;
  };
  for (const m of [...new Set(here.map((one) => one.matcher))].sort((a, b) => a - b)) {
    const own = bars.filter((bar) => bar.track === 'work' && bar.one.matcher === m);
    put('matcher/' + m, 'matcher/' + m, 'matcher', drivers.map((d) => ({ name: '', bars: own.filter((bar) => bar.one.driver === d) })).filter((track) => track.bars.length));
  }
  for (let n = 0; model.scenario.leases && n < model.scenario.managers; ++n) put(managerKey(n), callOf(managerKey(n)), 'service', []);
  put('ledger', 'ledger', 'service', []);
  for (const d of drivers) put('driver/' + d, 'driver ' + d, 'driver', ['true', 'believed', 'screen'].map((name) => ({ name, bars: bars.filter((bar) => bar.track === name && bar.one.driver === d) })));
  return { list, by: new Map(list.map((l) => [l.key, l])), height: y + 10, here, drivers };
}

function arrow(c, x0, y0, x1, y1, lost) {
  c.beginPath(); c.moveTo(x0, y0); c.lineTo(x1, y1); c.stroke();
  if (lost) {
    c.beginPath(); c.moveTo(x1 - 4, y1 - 4); c.lineTo(x1 + 4, y1 + 4); c.moveTo(x1 + 4, y1 - 4); c.lineTo(x1 - 4, y1 + 4); c.stroke();
    return;
  }
  const angle = Math.atan2(y1 - y0, x1 - x0);
  c.beginPath(); c.moveTo(x1, y1); c.lineTo(x1 - 7 * Math.cos(angle - 0.4), y1 - 7 * Math.sin(angle - 0.4)); c.lineTo(x1 - 7 * Math.cos(angle + 0.4), y1 - 7 * Math.sin(angle + 0.4)); c.fill();
}

// A call and its answer, by way of the instant at which it had its effect, if that is known: between
// the two nothing tells when it arrived. Without an answer it is dashed from where it was last heard of.
function there(word, count, call, from, to, effect) {
  const end = call.answered, span = lanes.until - lanes.from;
  const known = effect !== null && effect >= call.made && (end === null || effect <= end);
  const said = from + ' asks the ' + to.replace('_', ' ') + ' to ' + call.what + ' driver ' + call.driver + ' for ride ' + call.ride + ': ' + (end === null ? 'no answer came' : call.answer);
  if (call.made <= lanes.until && (end === null ? call.made : end) >= lanes.from) count[call.what] = (count[call.what] || 0) + 1;
  if (end === null) {
    if (known) word(call.made, from, effect, to, false, null, said);
    word(known ? effect : call.made, known ? to : from, (known ? effect : call.made) + span * 0.015, known ? from : to, true, null, known ? null : said);
    return;
  }
  const middle = known ? effect : (call.made + end) / 2;
  word(call.made, from, middle, to, false, call.what === 'confirm' || call.what === 'write' ? 'good' : null, said);
  word(middle, to, end, from, false, call.answer === 'no' ? 'bad' : null);
}

// The messages of one try: calls as the clients made them, the offer, her answer, what was lost.
function drawWords(one, word, count) {
  const matcher = 'matcher/' + one.matcher, driver = 'driver/' + one.driver;
  if (one.shown !== null) word(one.sent, matcher, one.shown, driver, false, 'accent', matcher + ' sends driver ' + one.driver + ' the offer of ride ' + one.ride);
  const confirm = one.confirms.find((w) => w.what === 'taken' || w.what === 'refused');
  const effects = { acquire: one.leased ? one.begin : null, confirm: confirm ? confirm.t : null, release: one.over, write: one.committed, renew: null };
  for (const call of one.calls) there(word, count, { ...call, driver: one.driver, ride: one.ride }, call.byPhone ? driver : matcher, call.what === 'write' ? 'ledger' : call.at, effects[call.what]);
  const heard = one.calls.find((each) => !each.byPhone && each.what !== 'acquire' && each.what !== 'renew' && one.decided !== null && each.made >= one.decided);
  if (heard) word(one.decided, driver, heard.made, matcher, false, one.accepted ? 'good' : 'soft', 'driver ' + one.driver + ' says ' + (one.accepted ? 'yes' : 'no') + ' to ride ' + one.ride);
  for (const w of one.confirms.filter((each) => each.what === 'lost')) {
    const short = (lanes.until - lanes.from) * 0.012;
    if (one.decided !== null && w.t >= one.decided) word(w.t - short, driver, w.t, matcher, true, null, 'lost: a message of driver ' + one.driver + ' about ride ' + one.ride);
    else word(w.t, matcher, w.t + short, driver, true, null, 'lost: a message to driver ' + one.driver + ' about ride ' + one.ride);
  }
}

// Where a fault that lay in wait struck: its sign on the sender's lane, and what became of the message.
function drawStrike(c, plan, x, s, word, spots, count) {
  const a = plan.by.get(s.from), b = plan.by.get(s.to), sign = (model.faults.find((f) => f.what === s.what) || { sign: '!' }).sign;
  const y = b.y > a.y ? a.y + a.h - 7 : a.y + 7;
  if (s.what === 'drop') word(s.t, s.from, s.t + (lanes.until - lanes.from) * 0.012, s.to, true, null, null);
  c.save();
  c.fillStyle = colour('card');
  c.strokeStyle = colour('bad');
  c.lineWidth = 1.4;
  c.beginPath(); c.arc(x, y, 7, 0, 7); c.fill(); c.stroke();
  c.fillStyle = colour('ink');
  c.textAlign = 'center';
  c.font = '10px system-ui';
  c.fillText(sign, x, y + 0.5);
  c.restore();
  spots.push({ on: s.from, x0: x - 7, x1: x + 7, y0: y - 7, y1: y + 7, what: s.ride ? { ride: s.ride } : null, from: s.t, until: null, text: s.text });
  count[s.what] = (count[s.what] || 0) + 1;
}

function drawLanes(canvas) {
  const plan = shownLanes();
  const { c, width, height } = prepare(canvas, Math.max(plan.height, 140));
  const gutter = width < 560 ? 112 : 118;
  const x = (t) => gutter + (width - gutter - 8) * (t - lanes.from) / (lanes.until - lanes.from);
  const clip = (t) => Math.min(Math.max(x(t), gutter), width - 8);
  const spots = [];
  const drawnFaults = {}, drawnCalls = {}, drawnStrikes = {}, drawnMarks = {};
  let bars = 0, arrows = 0, bands = 0;
  c.font = '12px system-ui';
  c.textBaseline = 'middle';
  for (const lane of plan.list) {
    c.fillStyle = colour('card');
    c.fillRect(gutter, lane.y, width - gutter - 8, lane.h);
    c.fillStyle = colour('ink');
    c.textAlign = 'right';
    c.fillText(lane.name, gutter - 8, lane.kind === 'driver' ? lane.y + 11 : lane.y + (lane.h - (lane.off ? 14 : 0)) / 2);
    c.fillStyle = colour('warn');
    if (lane.off) c.fillText(lane.off, gutter - 8, lane.y + lane.h - 8);
    c.fillStyle = colour('soft');
    for (const track of lane.tracks.filter((t) => t.name && t.name !== 'true')) c.fillText(track.name, gutter - 8, lane.y + track.top + 12);
  }
  c.textAlign = 'center';
  const span = lanes.until - lanes.from;
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800].find((s) => span / s <= (width - gutter) / 84) || 3600;
  for (let t = Math.ceil(lanes.from / step) * step; t <= lanes.until; t += step) {
    c.strokeStyle = colour('line');
    c.lineWidth = 1;
    c.beginPath(); c.moveTo(x(t), 20); c.lineTo(x(t), plan.height - 8); c.stroke();
    c.fillStyle = colour('soft');
    c.fillText(clock(t, step < 0.1 ? 2 : step < 1 ? 1 : 0), Math.min(Math.max(x(t), gutter + 20), width - 28), 10);
  }
  // An outage fills its node's lane; a bad link or clock is a strip along it, and so is what lies in wait.
  const strips = new Map(), named = new Map(), names = [];
  for (const f of model.faults.filter((each) => each.from <= lanes.until && each.until >= lanes.from)) {
    for (const lane of plan.list.filter((l) => f.on.some((on) => on === l.key || on === l.key.split('/')[0] + '/*' || (l.kind === 'service' && on.split('/')[0] === l.key && !plan.by.has(on))))) {
      const x0 = clip(f.from), wide = Math.max(clip(f.until) - x0, 2), strip = strips.get(lane) || 0;
      const whole = f.form === 'outage';
      c.fillStyle = whole ? fillOf(c, f.what === 'pause' ? 'declined' : 'ignored') : tintOfFault(f);
      c.globalAlpha = whole ? 0.3 : 0.55;
      if (whole) c.fillRect(x0, lane.y, wide, lane.h);
      else if (f.from === f.until) c.fillRect(x0 - 1, lane.y, 2, lane.h);
      else c.fillRect(x0, lane.y + lane.h - 2 - 4 * strip, wide, 3);
      c.globalAlpha = 1;
      c.fillStyle = colour('ink');
      c.textAlign = 'left';
      c.font = whole ? '12px system-ui' : '10px system-ui';
      // Where there is no room beside the names of other strips, pointing at this one tells.
      const text = f.sign + ' ' + f.what + (f.form === 'link' ? ' ' + f.who : f.form === 'clock' && f.detail ? ' ' + f.detail : '');
      const at = Math.max(x0 + 4, gutter + 4, whole ? 0 : named.get(lane) || 0), end = at + c.measureText(text).width;
      if (whole || end < width - 8) {
        names.push({ text, at, wide: end - at, y: lane.y + lane.h - 8 - (whole ? 0 : 2), font: c.font });
        if (!whole) named.set(lane, end + 10);
      }
      c.font = '12px system-ui';
      spots.push({ x0, x1: x0 + Math.max(wide, 6), y0: lane.y + lane.h - 12, y1: lane.y + lane.h, what: null, from: f.from, until: f.until, text: faultText(f) });
      if (!whole) strips.set(lane, strip + 1);
      drawnFaults[f.what] = (drawnFaults[f.what] || 0) + 1;
      ++bands;
    }
  }
  const bar = (on, from, until, y, h, fill, stroke, what, text, label) => {
    if (from === null || from >= lanes.until || (until !== null && until <= lanes.from)) return;
    const x0 = clip(from), x1 = Math.max(clip(until === null ? lanes.until : until), x0 + 2);
    c.fillStyle = fill;
    c.beginPath(); c.roundRect(x0, y, x1 - x0, h, Math.min(4, h / 2)); c.fill();
    if (stroke) { c.strokeStyle = stroke; c.lineWidth = 1.4; c.stroke(); }
    c.font = (h < 12 ? 10 : 12) + 'px system-ui';
    if (label && x1 - x0 > c.measureText(label).width + 10) {
      const w = c.measureText(label).width;
      c.fillStyle = colour('card');
      c.globalAlpha = 0.88;
      c.fillRect(x0 + 3, y + Math.max(h / 2 - 7, 0), w + 6, Math.min(h, 14));
      c.globalAlpha = 1;
      c.fillStyle = colour('ink');
      c.textAlign = 'left';
      c.fillText(label, x0 + 6, y + h / 2);
    }
    c.font = '12px system-ui';
    spots.push({ on, x0, x1, y0: y, y1: y + h, what, from, until, text });
    ++bars;
  };
  const word = (t0, from, t1, to, lost, tint, text) => {
    const a = plan.by.get(from), b = plan.by.get(to);
    if (!a || !b || t0 === null || t1 === null || t1 < lanes.from || t0 > lanes.until || t1 < t0) return;
    c.save();
    c.beginPath(); c.rect(gutter, 0, width - gutter - 8, plan.height); c.clip();
    c.strokeStyle = c.fillStyle = colour(lost ? 'bad' : tint || 'soft');
    c.lineWidth = 1.5;
    c.setLineDash(lost ? [4, 3] : []);
    const down = b.y > a.y;
    arrow(c, x(t0), down ? a.y + a.h - 5 : a.y + 5, x(t1), down ? b.y + 5 : b.y + b.h - 5, lost);
    c.restore();
    if (text && t0 >= lanes.from) spots.push({ on: from, x0: x(t0), x1: x(t1), y0: -1, y1: -1, what: null, from: t0, until: lost ? null : t1, text });
    ++arrows;
  };
  for (const lane of plan.list) {
    for (const track of lane.tracks) {
      for (const item of track.bars) {
        const y = lane.y + 3 + track.top + item.row * track.step, h = track.step - 3;
        bar(lane.key, item.from, item.until, y, h, item.fill ? (item.fill === 'on_trip' ? colour('trip') : fillOf(c, item.fill)) : colour('faint'), item.fill ? null : colour('soft'), { try: item.one.row }, item.text, item.stale && clip(item.stale) - clip(item.from) < c.measureText(item.label).width + 10 ? null : item.label);
        if (item.stale) bar(lane.key, item.stale, item.until, y, h, fillOf(c, 'zombie'), colour('bad'), { try: item.one.row }, 'believed, and no longer true: matcher/' + item.one.matcher + ' took ' + (item.one.leased ? nameOfToken(item.one) + ' for live' : 'her for free, who was on another trip,') + ' for ' + duration(item.until - item.stale), null);
        if (track.name === 'screen' && item.one.decided !== null && item.one.decided >= lanes.from && item.one.decided <= lanes.until) {
          c.fillStyle = colour('ink');
          c.textAlign = 'left';
          c.fillText(!item.one.accepted ? '\u2718 no' : item.one.in_time ? '\u2714 yes' : '\u2714 yes, too late', Math.min(x(item.one.decided) + 4, width - (item.one.accepted && !item.one.in_time ? 96 : 46)), y + 8);
        }
      }
    }
  }
  for (const one of plan.here) drawWords(one, word, drawnCalls);
  for (const d of denials.filter((each) => plan.drivers.includes(each.driver) && each.made < lanes.until && (each.answered === null || each.answered > lanes.from))) {
    const matcher = 'matcher/' + d.matcher;
    if (!plan.by.has(matcher)) continue;
    there(word, drawnCalls, { ...d, what: 'acquire', answer: d.answered === null ? null : 'no' }, matcher, d.at, null);
  }
  for (const s of strikes.filter((each) => each.t >= lanes.from && each.t <= lanes.until && plan.by.has(each.from) && plan.by.has(each.to))) drawStrike(c, plan, x(s.t), s, word, spots, drawnStrikes);
  // Last, for a bar may lie where a fault's name is.
  for (const n of names) {
    c.fillStyle = colour('card');
    c.globalAlpha = 0.8;
    c.fillRect(n.at - 2, n.y - 6, n.wide + 4, 12);
    c.globalAlpha = 1;
    c.fillStyle = colour('ink');
    c.font = n.font;
    c.textAlign = 'left';
    c.fillText(n.text, n.at, n.y);
  }
  c.font = '12px system-ui';
  const beyond = { left: 0, right: 0 };
  for (const m of lanes.marks) {
    const side = m.t < lanes.from ? 'left' : m.t > lanes.until ? 'right' : null;
    if (side) {
      // Too far away to be drawn: which way it lies, and when.
      c.fillStyle = colour(m.colour);
      c.textAlign = side;
      const text = m.text + ' ' + clock(m.t, 3);
      c.fillText(side === 'left' ? '\u25c2 ' + text : text + ' \u25b8', side === 'left' ? gutter + 4 : width - 12, 24 + 14 * beyond[side]++);
      drawnMarks[m.text] = side;
    } else {
      drawnMarks[m.text] = 'here';
      c.strokeStyle = c.fillStyle = colour(m.colour);
      c.lineWidth = 2;
      c.setLineDash(m.dash);
      c.beginPath(); c.moveTo(x(m.t), 20); c.lineTo(x(m.t), plan.height - 4); c.stroke();
      c.setLineDash([]);
      c.textAlign = x(m.t) > width - 130 ? 'right' : 'left';
      c.fillText(m.text, x(m.t) + (c.textAlign === 'left' ? 5 : -5), m.colour === 'bad' ? plan.height - 6 : 22);
    }
  }
  canvas.dataset.drawn = JSON.stringify({ bars, arrows, bands, faults: drawnFaults, strikes: drawnStrikes, marks: drawnMarks, clocks: plan.list.filter((l) => l.off).map((l) => l.key), stale: plan.list.flatMap((l) => l.tracks.flatMap((t) => t.bars)).filter((i) => i.stale).length, calls: drawnCalls, lanes: plan.list.map((l) => l.key), from: lanes.from, until: lanes.until });
  return spots;
}

// What the legend shows of bars and arrows.
const outlined = () => sample((c) => { c.fillStyle = colour('faint'); c.strokeStyle = colour('soft'); c.lineWidth = 2; c.beginPath(); c.roundRect(2, 2, 32, 22, 6); c.fill(); c.stroke(); });
const arrowKey = (tint, text) => el('li', {}, sample((c) => { c.strokeStyle = c.fillStyle = colour(tint); c.lineWidth = 2.5; arrow(c, 2, 20, 33, 6, false); }), text);

let drawLanesAgain = () => {};

function show(from, until) {
  const least = 0.05;
  const span = Math.min(Math.max(until - from, least), Math.max(endOfRun, least));
  lanes.from = Math.min(Math.max(from, 0), Math.max(endOfRun - span, 0));
  lanes.until = lanes.from + span;
  drawLanesAgain();
}

function lanesFor(b) {
  lanes.drivers = [...new Set(b.tries.filter((r) => r >= 0).map((r) => tries[r].driver))];
  const [begin, end] = model.lanes.spans[model.breaches.indexOf(b)];
  lanes.marks = [{ t: b.harm_s, text: 'the harm', colour: 'bad', dash: [] }];
  if (b.unavoidable_s !== null) lanes.marks.push({ t: b.unavoidable_s, text: 'unavoidable', colour: 'warn', dash: [6, 4] });
  const isApart = b.unavoidable_s === null || Math.abs(b.decided_s - b.unavoidable_s) > 0.15 * (end - begin);
  if (b.decided_s !== null && isApart) lanes.marks.push({ t: b.decided_s, text: 'decided', colour: 'soft', dash: [2, 4] });
  // After the harm there is room for the word on a bar that begins there.
  const room = Math.max((end - begin) * 0.12, 1);
  show(begin - room, end + 2 * room);
  const target = $('lanes');
  if (target) target.scrollIntoView({ block: 'start' });
}

// Its lanes, its last try beside them, and its name above.
function openBreach(b) {
  const row = b.tries.filter((r) => r >= 0).pop();
  select(row !== undefined ? { try: row } : { ride: b.ride }, b.t);
  const which = $('lanes-breach');
  if (which) which.value = String(model.breaches.indexOf(b));
  lanesFor(b);
}

function lanesSection(story) {
  const canvas = el('canvas', { class: 'draw', id: 'lanes-canvas', tabindex: 0, role: 'application', 'aria-describedby': 'lanes-readout', 'aria-label': 'Swim-lanes. Up and down arrows go from bar to bar, Enter opens its ride, lease and driver; left and right arrows move, plus and minus zoom.' });
  const readout = el('div', { class: 'readout', id: 'lanes-readout', 'aria-live': 'polite' }, 'Move over a bar to read it, click it to see its ride, lease and driver. By keyboard: \u2191 and \u2193 go from bar to bar, Enter opens one.');
  const span = el('span', { class: 'time' });
  const which = el('select', { id: 'lanes-breach', 'aria-label': 'which harm' }, el('option', { value: '' }, 'choose a harm'), model.breaches.map((b, i) => el('option', { value: i }, i + 1 + ': ' + b.headline.slice(0, 90))));
  which.addEventListener('change', () => { if (which.value !== '') openBreach(model.breaches[Number(which.value)]); });
  const more = el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => { lanes.more = !lanes.more; more.setAttribute('aria-pressed', String(lanes.more)); drawLanesAgain(); } }, 'Others at work too');
  let spots = [];
  const table = dataTable('lanes-data', 'This stretch as a table', () => clock(lanes.from, 3) + ' to ' + clock(lanes.until, 3) + ': what is drawn, by its begin', () => ['from', 'until', 'what', 'begin by its own clock'],
    () => spots.map((s) => [clock(s.from, 3), s.until === null ? '' : clock(s.until, 3), s.text, ownClock(s.on, s.from), s.from]).sort((a, b) => a[4] - b[4]).map((row) => row.slice(0, 4)));
  // The bar on which a keyboard stands, by what it says: bars are drawn anew whenever something moves.
  let here = null;
  const keyOf = (s) => s.on + ' ' + s.from + ' ' + s.text;
  const barsByTime = () => [...new Map(spots.filter((s) => s.what && s.y0 >= 0).map((s) => [keyOf(s), s])).values()].sort((a, b) => a.from - b.from || a.y0 - b.y0);
  const ring = () => {
    const s = here === null ? null : spots.find((each) => keyOf(each) === here);
    if (!s) return;
    const c = canvas.getContext('2d');
    c.strokeStyle = colour('ink');
    c.lineWidth = 2.5;
    c.strokeRect(s.x0 - 2, s.y0 - 2, s.x1 - s.x0 + 4, s.y1 - s.y0 + 4);
  };
  const step = (by) => {
    const all = barsByTime();
    const at = all.findIndex((s) => keyOf(s) === here);
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    if (!next) {
      readout.textContent = all.length ? (by > 0 ? 'That was the last bar of this stretch; the right arrow moves on.' : 'That was the first bar of this stretch; the left arrow moves back.') : 'No bar in this stretch.';
      return;
    }
    here = keyOf(next);
    drawLanesAgain();
    readout.textContent = said(next);
  };
  const open = () => {
    const s = barsByTime().find((each) => keyOf(each) === here);
    if (s) select(s.what);
  };
  drawLanesAgain = () => {
    spots = drawLanes(canvas);
    table.refill();
    ring();
    canvas.dataset.at = here === null ? '' : here;
    span.textContent = clock(lanes.from) + ' \u2013 ' + clock(lanes.until);
  };
  const zoom = (by, at = (lanes.from + lanes.until) / 2) => show(at - (at - lanes.from) * by, at + (lanes.until - at) * by);
  const move = (share) => { const d = (lanes.until - lanes.from) * share; show(lanes.from + d, lanes.until + d); };
  canvas.addEventListener('keydown', (e) => {
    const acts = { ArrowUp: () => step(-1), ArrowDown: () => step(1), Enter: open, ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), '+': () => zoom(0.7), '=': () => zoom(0.7), '-': () => zoom(1 / 0.7) };
    if (acts[e.key]) { acts[e.key](); e.preventDefault(); }
  });
  const at = (e) => spots.filter((s) => e.offsetX >= s.x0 - 2 && e.offsetX <= s.x1 + 2 && e.offsetY >= s.y0 && e.offsetY <= s.y1).pop();
  const said = (spot) => spot.text + ', from ' + clock(spot.from, 3) + (spot.until === null ? '' : ' to ' + clock(spot.until, 3)) + (spot.on && ownClock(spot.on, spot.from) ? ' (by the clock of ' + callOf(spot.on) + ' from ' + ownClock(spot.on, spot.from) + ')' : '');
  let grip = null;
  canvas.addEventListener('pointerdown', (e) => { grip = { x: e.offsetX, moved: false }; });
  canvas.addEventListener('pointermove', (e) => {
    if (grip && e.buttons) {
      grip.moved = grip.moved || Math.abs(e.offsetX - grip.x) > 5;
      move(-e.movementX / (canvas.clientWidth - 120));
      return;
    }
    const spot = at(e);
    canvas.style.cursor = spot && spot.what ? 'pointer' : 'grab';
    if (spot) readout.textContent = said(spot);
  });
  canvas.addEventListener('pointerup', (e) => {
    const spot = grip && !grip.moved ? at(e) : null;
    grip = null;
    if (spot) { readout.textContent = said(spot); if (spot.what) select(spot.what); }
  });
  listeners.push((what, t) => {
    if (what.driver && !lanes.drivers.includes(what.driver)) lanes.drivers = [what.driver];
    const one = what.try !== undefined ? tries[what.try] : what.ride ? (triesOfRide.get(what.ride) || [])[0] : null;
    if (one && !(one.begin < lanes.until && (one.over === null || one.over > lanes.from) && lanes.drivers.includes(one.driver))) {
      lanes.drivers = what.ride ? [...new Set(triesOfRide.get(what.ride).map((each) => each.driver))] : [one.driver];
      const end = what.ride ? Math.max(...triesOfRide.get(what.ride).map((each) => each.over || each.begin)) : one.over || one.begin + 20;
      show(one.begin - 2, end + 2);
      return;
    }
    if (t !== undefined && (t < lanes.from || t > lanes.until)) show(t - 20, t + 20);
    else drawLanesAgain();
  });
  const button = (text, label, act) => el('button', { type: 'button', 'aria-label': label, onclick: act }, text);
  const key = (name, text) => el('li', {}, swatch(name), text);
  later(() => {
    if (story) {
      lanes.drivers = story.drivers.slice(0, 14);
      const own = story.breach === null ? null : model.breaches[story.breach];
      if (own) {
        openBreach(own);
        scrollTo(0, 0);
        drawn(drawLanesAgain);
        return;
      }
      const end = Math.min(story.until_s, story.from_s + 90);
      show(story.from_s - 1, end + 1);
    } else if (model.breaches.length) {
      openBreach(model.breaches[0]);
      scrollTo(0, 0);
    } else {
      // Where nobody was hurt, the first that happens.
      const first = tries.find((one) => one.begin >= model.scenario.from_s) || tries[0];
      const begin = first ? Math.max(first.begin - 2, 0) : model.scenario.from_s;
      show(begin, begin + 60);
    }
    drawn(drawLanesAgain);
  });
  const anyOff = model.clocks && model.clocks.length;
  return section('lanes', 'Swim-lanes', 'Each driver has two tracks: above, what was true of her (leases and trips); below, what a matcher believed, striped where that was no longer true. Lowest, what her screen showed. On a matcher\u2019s lane each driver has a row. Arrows are messages, dashed with a cross if lost.' + (anyOff ? ' Times are true; \u25f4 says by how much the clock of a node is wrong by which it judges: its ' + model.scenario.clock + '.' : ''),
    el('div', { class: 'grid wide-left' }, el('div', { class: 'card' }, el('div', { class: 'controls' }, story || !model.breaches.length ? '' : which, button('\u2190', 'earlier', () => move(-0.3)), button('\u2192', 'later', () => move(0.3)), button('+', 'nearer', () => zoom(0.6)), button('\u2212', 'farther', () => zoom(1 / 0.6)), more, span), canvas, readout, table,
      el('ul', { class: 'legend' }, key('converting', 'lease, a trip came of it'), key('ignored', 'lease, held for nothing'), key('lost_accept', 'lease, over before its trip was written'), key('on_trip', 'trip'), el('li', {}, outlined(), 'believed by a matcher, and true; on its own lane: at work'), key('zombie', 'believed, no longer true'), key('cancelled', 'offer on the screen, accepted'), key('declined', 'offer, accepted too late'), key('censored', 'offer, not accepted'), model.faults.some((f) => f.form === 'outage') ? [el('li', {}, swatch('ignored', 0.3), 'crashed'), el('li', {}, swatch('declined', 0.3), 'paused')] : '', arrowKey('accent', 'an offer'), arrowKey('good', 'yes, confirm, write'), arrowKey('bad', 'no, or lost'), arrowKey('soft', 'other messages'))), inspector()));
}
