// The page of dibs explore: sliders whose place is run as one drags. What comes from the program is a
// line of JSON for each state of a point; figures are its texts.

const token = new URLSearchParams(location.search).get('token') || '';
const tab = Math.random().toString(36).slice(2);
const headlines = [['double.commits', 'on 2 trips'], ['supply.hidden_share', 'hidden'], ['accepts.missed_rate', 'missed'], ['rides.match_rate', 'matched'], ['ttm.p95', 'ttm p95']];
const tiles = [['rides.requested', 'rides asked for'], ['rides.match_rate', 'matched'], ['rides.abandon_rate', 'gave up'], ['rides.goodput', 'rides kept'], ['ttm.p50', 'time to match, p50'], ['ttm.p95', 'time to match, p95'],
  ['pickup.p95', 'time to pick-up, p95'], ['offers.per_match', 'offers a match'], ['accepts.missed_rate', 'accepts missed'], ['accepts.lost_rate', 'accepts lost'], ['accepts.late_rate', 'accepts late'], ['supply.utilisation', 'of drivers\u2019 time on trips']];
const onAxes = ['supply.hidden_share', 'double.commits', 'double.accepts', 'accepts.missed_rate', 'rides.match_rate', 'rides.abandon_rate', 'ttm.p95', 'supply.starved_share'];
const sliders = model.sliders;
const ownKey = sliders.map((s) => s.own).join('.');

// seen: what is known of each place; listed: where the sliders rested; moved: the slider moved last.
const state = { at: sliders.map((s) => s.own), shown: ownKey, seen: new Map(), listed: [ownKey], moved: 0, x: onAxes[0], y: null };
const keyOf = (at) => at.join('.');
const placeOf = (key) => key.split('.').map(Number);
const seenMax = 400;

// -- asking ----------------------------------------------------------------------------------------

// Who drags asks for the next place when the first figures of the last one are there, so that something
// is drawn on the way; but figures that take longer are given up for the place where the slider is now.
const patienceMs = 250;
let busy = null;
let waiting = 0;

const address = (path, key) => path + '?token=' + encodeURIComponent(token) + '&page=' + tab + '&at=' + key;

function want() {
  clearTimeout(waiting);
  const key = keyOf(state.at), known = state.seen.get(key);
  if (busy && busy.key === key) return;
  if (known) shown(key);
  else dim(true);
  const left = busy && !busy.hasFigures ? patienceMs - (performance.now() - busy.begun) : 0;
  if (left > 0 && !known) {
    waiting = setTimeout(want, left);
    return;
  }
  if (busy) busy.control.abort();
  busy = null;
  if (!known || (known.figures && !known.isAll)) ask(key);
}

async function ask(key) {
  const mine = { key, control: new AbortController(), begun: performance.now(), hasFigures: false };
  busy = mine;
  try {
    const answer = await fetch(address('/look', key), { signal: mine.control.signal, cache: 'no-store' });
    if (!answer.ok) throw new Error((await answer.text()).trim());
    lost('');
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + piece.value).split('\n');
      rest = lines.pop();
      const last = lines.filter((line) => line).pop();
      if (last) heard(mine, JSON.parse(last));
    }
  } catch (problem) {
    if (problem.name !== 'AbortError') lost(problem instanceof TypeError ? 'dibs does not answer any more. Start it again, and open the address that it prints.' : problem.message);
  }
  if (busy === mine) {
    busy = null;
    if (keyOf(state.at) !== key) want();
  }
}

function heard(from, point) {
  point.isAll = point.objection !== undefined || point.runs >= model.seeds;
  state.seen.delete(from.key);
  state.seen.set(from.key, point);
  for (const key of state.seen.keys()) {
    if (state.seen.size <= seenMax) break;
    if (!state.listed.includes(key)) state.seen.delete(key);
  }
  const isNew = !from.hasFigures;
  from.hasFigures = true;
  // On the way figures of the last place but one are better than none.
  if (busy === from) shown(from.key);
  if (isNew && keyOf(state.at) !== from.key) want();
}

// -- sliders ---------------------------------------------------------------------------------------

