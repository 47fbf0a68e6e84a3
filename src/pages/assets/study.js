// Pages of many runs: a sweep (curves, trade-off, heat map, safe region) and the survival table.

const sweepData = model.sweep || null;

const fieldsThatVary = () => sweepData.fields.filter((f) => new Set(sweepData.points.map((p) => p.fields[f])).size > 1);
// Fields that follow from others are left out.
function freeFields() {
  const vary = fieldsThatVary();
  return vary.filter((f, i) => !vary.slice(0, i).some((g) => follows(f, g)));
}
const pointName = (p) => freeFields().map((f) => f.split('.').pop() + ' ' + p.fields[f]).join(', ') || 'point ' + p.n;
const figureOf = (p, metric) => (p.figures[metric] ? withEnds(...p.figures[metric]) : null);

// Both ends of the 95 % interval, which may be lopsided.
function withEnds(value, length, below, above) {
  const half = length || 0;
  return { value, half, low: value - (below ?? half), high: value + (above ?? half) };
}

// From a minute on people count time in 15 s, 30 s, minutes and hours.
const timeSteps = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

function niceTicks(low, high, count, unit = '') {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / count, scale = 10 ** Math.floor(Math.log10(rough));
  const steps = (unit === 's' || unit === 'seconds') && rough > 10 && rough <= 86400 ? timeSteps : [1, 2, 2.5, 5, 10].map((s) => s * scale);
  const step = steps.find((s) => s >= rough);
  const ticks = [];
  for (let t = Math.ceil(low / step) * step; t <= high + step * 1e-6; t += step) ticks.push(Math.abs(t) < step * 1e-9 ? 0 : t);
  return ticks;
}

// Of a drawing on this screen: texts keep their size where the page is narrow.
const figureWidth = (most) => Math.max(Math.min(most, innerWidth - 60), 320);

// A frame with axes; `x` and `y` are {low, high, unit, title}, with {at, text} as `ticks` or round ones.
// Of ticks without room for their texts the first in the list are told. Returns the figure and both scales.
function frame(id, label, W, H, x, y) {
  // Where the title and the word on the axis do not fit into one line, there are two.
  const from = y.low > 0 ? 'up from ' + shown(y.low, y.unit) + ', not from 0' : '';
  const isTight = Boolean(y.title && from) && 76 + 8.4 * y.title.length + 7.2 * from.length + 34 > W;
  const left = 76, right = 22, top = isTight ? 34 : 16, bottom = 48;
  const px = (v) => left + (W - left - right) * (v - x.low) / (x.high - x.low || 1);
  const py = (v) => H - bottom - (H - top - bottom) * (v - y.low) / (y.high - y.low || 1);
  const figure = svg('svg', { class: 'figure', viewBox: '0 0 ' + W + ' ' + H, role: 'img', 'aria-label': label, id });
  for (const t of y.ticks || niceTicks(y.low, y.high, 5, y.unit)) {
    figure.append(svg('line', { x1: left, x2: W - right, y1: py(t), y2: py(t), stroke: colour('faint') }), svg('text', { x: left - 8, y: py(t) + 4, 'text-anchor': 'end' }, shown(t, y.unit)));
  }
  const told = [];
  for (const t of x.ticks || niceTicks(x.low, x.high, Math.max(Math.floor(W / 130), 2), x.unit)) {
    const at = px(t.at === undefined ? t : t.at), text = t.text || shown(t, x.unit), half = 3.7 * text.length + 4;
    figure.append(svg('line', { x1: at, x2: at, y1: H - bottom, y2: H - bottom + 5, class: 'axis' }));
    if (told.some((other) => Math.abs(other.at - at) < other.half + half)) continue;
    told.push({ at, half });
    figure.append(svg('text', { x: at, y: H - bottom + 19, 'text-anchor': 'middle' }, text));
  }
  if (y.low > 0) {
    const foot = H - bottom;
    add(figure, [2, 7].map((up) => svg('line', { x1: left - 6, x2: left + 6, y1: foot - up, y2: foot - up - 5, stroke: colour('soft'), 'stroke-width': 1.5, class: 'axis-break' })), svg('text', { x: W - right, y: isTight ? 28 : 12, 'text-anchor': 'end', class: 'axis-from' }, from));
  }
  if (y.title) figure.append(svg('text', { x: left, y: 12, class: 'strong' }, y.title));
  figure.append(svg('line', { x1: left, x2: W - right, y1: H - bottom, y2: H - bottom, class: 'axis' }), svg('text', { x: (left + W - right) / 2, y: H - 8, 'text-anchor': 'middle', class: 'strong' }, x.title));
  return { figure, px, py };
}

