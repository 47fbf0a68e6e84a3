// The run at a glance: what was asked, the answer, the two harms, service, bounds and promises.

function violationCount() {
  return model.metrics.promises.violation_count;
}

// A count of one run; of several the mean of theirs, which need not be whole.
function countOf(name, [one, many]) {
  if (isSingle()) return plainText(name) + ' ' + (valueOf(name) === 1 ? one : many);
  return 'on average ' + figureText(name) + ' ' + many + ' a run';
}

// How often in 1,000, or at most.
const rateOf = (name) => model.levels.find((l) => l.seen === name).rate.replace(/[<* ]/g, '');

// Why a lease came to nothing, as a clause.
const whyHidden = { ignored: 'drivers never answered', declined: 'drivers declined', undelivered: 'offers never reached a driver', cancelled: 'riders left', lost_accept: 'accepts were lost', denied_by_ledger: 'the ledger refused', zombie: 'their matcher was down', overhang: 'nobody ended them when they ran out', censored: 'they were open still at the end' };

// In a sentence: which part of the riders a percentile speaks of.
function plainNameOf(metric) {
  const time = /^(ttm|pickup)\.(?:p(\d+)|mean)$/.exec(metric);
  if (!time) return titleOf(metric);
  return 'time to ' + (time[1] === 'ttm' ? 'match' : 'pick-up') + (time[2] ? ', which ' + time[2] + ' % of riders stay below' : ', on average');
}
function wordsOfBound(bound) {
  const [, sign, value] = /^\s*(<=|>=|==|<|>)\s*(.*)$/.exec(bound.bound) || [null, '', bound.bound];
  const word = { '<=': 'at most', '>=': 'at least', '<': 'less than', '>': 'more than', '==': 'exactly' }[sign] || '';
  const share = unitOf(bound.metric) === 'share' && /^[\d.]+$/.test(value) ? significant(100 * Number(value)) + ' %' : value;
  return { what: plainNameOf(bound.metric), asked: (word + ' ' + share).trim() };
}
const boundsOfScenario = () => [...model.metrics.thresholds.map((b) => ({ ...b, kind: 'threshold' })), ...model.metrics.expect.map((b) => ({ ...b, kind: 'expected' }))];

function answers() {
  const said = [];
  const violations = violationCount();
  if (violations > 0) {
    const codes = model.metrics.promises.judged.filter((p) => !p.kept).map((p) => p.code).join(', ');
    said.push(['bad', 'The protocol broke what it promised: ' + codes + ', ' + grouped(violations) + (violations === 1 ? ' time.' : ' times.')]);
  }
  const doubles = valueOf('double.commits');
  const commits = valueOf('rides.committed') || 0;
  if (doubles > 0) {
    const broken = countOf('promises.broken', ['rider', 'riders']);
    const pairs = countOf('double.commits', ['pair of trips', 'pairs of trips']);
    said.push(['bad', pairs[0].toUpperCase() + pairs.slice(1) + ' fell on one driver at once, ' + rateOf('double.commits') + ' for every 1,000 assignments; ' +
      broken + (broken.startsWith('1 ') ? ' was' : ' were') + ' promised a driver who did not come.']);
  } else if (commits > 0) {
    said.push(['good', 'Nobody was on two trips at once in ' + grouped(Math.round(commits * Math.max(model.metrics.runs_counted, 1))) + ' assignments: at 99.9 %, fewer than ' + rateOf('double.commits') + ' in 1,000.']);
  } else {
    said.push(['', 'No driver was assigned in the measured time' + (valueOf('rides.requested') > 0 ? ', though rides were asked for' : ', nor a ride asked for') + ': of double assignment this says nothing.']);
  }
  const near = nearly();
  if (near.length > 0) said.push(['', 'Steps towards a double assignment: ' + near.join(', ') + '.']);
  const hidden = valueOf('supply.hidden_share');
  if (hidden > 0) {
    const worst = model.causes[0];
    said.push(['', 'Leases that came to nothing hid ' + plainText('supply.hidden_share') + ' of the drivers\u2019 time on line' + (worst ? ', most of it because ' + (whyHidden[worst.name] || 'of ' + wordOf(worst.name)) : '') + '.']);
  }
  for (const bound of boundsOfScenario()) {
    if (bound.met === false) {
      const words = wordsOfBound(bound), was = bound.value === null ? 'unknown' : bound.metric in model.texts ? plainText(bound.metric) : significant(bound.value);
      said.push(['bad', words.what[0].toUpperCase() + words.what.slice(1) + ': ' + was + ', where the scenario ' + (bound.kind === 'expected' ? 'expects ' : 'asks for ') + words.asked + ' (' + bound.metric + ' ' + bound.bound + ').']);
    }
  }
  return said;
}

