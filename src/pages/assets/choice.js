// Pages of a choice: the best value of some fields (`dibs tune`), and where everything holds over two
// of them, beside the closed form (`dibs region`).

const tuning = model.tuning || null;
const region = model.region || null;

const standingSigns = { best: '\u2605 best', better: '\u2713 better', 'as good': '\u2713 near-optimal', open: '? open', worse: '\u25bd worse', unusable: '\u2717 unusable' };
const standingClasses = { best: 'good-text', better: 'good-text', 'as good': 'good-text', open: 'warn-text', worse: 'none', unusable: 'bad-text' };
const valuesOf = (row) => Object.entries(row.values).map(([path, value]) => path.split('.').pop() + ' ' + value).join(', ');
const withBand = (f, unit) => (f ? shownBetween(f.value, ...band(f), unit) : '-');
const band = (f) => [f.low_95 ?? f.value, f.high_95 ?? f.value];
const box = (draw) => { const holder = el('div', { class: 'chart' }); drawn(() => holder.replaceChildren(draw())); return holder; };
const measured = (f, attributes, unit) => el('td', { class: 'n', 'data-value': f ? f.value : '', 'data-half': f ? f.half_width_95 : '', ...attributes }, withBand(f, unit));

// A mark whose form says what a point is, not its colour alone.
function mark(row, x, y) {
  const data = { 'data-value': row.objective ? row.objective.value : '', 'data-standing': row.standing };
  const tint = colour({ best: 'good', better: 'good', 'as good': 'good', open: 'warn' }[row.standing] || 'soft');
  if (row.standing === 'worse') return svg('path', { ...data, d: 'M' + (x - 6) + ' ' + (y - 5) + 'h12l-6 10z', stroke: tint, 'stroke-width': 2, fill: colour('card') });
  if (row.standing === 'unusable') return outCross(x, y, 5, data);
  if (row.standing === 'best') return svg('path', { ...data, d: 'M' + x + ' ' + (y - 9) + 'l7 9l-7 9l-7 -9z', fill: tint });
  return svg('circle', { ...data, cx: x, cy: y, r: 5, fill: row.standing === 'open' ? colour('card') : tint, stroke: tint, 'stroke-width': 2 });
}

// What the marks of these rows say.
const markWords = { best: 'the best', better: 'better', 'as good': 'near-optimal: not worse than the best by more than delta', open: 'open: neither shown to be that good nor worse', worse: 'worse', unusable: 'cannot be chosen: a constraint is missed, a promise broken, or somebody assigned twice' };
const markKey = (rows) => el('ul', { class: 'legend marks' }, Object.entries(markWords).filter(([standing]) => rows.some((r) => r.standing === standing)).map(([standing, words]) => keyOf(words, mark({ standing }, 20, 9))), intervalsKey());

// The objective that is minimised unless another is asked for, in words.
function objectiveTitle() {
  const usual = /^\((.+)s \* accepts\.missed \+ supply\.hidden_s\) \/ rides\.requested$/.exec(tuning.objective);
  return usual ? 'time hidden for a ride, a missed accept counting ' + duration(Number(usual[1])) : titleOf(tuning.objective);
}
const capital = (text) => text[0].toUpperCase() + text.slice(1);

const regretOf = (r) => (r.regret ? r.regret.value : r.standing === 'best' ? 0 : Infinity);
// Values that are at most half as bad again as the best: what differs there is lost beside the others.
const near = (rows) => rows.filter((r) => regretOf(r) <= 0.5);