function reach(values) {
  const low = Math.min(...values), high = Math.max(...values);
  const room = (high - low || Math.abs(high) || 1) * 0.1;
  return { low: low >= 0 ? Math.max(0, low - room) : low - room, high: high + room };
}

// The lines that pictures draw, by name, with their points: these differ in this field alone.
function groupsBeside(field) {
  const others = freeFields().filter((each) => each !== field);
  const named = sweepData.points.map((p) => ({ name: others.map((o) => o.split('.').pop() + ' ' + p.fields[o]).join(', '), p }));
  return [...groupBy(named, 'name')].map(([name, list]) => [name, list.map((one) => one.p)]);
}

// One metric against one field, with its 95 % band. Lines join points that differ in that field alone.
function curve(metric, field, W = figureWidth(560), H = 300) {
  const points = sweepData.points.filter((p) => figureOf(p, metric));
  if (!points.length) return el('p', { class: 'none' }, 'No point has a value.');
  const numeric = points.every((p) => p.numbers[field] !== null && p.numbers[field] !== undefined);
  const names = [...new Set(points.map((p) => p.fields[field]))];
  const at = (p) => (numeric ? p.numbers[field] : names.indexOf(p.fields[field]));
  const xs = points.map(at), unit = unitOf(metric);
  const y = reach(points.flatMap((p) => { const f = figureOf(p, metric); return [f.low, f.high]; }));
  const low = Math.min(...xs), high = Math.max(...xs), room = (high - low || 1) * 0.04;
  const ends = { low: low - room, high: high + room };
  const ticks = names.map((n) => ({ at: at(points.find((p) => p.fields[field] === n)), text: n })).sort((a, b) => a.at - b.at);
  const f = frame('curve-' + metric, titleOf(metric) + ' against ' + field, W, H, { ...ends, unit: 'ratio', title: field, ticks }, { ...y, unit });
  groupsBeside(field).forEach(([, list], i) => {
    const line = list.filter((p) => points.includes(p)).sort((a, b) => at(a) - at(b));
    const tint = colour(groupTints[i % groupTints.length]);
    const edge = (sign) => line.map((p) => { const v = figureOf(p, metric); return f.px(at(p)) + ',' + f.py(sign > 0 ? v.high : v.low); });
    f.figure.append(svg('polygon', { points: edge(1).concat(edge(-1).reverse()).join(' '), fill: tint, 'fill-opacity': 0.2 }),
      svg('polyline', { points: line.map((p) => f.px(at(p)) + ',' + f.py(figureOf(p, metric).value)).join(' '), fill: 'none', stroke: tint, 'stroke-width': 2, 'stroke-dasharray': groupDashes[i % groupDashes.length] }));
    for (const p of line) {
      const v = figureOf(p, metric);
      f.figure.append(add(groupMark(i, f.px(at(p)), f.py(v.value), { fill: tint, 'data-point': p.n, 'data-value': v.value }), svg('title', {}, pointName(p) + ': ' + (v.half ? shownBetween(v.value, v.low, v.high, unit) : shown(v.value, unit)))));
    }
  });
  return f.figure;
}

// Whether a field's value is settled by that of another, as one that was derived or zipped.
function follows(field, other) {
  const seen = new Map();
  return sweepData.points.every((p) => {
    const before = seen.get(p.fields[other]);
    seen.set(p.fields[other], p.fields[field]);
    return before === undefined || before === p.fields[field];
  });
}

const groupTints = ['converting', 'ignored', 'trip', 'lost_accept', 'overhang', 'zombie'];
const groupDashes = ['', '7 4', '2 3', '9 3 2 3', '1 3'];

// A mark whose form says to which line a point belongs.
function groupMark(nth, x, y, attributes) {
  const d = [null, 'M-5 -5h10v10h-10z', 'M0 -6.5l6.5 11h-13z', 'M0 -7l7 7l-7 7l-7 -7z', 'M-6.5 -5h13l-6.5 11z', 'M-6.5 0l3.25 -6h6.5l3.25 6l-3.25 6h-6.5z'][nth % 6];
  return d ? svg('path', { ...attributes, d, transform: 'translate(' + x + ' ' + y + ')' }) : svg('circle', { ...attributes, cx: x, cy: y, r: 5 });
}

