// Supply over time: two stacked charts over one axis, faults marked on it; and riders who wait.

const tintOfFault = (f) => colour({ crash: 'bad', error: 'bad', pause: 'warn', 'slow link': 'warn' }[f.what] || 'ink');
const faultText = (f) => f.what + ' of ' + f.who + (f.detail ? ', ' + f.detail : '');

// Cumulative sums from the bottom layer up, in drivers on the average of each step.
function stacked(layers) {
  const { begins, spent_s: spent } = model.supply;
  const ends = begins.slice(1).concat(model.scenario.end_s);
  const sums = begins.map(() => 0);
  return layers.map((name) => {
    const row = begins.map((from, i) => {
      const width = ends[i] - from;
      sums[i] += width > 0 ? spent[name][i] / width : 0;
      return sums[i];
    });
    return row.concat(row[row.length - 1]);
  });
}

function axisOptions() {
  return { stroke: colour('soft'), grid: { stroke: colour('faint'), width: 1 }, ticks: { stroke: colour('line'), width: 1 }, font: '12px system-ui' };
}

function dashedDown(ctx, x, box, ratio) {
  for (let y = box.top; y < box.top + box.height; y += 6 * ratio) ctx.fillRect(x - ratio / 2, y, ratio, 3 * ratio);
}

// The one stretch of time that all charts show: the whole run, or what was dragged out of any of them.
const stretch = { plots: new Set(), seen: null };
const wholeRun = () => [0, model.scenario.end_s];
function zoom(seen) {
  stretch.seen = seen;
  const [min, max] = seen || wholeRun();
  for (const plot of stretch.plots) plot.setScale('x', { min, max });
  if ($('supply-all')) $('supply-all').hidden = !seen;
}
// The nearest of these times that is seen.
function inSight(times, i) {
  const [from, until] = stretch.seen || wholeRun();
  while (i + 1 < times.length && times[i] < from) ++i;
  while (i > 0 && times[i] > until) --i;
  return i;
}
function zoomOptions() {
  return {
    cursor: { y: false, points: { show: false }, sync: { key: 'supply', filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } }, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => () => zoom(null) } },
    scale: { time: false, range: () => stretch.seen || wholeRun() },
    hooks: {
      init: [(u) => stretch.plots.add(u)], destroy: [(u) => stretch.plots.delete(u)],
      setSelect: [(u) => {
        const [from, until] = [u.select.left, u.select.left + u.select.width].map((px) => Math.min(Math.max(u.posToVal(px, 'x'), 0), model.scenario.end_s));
        if (u.select.width > 0) u.setSelect({ left: 0, width: 0 }, false);
        if (until > from) zoom([from, until]);
      }],
      setScale: [(u, key) => { if (key === 'x') u.root.parentElement.dataset.window = u.scales.x.min + ' ' + u.scales.x.max; }],
    },
  };
}

// Warm-up and drain in the background, faults in front.
// `withStrips`: not where they would look like what is drawn.
function bandsPlugin(withStrips = true) {
  return { hooks: {
    drawClear: (u) => {
      const { ctx } = u;
      ctx.save();
      for (const [from, until] of [[0, model.scenario.from_s], [model.scenario.until_s, model.scenario.end_s]]) {
        const x0 = Math.max(u.valToPos(from, 'x', true), u.bbox.left), x1 = Math.min(u.valToPos(until, 'x', true), u.bbox.left + u.bbox.width);
        if (x1 > x0) {
          ctx.fillStyle = colour('faint');
          ctx.fillRect(x0, u.bbox.top, x1 - x0, u.bbox.height);
        }
      }
      ctx.restore();
    },
    draw: (u) => {
      const { ctx } = u;
      const ratio = devicePixelRatio || 1;
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      ctx.clip();
      ctx.textAlign = 'center';
      ctx.font = 11 * ratio + 'px system-ui';
      // Outages and links as a bar at the head between two dashed edges, which leave what is drawn its
      // colours; clocks and what lies in wait as strips at the foot.
      let strip = 0;
      const told = [];
      for (const f of model.faults.filter((each) => each.from <= u.scales.x.max && each.until >= u.scales.x.min)) {
        const x0 = u.valToPos(f.from, 'x', true), x1 = Math.max(u.valToPos(f.until, 'x', true), x0 + ratio);
        ctx.fillStyle = ctx.strokeStyle = tintOfFault(f);
        const whole = f.form === 'outage' || f.form === 'link' || f.from === f.until;
        if (!whole && !withStrips) continue;
        const foot = u.bbox.top + u.bbox.height - 4 * ratio * (1 + strip);
        ctx.globalAlpha = whole ? 0.8 : 0.4;
        if (whole) {
          ctx.fillRect(x0, u.bbox.top, x1 - x0, 3 * ratio);
          for (const x of [x0, x1]) dashedDown(ctx, x, u.bbox, ratio);
        } else for (let x = x0; x < x1; x += 7 * ratio) ctx.fillRect(x, foot, Math.min(4 * ratio, x1 - x), 2 * ratio);
        ctx.globalAlpha = 0.9;
        const left = Math.max(x0, u.bbox.left), right = Math.min(x1, u.bbox.left + u.bbox.width);
        const inside = Math.min(Math.max(whole ? (left + right) / 2 : left + 15 * ratio * strip, u.bbox.left + 7 * ratio), u.bbox.left + u.bbox.width - 7 * ratio);
        told.push(f.sign);
        ctx.fillText(f.sign, inside, whole ? u.bbox.top + 14 * ratio : foot - 3 * ratio);
        if (f.form === 'armed') for (const s of strikes) if (s.what === f.what && s.t >= f.from && s.t <= f.until) ctx.fillRect(u.valToPos(s.t, 'x', true), foot - 2 * ratio, ratio, 4 * ratio);
        strip += whole ? 0 : 1;
      }
      u.root.parentElement.dataset.faults = told.join(' ');
      ctx.restore();
    },
  } };
}