// Writes texts where there is room for them, the first ones first; the others are read by pointing.
function labels(f, list, W) {
  const taken = list.map((l) => [l.x - 7, l.y - 7, l.x + 7, l.y + 7]);
  for (const l of list) {
    const w = 7.4 * l.text.length;
    for (const [dx, dy] of [[10, -8], [10, 18], [-10 - w, -8], [-10 - w, 18], [-w / 2, -16], [-w / 2, 26]]) {
      const at = [l.x + dx, l.y + dy - 11, l.x + dx + w, l.y + dy + 3];
      if (at[0] < 78 || at[2] > W - 4 || at[1] < 4 || taken.some((b) => at[0] < b[2] && b[0] < at[2] && at[1] < b[3] && b[1] < at[3])) continue;
      taken.push(at);
      f.figure.append(svg('text', { x: l.x + dx, y: l.y + dy, class: 'strong' }, l.text));
      break;
    }
  }
}
const foremost = (rows) => [...rows].sort((a, b) => (b.standing === 'best') - (a.standing === 'best') || b.today - a.today);

// The objective against the one field that was searched, with its 95 % band, and the set of values
// that are not worse than the best by more than delta.
function objectiveCurve(id, path, rows) {
  const W = figureWidth(900);
  const scaled = (n) => Math.log(Math.max(n, 1e-9));
  const at = (r) => scaled(r.numbers[path]);
  const xs = rows.map(at);
  const low = Math.min(...xs), high = Math.max(...xs), room = (high - low || 1) * 0.05;
  const y = reach(rows.flatMap((r) => band(r.objective)));
  const ends = { low: low - room, high: high + room };
  const ticks = foremost(rows).map((r) => ({ at: at(r), text: r.values[path] }));
  const f = frame(id, objectiveTitle() + ' against ' + path, W, 400, { ...ends, unit: 'ratio', title: path, ticks }, { ...y, unit: tuning.unit });
  if (tuning.within_numbers) {
    const [from, until] = tuning.within_numbers.map((n) => f.px(Math.min(Math.max(scaled(n), ends.low), ends.high)));
    f.figure.append(svg('rect', { x: from, y: 16, width: Math.max(until - from, 1), height: 336, fill: colour('good'), 'fill-opacity': 0.14, class: 'set' }));
  }
  const line = [...rows].sort((a, b) => at(a) - at(b));
  const edge = (k) => line.map((r) => f.px(at(r)) + ',' + f.py(band(r.objective)[k]));
  f.figure.append(svg('polygon', { points: edge(1).concat(edge(0).reverse()).join(' '), fill: colour('converting'), 'fill-opacity': 0.25, class: 'band' }),
    svg('polyline', { points: line.map((r) => f.px(at(r)) + ',' + f.py(r.objective.value)).join(' '), fill: 'none', stroke: colour('converting'), 'stroke-width': 2 }));
  for (const r of rows) f.figure.append(add(mark(r, f.px(at(r)), f.py(r.objective.value)), svg('title', {}, valuesOf(r) + ': ' + withBand(r.objective, tuning.unit) + ', ' + standingSigns[r.standing])));
  labels(f, rows.filter((r) => r.today || r.standing === 'best').map((r) => ({ x: f.px(at(r)), y: f.py(r.objective.value), text: r.standing === 'best' ? 'best' : 'today' })), W);
  return f.figure;
}