// The one cross of all studies: what it marks cannot be chosen.
const outCross = (x, y, r, attributes = {}) => svg('path', { ...attributes, class: 'out', d: 'M' + (x - r) + ' ' + (y - r) + 'l' + 2 * r + ' ' + 2 * r + 'm0 -' + 2 * r + 'l-' + 2 * r + ' ' + 2 * r, stroke: colour('bad'), 'stroke-width': 2.5, fill: 'none' });
const keySample = (...marks) => svg('svg', { width: 40, height: 18, 'aria-hidden': 'true' }, ...marks);
const keyOf = (words, ...marks) => el('li', { 'data-key': words }, keySample(...marks), words);
const outKey = (words) => keyOf(words, outCross(20, 9, 6));
const intervalsKey = () => keyOf('95 % intervals', intervalLines(20, 9, [4, 36], [2, 16], colour('soft')));

// Both intervals of a point. Filled rectangles would hide each other, and the points, where they overlap.
function intervalLines(x, y, [left, right], [low, high], tint) {
  const across = 'M' + left + ' ' + y + 'H' + right + 'M' + left + ' ' + (y - 4) + 'v8M' + right + ' ' + (y - 4) + 'v8';
  const up = 'M' + x + ' ' + low + 'V' + high + 'M' + (x - 4) + ' ' + low + 'h8M' + (x - 4) + ' ' + high + 'h8';
  return svg('path', { class: 'intervals', d: across + up, stroke: tint, 'stroke-width': 1.5, 'stroke-opacity': 0.6, fill: 'none' });
}

// One harm against the other. With two fields or more each line has the same values but for the first.
function tradeOff(xMetric, yMetric) {
  const points = sweepData.points.filter((p) => figureOf(p, xMetric) && figureOf(p, yMetric));
  if (!points.length) return el('p', { class: 'none' }, 'No point has both.');
  const ends = (m) => points.flatMap((p) => { const v = figureOf(p, m); return [v.low, v.high]; });
  const W = figureWidth(900), [first] = freeFields();
  const f = frame('trade-off', titleOf(yMetric) + ' against ' + titleOf(xMetric), W, 440, { ...reach(ends(xMetric)), unit: unitOf(xMetric), title: titleOf(xMetric) }, { ...reach(ends(yMetric)), unit: unitOf(yMetric), title: titleOf(yMetric) });
  const groups = groupsBeside(first);
  const texts = [];
  groups.forEach(([, list], g) => {
    const tint = colour(groupTints[g % groupTints.length]);
    const line = list.filter((p) => points.includes(p)).sort((a, b) => (a.numbers[first] ?? 0) - (b.numbers[first] ?? 0));
    const at = (p) => [f.px(figureOf(p, xMetric).value), f.py(figureOf(p, yMetric).value)];
    f.figure.append(svg('polyline', { points: line.map((p) => at(p).join(',')).join(' '), fill: 'none', stroke: tint, 'stroke-width': 1.5, 'stroke-dasharray': groupDashes[g % groupDashes.length] }));
    for (const p of line) {
      const a = figureOf(p, xMetric), b = figureOf(p, yMetric), [x, y] = at(p);
      f.figure.append(intervalLines(x, y, [a.low, a.high].map(f.px), [b.low, b.high].map(f.py), tint),
        add(groupMark(g, x, y, { fill: tint, 'data-point': p.n }), svg('title', {}, pointName(p) + (signs[safety(p)] ? ', ' + signs[safety(p)] : ''))));
      if (safety(p) === 'missed') f.figure.append(outCross(x, y, 7));
      texts.push({ x, y, text: first ? p.fields[first] : pointName(p) });
    }
  });
  labels(f, texts, W);
  return el('div', {}, f.figure, groupKey('trade-key', groups, intervalsKey(), points.some((p) => safety(p) === 'missed') ? outKey('misses a threshold, or a promise was broken') : '', first ? el('li', {}, 'written beside a point: ' + first) : ''));
}

// Which line is which.
function groupKey(id, groups, ...more) {
  const sample = (g) => keySample(svg('line', { x1: 0, x2: 40, y1: 9, y2: 9, stroke: colour(groupTints[g % groupTints.length]), 'stroke-width': 1.5, 'stroke-dasharray': groupDashes[g % groupDashes.length] }), groupMark(g, 20, 9, { fill: colour(groupTints[g % groupTints.length]) }));
  return el('ul', { class: 'legend', id }, groups.length > 1 ? groups.map(([name], g) => el('li', { 'data-group': name }, sample(g), name)) : '', ...more);
}