// What comes before a double assignment, as far as it was seen.
function nearly() {
  return [['double.offers', ['offer', 'offers'], 'in conflict'], ['double.accepts', ['accept', 'accepts'], 'in conflict'],
    ['confirms.stale_accepted', ['late confirm', 'late confirms'], 'taken'], ['writes.stale_refused', ['write with an old token', 'writes with an old token'], 'refused by the ledger']]
    .filter(([name]) => valueOf(name) > 0).map(([name, words, what]) => countOf(name, words) + ' ' + what);
}

function doubleCard() {
  const hasRange = model.levels.some((l) => l.range);
  const rows = model.levels.map(({ label, seen, rate, range }) => el('tr', {}, el('td', {}, titled(seen, label)),
    el('td', { class: 'n ' + (valueOf(seen) > 0 ? 'bad-text' : 'none') }, figure(seen)), el('td', { class: 'n none', 'data-rate': seen }, rate), hasRange ? el('td', { class: 'n none', 'data-range': seen }, range) : ''));
  const notes = model.levels.some((l) => l.rate.endsWith('*')) ? ['* none seen: at most this, at 99.9 %.'] : [];
  if (model.levels.some((l) => valueOf(l.seen) > 0)) notes.push(isSingle() ? 'Intervals of one run are those of a count of rare things (Poisson); `dibs run --runs 20` gives intervals over replications.' : 'Intervals are over ' + model.metrics.runs_counted + ' replications.');
  return el('div', { class: 'card' }, el('h3', {}, 'Double assignment: ' + (model.scenario.leases ? 'the lease was too weak' : 'no lease forbids it')),
    el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'level'), el('th', { class: 'n' }, 'seen'), el('th', { class: 'n' }, 'per 1,000'), hasRange ? el('th', { class: 'n' }, '95 % interval') : '')), el('tbody', {}, rows)),
    notes.length ? el('p', { class: 'none' }, prose(notes.join(' '))) : '');
}

function hidingCard() {
  const all = model.causes;
  const whole = all.reduce((sum, { v }) => sum + v, 0);
  const list = el('ul', { class: 'legend' });
  const canvas = el('canvas', { class: 'draw', 'aria-hidden': 'true' });
  if (whole > 0) drawn(() => {
    const { c, width, height } = prepare(canvas, 20);
    let x = 0;
    for (const { name, v } of all) {
      const w = width * v / whole;
      c.fillStyle = fillOf(c, name);
      c.fillRect(x, 0, Math.max(w - 1, 0.5), height);
      x += w;
    }
  });
  for (const { name, v, t } of all) list.append(el('li', {}, swatch(name), wordOf(name), ' ', el('b', { 'data-cause': name, 'data-value': String(v) }, t)));
  const starved = figure('supply.starved_share');
  return el('div', { class: 'card' }, el('h3', {}, 'Supply hiding: ' + (model.scenario.leases ? 'the lease was too strong' : 'no lease to hide anyone')),
    el('div', { class: 'big' }, figure('supply.hidden_share'), el('small', {}, ' of the drivers\u2019 time on line was hidden for nothing')),
    whole > 0 ? el('div', {}, canvas, list) : '',
    valueOf('supply.starved_share') === null ? el('p', { class: 'note' }, 'No rider waited in the measured time, so nobody was blocked.')
      : el('p', { class: 'note' }, el('b', {}, starved), ' of the riders\u2019 waiting was blocked: nobody free near them, and a driver near them held for nothing.'));
}

