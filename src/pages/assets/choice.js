// Pages of a choice: the best value of some fields (`dibs tune`), and where everything holds over two
// of them, beside the closed form (`dibs region`).

const tuning = model.tuning || null;
const region = model.region || null;

const standingSigns = { best: '\u2605 ', better: '\u2713 ', 'as good': '\u2713 ', open: '? ', worse: '\u25bd ', unusable: '\u2717 ' };
const standingClasses = { best: 'good-text', better: 'good-text', 'as good': 'good-text', open: 'warn-text', worse: 'none', unusable: 'bad-text' };
const valuesOf = (row) => Object.entries(row.values).map(([path, value]) => path.split('.').pop() + ' ' + value).join(', ');
const textOf = (f) => (f ? f.t : '-');
const measured = (f, attributes) => el('td', { class: 'n', 'data-value': f ? f.value : '', 'data-half': f ? f.half_width_95 : '', ...attributes }, textOf(f));

// The objective that is minimised unless another is asked for, in words.
function objectiveTitle() {
  const usual = /^\((.+)s \* accepts\.missed \+ supply\.hidden_s\) \/ rides\.requested$/.exec(tuning.objective);
  return usual ? 'time hidden for a ride, a missed accept counting ' + duration(Number(usual[1])) : titleOf(tuning.objective);
}
const capital = (text) => text[0].toUpperCase() + text.slice(1);

// The same picture of all values, and of those near the best where the others dwarf them.
const cardsOf = (id, charts) => charts.map((chart, i) => el('div', { class: 'card' }, chart.title ? el('h3', {}, chart.title) : '', box(() => picture(id + (i ? '-near' : ''), chart.svg)), keyList(null, chart.key)));

function tuningAnswer() {
  const best = Object.entries(tuning.best).map(([path, value]) => path + ' = ' + value).join(', ');
  const said = [];
  if (best) said.push((tuning.answer === 'found' ? 'Best: ' : 'Best of what was tried: ') + best + '.');
  if (tuning.why) said.push(tuning.why[0].toUpperCase() + tuning.why.slice(1) + (tuning.why.endsWith('.') ? '' : '.'));
  for (const [path, [low, high]] of Object.entries(tuning.interval_95 || {})) said.push('The best ' + path + ' lies between ' + low + ' and ' + high + ', at 95 %.');
  if (tuning.within_delta) said.push('No value from ' + tuning.within_delta[0] + ' to ' + tuning.within_delta[1] + ' is worse than the best by more than ' + tuning.texts.told_delta + '.');
  if (tuning.as_good) said.push('Not worse than the best by more than ' + tuning.texts.told_delta + ': ' + tuning.as_good.map((values) => Object.entries(values).map(([path, value]) => path + ' = ' + value).join(', ')).join('; ') + '.');
  for (const note of tuning.notes || []) said.push('Note: ' + note + '.');
  if (tuning.safety) said.push('Safety: ' + tuning.safety + '.');
  const today = tuning.rows.find((r) => r.today && r.standing !== 'best');
  if (today && today.why) said.push('Today\u2019s ' + valuesOf(today) + ' is out: ' + today.why + '.');
  else if (today && today.regret) said.push('Today\u2019s ' + valuesOf(today) + ' is ' + (today.regret.value < 0 ? 'better' : 'worse') + ' by ' + today.regret.apart_t + '.');
  return said;
}

// What the figures rest on, as the terminal tells it.
function howSure() {
  const varies = (tuning.common_seeds || []).map((n) => n.variance_reduction).filter((v) => v !== null);
  return [tuning.broken ? el('li', { class: 'bad-text' }, 'A promise was broken at ' + Object.values(tuning.broken.values).join(', ') + ', seed ' + tuning.broken.seed + ': ' + tuning.broken.promise) : el('li', {}, 'The protocol\u2019s promises were kept in all ' + grouped(tuning.runs.screening + tuning.runs.selection + tuning.runs.refinement + tuning.runs.fresh) + ' runs: ' + grouped(tuning.runs.screening) + ' to screen, ' + grouped(tuning.runs.selection) + ' to select, ' + grouped(tuning.runs.refinement) + ' to refine, ' + grouped(tuning.runs.fresh) + ' on fresh seeds.'),
    !tuning.selection_seeds ? '' : el('li', {}, (!tuning.selection_ended ? 'The budget ended the selection among ' : tuning.chosen_of_grid ? Object.entries(tuning.chosen_of_grid).map(([path, value]) => path + ' = ' + value).join(', ') + ' was chosen among ' : 'Chosen among ') + grouped(tuning.selected_among) + ' on ' + grouped(tuning.selection_seeds) + ' seeds' + (tuning.selection_ended ? '.' : ' before one was left.')),
    varies.length ? el('li', {}, 'On common seeds a difference between neighbours varies ' + significant(Math.min(...varies), 2) + ' to ' + significant(Math.max(...varies), 2) + ' times less than on separate ones.') : ''];
}