function holds(value, bound) {
  switch (bound.is) {
    case '<': return value < bound.value;
    case '<=': return value <= bound.value;
    case '==': return value === bound.value;
    case '>=': return value >= bound.value;
    default: return value > bound.value;
  }
}

// That none was seen, or of a share all, where just that is asked for: more seeds could refute it, and
// no number of them can show it.
const isMetByNothingElse = (value, bound) => (value === 0 && bound.value === 0 && /^(<=|==)$/.test(bound.is)) || (value === 1 && bound.value === 1 && /^(>=|==)$/.test(bound.is) && unitOf(bound.metric) === 'share');

// met: so is every threshold at both ends of its interval; missed: one is, at both ends; else unsure.
function safety(p) {
  if (p.broken > 0) return 'missed';
  if (!sweepData.thresholds.length) return '';
  let unsure = false;
  for (const bound of sweepData.thresholds) {
    const v = figureOf(p, bound.metric);
    if (!v) { unsure = true; continue; }
    if (isMetByNothingElse(v.value, bound)) continue;
    const low = holds(v.low, bound), high = holds(v.high, bound);
    if (!low && !high) return 'missed';
    if (low !== high) unsure = true;
  }
  return unsure ? 'unsure' : 'met';
}

const signs = { met: '\u2713 safe', missed: '\u2717 not safe', unsure: '? unsure', '': '' };
const classes = { met: 'good-text', missed: 'bad-text', unsure: 'warn-text', '': '' };

// Two fields across and down, the others as `held` says; colour and number say the same.
function heatMap(metric, across, down, held) {
  const known = sweepData.points.map((p) => figureOf(p, metric)).filter(Boolean).map((v) => v.value);
  const low = Math.min(...known), high = Math.max(...known), unit = unitOf(metric);
  const tint = (share) => 'color-mix(in srgb, ' + colour('ignored') + ' ' + Math.round(8 + 72 * share) + '%, ' + colour('card') + ')';
  const ramp = el('span', { class: 'ramp', 'aria-hidden': 'true' });
  ramp.style.background = 'linear-gradient(to right, ' + tint(0) + ', ' + tint(1) + ')';
  const head = el('tr', {}, el('th', {}, down.split('.').pop() + ' \u2193  ' + across.split('.').pop() + ' \u2192'), valuesOfField(across).map((v) => el('th', { scope: 'col' }, v)));
  const body = valuesOfField(down).map((d) => el('tr', {}, el('th', { scope: 'row' }, d), valuesOfField(across).map((a) => {
    const p = sweepData.points.find((each) => each.fields[across] === a && each.fields[down] === d && Object.entries(held).every(([f, v]) => each.fields[f] === v));
    const v = p && figureOf(p, metric);
    const cell = el('td', v ? { 'data-point': p.n, 'data-value': v.value } : {}, v ? shown(v.value, unit) : '-', p && safety(p) ? el('small', {}, signs[safety(p)]) : '');
    if (v) {
      cell.style.background = tint((v.value - low) / (high - low || 1));
      cell.style.color = colour('ink');
    }
    return cell;
  })));
  return el('div', {}, el('div', { class: 'scroll' }, el('table', { class: 'heat', id: 'heat' }, el('thead', {}, head), el('tbody', {}, body))),
    el('ul', { class: 'legend', id: 'heat-scale' }, el('li', { 'data-low': low, 'data-high': high }, shown(low, unit), ramp, shown(high, unit), ' ' + titleOf(metric))));
}

const valuesOfField = (f) => [...new Map(sweepData.points.map((p) => [p.fields[f], p.numbers[f]])).entries()].sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0)).map(([text]) => text);

function valueChoice(f, act) {
  const choice = el('select', { id: 'held-' + f, onchange: () => act(choice.value) }, valuesOfField(f).map((v) => el('option', { value: v }, v)));
  return choice;
}

function metricChoice(id, value, act) {
  const names = Object.keys(sweepData.points[0] ? sweepData.points[0].figures : {});
  const choice = el('select', { id, onchange: () => act(choice.value) }, names.map((n) => el('option', { value: n, selected: n === value, title: n }, titleOf(n))));
  return choice;
}