const controls = sliders.map((s, i) => {
  const id = 'slider-' + i;
  const input = el('input', { type: 'range', id, min: 0, max: s.stops.length - 1, step: 1, value: s.own, list: id + '-own', 'aria-describedby': id + '-is ' + id + '-no', oninput: () => moveTo(i, Number(input.value)) });
  const value = el('output', { for: id, id: id + '-value' });
  const no = el('p', { class: 'objection bad-text', id: id + '-no', role: 'alert', hidden: true });
  const idle = el('p', { class: 'objection none', id: id + '-idle', hidden: true });
  const is = el('p', { class: 'is none', id: id + '-is', hidden: true }, prose(s.is));
  const ask = el('button', { type: 'button', class: 'ask', 'aria-label': 'what ' + s.path + ' is', 'aria-expanded': 'false', 'aria-controls': is.id, onclick: () => { is.hidden = !is.hidden; ask.setAttribute('aria-expanded', String(!is.hidden)); } }, '?');
  const box = el('div', { class: 'slider', 'data-path': s.path }, el('div', { class: 'head' }, el('span', {}, el('label', { for: id }, el('code', {}, s.path)), ' ', ask), value), input,
    el('datalist', { id: id + '-own' }, el('option', { value: s.own })),
    el('div', { class: 'ends', 'aria-hidden': 'true' }, el('span', {}, s.stops[0]), el('span', {}, s.stops[s.stops.length - 1])), no, idle, is);
  return { input, value, no, idle, box };
});

let inputAt = 0;
function moveTo(i, stop) {
  inputAt = performance.now();
  state.at[i] = stop;
  state.moved = i;
  placed();
  want();
  rest();
}

function goTo(key) {
  const at = placeOf(key), moved = at.findIndex((stop, i) => stop !== state.at[i]);
  inputAt = performance.now();
  state.moved = moved < 0 ? state.moved : moved;
  state.at = at;
  placed();
  want();
  rest();
}

// Puts the controls where the state is.
function placed() {
  controls.forEach((c, i) => {
    const s = sliders[i], stop = state.at[i], isOwn = stop === s.own;
    c.input.value = stop;
    c.input.setAttribute('aria-valuetext', s.stops[stop] + (isOwn ? ', as in the scenario' : ''));
    c.value.replaceChildren(s.stops[stop], isOwn ? '' : el('small', {}, ' was ' + s.stops[s.own]));
    c.box.classList.toggle('moved', !isOwn);
  });
  $('back').disabled = keyOf(state.at) === ownKey;
  history.replaceState(null, '', location.pathname + location.search + '#' + keyOf(state.at));
}

function objected(point) {
  const of = point && point.objection !== undefined ? point.slider ?? state.moved : -1;
  controls.forEach((c, i) => {
    c.no.hidden = i !== of;
    c.no.textContent = i === of ? point.objection : '';
    c.input.setAttribute('aria-invalid', String(i === of));
    const why = point && point.idle ? point.idle[i] : null;
    c.idle.hidden = !why;
    c.idle.replaceChildren(...(why ? ['Changes nothing here: ', prose(why)].flat() : []));
  });
}

// Where a slider rests for a while, the point is one that was looked at.
let resting = 0;
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const key = keyOf(state.at), point = state.seen.get(key);
    if (!point) rest();
    else if (point.figures && !state.listed.includes(key)) {
      state.listed.push(key);
      state.seen.set(key, point);
      drawPoints();
    }
    if (point && point.figures) say(key, point);
  }, 700);
}

// For who does not see the figures change.
function say(key, point) {
  $('said').textContent = labelOf(key) + ': ' + headlines.filter(([name]) => point.figures[name]).map(([name]) => titleOf(name) + ' ' + point.figures[name].t).join(', ') + '.';
}

// -- figures ---------------------------------------------------------------------------------------

const labelOf = (key) => placeOf(key).map((stop, i) => (stop === sliders[i].own ? '' : sliders[i].path + '=' + sliders[i].stops[stop])).filter((part) => part).join(', ') || 'the scenario as it is';

const textOf = (point, name) => (point.figures[name] ? point.figures[name].t : '-');
const valueIn = (point, name, tag = 'span') => el(tag, { 'data-figure': name, 'data-value': point.figures[name] ? point.figures[name].v : '' }, textOf(point, name));

// Whether a figure is better or worse than the scenario's own: where their intervals lie apart.
function comparedTo(own, point, name) {
  const a = own && own.figures && own.figures[name], b = point.figures[name], better = (entryOf(name) || {}).better;
  if (!a || !b || a === b) return '';
  const isApart = point.runs > 1 && (b.low > a.high || b.high < a.low);
  const isBetter = (b.v > a.v) === (better === 'more');
  return el('small', { class: !isApart || !better ? 'none' : isBetter ? 'good-text' : 'bad-text' }, (isApart && better ? (isBetter ? '\u25b2 better, ' : '\u25bc worse, ') : '') + 'was ' + a.t.replace(/ \u00b1.*?(?=$| %| s$)/, ''));
}