// One chart over time, read by pointer and by arrow keys. `looks` are its series, drawn anew with each theme.
function timeChart(holder, times, data, height, readout, { align, looks, bands = () => [], withStrips = true, least = 1 }) {
  let plot = null, at = 0;
  drawn(() => {
    if (plot) plot.destroy();
    const paths = uPlot.paths.stepped({ align }), zooming = zoomOptions();
    plot = new uPlot({
      width: Math.max(holder.clientWidth, 220), height, legend: { show: false }, padding: [8, 34, 0, 0],
      cursor: zooming.cursor, scales: { x: zooming.scale, y: { range: (u, low, high) => [0, Math.max(high, least) * 1.05] } },
      axes: [{ ...axisOptions(), values: (u, all) => all.map((t) => clock(t, 0)), space: 64, size: 30, incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 14400, 28800, 86400] }, { ...axisOptions(), size: 54, values: (u, all) => all.map((v) => significant(v)) }],
      series: [{}, ...looks().map((look) => ({ paths, points: { show: false }, ...look }))], bands: bands(), plugins: [bandsPlugin(withStrips)],
      hooks: { ...zooming.hooks, setCursor: [(u) => readout(u.cursor.idx)] },
    }, [times, ...data], holder);
    holder.dataset.drawn = String(data.length);
  });
  holder.addEventListener('keydown', (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!step) return;
    at = inSight(times, Math.min(Math.max(at + step, 0), times.length - (align > 0 ? 2 : 1)));
    plot.setCursor({ left: plot.valToPos(times[at], 'x') + (align > 0 ? 1 : 0), top: 8 });
    readout(at);
    e.preventDefault();
  });
}

// Layers on each other, from the bottom up.
function stackedChart(holder, layers, height, readout) {
  const order = [...layers].reverse();
  timeChart(holder, model.supply.begins.concat(model.scenario.end_s), stacked(layers).reverse(), height, readout,
    { align: 1, least: 1e-9, looks: () => order.map((name) => ({ label: wordOf(name), stroke: colour('card'), width: 0.6, fill: (u) => fillOf(u.ctx, name) })) });
}

// A figure from its lowest to its highest in each step, so that no peak is lost between two marks.
function rangeChart(holder, times, low, high, tint, height, readout) {
  timeChart(holder, times, [high, low], height, readout,
    { align: -1, withStrips: false, bands: () => [{ series: [1, 2], fill: colour(tint) + '55' }], looks: () => ['highest', 'lowest'].map((label) => ({ label, stroke: colour(tint), width: 1.4 })) });
  holder.dataset.peak = String(Math.max(...high, 0));
}

function layerLegend(layers) {
  return el('ul', { class: 'legend' }, layers.map((name) => el('li', {}, swatch(name), wordOf(name))));
}

function faultList() {
  if (!model.faults.length) return '';
  const kinds = groupBy(model.faults, 'what');
  const struck = (what) => { const n = model.strike_counts[what]; return n ? ', which struck ' + grouped(n) + (n === 1 ? ' time' : ' times') : ''; };
  // A rule for clocks is one for any number of nodes.
  const several = (what, n) => (what === 'clock off' ? 'clocks off, by ' + n + (n === 1 ? ' rule' : ' rules') : n + ' ' + (n === 1 ? what : what + (what.endsWith('sh') ? 'es' : 's')));
  return el('details', { class: 'note', id: 'faults' }, el('summary', {}, 'Faults: ' + [...kinds].map(([what, all]) => all[0].sign + ' ' + several(what, all.length) + struck(what)).join('; ')),
    el('ul', {}, model.faults.map((f) => el('li', { 'data-what': f.what }, f.sign + ' ' + clock(f.from) + (f.until > f.from ? ' to ' + clock(f.until) : '') + ': ' + faultText(f)))));
}

