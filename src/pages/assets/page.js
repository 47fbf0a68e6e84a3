// Puts a page together: of a run, of a story, of a sweep or of the survival table.

// What needs the page's width is drawn when the page is there.
const pending = [];
function later(act) { pending.push(act); }

function chip(name, value) {
  return el('li', {}, name ? name + ' ' : '', el('b', {}, value));
}

function runHeader(title, lead) {
  const s = model.scenario;
  return el('header', { class: 'top' }, el('h1', {}, prose(title)), el('p', { class: 'lead' }, prose(lead)),
    el('ul', { class: 'chips' }, chip('', s.protocol), s.ttl_s !== null ? chip('TTL', duration(s.ttl_s)) : '', s.window_s !== null ? chip('offers of', duration(s.window_s)) : '', chip('', grouped(s.matchers) + (s.matchers === 1 ? ' matcher' : ' matchers')),
      chip('', grouped(s.drivers) + (s.drivers === 1 ? ' driver' : ' drivers')), chip('measured', duration(s.until_s - s.from_s)), chip('seed', String(s.seed)), chip('history', s.history),
      model.metrics && model.metrics.runs > 1 ? chip('figures of', model.metrics.runs_counted + ' runs') : '', model.metrics && model.metrics.status === 'interrupted' ? el('li', { class: 'bad-text' }, 'interrupted: a part of the run') : ''));
}

function sampleNote() {
  const s = model.sample;
  if (s.every <= 1 || model.kind === 'story') return '';
  return el('p', { class: 'note', id: 'sample' }, 'Drawn one by one (map, swim-lanes, lists): one driver and one ride in ' + s.every + ', and everyone who was harmed: ' + grouped(s.drivers) + ' of ' + grouped(s.drivers_in_all) + ' drivers, ' + grouped(s.tries) + ' of ' + grouped(s.tries_in_all) +
    ' tries. Figures, curves and cells are of all.');
}

function footer() {
  const s = model.scenario;
  return el('footer', {}, s && s.command ? el('p', {}, 'Run it again: ', el('code', {}, s.command)) : '',
    el('p', {}, 'Made by dibs ' + model.dibs + (model.run ? ' from ' + model.run : '') + '. This page holds all that it shows and asks nothing of the network. Charts: uPlot, \u00a9 2022 Leon Sorokin, MIT License.'));
}

function navigation(parts) {
  return el('nav', { 'aria-label': 'parts of the page' }, parts.map(([id, title]) => el('a', { href: '#' + id }, title)), themeButton());
}

function runPage() {
  const s = model.scenario;
  return [navigation([['glance', 'Glance'], ['supply', 'Supply'], ['offers', 'Offers'], ['map', 'Map'], ['breaches', 'Harms'], ['lanes', 'Swim-lanes'], ['figures', 'Figures']]),
    runHeader(s.name, s.question), sampleNote(), glance(), supply(), offers(), mapSection(), breaches(), lanesSection(null), figuresTable(), footer()];
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + '.';

// Why it happened, from when on it was unavoidable, and what would have prevented it.
function whyOf(t) {
  if (!t.because && !t.turn && !t.crossings.length && !t.sum) return '';
  const moved = (c) => c.metric + ' ' + c.t;
  // Judged by the harm that is told; the rest is what it costs.
  const tried = (r) => {
    const besides = r.besides.filter((c) => c.metric !== r.metric).map(moved).join(', ');
    const rest = [besides ? 'besides: ' + besides : '', r.fate].filter((part) => part).join('; ');
    return [el('div', { class: r.good ? 'good-text' : 'warn-text', 'data-before': r.before, 'data-after': r.after, 'data-happens': String(r.happens) },
      el('span', { class: 'pill' }, r.outcome), ' ' + r.told.replaceAll('->', '\u2192')),
    rest ? el('div', { class: 'none besides' }, rest) : '',
    r.missed.map((bound) => el('div', { class: 'bad-text missed' }, '\u2717 a threshold is missed that the run met: ' + bound))].flat();
  };
  const turn = t.turn ? el('p', { id: 'turn', 'data-runs': t.runs }, prose(sentence(t.turn))) : '';
  const because = t.because ? el('p', { id: 'because' }, prose(sentence((t.because_at ? t.because_at + ': ' : '') + t.because))) : '';
  // What the heading says goes first.
  return section('why', t.why, null, el('div', { class: 'card' }, t.why.startsWith('Decided') ? [because, turn] : [turn, because],
    t.crossings.length ? [el('h3', {}, 'On their way at the same time'), el('ul', {}, t.crossings.map((each) => el('li', {}, each)))] : '',
    t.remedies.length || t.sum ? [el('h3', { id: 'remedies' }, t.remedies_are), el('ul', {}, t.remedies.map((r) => el('li', {}, prose(sentence(r.feature)), r.told ? tried(r) : '', r.command ? el('div', {}, el('code', {}, r.command)) : ''))), t.sum ? el('p', { id: 'sum' }, prose(sentence(t.sum))) : ''] : ''));
}

function storyPage() {
  const t = model.story;
  const leftOut = (n) => grouped(n) + (n === 1 ? ' step' : ' steps') + ' left out';
  const steps = t.steps.map((s) => el('li', { class: s.mark || null }, s.skipped ? el('div', { class: 'skipped' }, '\u22ee ' + leftOut(s.skipped)) : '', el('div', { class: 't' }, s.t, Math.abs(s.off_ms) >= 1 ? el('small', { title: 'its own ' + model.scenario.clock }, 'own clock ' + s.local) : ''), el('div', { class: 'who' }, s.who),
    el('div', { class: 'what' }, s.mark === 'harm' ? el('span', { class: 'tag bad-text' }, '! the harm: ') : s.mark === 'unavoidable' ? el('span', { class: 'tag warn-text' }, '> unavoidable from here: ') : s.mark === 'decided' ? el('span', { class: 'tag warn-text' }, '> decided here: ') : '', s.what)));
  // Who was asked by nobody has no lane.
  const hasLanes = t.drivers.length > 0 || t.breach !== null;
  return [navigation([['story', 'Story'], ...(hasLanes ? [['lanes', 'Swim-lanes']] : [])]), runHeader(t.headline, model.scenario.name + ': ' + model.scenario.question),
    section('story', 'What happened', t.harm || t.besides ? [t.harm ? el('b', { id: 'harm' }, prose(sentence('harm: ' + t.harm) + ' ')) : '', t.besides ? prose(sentence(t.besides)) : ''].flat() : null, el('div', { class: 'card' }, el('ol', { class: 'story' }, steps), t.left_out ? el('p', { class: 'none' }, leftOut(t.left_out) + ' in all.') : '',
      t.steps.some((s) => Math.abs(s.off_ms) >= 1) ? el('p', { class: 'none' }, 'Own clock: a node\u2019s ' + model.scenario.clock + '; shown where it is wrong.') : '')),
    whyOf(t), hasLanes ? lanesSection(t) : '', footer()];
}

function build() {
  const pages = { run: runPage, story: storyPage, sweep: sweepPage, survival: survivalPage, tuning: tuningPage, region: regionPage, runs: runsPage };
  add($('page'), ...pages[model.kind]());
  widthBefore = innerWidth;
  redrawAll();
  pageIsThere = true;
  for (const act of pending) act();
  $('page').dataset.ready = 'yes';
}

build();