function singleNote() {
  const some = isSingle() && model.within && Object.values(model.within).some((half) => half > 0);
  return some ? el('p', { class: 'none', id: 'single' }, prose('\u00b1 is the 95 % interval from ten equal stretches of this one run; `dibs run --runs 20` gives it over replications.')) : '';
}

function serviceCard() {
  const tiles = [['rides.requested', 'rides asked for'], ['rides.match_rate', 'matched'], ['rides.abandon_rate', 'gave up'], ['ttm.p50', 'time to match, p50'],
    ['ttm.p95', 'time to match, p95'], ['offers.per_match', 'offers a match'], ['accepts.missed_rate', 'accepts missed'], ['supply.utilisation', 'of drivers\u2019 time on trips']];
  return el('div', { class: 'card' }, el('h3', {}, 'Service'),
    el('div', { class: 'tiles' }, tiles.map(([name, label]) => el('div', { class: 'tile' }, figure(name, 'div'), el('div', { class: 'l' }, label)))), singleNote());
}

function boundsCard() {
  const rows = [['threshold', model.metrics.thresholds], ['expected', model.metrics.expect]].flatMap(([kind, all]) => all.map((b) =>
    el('tr', {}, el('td', {}, b.met === null ? el('span', { class: 'none' }, 'not judged') : b.met ? el('span', { class: 'good-text' }, '\u2713 met') : el('span', { class: 'bad-text' }, '\u2717 missed')),
      el('td', {}, el('code', {}, b.metric)), el('td', { class: 'n' }, figure(b.metric)), el('td', { class: 'n' }, b.bound), el('td', { class: 'none' }, kind))));
  return el('div', { class: 'card scroll bounds' }, el('h3', {}, 'Bounds of the scenario'),
    rows.length ? el('table', {}, el('tbody', {}, rows)) : el('p', { class: 'none' }, 'It sets none.'));
}

function promisesCard() {
  const all = model.metrics.promises.judged;
  const kept = all.filter((p) => p.kept).length;
  return el('div', { class: 'card' },
    el('h3', {}, 'Promises of ' + model.metrics.promises.protocol + ': ' + (kept === all.length ? kept + ' of ' + all.length + ' kept' : (all.length - kept) + ' of ' + all.length + ' broken')),
    el('ul', { class: 'promises' }, all.map((p) => el('li', {}, p.kept ? el('span', { class: 'good-text' }, '\u2713 ') : el('span', { class: 'bad-text' }, '\u2717 '), el('b', {}, p.code), ' ' + p.promise, p.kept ? '' : el('span', { class: 'bad-text' }, ' broken')))));
}

function glance() {
  const said = answers();
  const kind = ['bad', 'good'].find((each) => said.some(([is]) => is === each)) || '';
  return section('glance', 'At a glance', null,
    el('div', { class: 'card answer ' + kind }, el('ul', {}, said.map(([, text]) => el('li', {}, text)))),
    el('div', { class: 'grid two', id: 'harms' }, doubleCard(), hidingCard()),
    el('div', { class: 'grid two' }, serviceCard(), boundsCard()), promisesCard());
}

function figuresTable() {
  const chosen = model.shown || Object.keys(model.metrics.metrics);
  const rows = chosen.map((name) => {
    const entry = entryOf(name);
    return el('tr', { 'data-name': name }, el('td', {}, el('code', {}, name)), el('td', { class: 'n' }, figure(name)), el('td', { class: 'none' }, entry ? prose(entry.is) : ''));
  });
  const filter = el('input', { type: 'search', placeholder: 'find a figure', 'aria-label': 'find a figure', oninput: () => {
    for (const row of rows) row.hidden = !readText(row).includes(filter.value.toLowerCase());
  } });
  return section('figures', model.shown ? 'Figures' : 'Every figure', 'As in metrics.json, with its definition. ' +
    (model.metrics.runs_counted > 1 ? 'With 95 % intervals over ' + model.metrics.runs_counted + ' runs.' : ''),
    el('div', { class: 'controls' }, filter), el('div', { class: 'card scroll' }, el('table', { class: 'one-a-row' }, el('tbody', {}, rows))));
}
