// Pages of many runs: a sweep (curves, trade-off, heat map, safe region) and the survival table.

const sweepData = model.sweep || null;

const valueAt = (p, metric) => (p.figures[metric] ? p.figures[metric][0] : null);

// met: every threshold at both ends of its interval; missed: one at neither; else unsure.
const signs = { met: '\u2713 safe', missed: '\u2717 not safe', unsure: '? unsure', '': '' };
const classes = { met: 'good-text', missed: 'bad-text', unsure: 'warn-text', '': '' };

// Two fields across and down, the others as `held` says; colour and number say the same.
function heatMap(metric, across, down, held) {
  const known = sweepData.points.filter((p) => p.figures[metric]).sort((a, b) => valueAt(a, metric) - valueAt(b, metric));
  const [least, most] = [known[0], known[known.length - 1]], [low, high] = [valueAt(least, metric), valueAt(most, metric)];
  const tint = (share) => 'color-mix(in srgb, ' + colour('ignored') + ' ' + Math.round(8 + 72 * share) + '%, ' + colour('card') + ')';
  const ramp = el('span', { class: 'ramp', 'aria-hidden': 'true' });
  ramp.style.background = 'linear-gradient(to right, ' + tint(0) + ', ' + tint(1) + ')';
  const head = el('tr', {}, el('th', {}, down.split('.').pop() + ' \u2193  ' + across.split('.').pop() + ' \u2192'), valuesOfField(across).map((v) => el('th', { scope: 'col' }, v)));
  const body = valuesOfField(down).map((d) => el('tr', {}, el('th', { scope: 'row' }, d), valuesOfField(across).map((a) => {
    const p = sweepData.points.find((each) => each.fields[across] === a && each.fields[down] === d && Object.entries(held).every(([f, v]) => each.fields[f] === v));
    const value = p ? valueAt(p, metric) : null, isKnown = value !== null;
    const cell = el('td', isKnown ? { 'data-point': p.n, 'data-value': value } : {}, isKnown ? p.plain[metric] : '-', p && p.safety ? el('small', {}, signs[p.safety]) : '');
    if (isKnown) {
      cell.style.background = tint((value - low) / (high - low || 1));
      cell.style.color = colour('ink');
    }
    return cell;
  })));
  return el('div', {}, el('div', { class: 'scroll' }, el('table', { class: 'heat', id: 'heat' }, el('thead', {}, head), el('tbody', {}, body))),
    el('ul', { class: 'legend', id: 'heat-scale' }, el('li', { 'data-low': low, 'data-high': high }, least.plain[metric], ramp, most.plain[metric], ' ' + titleOf(metric))));
}

const valuesOfField = (f) => [...new Map(sweepData.points.map((p) => [p.fields[f], p.numbers[f]])).entries()].sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0)).map(([text]) => text);

function valueChoice(f, act) {
  const choice = el('select', { id: 'held-' + f, onchange: () => act(choice.value) }, valuesOfField(f).map((v) => el('option', { value: v }, v)));
  return choice;
}

function metricChoice(id, names, value, act) {
  const choice = el('select', { id, onchange: () => act(choice.value) }, names.map((n) => el('option', { value: n, selected: n === value, title: n }, titleOf(n))));
  return choice;
}

function sweepPage() {
  const { points, varying, free, across, choice, thresholds } = sweepData;
  const hasDoubles = 'double.commits' in sweepData.curves;
  const state = { x: 'supply.hidden_share', y: hasDoubles ? 'double.commits' : 'accepts.missed_rate', heat: 'supply.hidden_share', held: Object.fromEntries(free.slice(2).map((f) => [f, valuesOfField(f)[0]])) };
  const trade = () => (sweepData.trade_off[state.x + ' ' + state.y] ? picture('trade-off', sweepData.trade_off[state.x + ' ' + state.y]) : el('p', { class: 'none' }, 'Choose two figures.'));
  const axis = (label, id, which) => el('label', {}, label, metricChoice(id, choice, state[which], (v) => { state[which] = v; redrawAll(); }));
  const curves = el('div', { class: 'grid two' }, Object.entries(sweepData.curves).map(([m, drawings]) => el('div', { class: 'card' }, el('h3', {}, titled(m, heading(m))), box(() => picture('curve-' + m, drawings)))));
  const heldChoices = free.slice(2).map((f) => el('label', {}, f, valueChoice(f, (v) => { state.held[f] = v; redrawAll(); })));
  const heat = free.length >= 2 ? section('heat-map', 'Two fields at once', null, el('div', { class: 'card' }, el('div', { class: 'controls' }, el('label', {}, 'show', metricChoice('heat-metric', Object.keys(points[0].figures), state.heat, (v) => { state.heat = v; redrawAll(); })), heldChoices), box(() => heatMap(state.heat, free[0], free[1], state.held)))) : '';
  const columns = ['double.commits', 'supply.hidden_share', 'accepts.missed_rate', 'rides.match_rate', 'ttm.p95'];
  const table = el('table', { id: 'points' }, el('thead', {}, el('tr', {}, el('th', {}, '#'), varying.map((f) => el('th', {}, f)), columns.map((c) => el('th', { class: 'n' }, titled(c))), el('th', {}, thresholds.length ? 'thresholds' : ''))),
    el('tbody', {}, points.map((p) => el('tr', { 'data-point': p.n }, el('td', {}, String(p.n)), varying.map((f) => el('td', {}, p.fields[f])), columns.map((c) => el('td', { class: 'n', 'data-metric': c, 'data-value': valueAt(p, c) ?? '' }, p.texts[c] ?? '-')), el('td', { class: classes[p.safety] }, p.broken ? '\u2717 promise broken' : signs[p.safety])))));
  const safe = points.filter((p) => p.safety === 'met');
  const answer = !thresholds.length ? 'The scenario sets no thresholds, so no point is called safe.' : safe.length ? 'Safe, at both ends of every interval: ' + safe.map((p) => p.name).join('; ') + '.' : 'No point meets every threshold at both ends of its intervals.';
  return [navigation([['trade', 'Trade-off'], ['curves', 'Curves'], ...(heat ? [['heat-map', 'Heat map']] : []), ['region', 'Safe region']]),
    el('header', { class: 'top' }, el('h1', {}, sweepData.name), el('p', { class: 'lead' }, prose(sweepData.question)), el('ul', { class: 'chips' }, chip('', grouped(points.length) + ' points'), chip('', seedsEach(sweepData.seeds)), chip('from seed', sweepData.seed), varying.map((f) => chip('', f)))),
    section('trade', 'One harm against the other', 'Each point with its two 95 % intervals, over the same seeds.', el('div', { class: 'card' }, el('div', { class: 'controls' }, axis('across', 'trade-x', 'x'), axis('up', 'trade-y', 'y')), box(trade), keyList('trade-key', sweepData.trade_key, free.length ? el('li', {}, 'written beside a point: ' + across) : ''))),
    section('curves', 'Against ' + across, 'With 95 % bands over the seeds.', keyList('curve-key', sweepData.curve_key), curves), heat,
    section('region', 'The safe region', null, el('div', { class: 'card answer ' + (safe.length ? 'good' : thresholds.length ? 'bad' : '') }, answer, thresholds.length ? el('p', { class: 'none' }, 'Thresholds: ' + thresholds.map((b) => { const says = wordsOfBound({ metric: b.metric, bound: b.text }); return says.what + ' ' + says.asked; }).join('; ')) : ''), el('p'), el('div', { class: 'card' }, fitting(table))), footer()];
}