// One harm against the other: each value with its two intervals; a line joins those that no other
// value beats in both.
function front(id, all) {
  const x = 'supply.hidden_share', y = 'accepts.missed_rate';
  const rows = all.filter((r) => r.metrics[x] && r.metrics[y]);
  if (!rows.length) return el('p', { class: 'none' }, 'No value has both.');
  const W = figureWidth(900);
  const f = frame(id, titleOf(y) + ' against ' + titleOf(x), W, 440, { ...reach(rows.flatMap((r) => band(r.metrics[x]))), unit: 'share', title: titleOf(x) }, { ...reach(rows.flatMap((r) => band(r.metrics[y]))), unit: 'share', title: titleOf(y) });
  const of = (r) => [r.metrics[x].value, r.metrics[y].value];
  const beats = (a, b) => of(a).every((v, i) => v <= of(b)[i]) && of(a).some((v, i) => v < of(b)[i]);
  const best = rows.filter((r) => !rows.some((other) => beats(other, r))).sort((a, b) => a.metrics[x].value - b.metrics[x].value);
  f.figure.append(svg('polyline', { points: best.map((r) => f.px(r.metrics[x].value) + ',' + f.py(r.metrics[y].value)).join(' '), fill: 'none', stroke: colour('soft'), 'stroke-width': 1.5 }));
  for (const r of rows) {
    const at = [f.px(r.metrics[x].value), f.py(r.metrics[y].value)];
    f.figure.append(intervalLines(...at, band(r.metrics[x]).map(f.px), band(r.metrics[y]).map(f.py), colour('accent')),
      add(mark(r, ...at), svg('title', {}, valuesOf(r) + ': hidden ' + withBand(r.metrics[x], 'share') + ', missed ' + withBand(r.metrics[y], 'share'))));
  }
  labels(f, foremost(rows).map((r) => ({ x: f.px(r.metrics[x].value), y: f.py(r.metrics[y].value), text: valuesOf(r) + (r.today ? ' (today)' : '') })), W);
  return f.figure;
}

// The same picture of all values, and of those near the best where the others dwarf them.
function both(rows, draw) {
  const close = near(rows);
  const apart = close.length >= 3 && close.length < rows.length;
  return [el('div', { class: 'card' }, apart ? el('h3', {}, 'Every value') : '', box(() => draw('', rows)), markKey(rows)),
    apart ? el('div', { class: 'card' }, el('h3', {}, 'Near the best'), box(() => draw('-near', close)), markKey(close)) : ''];
}

function tuningAnswer() {
  const best = Object.entries(tuning.best).map(([path, value]) => path + ' = ' + value).join(', ');
  const said = [];
  if (best) said.push((tuning.answer === 'found' ? 'Best: ' : 'Best of what was tried: ') + best + '.');
  if (tuning.why) said.push(tuning.why[0].toUpperCase() + tuning.why.slice(1) + (tuning.why.endsWith('.') ? '' : '.'));
  for (const [path, [low, high]] of Object.entries(tuning.interval_95 || {})) said.push('The best ' + path + ' lies between ' + low + ' and ' + high + ', at 95 %.');
  if (tuning.within_delta) said.push('No value from ' + tuning.within_delta[0] + ' to ' + tuning.within_delta[1] + ' is worse than the best by more than ' + percent(tuning.delta) + ' %.');
  if (tuning.as_good) said.push('Not worse than the best by more than ' + percent(tuning.delta) + ' %: ' + tuning.as_good.map((values) => Object.entries(values).map(([path, value]) => path + ' = ' + value).join(', ')).join('; ') + '.');
  for (const note of tuning.notes || []) said.push('Note: ' + note + '.');
  if (tuning.safety) said.push('Safety: ' + tuning.safety + '.');
  const today = tuning.rows.find((r) => r.today && r.standing !== 'best');
  if (today && today.why) said.push('Today\u2019s ' + valuesOf(today) + ' is out: ' + today.why + '.');
  else if (today && today.regret) said.push('Today\u2019s ' + valuesOf(today) + ' is ' + (today.regret.value < 0 ? 'better' : 'worse') + ' by ' + regretText({ ...today.regret, value: Math.abs(today.regret.value), low_95: today.regret.value < 0 ? -today.regret.high_95 : today.regret.low_95, high_95: today.regret.value < 0 ? -today.regret.low_95 : today.regret.high_95 }) + '.');
  return said;
}

// As a share of the best, or a difference in the objective's own unit.
const isRelative = () => (tuning.regrets_in || 'share of the best') === 'share of the best';
const regretText = (f) => (!f ? '-' : isRelative() ? withBand(f, 'share') : shownDifference(f.value, band(f), tuning.unit));