function strip(point) {
  const own = state.seen.get(ownKey);
  return headlines.map(([name, short]) => el('div', { class: 'headline' }, el('div', { class: 'l' }, titled(name, short)), valueIn(point, name, 'div'), point === own ? el('small', { class: 'none' }, 'the scenario') : comparedTo(own, point, name)));
}

function doubles(point) {
  const rows = point.levels.map(({ label, seen, rate }) => el('tr', {}, el('td', {}, titled(seen, label)), el('td', { class: 'n ' + (point.figures[seen] && point.figures[seen].v > 0 ? 'bad-text' : 'none') }, valueIn(point, seen)), el('td', { class: 'n none' }, rate)));
  return el('div', { class: 'card' }, el('h3', {}, 'Double assignment: ' + (model.protocol === 'none' ? 'no lease forbids it' : 'the lease was too weak')),
    el('table', { id: 'levels' }, el('thead', {}, el('tr', {}, el('th', {}, 'level'), el('th', { class: 'n' }, 'seen, a run'), el('th', { class: 'n' }, 'per 1,000'))), el('tbody', {}, rows)),
    point.levels.some((l) => l.rate.endsWith('*')) ? el('p', { class: 'none' }, '* none seen: at most this, at 99.9 %.') : '');
}

function hiding(point) {
  const bar = el('div', { class: 'causes', 'aria-hidden': 'true' });
  const list = el('ul', { class: 'legend' });
  for (const { name, v, t } of point.causes) {
    const part = el('span', {}), key = el('i', {});
    part.style.flexGrow = v;
    part.style.background = key.style.background = 'var(--' + name + ')';
    bar.append(part);
    list.append(el('li', {}, key, wordOf(name), ' ', el('b', {}, t)));
  }
  return el('div', { class: 'card' }, el('h3', {}, 'Supply hiding: ' + (model.protocol === 'none' ? 'no lease to hide anyone' : 'the lease was too strong')),
    el('div', { class: 'big' }, valueIn(point, 'supply.hidden_share'), el('small', {}, ' of the drivers\u2019 time on line was hidden for nothing')), point.causes.length ? [bar, list] : '',
    el('p', { class: 'note' }, el('b', {}, valueIn(point, 'supply.starved_share')), ' of the riders\u2019 waiting was blocked: nobody free near them, and a driver near them held for nothing.'));
}

function service(point) {
  return el('div', { class: 'card whole' }, el('h3', {}, 'Service'), el('div', { class: 'tiles' }, tiles.filter(([name]) => point.figures[name] && (name !== 'pickup.p95' || point.figures[name].v > 0)).map(([name, label]) => el('div', { class: 'tile' }, el('div', { class: 'n' }, valueIn(point, name)), el('div', { class: 'l' }, titled(name, label))))));
}

function bounds(point) {
  const p = point.promises, kept = p.judged - p.broken.length;
  return el('div', { class: 'card whole' }, el('h3', {}, 'Promises and bounds'),
    el('p', { class: p.broken.length ? 'bad-text' : 'good-text', id: 'promises' }, (p.broken.length ? '\u2717 ' : '\u2713 ') + kept + ' of ' + p.judged + ' promises of ' + p.protocol + ' kept' + (p.broken.length ? '; broken: ' + p.broken.join(', ') : '')),
    point.stuck ? el('p', { class: 'bad-text' }, point.stuck + ' of ' + point.runs + ' runs got nowhere and were ended.') : '',
    point.bounds.length ? el('table', {}, el('tbody', {}, point.bounds.map((b) => el('tr', {}, el('td', {}, el('span', { class: b.met ? 'good-text' : 'bad-text' }, b.met ? '\u2713 met' : '\u2717 missed')), el('td', {}, titled(b.metric)), el('td', { class: 'n' }, b.found), el('td', { class: 'n none' }, b.asked))))) : el('p', { class: 'none' }, 'The scenario sets no bounds.'));
}

function dim(isOld) {
  for (const part of ['strip', 'verdict', 'cards']) $(part).classList.toggle('old', isOld);
  if (isOld) $('of').textContent = 'running ' + labelOf(keyOf(state.at));
}

let drawing = 0;
function shown(key) {
  state.shown = key;
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
}

