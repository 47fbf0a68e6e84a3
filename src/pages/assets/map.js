// The map: drivers and riders at an instant, and where supply was hidden and riders blocked.

const map = { t: 0, zoom: 1, dx: 0, dy: 0, layers: { drivers: true, riders: true, hidden: false, starved: false }, playing: false };

// A driver's place: on a trip, between where it was known before and after.
function placeOf(list, t, moving, since) {
  const i = lastBefore(list, 't', t);
  if (i < 0) return null;
  const from = list[i], to = list[i + 1];
  if (!moving || !to) return from;
  const start = Math.max(from.t, since);
  const share = to.t > start ? Math.min(Math.max((t - start) / (to.t - start), 0), 1) : 1;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function drawMap(canvas) {
  const [x0, y0, x1, y1] = model.map.frame;
  const { c, width, height } = prepare(canvas, document.documentElement.classList.contains('printing') ? 460 : Math.min(640, Math.max(360, innerHeight * 0.72)));
  const margin = 16;
  const fit = Math.min((width - 2 * margin) / (x1 - x0 || 1), (height - 2 * margin) / (y1 - y0 || 1)) * map.zoom;
  const px = (x) => width / 2 + (x - (x0 + x1) / 2) * fit + map.dx;
  const py = (y) => height / 2 - (y - (y0 + y1) / 2) * fit + map.dy;
  const drawnNow = { drivers: 0, riders: 0, outside: 0 };
  const spots = [];
  c.fillStyle = colour('line');
  for (const r of rides.values()) c.fillRect(px(r.x) - 0.7, py(r.y) - 0.7, 1.4, 1.4);
  const cells = (list, name) => {
    const most = Math.max(...list.map((cell) => cell[2]), 1e-9);
    const size = model.map.cell_m;
    for (const [i, j, s] of list) {
      c.globalAlpha = 0.12 + 0.75 * Math.sqrt(s / most);
      c.fillStyle = fillOf(c, name);
      const left = px(i * size), top = py((j + 1) * size), side = size * fit + 0.5;
      c.fillRect(left, top, side, side);
      drawnNow.outside += left + side < 0 || top + side < 0 || left > width || top > height ? 1 : 0;
    }
    c.globalAlpha = 1;
  };
  if (map.layers.hidden) cells(model.map.hidden, 'ignored');
  if (map.layers.starved) cells(model.map.starved, 'lost_accept');
  const dot = Math.max(1.6, Math.min(4, 1.7 * Math.sqrt(map.zoom)));
  if (map.layers.drivers) {
    const order = { available: 0, on_trip: 1, converting: 2, wasted: 3 };
    const now = [];
    for (const [driver, list] of places) {
      if (isGone(driver, map.t)) continue;
      const { state, by } = stateOf(driver, map.t);
      const p = placeOf(list, map.t, state === 'on_trip', by ? by.committed || 0 : 0);
      if (p) now.push({ driver, state, place: p, x: px(p.x), y: py(p.y) });
    }
    now.sort((a, b) => order[a.state] - order[b.state]);
    for (const d of now) {
      c.fillStyle = colour({ available: 'available', on_trip: 'trip', converting: 'converting', wasted: 'ignored' }[d.state]);
      c.beginPath();
      if (d.state === 'wasted') { const r = dot * 2.1; c.moveTo(d.x, d.y - r); c.lineTo(d.x + r, d.y + r * 0.8); c.lineTo(d.x - r, d.y + r * 0.8); }
      else if (d.state === 'converting') { const r = dot * 1.5; c.rect(d.x - r, d.y - r, 2 * r, 2 * r); }
      else if (d.state === 'on_trip') { const r = dot * 1.35; c.moveTo(d.x, d.y - r); c.lineTo(d.x + r, d.y); c.lineTo(d.x, d.y + r); c.lineTo(d.x - r, d.y); }
      else c.arc(d.x, d.y, dot, 0, 7);
      c.fill();
      spots.push({ x: d.x, y: d.y, state: d.state, place: d.place, what: { driver: d.driver }, text: 'driver ' + d.driver + ', ' + (d.state === 'wasted' ? 'held for nothing' : wordOf(d.state)) });
    }
    drawnNow.drivers = now.length;
    for (const d of now) drawnNow[d.state] = (drawnNow[d.state] || 0) + 1;
  }
  if (map.layers.riders) {
    c.lineWidth = 2;
    c.strokeStyle = colour('bad');
    for (const r of rides.values()) {
      if (r.requested !== null && r.requested <= map.t && (r.committed === null || map.t < r.committed) && (r.gone === null || map.t < r.gone)) {
        c.beginPath();
        c.arc(px(r.x), py(r.y), dot * 2.3, 0, 7);
        c.stroke();
        spots.push({ x: px(r.x), y: py(r.y), state: 'waiting', place: r, what: { ride: r.ride }, text: 'ride ' + r.ride + ', waiting' });
        ++drawnNow.riders;
      }
    }
  }
  if (selected) {
    const at = spots.find((s) => (selected.driver && s.what.driver === selected.driver) || (selected.ride && s.what.ride === selected.ride) || (selected.try !== undefined && s.what.driver === tries[selected.try].driver));
    if (at) { c.strokeStyle = colour('ink'); c.lineWidth = 2.5; c.beginPath(); c.arc(at.x, at.y, 11, 0, 7); c.stroke(); }
  }
  const metres = [100, 200, 500, 1000, 2000, 5000, 10000].find((m) => m * fit > 60) || 10000;
  c.strokeStyle = c.fillStyle = colour('soft');
  c.lineWidth = 1.5;
  c.beginPath(); c.moveTo(14, height - 14); c.lineTo(14 + metres * fit, height - 14); c.stroke();
  c.font = '12px system-ui';
  c.fillText(metres >= 1000 ? metres / 1000 + ' km' : metres + ' m', 16, height - 20);
  const metresAt = (x, y) => [(x - width / 2 - map.dx) / fit + (x0 + x1) / 2, (height / 2 + map.dy - y) / fit + (y0 + y1) / 2];
  canvas.dataset.drawn = JSON.stringify({ t: map.t, ...drawnNow, view: [...metresAt(0, height), ...metresAt(width, 0)] });
  return spots;
}

function mapSection() {
  if (!model.map || !model.map.frame) {
    return section('map', 'The map', null, el('div', { class: 'card' }, el('p', { class: 'none' }, 'This scenario has no geography: every driver is equally near.')));
  }
  map.t = (model.scenario.from_s + model.scenario.until_s) / 2;
  const canvas = el('canvas', { class: 'draw', id: 'map-canvas', tabindex: 0, role: 'img', 'aria-label': 'Map of drivers and riders. Left and right arrows move time by 10 s, with shift by a minute; plus and minus zoom; space plays.' });
  const slider = el('input', { type: 'range', id: 'map-time', min: 0, max: endOfRun, step: 1, value: map.t, 'aria-label': 'time' });
  const label = el('span', { class: 'time', id: 'map-clock' });
  const readout = el('div', { class: 'readout' });
  let spots = [];
  const place = (p) => [number(p.x / 1000), number(p.y / 1000)];
  const here = (state) => spots.filter((s) => s.state === state);
  const tables = [
    dataTable('map-data', 'This instant as a table', () => clock(map.t, 0) + ': ' + ['available', 'on_trip', 'converting', 'wasted', 'waiting'].map((s) => grouped(here(s).length) + ' ' + (s === 'wasted' ? 'held for nothing' : s === 'waiting' ? 'riders who wait' : wordOf(s))).join(', ') + '. Listed: who waits or is leased, in km east and north of the middle of the map.',
      () => ['who', 'is', 'east', 'north'], () => [...here('waiting'), ...here('wasted'), ...here('converting')].map((s) => [...s.text.split(', ').slice(0, 1), s.text.split(', ').slice(1).join(', '), ...place(s.place)])),
    dataTable('cells-data', 'Where supply was hidden and riders blocked, as a table', () => 'Cells of ' + grouped(model.map.cell_m) + ' m, in km east and north of the middle of the map, over the measured time', () => ['what', 'east', 'north', 'for'],
      () => [['supply hidden', model.map.hidden], ['riders blocked', model.map.starved]].flatMap(([what, cells]) => [...cells].sort((a, b) => b[2] - a[2]).map(([i, j, s, t]) => [what, ...place({ x: i * model.map.cell_m, y: j * model.map.cell_m }), number(s, t)])))];
  const draw = () => { label.textContent = clock(map.t, 0); slider.value = map.t; slider.setAttribute('aria-valuetext', clock(map.t, 0)); spots = drawMap(canvas); counts(); for (const t of tables) t.refill(); };
  const counts = () => {
    const now = JSON.parse(canvas.dataset.drawn);
    readout.textContent = clock(map.t, 0) + ': ' + grouped(now.drivers) + ' drivers and ' + grouped(now.riders) + ' waiting riders are drawn' + (model.sample.every > 1 ? ' (one in ' + model.sample.every + ')' : '') + '.'
      + (now.outside ? ' ' + grouped(now.outside) + (now.outside === 1 ? ' cell' : ' cells') + ' of hidden supply or blocked riders ' + (now.outside === 1 ? 'lies' : 'lie') + ' outside the view: \u2212 brings more of it in.' : '');
  };
  const go = (t) => { map.t = Math.min(Math.max(t, 0), endOfRun); draw(); };
  const play = el('button', { type: 'button', 'aria-pressed': 'false', id: 'map-play', onclick: () => {
    map.playing = !map.playing;
    play.setAttribute('aria-pressed', String(map.playing));
    play.textContent = map.playing ? 'Pause' : 'Play';
    let before = null;
    const frame = (now) => {
      if (!map.playing) return;
      if (before !== null) go(map.t + (now - before) / 1000 * 30);
      before = now;
      if (map.t >= endOfRun) play.click();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  } }, 'Play');
  slider.addEventListener('input', () => go(Number(slider.value)));
  const zoom = (by) => { map.zoom = Math.min(Math.max(map.zoom * by, 0.1), 40); map.dx *= by; map.dy *= by; draw(); };
  canvas.addEventListener('keydown', (e) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (e.key in steps) go(map.t + steps[e.key] * (e.shiftKey ? 60 : 10));
    else if (e.key === '+' || e.key === '=') zoom(1.4);
    else if (e.key === '-') zoom(1 / 1.4);
    else if (e.key === ' ') play.click();
    else return;
    e.preventDefault();
  });
  let grip = null;
  canvas.addEventListener('pointerdown', (e) => { grip = { x: e.offsetX, y: e.offsetY, moved: false }; });
  canvas.addEventListener('pointermove', (e) => {
    if (grip && e.buttons) {
      map.dx += e.movementX; map.dy += e.movementY;
      grip.moved = grip.moved || Math.abs(e.offsetX - grip.x) + Math.abs(e.offsetY - grip.y) > 5;
      draw();
      return;
    }
    const near = nearest(e);
    if (near) readout.textContent = near.text;
  });
  const nearest = (e) => spots.map((s) => ({ ...s, d: Math.hypot(s.x - e.offsetX, s.y - e.offsetY) })).filter((s) => s.d < 14).sort((a, b) => a.d - b.d)[0];
  canvas.addEventListener('pointerup', (e) => {
    const near = grip && !grip.moved ? nearest(e) : null;
    grip = null;
    if (near) select(near.what, map.t);
  });
  listeners.push((what, t) => { if (t !== undefined) map.t = t; draw(); });
  const toggle = (name, text) => {
    const box = el('input', { type: 'checkbox', id: 'map-' + name, checked: map.layers[name], onchange: () => { map.layers[name] = box.checked; draw(); } });
    return el('label', {}, box, text);
  };
  const mark = (name, text, shape) => {
    const sign = el('canvas', { width: 28, height: 26, 'aria-hidden': 'true' });
    drawn(() => { const c = sign.getContext('2d'); c.clearRect(0, 0, 28, 26); c.fillStyle = c.strokeStyle = colour(name); c.lineWidth = 4; c.beginPath(); shape(c); });
    return el('li', {}, sign, text);
  };
  const cellMark = (name, text) => {
    const sign = el('canvas', { width: 28, height: 26, 'aria-hidden': 'true' });
    drawn(() => { const c = sign.getContext('2d'); c.clearRect(0, 0, 28, 26); c.globalAlpha = 0.7; c.fillStyle = fillOf(c, name); c.fillRect(0, 0, 28, 26); });
    return el('li', {}, sign, text);
  };
  later(() => drawn(draw));
  return section('map', 'The map', 'Every ride\u2019s origin is a faint dot: together they are the city. Move the time; hidden supply and blocked riders are of the whole measured time.',
    el('div', { class: 'card' }, el('div', { class: 'controls' }, play, slider, label), el('div', { class: 'controls' }, toggle('drivers', 'drivers'), toggle('riders', 'waiting riders'), toggle('hidden', 'where supply was hidden'), toggle('starved', 'where riders were blocked'),
      el('button', { type: 'button', 'aria-label': 'nearer', onclick: () => zoom(1.4) }, '+'), el('button', { type: 'button', 'aria-label': 'farther', onclick: () => zoom(1 / 1.4) }, '\u2212')),
    canvas, readout, tables, el('ul', { class: 'legend' }, mark('available', 'available', (c) => { c.arc(14, 13, 7, 0, 7); c.fill(); }), mark('trip', 'on a trip', (c) => { c.moveTo(14, 3); c.lineTo(24, 13); c.lineTo(14, 23); c.lineTo(4, 13); c.fill(); }),
      mark('converting', 'leased, and a trip comes of it', (c) => { c.rect(6, 5, 16, 16); c.fill(); }), mark('ignored', 'held for nothing', (c) => { c.moveTo(14, 3); c.lineTo(24, 22); c.lineTo(4, 22); c.fill(); }), mark('bad', 'rider who waits', (c) => { c.arc(14, 13, 9, 0, 7); c.stroke(); }),
      cellMark('ignored', 'supply was hidden here: the more, the stronger'), cellMark('lost_accept', 'riders were blocked here: nobody free near them, and a driver near them held for nothing'))));
}
