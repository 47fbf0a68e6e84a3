// What every part of a page uses: elements, numbers as people read them, colours and patterns.
// Text enters the page as text alone, never as markup.

const model = JSON.parse(document.getElementById('model').textContent);
const $ = (id) => document.getElementById(id);

// Characters that change the order of a line or cannot be seen, as escapes: names of folders and
// words of foreign files may hold them.
const unruly = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const tamed = (text) => text.replace(unruly, (c) => '\\u' + c.codePointAt(0).toString(16).padStart(4, '0'));

// A number and its unit stay in one line.
const joined = (text) => text.replace(/(\d) (?=%|\u00b1|(?:s|ms|us|min|h|driver-s|rider-s|points)\b)/g, '$1\u00a0').replace(/\u00b1 (?=\d)/g, '\u00b1\u00a0');

// Code is copied, so its spaces stay what they are.
function add(parent, ...children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== '') {
      const text = typeof child === 'string' ? tamed(child) : child;
      parent.append(typeof text === 'string' && parent.tagName !== 'CODE' ? joined(text) : text);
    }
  }
  return parent;
}

const readText = (element) => element.textContent.replace(/\u00a0/g, ' ').toLowerCase();

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      made.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : name === 'title' || name === 'aria-label' ? tamed(String(value)) : value);
    }
  }
  return add(made, ...children);
}

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  return add(made, ...children);
}

// What stands between back-ticks is code.
const seedsEach = (n) => grouped(n) + (n === 1 ? ' seed each' : ' seeds each');

