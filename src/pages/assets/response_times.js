// How long drivers took to answer, against the offer window and the TTL.

function hatch(id, angle, base) {
  return svg('pattern', { id, width: 7, height: 7, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(' + angle + ')' },
    svg('rect', { width: 7, height: 7, fill: base }), svg('line', { x1: 0, y1: 0, x2: 0, y2: 7, stroke: colour('card'), 'stroke-width': 2.4 }));
}

function offersFigure(narrow) {
  const r = model.responses;
  const W = narrow ? 420 : 900, H = narrow ? 300 : 300, left = 46, right = narrow ? 8 : 20, top = 34, bottom = 36;
  const n = r.accepted.length;
  const heights = r.accepted.map((a, i) => a + r.declined[i] + r.late[i]);
  const most = Math.max(...heights, 1);
  const x = (s) => left + (W - left - right) * Math.min(s / (n * r.step_s), 1);
  const y = (v) => H - bottom - (H - top - bottom) * v / most;
  const figure = svg('svg', { class: 'figure', viewBox: '0 0 ' + W + ' ' + H, role: 'img', 'aria-label': 'Histogram of response times', id: 'chart-offers' });
  figure.append(svg('defs', {}, hatch('hatch-declined', 45, colour('declined')), hatch('hatch-late', -45, colour('ignored'))));
  const { ttl_s: ttl, window_s: window } = model.scenario;
  if (window !== null) {
    figure.append(svg('rect', { x: x(window), y: top, width: Math.max(W - right - x(window), 0), height: H - top - bottom, fill: colour('faint') }));
  }
  for (let i = 0; i < n; ++i) {
    const w = Math.max(x(r.step_s) - x(0) - 1, 0.7);
    let base = 0;
    for (const [values, fill] of [[r.accepted, colour('converting')], [r.declined, 'url(#hatch-declined)'], [r.late, 'url(#hatch-late)']]) {
      if (values[i] > 0) {
        figure.append(svg('rect', { x: x(i * r.step_s), y: y(base + values[i]), width: w, height: y(base) - y(base + values[i]), fill, 'data-n': values[i] }));
      }
      base += values[i];
    }
  }
  figure.append(svg('line', { x1: left, x2: W - right, y1: H - bottom, y2: H - bottom, class: 'axis' }));
  const tick = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600].find((t) => n * r.step_s / t <= (narrow ? 6 : 12)) || n * r.step_s;
  for (let s = 0; s <= n * r.step_s + 1e-9; s += tick) {
    figure.append(svg('text', { x: x(s), y: H - bottom + 18, 'text-anchor': 'middle' }, duration(s)));
  }
  figure.append(svg('text', { x: left - 6, y: y(most) + 4, 'text-anchor': 'end' }, grouped(most)), svg('text', { x: left - 6, y: H - bottom, 'text-anchor': 'end' }, '0'));
  for (const [s, label, up] of [[window, 'offer window ' + duration(window || 0) + (ttl === window ? ', as the TTL' : ''), 8], [ttl, 'TTL ' + duration(ttl || 0), 22]]) {
    if (s !== null && !(label.startsWith('TTL') && ttl === window)) {
      figure.append(svg('line', { x1: x(s), x2: x(s), y1: up + 3, y2: H - bottom, stroke: colour('ink'), 'stroke-width': 1.4, 'stroke-dasharray': label.startsWith('TTL') ? '2 3' : '7 4' }),
        svg('text', { x: x(s) + 5, y: up + 6, class: 'strong' }, label));
    }
  }
  return figure;
}

// Her own clock, and when she was told that her time ends, decide what is too late: on the axis, which
// is true time since it was on her screen, that may be on either side of the window.
function edgeSaid() {
  const r = model.responses, window = model.scenario.window_s;
  if (window === null) return '';
  const isAstray = r.accepted.some((n, i) => n > 0 && i * r.step_s >= window) || r.late.some((n, i) => n > 0 && (i + 1) * r.step_s <= window);
  return isAstray ? ' Each driver judges by her own clock whether her time was over; not all are right, so not all that came too late lies to the right of the offer window.' : ' What lies to the right of the offer window came too late.';
}

function offers() {
  const r = model.responses;
  const sum = (a) => a.reduce((x, y) => x + y, 0);
  const accepted = sum(r.accepted), declined = sum(r.declined), late = sum(r.late);
  const holder = el('div', { class: 'chart' });
  drawn(() => { holder.replaceChildren(offersFigure((holder.clientWidth || innerWidth) < 560)); });
  const tile = (n, label, name) => el('div', { class: 'tile' }, el('div', { class: 'n', 'data-count': name }, grouped(n)), el('div', { class: 'l' }, label + (r.shares[name] ? ', ' + r.shares[name] : '')));
  const table = dataTable('offers-data', 'As a table', () => 'Answers by how long after the offer was on the screen', () => ['from', 'to', 'accepted in time', 'declined', 'accepted too late'],
    () => r.accepted.map((n, i) => [duration(i * r.step_s), i + 1 < r.accepted.length ? duration((i + 1) * r.step_s) : 'and more', number(n), number(r.declined[i]), number(r.late[i])]).filter((row) => row.slice(2).some((v) => v.value > 0)));
  return section('offers', 'Offers', 'How long drivers took to answer what was on their screen.' + edgeSaid() + ' Answers count when they were given, offers without one when they were sent. A bar is ' + duration(r.step_s) + ' wide; the last one holds all that came later.',
    el('div', { class: 'card' }, holder,
      el('ul', { class: 'legend' }, el('li', {}, swatch('converting'), 'accepted in time'), el('li', {}, swatch('declined'), 'declined'), el('li', {}, swatch('ignored'), 'accepted too late')),
      el('div', { class: 'tiles' }, tile(accepted, 'accepted in time', 'accepted'), tile(declined, 'declined', 'declined'), tile(late, 'too late', 'late'), tile(r.unanswered, 'never answered', 'unanswered'), tile(r.undelivered, 'never seen', 'undelivered')), table));
}