function supply() {
  const spent = model.supply.spent_s;
  const parts = Object.keys(spent).slice(4).filter((name) => spent[name].some((v) => v > 0));
  const used = (names) => names.filter((name) => spent[name].some((v) => v > 0));
  const whole = used(['on_trip', 'converting', ...parts, 'available', 'offline']);
  const leased = used(['converting', ...parts]);
  const keys = { class: 'chart', tabindex: 0, role: 'img' };
  const all = el('div', { ...keys, id: 'chart-supply', 'aria-label': 'All drivers over time, by state. Left and right arrows read it step by step.' }), some = el('div', { ...keys, id: 'chart-leased', 'aria-label': 'Drivers under a lease over time, by what came of it. Left and right arrows read it step by step.' }), riders = el('div', { ...keys, id: 'chart-riders', 'aria-label': 'Riders who wait over time. Left and right arrows read it step by step.' });
  const readout = el('div', { class: 'readout', 'aria-live': 'polite', id: 'supply-readout' }, 'Move over a chart, or use the arrow keys, to read it; drag to zoom all of them, double-click to see all.');
  const read = (i) => {
    if (i === null || i === undefined || i >= model.supply.begins.length) return;
    const width = (model.supply.begins[i + 1] || model.scenario.end_s) - model.supply.begins[i];
    const at = whole.filter((name) => spent[name][i] > 0).map((name) => wordOf(name) + ' ' + significant(spent[name][i] / width));
    const down = model.faults.filter((f) => f.from < model.supply.begins[i] + width && f.until > model.supply.begins[i]).map(faultText);
    readout.textContent = clock(model.supply.begins[i], 0) + ': ' + at.concat(down).join(', ');
  };
  const widthOf = (i) => (model.supply.begins[i + 1] || model.scenario.end_s) - model.supply.begins[i];
  const numbersOf = (i, names) => names.map((name) => number(widthOf(i) > 0 ? spent[name][i] / widthOf(i) : 0));
  const table = dataTable('supply-data', 'Drivers as a table', () => 'Drivers in each state, on the average of each step; leased is split by what came of it', () => ['from', ...whole.map(wordOf), 'faults'],
    () => model.supply.begins.map((t, i) => [clock(t, 0), ...numbersOf(i, whole), model.faults.filter((f) => f.from < t + widthOf(i) && f.until >= t && f.form !== 'armed').map((f) => f.what + ' of ' + f.who).join('; ')]));
  const thinned = model.series.samples > 1;
  const sampled = thinned ? 'counted every ' + duration(model.series.every_s) + '; drawn from the lowest to the highest of each ' + duration(model.series.every_s * model.series.samples) : 'counted every ' + duration(model.series.every_s);
  const waiting = dataTable('waiting-data', 'Riders as a table', () => 'Riders who wait, without an offer or a driver: ' + sampled, () => (thinned ? ['until', 'lowest', 'highest'] : ['at', 'waiting']),
    () => model.series.t.map((t, i) => [clock(t, 0), number(model.series.waiting_low[i]), number(model.series.waiting_high[i])].slice(0, thinned ? 3 : 2)));
  const readRiders = (i) => {
    if (i === null || i === undefined || i >= model.series.t.length) return;
    const [low, high] = [model.series.waiting_low[i], model.series.waiting_high[i]];
    readout.textContent = (thinned ? 'until ' : '') + clock(model.series.t[i], 0) + ': ' + (low === high ? grouped(high) : grouped(low) + ' to ' + grouped(high)) + (high === 1 ? ' rider waits' : ' riders wait');
  };
  const holder = section('supply', 'Supply over time', 'Each driver\u2019s second counts once. Below, the drivers under a lease alone: what became a trip, and what was hidden for nothing, by cause. Each step is the average of ' + duration(model.supply.step_s) + '. Grey ground: warm-up and drain, not measured.',
    el('div', { class: 'card' }, el('h3', {}, 'All drivers'), all, layerLegend(whole), el('h3', {}, 'Drivers under a lease'), some, layerLegend(leased),
      el('h3', {}, 'Riders who wait, without an offer or a driver', el('small', { class: 'none', id: 'riders-step' }, ' ' + sampled)), riders, readout, el('div', { class: 'controls' }, el('button', { type: 'button', id: 'supply-all', hidden: true, onclick: () => zoom(null) }, 'See all')), faultList(), table, waiting));
  later(() => {
    stackedChart(all, whole, 250, read);
    if (leased.length) stackedChart(some, leased, 190, read);
    else some.append(el('p', { class: 'none' }, model.scenario.leases ? 'No driver was under a lease in this run.' : 'There are no leases under this protocol.'));
    rangeChart(riders, model.series.t, model.series.waiting_low, model.series.waiting_high, 'bad', 120, readRiders);
  });
  return holder;
}