function sweepPage() {
  const vary = fieldsThatVary();
  const free = freeFields();
  const field = free[0] || sweepData.fields[0];
  const doubles = sweepData.points.some((p) => figureOf(p, 'double.commits') && figureOf(p, 'double.commits').value > 0);
  const state = { x: 'supply.hidden_share', y: doubles ? 'double.commits' : 'accepts.missed_rate', heat: 'supply.hidden_share', held: Object.fromEntries(free.slice(2).map((f) => [f, valuesOfField(f)[0]])) };
  const box = (draw) => { const holder = el('div', { class: 'chart' }); drawn(() => holder.replaceChildren(draw())); return holder; };
  const trade = box(() => tradeOff(state.x, state.y));
  const harm = [...(doubles ? ['double.commits'] : []), 'accepts.missed_rate', 'supply.hidden_share', 'ttm.p95', 'rides.match_rate'];
  const curves = el('div', { class: 'grid two' }, harm.map((m) => el('div', { class: 'card' }, el('h3', {}, titled(m, heading(m))), box(() => curve(m, field)))));
  const again = () => redrawAll();
  const heldChoices = free.slice(2).map((f) => el('label', {}, f, valueChoice(f, (v) => { state.held[f] = v; again(); })));
  const heat = free.length >= 2 ? section('heat-map', 'Two fields at once', null, el('div', { class: 'card' }, el('div', { class: 'controls' }, el('label', {}, 'show', metricChoice('heat-metric', state.heat, (v) => { state.heat = v; again(); })), heldChoices), box(() => heatMap(state.heat, free[0], free[1], state.held)))) : '';
  const columns = ['double.commits', 'supply.hidden_share', 'accepts.missed_rate', 'rides.match_rate', 'ttm.p95'];
  const table = el('table', { id: 'points' }, el('thead', {}, el('tr', {}, el('th', {}, '#'), vary.map((f) => el('th', {}, f)), columns.map((c) => el('th', { class: 'n' }, titled(c))), el('th', {}, sweepData.thresholds.length ? 'thresholds' : ''))),
    el('tbody', {}, sweepData.points.map((p) => el('tr', { 'data-point': p.n }, el('td', {}, String(p.n)), vary.map((f) => el('td', {}, p.fields[f])), columns.map((c) => {
      const v = figureOf(p, c);
      return el('td', { class: 'n', 'data-metric': c, 'data-value': v ? v.value : '' }, v ? v.half ? shownBetween(v.value, v.low, v.high, unitOf(c)) : shown(v.value, unitOf(c)) : '-');
    }), el('td', { class: classes[safety(p)] }, p.broken ? '\u2717 promise broken' : signs[safety(p)])))));
  const safe = sweepData.points.filter((p) => safety(p) === 'met');
  const answer = !sweepData.thresholds.length ? 'The scenario sets no thresholds, so no point is called safe.' : safe.length ? 'Safe, at both ends of every interval: ' + safe.map(pointName).join('; ') + '.' : 'No point meets every threshold at both ends of its intervals.';
  return [navigation([['trade', 'Trade-off'], ['curves', 'Curves'], ...(heat ? [['heat-map', 'Heat map']] : []), ['region', 'Safe region']]),
    el('header', { class: 'top' }, el('h1', {}, sweepData.name), el('p', { class: 'lead' }, prose(sweepData.question)), el('ul', { class: 'chips' }, chip('', grouped(sweepData.points.length) + ' points'), chip('', seedsEach(sweepData.seeds)), chip('from seed', sweepData.seed), vary.map((f) => chip('', f)))),
    section('trade', 'One harm against the other', 'Each point with its two 95 % intervals, over the same seeds.', el('div', { class: 'card' }, el('div', { class: 'controls' }, el('label', {}, 'across', metricChoice('trade-x', state.x, (v) => { state.x = v; again(); })), el('label', {}, 'up', metricChoice('trade-y', state.y, (v) => { state.y = v; again(); }))), trade)),
    section('curves', 'Against ' + field, 'With 95 % bands over the seeds.', box(() => groupKey('curve-key', groupsBeside(field))), curves), heat,
    section('region', 'The safe region', null, el('div', { class: 'card answer ' + (safe.length ? 'good' : sweepData.thresholds.length ? 'bad' : '') }, answer, sweepData.thresholds.length ? el('p', { class: 'none' }, 'Thresholds: ' + sweepData.thresholds.map((b) => { const says = wordsOfBound({ metric: b.metric, bound: b.text }); return says.what + ' ' + says.asked; }).join('; ')) : ''), el('p'), el('div', { class: 'card' }, fitting(table))), footer()];
}