function rowsTable(id, rows) {
  const shownOf = tuning.shown || Object.keys(rows[0] ? rows[0].metrics : {});
  return fitting(el('table', { id }, el('thead', {}, el('tr', {}, el('th', {}, 'value'), el('th', {}, 'is'), el('th', { class: 'n' }, objectiveTitle()), el('th', { class: 'n' }, 'worse than the best by'), shownOf.map((m) => el('th', { class: 'n' }, titled(m))), el('th', { class: 'n' }, 'seeds'))),
    el('tbody', {}, rows.map((r) => el('tr', { 'data-standing': r.standing }, el('td', { class: 'value' }, valuesOf(r), r.today ? el('small', {}, ' today') : ''), el('td', { class: 'value ' + standingClasses[r.standing] }, (standingSigns[r.standing] || '') + r.word, r.why ? el('small', { class: 'none' }, ' ' + r.why) : ''),
      measured(r.objective, { 'data-of': 'objective' }), el('td', { class: 'n', 'data-of': 'regret', 'data-value': r.regret ? r.regret.value : '', 'data-half': r.regret ? r.regret.half_width_95 : '' }, textOf(r.regret)), shownOf.map((m) => measured(r.metrics[m], { 'data-of': m })), el('td', { class: 'n' }, String(r.seeds)))))));
}

function boundsOfChoice() {
  const rows = [...tuning.thresholds.map((t) => [t.met ? '\u2713 met' : '\u2717 missed', t.met, titled(t.metric, titleOf(t.metric) + ' ' + t.bound), textOf(t.found)]),
    ...tuning.constraints.map((c) => [c.room.value >= 0 ? '\u2713 met' : '\u2717 missed', c.room.value >= 0, el('code', {}, c.condition), 'room ' + c.room.t + ', at least ' + c.at_least_t + ' at 95 %'])];
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
      el('tbody', {}, tuning.trade_off.map((e) => el('tr', {}, el('td', {}, weighsFrom(e)), el('td', {}, Object.values(e.values).join(', ')), measured(e.missed_per_ride, {}), measured(e.hidden_s_per_ride, {}))))))));
}

function tuningPage() {
  const paths = Object.keys(tuning.rows[0] ? tuning.rows[0].values : {});
  const { objective, front } = tuning.charts, one = objective.length > 0;
  const sure = tuning.answer === 'found';
  return [navigation([['answer', 'Answer'], ...(one ? [['curve', 'Curve']] : []), ['front', 'Trade-off'], ['values', 'Values']]),
    el('header', { class: 'top' }, el('h1', {}, tuning.scenario), el('p', { class: 'lead' }, 'Which ' + paths.join(', ') + (tuning.more_is_better ? ' makes the ' : ' keeps the ') + objectiveTitle() + (tuning.more_is_better ? ' largest?' : ' smallest?'), objectiveTitle() === tuning.objective ? '' : [' ', el('code', {}, tuning.objective)]),
      el('ul', { class: 'chips' }, chip('', tuning.answer), chip('runs', grouped(tuning.runs.all)), chip('of them on fresh seeds', grouped(tuning.runs.fresh)), chip('from seed', String(tuning.seed)), chip('delta', tuning.texts.delta), chip('may err with', tuning.texts.alpha))),
    section('answer', 'The answer', null, el('div', { class: 'card answer ' + (sure ? 'good' : 'bad') }, el('ul', {}, tuningAnswer().map((t) => el('li', {}, t)))), el('div', { class: 'card', id: 'how-sure' }, el('h3', {}, 'How sure'), el('ul', {}, howSure())), boundsOfChoice()),
    one ? section('curve', capital(objectiveTitle()) + ' against ' + paths[0], 'Measured on fresh seeds, on which nothing was chosen; with the 95 % band. Shaded: not worse than the best by more than ' + tuning.texts.told_delta + '.', cardsOf('objective', objective)) : '',
    section('front', 'One harm against the other', 'Each value with its two 95 % intervals. The line joins those that no other value beats in both harms.', front.length ? cardsOf('tuning-front', front) : el('p', { class: 'none' }, 'No value has both.')),
    exchangeTable(), section('values', 'Every value', null, el('div', { class: 'card' }, rowsTable('values-table', tuning.rows))),
    tuning.holdout ? section('holdout', 'The same values on ' + tuning.holdout.scenario, 'Demand on which nothing was chosen.', el('div', { class: 'card' }, rowsTable('holdout-table', tuning.holdout.rows))) : '', footer()];
}