// What the figures rest on, as the terminal tells it.
function howSure() {
  const varies = (tuning.common_seeds || []).map((n) => n.variance_reduction).filter((v) => v !== null);
  return [tuning.broken ? el('li', { class: 'bad-text' }, 'A promise was broken at ' + Object.values(tuning.broken.values).join(', ') + ', seed ' + tuning.broken.seed + ': ' + tuning.broken.promise) : el('li', {}, 'The protocol\u2019s promises were kept in all ' + grouped(tuning.runs.screening + tuning.runs.selection + tuning.runs.refinement + tuning.runs.fresh) + ' runs: ' + grouped(tuning.runs.screening) + ' to screen, ' + grouped(tuning.runs.selection) + ' to select, ' + grouped(tuning.runs.refinement) + ' to refine, ' + grouped(tuning.runs.fresh) + ' on fresh seeds.'),
    !tuning.selection_seeds ? '' : el('li', {}, (!tuning.selection_ended ? 'The budget ended the selection among ' : tuning.chosen_of_grid ? Object.entries(tuning.chosen_of_grid).map(([path, value]) => path + ' = ' + value).join(', ') + ' was chosen among ' : 'Chosen among ') + grouped(tuning.selected_among) + ' on ' + grouped(tuning.selection_seeds) + ' seeds' + (tuning.selection_ended ? '.' : ' before one was left.')),
    varies.length ? el('li', {}, 'On common seeds a difference between neighbours varies ' + significant(Math.min(...varies), 2) + ' to ' + significant(Math.max(...varies), 2) + ' times less than on separate ones.') : ''];
}

function rowsTable(id, rows, unit) {
  const shownOf = Object.keys(rows[0] ? rows[0].metrics : {});
  return fitting(el('table', { id }, el('thead', {}, el('tr', {}, el('th', {}, 'value'), el('th', {}, 'is'), el('th', { class: 'n' }, objectiveTitle()), el('th', { class: 'n' }, 'worse than the best by'), shownOf.map((m) => el('th', { class: 'n' }, titled(m))), el('th', { class: 'n' }, 'seeds'))),
    el('tbody', {}, rows.map((r) => el('tr', { 'data-standing': r.standing }, el('td', { class: 'value' }, valuesOf(r), r.today ? el('small', {}, ' today') : ''), el('td', { class: 'value ' + standingClasses[r.standing] }, standingSigns[r.standing] || r.standing, r.why ? el('small', { class: 'none' }, ' ' + r.why) : ''),
      measured(r.objective, { 'data-of': 'objective' }, unit), el('td', { class: 'n', 'data-of': 'regret', 'data-value': r.regret ? r.regret.value : '', 'data-half': r.regret ? r.regret.half_width_95 : '' }, regretText(r.regret)), shownOf.map((m) => measured(r.metrics[m], { 'data-of': m }, unitOf(m))), el('td', { class: 'n' }, String(r.seeds)))))));
}

function boundsOfChoice() {
  const rows = [...tuning.thresholds.map((t) => [t.met ? '\u2713 met' : '\u2717 missed', t.met, titled(t.metric, titleOf(t.metric) + ' ' + t.bound), withBand(t.found, unitOf(t.metric))]),
    ...tuning.constraints.map((c) => [c.room.value >= 0 ? '\u2713 met' : '\u2717 missed', c.room.value >= 0, el('code', {}, c.condition), 'room ' + shownDifference(c.room.value, null, c.unit) + ', at least ' + shownDifference(c.at_least_95, null, c.unit) + ' at 95 %'])];
  return rows.length ? section('bounds', 'Bounds, at the best', null, el('div', { class: 'card' }, fitting(el('table', {}, el('tbody', {}, rows.map(([sign, met, what, found]) => el('tr', {}, el('td', { class: met ? 'good-text' : 'bad-text' }, sign), el('td', {}, what), el('td', { class: 'n' }, found)))))))) : '';
}

function weighsFrom(e) {
  if (e.missed_accept_weighs_from_s === 0) return e.to_s === null ? 'whatever it is' : 'less than ' + duration(e.to_s);
  const [low, high] = e.from_95_s;
  return duration(e.missed_accept_weighs_from_s) + (high === null ? ' or more, not known nearer' : ' (' + duration(low) + ' to ' + duration(high) + ') or more');
}