const verdictWords = { breaks: 'a harm that no trip should see, or that the incident names, is worse with the cause', degrades: 'only service is worse', undecided: 'something looks worse, and the runs are too few to tell it from chance', survives: 'nothing is worse', untouched: 'does not apply: the cause touches nothing there' };

function survivalPage() {
  const rows = model.survival;
  const protocols = rows.length ? rows[0].cells.map((c) => c.protocol) : [];
  const sign = { breaks: '\u2717 breaks', degrades: '~ degrades', undecided: '? undecided', survives: 'survives', untouched: '\u2013' };
  const details = el('div', { class: 'card', id: 'cell', 'aria-live': 'polite' }, el('p', { class: 'none' }, 'Choose a cell: what was worse with the cause than without, and the commands that repeat it.'));
  const open = (row, cell) => {
    details.replaceChildren(el('h3', {}, row.incident + ' under ' + cell.protocol + ': ' + cell.verdict), el('p', {}, prose(row.cause)), el('p', { class: 'none' }, prose(row.source)),
      cell.worse.length ? fitting(el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'figure'), el('th', { class: 'n' }, 'with the cause'), el('th', { class: 'n' }, 'without'), el('th', { class: 'n' }, 'difference, 95 %'))), el('tbody', {}, cell.worse.map((d) => el('tr', {}, el('td', {}, titled(d.metric)), el('td', { class: 'n' }, shown(d.with_cause, unitOf(d.metric))), el('td', { class: 'n' }, shown(d.without, unitOf(d.metric))), el('td', { class: 'n' }, d.low === undefined ? '' : shownDifference(d.with_cause - d.without, [d.low, d.high], unitOf(d.metric)))))))) : el('p', {}, cell.verdict === 'untouched' ? 'The cause touches nothing here: every run is the same without it.' : 'Nothing was worse with the cause than without.'),
      cell.story ? el('p', {}, el('a', { href: cell.story, class: 'story' }, 'How it happened: the story of one breach, with its swim-lanes')) : '',
      cell.page ? el('p', {}, el('a', { href: cell.page, class: 'runs' }, 'The runs of this cell, with the cause and without, side by side')) : '',
      ...(cell.commands.length ? [el('p', {}, cell.page ? 'Made by:' : 'These show its runs side by side, with the cause and without:'), el('ol', { class: 'commands' }, cell.commands.map((c) => el('li', {}, el('code', {}, c))))] : []));
    details.dataset.of = row.incident + '/' + cell.protocol;
  };
  return [navigation([['table', 'Table'], ['cells', 'Cell']]), el('header', { class: 'top' }, el('h1', {}, 'Which protocol survives which incident'), el('p', { class: 'lead' }, 'Each incident with its cause and without, on the same seeds, under every protocol.'), el('ul', { class: 'chips' }, chip('', rows.length + (rows.length === 1 ? ' incident' : ' incidents')), chip('', protocols.length + ' protocols'), rows.length ? chip('runs a cell', rows[0].runs + ' with the cause, ' + rows[0].runs + ' without') : '')),
    section('table', 'The survival table', null, el('div', { class: 'card' }, fitting(el('table', { class: 'survival' }, el('thead', {}, el('tr', {}, el('th', {}), protocols.map((p) => el('th', { scope: 'col' }, p)))),
      el('tbody', {}, rows.map((r) => el('tr', {}, el('th', { scope: 'row', class: 'name', title: r.cause }, r.incident), r.cells.map((c) => el('td', { 'data-verdict': c.verdict }, el('button', { type: 'button', class: 'link ' + c.verdict, 'aria-label': r.incident + ' under ' + c.protocol + ': ' + c.verdict, onclick: () => open(r, c) }, sign[c.verdict]), c.page ? el('a', { href: c.page, class: 'runs', 'aria-label': 'the runs of ' + r.incident + ' under ' + c.protocol }, ' \u2197') : '')))),
        el('tr', {}, el('th', { scope: 'row', class: 'name' }, 'breaks in'), model.breaks_in.map((told) => el('td', { class: 'none' }, told)))))),
      el('ul', { class: 'legend' }, Object.entries(verdictWords).filter(([verdict]) => rows.some((r) => r.cells.some((c) => c.verdict === verdict))).map(([verdict, words]) => el('li', {}, el('b', {}, sign[verdict]), words))))),
    section('cells', 'What a cell says', null, details), footer()];
}