// -- region ----------------------------------------------------------------------------------------

const cellAt = (ix, iy) => region.cells[iy * region.x.values.length + ix];
const tintOf = (cell) => ({ '#': 'good', '+': 'converting', '!': 'bad', '.': 'warn', '?': 'card', X: 'bad', S: 'warn', '-': 'faint' })[cell.sign];

const shortPath = (path) => path.split('.').slice(-2).join('.');

// Rows from the top down in falling order, so that more is up; the thick line is the closed form's.
function regionMap(which) {
  const ys = region.y.values.map((_, i) => region.y.values.length - 1 - i);
  const rooms = region.cells.map((c) => c.room[which]).filter((v) => v !== null && v !== undefined).map(Math.abs);
  const most = Math.max(...rooms, 1e-12);
  const body = ys.map((iy) => el('tr', {}, el('th', { scope: 'row' }, region.y.values[iy]), region.x.values.map((x, ix) => {
    const cell = cellAt(ix, iy), sign = cell.sign, room = which === null ? null : cell.room[which];
    const text = which === null ? '' : cell.room_t[which];
    const td = el('td', { 'data-cell': ix + ',' + iy, 'data-sign': sign, 'data-verdict': cell.verdict, 'data-half': which === null ? '' : cell.half[which] ?? '', 'data-room': room === null || room === undefined ? '' : room, title: region.x.path + ' ' + x + ', ' + region.y.path + ' ' + region.y.values[iy] + ': ' + region.signs[sign] + (sign === '?' ? '; in these runs ' + (cell.found === 'holds' ? 'all holds' : 'something is missed') : '') }, el('b', {}, sign), text ? el('small', {}, text) : '');
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
  for (const cell of region.cells) count[cell.sign] = (count[cell.sign] || 0) + 1;
  const differ = region.cells.filter((c) => c.differs);
  const state = { which: null };
  const choice = el('select', { id: 'region-show', onchange: () => { state.which = choice.value === '' ? null : Number(choice.value); redrawAll(); } }, el('option', { value: '' }, 'everything together'), region.required.map((q, i) => el('option', { value: i }, 'room of ' + q)));
  const replaysOf = region.cells.filter((c) => c.broken).slice(0, 5);
  return [navigation([['map', 'Map'], ['closed-form', 'The closed form']]),
    el('header', { class: 'top' }, el('h1', {}, region.scenario), el('p', { class: 'lead' }, 'Where does everything hold, over ' + region.x.path + ' and ' + region.y.path + '?'), el('ul', { class: 'chips' }, chip('', grouped(region.cells.length) + ' cells'), chip('', seedsEach(region.seeds)), chip('runs', grouped(region.runs)))),
    section('map', 'The safe region', 'Each cell by its sign; ' + lineSaid() + '.', el('div', { class: 'card' }, el('div', { class: 'controls' }, el('label', {}, 'show', choice)), box(() => regionMap(state.which)),
      el('ul', { class: 'legend', id: 'region-counts' }, Object.entries(region.signs).filter(([sign]) => count[sign]).map(([sign, text]) => el('li', { 'data-sign': sign, 'data-n': count[sign] }, el('b', {}, sign), ' ' + text + ': ' + count[sign]))),
      el('p', { class: 'none' }, 'It has to hold: ' + region.required.join(', ') + ', and what the protocol promises.'),
      Object.entries(region.implied || {}).map(([path, expression]) => el('p', { class: 'none' }, path + ' follows: ' + expression)),
      replaysOf.length ? el('ul', {}, replaysOf.map((c) => el('li', { class: 'bad-text' }, region.x.path + '=' + c.x + ', ' + region.y.path + '=' + c.y + ', seed ' + c.broken.seed + ': ' + c.broken.promise))) : '')),
    section('closed-form', 'Against the closed form', 'TTL \u2265 decision + 2 latency + skew + clean-up, with p' + significant(100 * region.quantile) + ' of what is drawn (' + grouped(region.draws) + ' draws).', el('div', { class: 'card answer ' + (differ.length ? 'bad' : 'good') }, differSaid(differ.length)), el('p'), el('div', { class: 'card' }, boundTable())), footer()];
}