function exchangeTable() {
  if (!tuning.trade_off.length) return '';
  return section('exchange', 'What a missed accept weighs', 'Which value is the best trade-off, by how many seconds of a hidden driver one missed accept is worth; all on the same ' + grouped(tuning.trade_off_seeds) + ' fresh seeds.',
    el('div', { class: 'card' }, fitting(el('table', { id: 'exchanges' }, el('thead', {}, el('tr', {}, el('th', {}, 'a missed accept is worth'), el('th', {}, 'best'), el('th', { class: 'n' }, 'missed a ride'), el('th', { class: 'n' }, 'hidden a ride'))),
      el('tbody', {}, tuning.trade_off.map((e) => el('tr', {}, el('td', {}, weighsFrom(e)), el('td', {}, Object.values(e.values).join(', ')), measured(e.missed_per_ride, {}, 'ratio'), measured(e.hidden_s_per_ride, {}, 's'))))))));
}

function tuningPage() {
  const paths = Object.keys(tuning.rows[0] ? tuning.rows[0].values : {});
  const measuredRows = tuning.rows.filter((r) => r.numbers[paths[0]] !== null && r.objective);
  const one = paths.length === 1 && measuredRows.length > 1;
  const sure = tuning.answer === 'found';
  return [navigation([['answer', 'Answer'], ...(one ? [['curve', 'Curve']] : []), ['front', 'Trade-off'], ['values', 'Values']]),
    el('header', { class: 'top' }, el('h1', {}, tuning.scenario), el('p', { class: 'lead' }, 'Which ' + paths.join(', ') + (tuning.more_is_better ? ' makes the ' : ' keeps the ') + objectiveTitle() + (tuning.more_is_better ? ' largest?' : ' smallest?'), objectiveTitle() === tuning.objective ? '' : [' ', el('code', {}, tuning.objective)]),
      el('ul', { class: 'chips' }, chip('', tuning.answer), chip('runs', grouped(tuning.runs.all)), chip('of them on fresh seeds', grouped(tuning.runs.fresh)), chip('from seed', String(tuning.seed)), chip('delta', percent(tuning.delta) + ' %'), chip('may err with', percent(tuning.alpha) + ' %'))),
    section('answer', 'The answer', null, el('div', { class: 'card answer ' + (sure ? 'good' : 'bad') }, el('ul', {}, tuningAnswer().map((t) => el('li', {}, t)))), el('div', { class: 'card', id: 'how-sure' }, el('h3', {}, 'How sure'), el('ul', {}, howSure())), boundsOfChoice()),
    one ? section('curve', capital(objectiveTitle()) + ' against ' + paths[0], 'Measured on fresh seeds, on which nothing was chosen; with the 95 % band. Shaded: not worse than the best by more than delta.', both(measuredRows, (near, rows) => objectiveCurve('objective' + near, paths[0], rows))) : '',
    section('front', 'One harm against the other', 'Each value with its two 95 % intervals. The line joins those that no other value beats in both harms.', both(tuning.rows, (near, rows) => front('tuning-front' + near, rows))),
    exchangeTable(), section('values', 'Every value', null, el('div', { class: 'card' }, rowsTable('values-table', tuning.rows, tuning.unit))),
    tuning.holdout ? section('holdout', 'The same values on ' + tuning.holdout.scenario, 'Demand on which nothing was chosen.', el('div', { class: 'card' }, rowsTable('holdout-table', tuning.holdout.rows, tuning.unit))) : '', footer()];
}

// -- region ----------------------------------------------------------------------------------------

