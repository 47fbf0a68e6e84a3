// The page of several runs: the two harms and the service level side by side, each with its interval
// and with what differs from the first run.

const besides = model.runs || [];
const letterOf = (i) => String.fromCharCode(65 + (i % 26));

const compared = [
  ['Double assignment: the lease was too weak', ['double.offers', 'double.accepts', 'double.commits', 'double.commits_per_million', 'double.rides', 'confirms.stale_accepted', 'promises.broken', 'promises.broken_rate']],
  ['Supply hiding: the lease was too strong', ['supply.hidden_share', 'supply.starved_share', 'supply.utilisation', 'leases.conversion']],
  ['Service', ['rides.match_rate', 'rides.goodput', 'rides.abandon_rate', 'ttm.p50', 'ttm.p95', 'pickup.p95', 'offers.per_match', 'accepts.missed_rate', 'accepts.lost_rate']],
];
const wantsMore = new Set(['rides.match_rate', 'rides.goodput', 'supply.utilisation', 'leases.conversion']);

const valueIn = (run, name) => run.metrics.metrics[name] ?? null;
const halfIn = (run, name) => ((run.metrics.intervals_95 || {})[name] || {}).half_width ?? '';

function verdictOn(name, d) {
  if (d.finding !== 'changed') return d.finding;
  return (d.mean > 0) === wantsMore.has(name) ? '\u25b2 better' : '\u25bc worse';
}

function differenceCell(i, name, judged) {
  const d = besides[i].differences[name];
  if (!d) return el('td', { class: 'n none' }, '-');
  const said = judged ? verdictOn(name, d) : d.finding;
  const kind = said.endsWith('better') ? 'good-text' : said.endsWith('worse') ? 'bad-text' : 'none';
  return el('td', { class: 'n', 'data-run': i, 'data-difference': name, 'data-mean': d.mean, 'data-half': d.half === null ? '' : d.half }, d.t, said ? el('small', { class: kind }, ' ' + said) : '');
}

function figureCell(i, name) {
  return el('td', { class: 'n', 'data-run': i, 'data-figure': name, 'data-value': valueIn(besides[i], name) ?? '', 'data-half': halfIn(besides[i], name) }, besides[i].texts[name] ?? '-');
}

function sideBySide(names, judged, id) {
  const head = el('tr', {}, el('th', {}, ''), besides.map((_, i) => [el('th', { class: 'n' }, letterOf(i)), i ? el('th', { class: 'n' }, letterOf(i) + ' \u2212 A') : '']).flat());
  return fitting(el('table', { class: 'beside', id }, el('thead', {}, head), el('tbody', {}, names.map((name) => el('tr', { 'data-name': name }, el('td', {}, titled(name), judged ? '' : [el('br'), el('code', { class: 'none' }, name)]), besides.map((_, i) => [figureCell(i, name), i ? differenceCell(i, name, judged) : '']).flat())))));
}

function runList() {
  const row = (run, i) => {
    const m = run.metrics, judged = m.promises.judged, kept = judged.filter((p) => p.kept).length;
    const met = m.thresholds.filter((t) => t.met).length;
    return el('tr', {}, el('th', { scope: 'row' }, letterOf(i)), el('td', {}, run.page ? el('a', { href: run.page }, run.directory) : el('span', {}, run.directory, el('br'), el('code', { 'data-makes': i }, run.make_page))), el('td', {}, m.scenario), el('td', {}, m.promises.protocol), el('td', { class: 'n' }, String(m.runs_counted)), el('td', { class: 'n' }, String(m.seed)),
      el('td', { class: kept === judged.length ? 'good-text' : 'bad-text' }, (kept === judged.length ? '\u2713 ' : '\u2717 ') + kept + ' of ' + judged.length + ' kept'),
      el('td', { class: met === m.thresholds.length ? 'good-text' : 'bad-text' }, m.thresholds.length ? (met === m.thresholds.length ? '\u2713 ' : '\u2717 ') + met + ' of ' + m.thresholds.length + ' met' : ''));
  };
  return el('div', { class: 'card' }, fitting(el('table', { id: 'runs-table' }, el('thead', {}, el('tr', {}, ['', 'run', 'scenario', 'protocol', 'runs', 'first seed', 'promises', 'thresholds'].map((t) => el('th', {}, t)))), el('tbody', {}, besides.map(row)))));
}

function pairing() {
  const pairs = besides.slice(1).map((run, i) => letterOf(i + 1) + ': ' + (run.from_first ? 'paired over ' + run.from_first.pairs + ' seeds, with the 95 % interval of the differences' : 'without an interval, for fewer than two seeds are in common (`dibs run --runs 20`)'));
  return prose('Differences from A. ' + pairs.join('; ') + '.');
}

function runsPage() {
  const every = [...new Set(besides.flatMap((run) => Object.keys(run.metrics.metrics)))].sort();
  const has = (name) => besides.some((run) => valueIn(run, name) !== null);
  const questions = new Set(besides.map((run) => run.metrics.question));
  const table = sideBySide(every, false, 'every-figure');
  const filter = el('input', { type: 'search', placeholder: 'find a figure', 'aria-label': 'find a figure', oninput: () => { for (const row of table.querySelectorAll('tbody tr')) row.hidden = !readText(row).includes(filter.value.toLowerCase()); } });
  return [navigation([['which', 'Runs'], ['beside', 'Side by side'], ['drawn', 'Drawn'], ['figures', 'Figures']]),
    el('header', { class: 'top' }, el('h1', {}, besides.length + ' runs side by side'), el('p', { class: 'lead' }, questions.size === 1 ? prose([...questions][0]) : '')),
    section('which', 'The runs', null, model.note || model.story ? el('div', { class: 'note', id: 'note' }, model.note ? el('p', {}, prose(model.note)) : '', model.story ? el('p', {}, el('a', { href: model.story, class: 'story' }, 'How it happened: the story of one harm of A, with its swim-lanes')) : '') : '', runList()),
    section('beside', 'Side by side', pairing(), model.lengths ? el('p', { class: 'warn-text', id: 'lengths' }, model.lengths) : '', compared.map(([title, names]) => el('div', { class: 'card' }, el('h3', {}, title), sideBySide(names.filter(has), true, null)))),
    section('drawn', 'Drawn', 'Each run with its 95 % interval: over replications, or of a single run out of ten equal stretches of it.', el('div', { class: 'grid two' }, Object.entries(model.drawn).map(([name, drawings]) => el('div', { class: 'card' }, el('h3', {}, titled(name, heading(name))), box(() => picture('whiskers-' + name, drawings)))))),
    section('figures', 'Every figure', 'As in the metrics.json of each run.', el('div', { class: 'controls' }, filter), el('div', { class: 'card' }, table)), footer()];
}
