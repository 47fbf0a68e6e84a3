// The trade-off of the points that were looked at, one figure against another: a mark for each, and a
// line through those that differ in the slider moved last alone.

const chartHeight = 300;
const chartSides = { left: 74, right: 26, top: 16, bottom: 46 };

// So few round numbers that they can be read, around all values.
function roundTicks(low, high, most) {
  const raw = (high - low) / most || 1, size = 10 ** Math.floor(Math.log10(raw));
  const step = size * [1, 2, 2.5, 5, 10].find((n) => n * size >= raw * 0.999);
  const all = [];
  for (let i = Math.floor(low / step); i * step < high + step; i += 1) all.push(i * step);
  return all;
}

function onAxis(value, unit) {
  if (unit === 'share') return significant(100 * value) + '\u00a0%';
  return unit === 's' ? duration(value) : significant(value);
}

// From 0 where that is near.
function rangeOf(values) {
  const low = Math.min(...values), high = Math.max(...values), room = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
  return [low < 0.4 * high ? 0 : low - room, high + room];
}

function axisOf(values, from, to, most) {
  const ticks = roundTicks(...rangeOf(values), most), low = ticks[0], high = ticks[ticks.length - 1];
  return { ticks, at: (v) => from + (to - from) * (v - low) / (high - low || 1) };
}

function whiskers(fx, fy, x, y) {
  const line = (x1, y1, x2, y2) => svg('line', { x1, y1, x2, y2, class: 'whisker' });
  return [line(x.at(fx.low), y.at(fy.v), x.at(fx.high), y.at(fy.v)), line(x.at(fx.v), y.at(fy.low), x.at(fx.v), y.at(fy.high))];
}

// points: {key, figures, runs, label, along, listed, current}. Those without either figure are left out.
function tradeOffChart(points, names, width, go) {
  const known = points.filter((p) => p.figures[names.x] && p.figures[names.y]);
  if (!known.length) return el('p', { class: 'none' }, 'No point has both figures yet.');
  const side = chartSides, current = known.filter((p) => p.current);
  // Of few runs intervals are so wide that all else would lie in a corner.
  const spread = (name) => [...known.map((p) => p.figures[name].v), ...current.filter((p) => p.runs > 4).flatMap((p) => [p.figures[name].low, p.figures[name].high])];
  const x = axisOf(spread(names.x), side.left, width - side.right, Math.max(3, Math.floor(width / 150)));
  const y = axisOf(spread(names.y), chartHeight - side.bottom, side.top, 5);
  const made = svg('svg', { class: 'figure', id: 'trade-off-chart', viewBox: '0 0 ' + width + ' ' + chartHeight, role: 'img', 'data-marks': known.length,
    'aria-label': heading(names.y) + ' against ' + titleOf(names.x) + ', ' + known.length + (known.length === 1 ? ' point' : ' points') + '; the list below has the figures' });
  for (const t of x.ticks) made.append(svg('line', { x1: x.at(t), x2: x.at(t), y1: side.top, y2: chartHeight - side.bottom, class: 'axis' }), svg('text', { x: x.at(t), y: chartHeight - side.bottom + 18, 'text-anchor': 'middle' }, onAxis(t, unitOf(names.x))));
  for (const t of y.ticks) made.append(svg('line', { x1: side.left, x2: width - side.right, y1: y.at(t), y2: y.at(t), class: 'axis' }), svg('text', { x: side.left - 8, y: y.at(t) + 4, 'text-anchor': 'end' }, onAxis(t, unitOf(names.y))));
  made.append(svg('text', { x: width - side.right, y: chartHeight - 6, 'text-anchor': 'end', class: 'strong' }, heading(names.x) + ' \u2192'));
  const placed = known.map((p) => ({ ...p, x: x.at(p.figures[names.x].v), y: y.at(p.figures[names.y].v) }));
  const along = placed.filter((p) => p.along !== null).sort((a, b) => a.along - b.along);
  if (along.length > 1) made.append(svg('polyline', { points: along.map((p) => p.x + ',' + p.y).join(' '), class: 'through' }));
  for (const p of placed) if (p.current && p.runs > 4) made.append(...whiskers(p.figures[names.x], p.figures[names.y], x, y));
  for (const p of [...placed].sort((a, b) => Number(a.current) - Number(b.current))) {
    const dot = svg('circle', { cx: p.x, cy: p.y, r: p.current ? 7 : p.listed ? 5 : 3.5, 'data-at': p.key, class: 'mark' + (p.current ? ' current' : '') + (p.along === null ? ' aside' : '') }, svg('title', {}, p.label));
    dot.addEventListener('click', () => go(p.key));
    made.append(dot);
  }
  labelled(made, placed, width);
  return made;
}

// As many as find room, the current point's first.
function labelled(made, placed, width) {
  const taken = placed.map((p) => [p.x - 6, p.y - 6, p.x + 6, p.y + 6]);
  const meets = (a) => taken.some((b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]);
  for (const p of [...placed].sort((a, b) => Number(b.current) - Number(a.current) || Number(b.listed) - Number(a.listed))) {
    if (p.along === null && !p.current) continue;
    const wide = 7 * p.short.length;
    const boxes = [[p.x + 10, p.y - 14], [p.x - 10 - wide, p.y - 14], [p.x + 10, p.y + 4], [p.x - 10 - wide, p.y + 4]].map(([left, top]) => [left, top, left + wide, top + 12]);
    const box = boxes.find((b) => b[0] > chartSides.left && b[2] < width - 4 && b[1] > 0 && !meets(b));
    if (box) {
      taken.push(box);
      made.append(svg('text', { x: box[0], y: box[3] - 1, class: p.current ? 'strong' : '' }, p.short));
    }
  }
}