const cellSigns = { '#': 'all holds, as the bound says', '+': 'all holds, though the TTL is below the bound', '!': 'something is missed, though the TTL is long enough by the bound', '.': 'something is missed, as the bound says', '?': 'too near to tell with so few seeds (95 %)', X: 'a promise of the protocol is broken', '-': 'no valid scenario' };
function signOf(cell) {
  const known = { invalid: '-', breaks: 'X', unsure: '?' }[cell.verdict];
  return known || (cell.verdict === 'holds' ? (cell.long_enough ? '#' : '+') : cell.long_enough ? '!' : '.');
}
const cellAt = (ix, iy) => region.cells[iy * region.x.values.length + ix];
const tintOf = (cell) => ({ '#': 'good', '+': 'converting', '!': 'bad', '.': 'warn', '?': 'card', X: 'bad', '-': 'faint' })[signOf(cell)];

const shortPath = (path) => path.split('.').slice(-2).join('.');

// Rows from the top down in falling order, so that more is up; the thick line is the closed form's.
function regionMap(which) {
  const ys = region.y.values.map((_, i) => region.y.values.length - 1 - i);
  const rooms = region.cells.map((c) => c.room[which]).filter((v) => v !== null && v !== undefined).map(Math.abs);
  const most = Math.max(...rooms, 1e-12);
  const body = ys.map((iy) => el('tr', {}, el('th', { scope: 'row' }, region.y.values[iy]), region.x.values.map((x, ix) => {
    const cell = cellAt(ix, iy), sign = signOf(cell), room = which === null ? null : cell.room[which];
    const text = which === null ? '' : room === null || room === undefined ? '-' : (room >= 0 ? '+' : '') + shownDifference(room, cell.half[which] ? [room - cell.half[which], room + cell.half[which]] : null, (region.units || [])[which]);
    const td = el('td', { 'data-cell': ix + ',' + iy, 'data-sign': sign, 'data-verdict': cell.verdict, 'data-half': which === null ? '' : cell.half[which] ?? '', 'data-room': room === null || room === undefined ? '' : room, title: region.x.path + ' ' + x + ', ' + region.y.path + ' ' + region.y.values[iy] + ': ' + cellSigns[sign] + (sign === '?' ? '; in these runs ' + (cell.found === 'holds' ? 'all holds' : 'something is missed') : '') }, el('b', {}, sign), text ? el('small', {}, text) : '');
    const strength = which === null || room === null || room === undefined ? 34 : 12 + Math.round(48 * Math.min(Math.abs(room) / most, 1));
    td.style.background = 'color-mix(in srgb, ' + colour(which === null ? tintOf(cell) : room >= 0 ? 'good' : 'bad') + ' ' + strength + '%, ' + colour('card') + ')';
    td.style.color = colour('ink');
    const edge = (other) => other && other.long_enough !== cell.long_enough && cell.found !== 'invalid' && other.found !== 'invalid';
    if (edge(ix > 0 ? cellAt(ix - 1, iy) : null)) td.classList.add('edge-left');
    if (edge(iy + 1 < region.y.values.length ? cellAt(ix, iy + 1) : null)) td.classList.add('edge-top');
    return td;
  })));
  return el('div', { class: 'scroll' }, el('table', { class: 'heat region', id: 'region-map' }, el('tbody', {}, body), el('tfoot', {}, el('tr', {}, el('th', {}, shortPath(region.y.path) + ' \u2191', el('br'), shortPath(region.x.path) + ' \u2192'), region.x.values.map((x) => el('th', { scope: 'col' }, x))))));
}

function boundTable() {
  const across = region.x.path === 'lease.ttl' ? 0 : null;
  const valid = (iy) => region.x.values.findIndex((_, ix) => cellAt(ix, iy).found !== 'invalid');
  const rows = region.y.values.map((y, iy) => [y, valid(iy)]).filter(([, ix]) => ix >= 0).map(([y, ix]) => [y, cellAt(ix, region.y.values.indexOf(y)).bound]);
  return el('div', {}, fitting(el('table', { id: 'bound' }, el('thead', {}, el('tr', {}, [region.y.path, 'decision', '2 latency', 'skew', 'clean-up', 'TTL at least'].map((t, i) => el('th', { class: i ? 'n' : null }, t)))),
    el('tbody', {}, rows.map(([y, b]) => el('tr', {}, el('td', {}, y), [b.decision_s, b.latency_s, b.skew_s, b.cleanup_s, b.ttl_s].map((v) => el('td', { class: 'n', 'data-value': v === null ? '' : v }, v === null ? 'never' : duration(v)))))))),
    across === null ? el('p', { class: 'none' }, 'With ' + region.x.path + ' at ' + region.x.values[0] + '.') : '');
}