function draw() {
  const key = state.shown, point = state.seen.get(key), isHere = key === keyOf(state.at);
  if (isHere) objected(point);
  if (!point.figures) {
    dim(true);
    $('of').textContent = 'There is nothing to run here: see the slider.';
    return;
  }
  dim(!isHere);
  $('page').dataset.at = key;
  $('page').dataset.runs = point.runs;
  if (isHere) $('of').textContent = 'Figures of ' + labelOf(key) + ', ' + (point.isAll ? grouped(point.runs) : point.runs + ' of ' + grouped(model.seeds)) + (point.runs === 1 ? ' run' : ' runs') + (point.runs > 1 ? ', with 95 % intervals' : '');
  $('progress').value = isHere ? point.runs : 0;
  if (state.y === null) state.y = point.figures['double.commits'] && point.figures['double.commits'].v > 0 ? 'double.commits' : 'accepts.missed_rate';
  $('verdict').textContent = point.verdict;
  $('strip').replaceChildren(...strip(point));
  $('cards').replaceChildren(doubles(point), hiding(point), service(point), bounds(point));
  $('command').textContent = point.command;
  $('download').href = address('/scenario.yaml', key);
  drawPoints();
  if (isHere && inputAt) {
    $('page').dataset.latency = String(Math.round(performance.now() - inputAt));
    inputAt = 0;
  }
}

// -- points ----------------------------------------------------------------------------------------

// Along the slider moved last, through where the others are now.
function alongOf(key) {
  const at = placeOf(key);
  return at.every((stop, i) => i === state.moved || stop === state.at[i]) ? at[state.moved] : null;
}

function drawPoints() {
  const points = [...state.seen].filter(([, point]) => point.figures).map(([key, point]) => ({ key, figures: point.figures, runs: point.runs, along: alongOf(key), listed: state.listed.includes(key), current: key === state.shown,
    short: sliders[state.moved].stops[placeOf(key)[state.moved]], label: labelOf(key) + ': ' + titleOf(state.x) + ' ' + textOf(point, state.x) + ', ' + titleOf(state.y) + ' ' + textOf(point, state.y) }));
  for (const axis of ['x', 'y']) $('axis-' + axis).value = state[axis];
  $('chart').replaceChildren(tradeOffChart(points, state, Math.max($('chart').clientWidth, 280), goTo));
  $('listed').replaceChildren(pointTable());
  for (const fit of fits) fit();
  keep();
}

// The table becomes a list of its rows where it is too wide.
let fits = [];
function pointTable() {
  const varied = sliders.map((_, i) => i).filter((i) => state.listed.some((key) => placeOf(key)[i] !== sliders[i].own));
  const heads = ['', ...varied.map((i) => sliders[i].path), ...headlines.map(([, short]) => short), 'runs', ''];
  const row = (key) => {
    const point = state.seen.get(key), isOwn = key === ownKey, isHere = key === keyOf(state.at);
    const words = varied.length && !isOwn ? labelOf(key) : 'the scenario';
    const cells = [el('td', {}, el('button', { type: 'button', class: 'link', 'data-go': key, 'aria-current': isHere ? 'true' : null, 'aria-label': 'go to ' + words, onclick: () => goTo(key) }, isHere ? 'here' : 'go to')),
      ...varied.map((i) => el('td', { class: 'n' + (placeOf(key)[i] === sliders[i].own ? ' none' : '') }, sliders[i].stops[placeOf(key)[i]])),
      ...headlines.map(([name]) => el('td', { class: 'n' }, point ? textOf(point, name) : '\u2026')), el('td', { class: 'n none' }, point ? grouped(point.runs) : ''),
      el('td', { class: 'n' }, isOwn ? '' : el('button', { type: 'button', class: 'link', 'aria-label': 'remove ' + words, onclick: () => { state.listed = state.listed.filter((k) => k !== key); drawPoints(); } }, 'remove'))];
    cells.forEach((cell, i) => { cell.dataset.head = heads[i]; });
    return el('tr', { 'data-key': key, class: isHere ? 'here' : null }, cells);
  };
  const table = el('table', { id: 'points-table' }, el('thead', {}, el('tr', {}, heads.map((h, i) => el('th', { class: i ? 'n' : null, scope: 'col' }, h)))), el('tbody', {}, state.listed.map(row)));
  const holder = el('div', { class: 'scroll fits' }, table);
  fits = [() => { table.classList.remove('listed'); table.classList.toggle('listed', holder.scrollWidth > holder.clientWidth); }];
  return holder;
}

