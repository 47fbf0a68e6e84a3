// What every part of a page uses: elements, figures, drawings, colours and patterns.
// Text enters the page as text alone, never as markup.

const model = JSON.parse(document.getElementById('model').textContent);
const $ = (id) => document.getElementById(id);

// A number and its unit stay in one line.
const joined = (text) => text.replace(/(\d) (?=%|\u00b1|(?:s|ms|us|min|h|driver-s|rider-s|points)\b)/g, '$1\u00a0').replace(/\u00b1 (?=\d)/g, '\u00b1\u00a0');

// Code is copied, so its spaces stay what they are.
function add(parent, ...children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== '') {
      parent.append(typeof child === 'string' && parent.tagName !== 'CODE' ? joined(child) : child);
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
      made.setAttribute(name, value === true ? '' : value);
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

const seedsEach = (n) => grouped(n) + (n === 1 ? ' seed each' : ' seeds each');

// What stands between back-ticks is code.
const prose = (text) => String(text).split(/`([^`]+)`/).map((part, i) => (i % 2 ? el('code', {}, part) : part));

const section = (id, title, about, ...children) =>
  el('section', { id, 'aria-labelledby': id + '-title' },
    el('h2', { id: id + '-title' }, title), about ? el('p', { class: 'about' }, about) : '', ...children);

// -- drawings of the program ------------------------------------------------------------------------

const box = (draw) => { const holder = el('div', { class: 'chart' }); drawn(() => holder.replaceChildren(draw())); return holder; };

// A drawing as the program made it, for a laptop or a phone; its colours are those of the page.
function picture(id, drawings) {
  const made = document.importNode(new DOMParser().parseFromString(drawings[innerWidth < 560 ? drawings.length - 1 : 0], 'image/svg+xml').documentElement, true);
  const name = made.querySelector('title');
  made.setAttribute('class', 'drawn');
  if (id) made.id = id;
  if (name.textContent) made.setAttribute('aria-label', name.textContent);
  else made.setAttribute('aria-hidden', 'true');
  name.remove();
  return made;
}
const keyList = (id, keys, ...more) => el('ul', { class: 'legend', id }, keys.map((k) => el('li', { 'data-key': k.words }, picture(null, [k.svg]), k.words)), ...more);

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
const number = (value, text = significant(value)) => ({ value, text });

// -- figures of metrics.json -----------------------------------------------------------------------

function entryOf(name) {
  const family = name.replace(/\.[^.]+$/, '.<stat>');
  return model.catalogue.find((e) => e.name === name) || model.catalogue.find((e) => e.name === family);
}

// What a metric is called in headings and on axes; what is none, such as a formula, as it is written.
function titleOf(name) {
  const entry = entryOf(name);
  if (!entry) return name;
  const stat = entry.name === name ? '' : ', ' + name.slice(name.lastIndexOf('.') + 1);
  return entry.title.replace("'", '\u2019') + stat;
}
const heading = (name) => titleOf(name)[0].toUpperCase() + titleOf(name).slice(1);
// The same, with the metric's name and definition for who points at it.
const titled = (name, text = titleOf(name)) => el('span', { title: entryOf(name) ? name + ': ' + entryOf(name).is : null }, text);

const isSingle = () => Boolean(model.metrics) && model.metrics.runs_counted <= 1;

function valueOf(name) {
  const value = model.metrics ? model.metrics.metrics[name] : null;
  return value === undefined ? null : value;
}

// What the program prints of a figure, with its interval and without.
const figureText = (name) => model.texts[name] ?? '-';
const plainText = (name) => model.plain[name] ?? figureText(name);
const unitOf = (name) => (entryOf(name) ? entryOf(name).unit : 'ratio');

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

// What drivers do, and what came of a lease (layers: pages/supply_layers.hpp).
const words = { on_trip: 'on a trip', available: 'available', offline: 'off line', ...model.layers };
const wordOf = (name) => words[name] || name.replace(/_/g, ' ');