function lineSaid() {
  const known = region.cells.filter((c) => c.found !== 'invalid'), enough = known.filter((c) => c.long_enough).length;
  if (enough && enough < known.length) return 'beyond the thick line the TTL is long enough by the closed form';
  return 'by the closed form the TTL is long enough in ' + (enough ? 'each' : 'none');
}

// One seed a cell has no interval, so no cell is sure.
function differSaid(n) {
  const valid = region.cells.filter((c) => c.found !== 'invalid').length, isSure = region.seeds > 1;
  if (!n) return 'It says the same as the runs, in every cell' + (isSure ? ' of which they are sure.' : '; each is one run, and might be chance.');
  return 'It says otherwise than the runs in ' + n + ' of ' + valid + ' cells' + (isSure ? ', those of which the runs are sure.' : '; each is one run, and might be chance.');
}

function regionPage() {
  const count = {};
  for (const cell of region.cells) count[signOf(cell)] = (count[signOf(cell)] || 0) + 1;
  const differ = region.cells.filter((c) => c.differs);
  const state = { which: null };
  const choice = el('select', { id: 'region-show', onchange: () => { state.which = choice.value === '' ? null : Number(choice.value); redrawAll(); } }, el('option', { value: '' }, 'everything together'), region.required.map((q, i) => el('option', { value: i }, 'room of ' + q)));
  const replaysOf = region.cells.filter((c) => c.broken).slice(0, 5);
  return [navigation([['map', 'Map'], ['closed-form', 'The closed form']]),
    el('header', { class: 'top' }, el('h1', {}, region.scenario), el('p', { class: 'lead' }, 'Where does everything hold, over ' + region.x.path + ' and ' + region.y.path + '?'), el('ul', { class: 'chips' }, chip('', grouped(region.cells.length) + ' cells'), chip('', seedsEach(region.seeds)), chip('runs', grouped(region.runs)))),
    section('map', 'The safe region', 'Each cell by its sign; ' + lineSaid() + '.', el('div', { class: 'card' }, el('div', { class: 'controls' }, el('label', {}, 'show', choice)), box(() => regionMap(state.which)),
      el('ul', { class: 'legend', id: 'region-counts' }, Object.entries(cellSigns).filter(([sign]) => count[sign]).map(([sign, text]) => el('li', { 'data-sign': sign, 'data-n': count[sign] }, el('b', {}, sign), ' ' + text + ': ' + count[sign]))),
      el('p', { class: 'none' }, 'It has to hold: ' + region.required.join(', ') + ', and what the protocol promises.'),
      Object.entries(region.implied || {}).map(([path, expression]) => el('p', { class: 'none' }, path + ' follows: ' + expression)),
      replaysOf.length ? el('ul', {}, replaysOf.map((c) => el('li', { class: 'bad-text' }, region.x.path + '=' + c.x + ', ' + region.y.path + '=' + c.y + ', seed ' + c.broken.seed + ': ' + c.broken.promise))) : '')),
    section('closed-form', 'Against the closed form', 'TTL \u2265 decision + 2 latency + skew + clean-up, with p' + significant(100 * region.quantile) + ' of what is drawn (' + grouped(region.draws) + ' draws).', el('div', { class: 'card answer ' + (differ.length ? 'bad' : 'good') }, differSaid(differ.length)), el('p'), el('div', { class: 'card' }, boundTable())), footer()];
}