// What a reload brings back.
const kept = 'dibs explore ' + token;
function keep() {
  try {
    sessionStorage.setItem(kept, JSON.stringify(state.listed.map((key) => [key, state.seen.get(key)])));
  } catch {
    // Without room for it the list is there until the page is left.
  }
}
function bringBack() {
  for (const [key, point] of JSON.parse(sessionStorage.getItem(kept) || '[]')) {
    if (!state.listed.includes(key)) state.listed.push(key);
    if (point) state.seen.set(key, point);
  }
  const at = placeOf(location.hash.slice(1));
  if (at.length === sliders.length && at.every((stop, i) => Number.isInteger(stop) && stop >= 0 && stop < sliders[i].stops.length)) state.at = at;
}

// -- the page --------------------------------------------------------------------------------------

function lost(why) {
  $('lost').hidden = !why;
  $('lost').textContent = why;
}

async function copy() {
  try {
    await navigator.clipboard.writeText($('command').textContent);
    $('copied').textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren($('command'));
    $('copied').textContent = 'Selected: copy it with the keyboard.';
  }
  setTimeout(() => { $('copied').textContent = ''; }, 3000);
}

async function showFile() {
  const pre = $('file');
  if (pre.hidden) {
    const answer = await fetch($('download').href).catch(() => null);
    if (!answer || !answer.ok) return;
    pre.textContent = await answer.text();
  }
  pre.hidden = !pre.hidden;
  $('show').setAttribute('aria-expanded', String(!pre.hidden));
  $('show').textContent = pre.hidden ? 'Show it' : 'Hide it';
}

function axisChoice(axis) {
  const choice = el('select', { id: 'axis-' + axis, onchange: () => { state[axis] = choice.value; drawPoints(); } }, onAxes.map((name) => el('option', { value: name }, heading(name))));
  return el('label', {}, axis === 'x' ? 'across' : 'up', choice);
}

function build() {
  const chip = (name, value) => el('li', {}, name ? name + ' ' : '', el('b', {}, value));
  add($('page'),
    el('header', { class: 'top live' }, el('div', {}, el('h1', {}, model.name), model.question ? el('p', { class: 'lead' }, prose(model.question)) : '', el('ul', { class: 'chips' }, chip('', model.protocol), chip('', seedsEach(model.seeds)), chip('from seed', String(model.seed)), chip('', model.file))), themeButton()),
    el('p', { id: 'lost', class: 'answer bad card', role: 'alert', hidden: true }), el('p', { id: 'said', class: 'unseen', role: 'status' }),
    el('div', { class: 'bench' },
      el('section', { id: 'sliders', 'aria-label': 'sliders' }, el('div', { class: 'card' }, controls.map((c) => c.box), el('button', { type: 'button', id: 'back', onclick: () => goTo(ownKey) }, 'Back to the scenario'))),
      el('div', { id: 'right' }, el('div', { id: 'strip' }), el('progress', { id: 'progress', max: model.seeds, value: 0, 'aria-label': 'runs of this point' }), el('p', { id: 'of', class: 'none' }),
        el('p', { id: 'verdict', class: 'answer card' }),
        el('section', { id: 'trade-off', class: 'card', 'aria-labelledby': 'trade-off-title' }, el('div', { class: 'controls' }, el('h2', { id: 'trade-off-title' }, 'The trade-off'), axisChoice('y'), axisChoice('x')), el('div', { id: 'chart' }),
          el('p', { class: 'none' }, 'A mark for each point that was run; the line goes through those that differ in the slider moved last alone. A click on a mark goes there.')),
        el('div', { id: 'cards', class: 'grid two' }))),
    section('points', 'Points looked at', 'Where the sliders rested. All run on the same seeds.', el('div', { class: 'card', id: 'listed' })),
    section('take', 'Take it with you', 'The command gives the same figures, to the last digit.', el('div', { class: 'card' }, el('p', {}, el('code', { id: 'command' })), el('div', { class: 'controls' }, el('button', { type: 'button', id: 'copy', onclick: copy }, 'Copy the command'), el('span', { id: 'copied', class: 'none', role: 'status' })),
      el('div', { class: 'controls' }, el('a', { class: 'button', id: 'download', download: model.name + '-explored.yaml' }, 'Download the scenario'), el('button', { type: 'button', id: 'show', 'aria-expanded': 'false', 'aria-controls': 'file', onclick: showFile }, 'Show it')), el('pre', { id: 'file', hidden: true, tabindex: '0' }))),
    el('footer', {}, el('p', {}, 'Served by dibs ' + model.dibs + ' from this machine; it asks nothing of the network. Ctrl-C where it was started ends it.')));
  bringBack();
  widthBefore = innerWidth;
  drawn(() => { if (state.seen.get(state.shown) && state.y) drawPoints(); });
  pageIsThere = true;
  placed();
  want();
  $('page').dataset.ready = 'yes';
}

build();