const prose = (text) => String(text).split(/`([^`]+)`/).map((part, i) => (i % 2 ? el('code', {}, part) : part));

const section = (id, title, about, ...children) =>
  el('section', { id, 'aria-labelledby': id + '-title' },
    el('h2', { id: id + '-title' }, title), about ? el('p', { class: 'about' }, about) : '', ...children);

// -- numbers ---------------------------------------------------------------------------------------

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

function decimalsFor(value, digits) {
  const size = Math.abs(value);
  if (size === 0) return 0;
  const order = Math.floor(Math.log10(size));
  const decimals = Math.min(Math.max(digits - 1 - order, 0), 12);
  return decimals > 0 && Number(size.toFixed(decimals)) >= 10 ** (order + 1) ? decimals - 1 : decimals;
}

// A tie goes to the even digit, as where the terminal prints it: toFixed takes the larger number.
function fixed(value, decimals) {
  const isDyadic = Number.isInteger(value * 2 ** (decimals + 1)), scaled = value * 10 ** decimals;
  if (!isDyadic || Math.abs(scaled % 1) !== 0.5) return value.toFixed(decimals);
  return (2 * Math.round(scaled / 2) / 10 ** decimals).toFixed(decimals);
}

function decimal(value, decimals) {
  const [whole, rest] = fixed(value, decimals).split('.');
  return grouped(whole) + (rest ? '.' + rest : '');
}

// Three significant digits; a whole number with all of its digits.
function significant(value, digits = 3) {
  if (Math.abs(value - Math.round(value)) <= 1e-12 * Math.abs(value)) return grouped(Math.round(value));
  return decimal(value, decimalsFor(value, digits));
}

// What is below 100 % never reads 100 %.
function percent(share, digits = 3) {
  let text = significant(share * 100, digits);
  while (text.startsWith('100') && share < 1 && digits < 9) text = significant(share * 100, ++digits);
  return text;
}

function duration(seconds) {
  const size = Math.abs(seconds);
  if (size === 0) return '0 s';
  if (size < 1e-3) return significant(seconds * 1e6) + ' us';
  if (size < 1) return significant(seconds * 1e3) + ' ms';
  if (size < 120) return significant(seconds) + ' s';
  const whole = Math.round(size);
  const h = Math.floor(whole / 3600), m = Math.floor((whole % 3600) / 60), s = whole % 60;
  const sign = seconds < 0 ? '-' : '';
  return sign + (h ? h + ' h' + (m ? ' ' + m + ' min' : '') : m + ' min' + (s ? ' ' + s + ' s' : ''));
}

// `50:14.3`, or `1:02:51.0` from an hour on.
function clock(seconds, decimals = 1) {
  const scale = 10 ** decimals;
  const all = Math.round(Math.abs(seconds) * scale) / scale;
  const h = Math.floor(all / 3600), m = Math.floor((all % 3600) / 60), s = all % 60;
  const tail = s.toFixed(decimals).padStart(decimals ? 3 + decimals : 2, '0');
  return (seconds < 0 ? '-' : '') + (h ? h + ':' + String(m).padStart(2, '0') : m) + ':' + tail;
}

function shown(value, unit, digits = 3) {
  if (value === null || value === undefined) return '-';
  switch (unit) {
    case 'share': return percent(value, digits) + ' %';
    case 's': case 'seconds': return duration(value);
    case 'driver-s': case 'driver_s': return significant(value, digits) + ' driver-s';
    case 'rider-s': case 'rider_s': return significant(value, digits) + ' rider-s';
    case 'per hour': case '1/h': case 'per_hour': return significant(value, digits) + '/h';
    case 'count': return Number.isInteger(value) ? grouped(value) : significant(value, digits);
    default: return significant(value, digits);
  }
}

// With the half width of its interval: two digits of that, and no more of the value.
function shownWith(value, half, unit) {
  const scale = unit === 'share' ? 100 : 1;
  const suffix = { share: ' %', s: ' s', 'driver-s': ' driver-s', 'rider-s': ' rider-s', '1/h': '/h' }[unit] || '';
  const decimals = decimalsFor(half * scale, 2);
  return decimal(value * scale, decimals) + ' \u00b1 ' + decimal(half * scale, decimals) + suffix;
}

// With both ends of its interval, which need not lie alike: as above where they do to the digits
// shown, else `57.0 (49.1..57.4) s`.
function shownBetween(value, low, high, unit) {
  const half = value === 0 ? high : (high - low) / 2, scale = unit === 'share' ? 100 : 1;
  if (!(half > 0)) return shown(value, unit);
  const decimals = decimalsFor(half * scale, 2), lastDigit = 10 ** -decimals / scale;
  if (Math.abs(high - value - (value - low)) <= 2 * lastDigit) return shownWith(value, half, unit);
  const suffix = shownWith(value, half, unit).replace(/^[^ ]* \u00b1 [\d.,]*/, '');
  const text = (x) => (x === 0 ? '0' : decimal(x * scale, decimals));
  return text(value) + ' (' + text(low) + '..' + text(high) + ')' + suffix;
}

// A difference, with both ends of its interval if it has one: of shares it is one of points, not of
// per cent.
function shownDifference(value, ends, unit) {
  const text = ends ? shownBetween(value, ...ends, unit) : shown(value, unit);
  return unit === 'share' ? text.replace(/ %$/, ' points') : text;
}

// -- the same as a table ---------------------------------------------------------------------------

// For those who cannot see a drawing: made when it is opened, and again when what it says changes.
// A cell is a text, or {text, value} where it stands for a number.
function dataTable(id, title, caption, head, rows) {
  const holder = el('div', { class: 'scroll' });
  const cell = (v, i) => {
    const number = v !== null && typeof v === 'object';
    return el(i ? 'td' : 'th', { class: i && number ? 'n' : null, scope: i ? null : 'row', 'data-value': number ? v.value : null }, number ? v.text : v);
  };
  const fill = () => {
    if (details.open) holder.replaceChildren(el('table', {}, el('caption', { class: 'none' }, caption()), el('thead', {}, el('tr', {}, head().map((h) => el('th', { scope: 'col' }, h)))), el('tbody', {}, rows().map((r) => el('tr', {}, r.map(cell))))));
  };
  const details = el('details', { class: 'data', id, ontoggle: fill }, el('summary', {}, title), holder);
  details.refill = fill;
  return details;
}
const number = (value, unit) => ({ value, text: shown(value, unit) });

// -- figures of metrics.json -----------------------------------------------------------------------

function entryOf(name) {
  const family = name.replace(/\.[^.]+$/, '.<stat>');
  return model.catalogue.find((e) => e.name === name) || model.catalogue.find((e) => e.name === family);
}

// Plain words where the title that files keep is a riddle, as in metrics/titles.cpp.
const plainTitles = { 'confirms.stale_accepted': 'confirms taken after the lease was over', 'confirms.stale_refused': 'confirms refused after the lease was over',
  'writes.stale_taken': 'writes taken after the lease was over', 'writes.stale_refused': 'writes refused for an old token',
  'supply.starved_s': 'riders\u2019 waiting blocked by hidden drivers', 'supply.starved_upper_s': 'riders\u2019 waiting blocked by hidden drivers, at most',
  'supply.starved_share': 'riders\u2019 waiting blocked by hidden drivers, of all' };

// What a metric is called in headings and on axes; what is none, such as a formula, as it is written.
function titleOf(name) {
  const entry = entryOf(name);
  if (!entry) return name;
  if (plainTitles[name]) return plainTitles[name];
  const stat = entry.name === name ? '' : ', ' + name.slice(name.lastIndexOf('.') + 1);
  return entry.title.replace("'", '\u2019') + stat;
}
const heading = (name) => titleOf(name)[0].toUpperCase() + titleOf(name).slice(1);
// The same, with the metric's name and definition for who points at it.
const titled = (name, text = titleOf(name)) => el('span', { title: entryOf(name) ? name + ': ' + entryOf(name).is : null }, text);

// Over replications; of a single run out of equal stretches of it.
const isSingle = () => Boolean(model.metrics) && model.metrics.runs_counted <= 1;
function halfWidth(name) {
  const all = model.metrics && model.metrics.intervals_95;
  if (all && all[name]) return all[name].half_width;
  return isSingle() && model.within && model.within[name] ? model.within[name] : null;
}

// How likely at most k of rare things are, where `mean` is expected.
function atMost(k, mean) {
  let term = Math.exp(-mean), sum = term;
  for (let i = 1; i <= k; ++i) sum += (term *= mean / i);
  return sum;
}

// The 95 % interval of a count of rare things, each on its own (Poisson): exact for a few, for many
// by the approximation of Wilson and Hilferty.
function countInterval(n) {
  const m = n + 1;
  if (n >= 50) return [n * (1 - 1 / (9 * n) - 1.96 / (3 * Math.sqrt(n))) ** 3, m * (1 - 1 / (9 * m) + 1.96 / (3 * Math.sqrt(m))) ** 3];
  const solve = (k, share) => {
    let low = 0, high = 4 * n + 30;
    for (let i = 0; i < 60; ++i) {
      const middle = (low + high) / 2;
      if (atMost(k, middle) > share) low = middle;
      else high = middle;
    }
    return low;
  };
  return [n > 0 ? solve(n - 1, 0.975) : 0, solve(n, 0.025)];
}

function valueOf(name) {
  const value = model.metrics ? model.metrics.metrics[name] : null;
  return value === undefined ? null : value;
}

const unitOf = (name) => (entryOf(name) ? entryOf(name).unit : 'ratio');

// Both ends of its interval, which need not lie alike; nothing where it has none.
function endsOf(name) {
  const value = valueOf(name), half = halfWidth(name);
  if (!half || value === null) return null;
  const ends = model.metrics.intervals_95 && model.metrics.intervals_95[name];
  return ends && ends.low !== undefined ? [ends.low, ends.high] : [value - half, value + half];
}

function figureText(name) {
  const ends = endsOf(name);
  return ends ? shownBetween(valueOf(name), ...ends, unitOf(name)) : shown(valueOf(name), unitOf(name));
}

// A figure as an element that says which one it is, so that it can be checked.
function figure(name, tag = 'span') {
  const value = valueOf(name);
  return el(tag, { 'data-figure': name, 'data-value': value === null ? '' : String(value) }, figureText(name));
}

// -- tables that fit -------------------------------------------------------------------------------

// A table that is too wide for its place becomes a list of its rows, each figure with the heading of
// its column: nothing lies beyond an edge.
function fitting(table) {
  const holder = el('div', { class: 'scroll fits' }, table);
  const heads = [...table.querySelectorAll('thead th')].map((th) => th.textContent);
  for (const row of table.querySelectorAll('tbody tr, tfoot tr')) [...row.children].forEach((cell, i) => { cell.dataset.head = heads[i] || ''; });
  const fit = () => {
    table.classList.remove('listed');
    table.classList.toggle('listed', holder.scrollWidth > holder.clientWidth);
  };
  drawn(() => (holder.isConnected ? fit() : requestAnimationFrame(fit)));
  return holder;
}

// -- looks -----------------------------------------------------------------------------------------

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + (name === 'on_trip' ? 'trip' : name)).trim();

const redraws = [];
// Draws once the page is there, and again whenever theme or width change.
function drawn(draw) {
  redraws.push(draw);
  if (pageIsThere) draw();
}
let pageIsThere = false;
function redrawAll() {
  for (const draw of redraws) draw();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
setTheme(darkSystem.matches ? 'dark' : 'light');
darkSystem.addEventListener('change', (e) => { setTheme(e.matches ? 'dark' : 'light'); redrawAll(); });

function themeButton() {
  const button = el('button', { type: 'button', id: 'theme', onclick: () => {
    setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    label();
    redrawAll();
  } });
  const label = () => { button.textContent = document.documentElement.dataset.theme === 'dark' ? 'Light' : 'Dark'; };
  label();
  return button;
}

// On paper everything is light, and as wide as a page: what is drawn in pixels is drawn anew.
let themeBefore = null;
addEventListener('beforeprint', () => {
  themeBefore = document.documentElement.dataset.theme;
  setTheme('light');
  document.documentElement.classList.add('printing');
  redrawAll();
});
addEventListener('afterprint', () => {
  document.documentElement.classList.remove('printing');
  setTheme(themeBefore);
  redrawAll();
});

let widthBefore = 0;
addEventListener('resize', () => {
  if (innerWidth !== widthBefore) {
    widthBefore = innerWidth;
    redrawAll();
  }
});

// A canvas in real pixels, cleared, with its context scaled to those of the page.
function prepare(canvas, height) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.max(canvas.clientWidth || canvas.parentElement.clientWidth, 200);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = height + 'px';
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  return { c, width, height };
}

// A fill that can be told from others without its colour: stripes at an angle, dots or none.
const patterns = { ignored: 'rise', declined: 'fall', undelivered: 'cross', cancelled: 'dots', lost_accept: 'flat',
  denied_by_ledger: 'rise', zombie: 'cross', overhang: 'fall', censored: 'dots', offline: 'dots', converting: 'flat' };
function fillOf(c, name) {
  const base = colour(name) || colour('soft');
  const kind = patterns[name];
  if (!kind) return base;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const t = tile.getContext('2d');
  t.fillStyle = base;
  t.fillRect(0, 0, 8, 8);
  t.strokeStyle = t.fillStyle = colour('card');
  t.globalAlpha = 0.55;
  t.lineWidth = 1.2;
  const line = (x0, y0, x1, y1) => { t.beginPath(); t.moveTo(x0, y0); t.lineTo(x1, y1); t.stroke(); };
  if (kind === 'rise' || kind === 'cross') { line(-2, 6, 6, -2); line(2, 10, 10, 2); }
  if (kind === 'fall' || kind === 'cross') { line(2, -2, 10, 6); line(-2, 2, 6, 10); }
  if (kind === 'flat') line(0, 4, 8, 4);
  if (kind === 'dots') { t.beginPath(); t.arc(4, 4, 1.3, 0, 7); t.fill(); }
  return c.createPattern(tile, 'repeat');
}

function sample(draw) {
  const canvas = el('canvas', { width: 36, height: 26, 'aria-hidden': 'true' });
  drawn(() => {
    const c = canvas.getContext('2d');
    c.clearRect(0, 0, 36, 26);
    draw(c);
  });
  return canvas;
}

function swatch(name, strength = 1) {
  return sample((c) => {
    c.globalAlpha = strength;
    c.fillStyle = fillOf(c, name);
    c.fillRect(0, 0, 36, 26);
    c.globalAlpha = 1;
  });
}

const words = { on_trip: 'on a trip', converting: 'leased, and a trip came of it', available: 'available', offline: 'off line',
  ignored: 'ignored', declined: 'declined', undelivered: 'offer not delivered', cancelled: 'ride cancelled', lost_accept: 'accept lost',
  denied_by_ledger: 'refused by the ledger', zombie: 'held by a crashed matcher', overhang: 'held past expiry', censored: 'open at the end' };
const wordOf = (name) => words[name] || name.replace(/_/g, ' ');