function survivalPage() {
  const rows = model.survival;
  const protocols = rows.length ? rows[0].cells.map((c) => c.protocol) : [];
  const shown = (outcome) => model.outcomes[outcome].sign + (outcome === 'untouched' ? '' : ' ' + outcome);
  const details = el('div', { class: 'card', id: 'cell', 'aria-live': 'polite' }, el('p', { class: 'none' }, 'Choose a cell: what was worse with the cause than without, and the commands that repeat it.'));
  const open = (row, cell) => {
    details.replaceChildren(el('h3', {}, row.incident + ' under ' + cell.protocol + ': ' + cell.verdict), el('p', {}, prose(row.cause)), el('p', { class: 'none' }, prose(row.source)),
      cell.worse.length ? fitting(el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'figure'), el('th', { class: 'n' }, 'with the cause'), el('th', { class: 'n' }, 'without'), el('th', { class: 'n' }, 'difference, 95 %'))), el('tbody', {}, cell.worse.map((d) => el('tr', {}, el('td', {}, titled(d.metric)), el('td', { class: 'n' }, d.with_cause_t), el('td', { class: 'n' }, d.without_t), el('td', { class: 'n' }, d.difference_t || '')))))) : el('p', {}, cell.verdict === 'untouched' ? 'The cause touches nothing here: every run is the same without it.' : 'Nothing was worse with the cause than without.'),
      cell.story ? el('p', {}, el('a', { href: cell.story, class: 'story' }, 'How it happened: the story of one harm, with its swim-lanes')) : '',
      cell.page ? el('p', {}, el('a', { href: cell.page, class: 'runs' }, 'The runs of this cell, with the cause and without, side by side')) : '',
      ...(cell.commands.length ? [el('p', {}, cell.page ? 'Made by:' : 'These show its runs side by side, with the cause and without:'), el('ol', { class: 'commands' }, cell.commands.map((c) => el('li', {}, el('code', {}, c))))] : []));
    details.dataset.of = row.incident + '/' + cell.protocol;
  };
  return [navigation([['table', 'Table'], ['cells', 'Cell']]), el('header', { class: 'top' }, el('h1', {}, 'Which protocol survives which incident'), el('p', { class: 'lead' }, 'Each incident with its cause and without, on the same seeds, under every protocol.'), el('ul', { class: 'chips' }, chip('', rows.length + (rows.length === 1 ? ' incident' : ' incidents')), chip('', protocols.length + ' protocols'), rows.length ? chip('runs a cell', rows[0].runs + ' with the cause, ' + rows[0].runs + ' without') : '')),
    section('table', 'The survival table', null, el('div', { class: 'card' }, fitting(el('table', { class: 'survival' }, el('thead', {}, el('tr', {}, el('th', {}), protocols.map((p) => el('th', { scope: 'col' }, p)))),
      el('tbody', {}, rows.map((r) => el('tr', {}, el('th', { scope: 'row', class: 'name', title: r.cause }, r.incident), r.cells.map((c) => el('td', { 'data-verdict': c.verdict }, el('button', { type: 'button', class: 'link ' + c.verdict, 'aria-label': r.incident + ' under ' + c.protocol + ': ' + c.verdict, onclick: () => open(r, c) }, shown(c.verdict)), c.page ? el('a', { href: c.page, class: 'runs', 'aria-label': 'the runs of ' + r.incident + ' under ' + c.protocol }, ' \u2197') : '')))),
        el('tr', {}, el('th', { scope: 'row', class: 'name' }, 'breaks in'), model.breaks_in.map((told) => el('td', { class: 'none' }, told)))))),
      el('ul', { class: 'legend' }, Object.entries(model.outcomes).filter(([verdict]) => rows.some((r) => r.cells.some((c) => c.verdict === verdict))).map(([verdict, { says }]) => el('li', {}, el('b', {}, shown(verdict)), says))))),
    section('cells', 'What a cell says', null, details), footer()];
}
