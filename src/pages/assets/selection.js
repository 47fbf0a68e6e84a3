// What is selected: a ride, a lease or a driver, with the way from one to the others.

const listeners = [];
let selected = null;

// `what`: {ride: 7}, {driver: 3} or {try: row}; `t`: the instant to look at.
function select(what, t) {
  selected = what;
  for (const listener of listeners) listener(what, t);
}

const link = (text, what, t) => el('button', { type: 'button', class: 'link', onclick: () => select(what, t) }, text);
const rideLink = (n) => link('ride ' + n, { ride: n });
const driverLink = (n) => link('driver ' + n, { driver: n });
const tryLink = (one) => link(nameOfToken(one), { try: one.row });

function facts(pairs) {
  return el('dl', {}, pairs.filter(([, value]) => value !== null && value !== undefined && value !== '').flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

const when = (t) => (t === null ? null : clock(t, 3));

function tryLine(one, ...names) {
  return el('li', {}, clock(one.begin) + ' ', tryLink(one), ...names.flatMap((n) => [' ', n]), ': ' + outcomeOf(one));
}

function aboutRide(n) {
  const ride = rides.get(n), list = triesOfRide.get(n) || [];
  return [el('h3', {}, 'Ride ' + n), ride ? facts([['asked', when(ride.requested)], ['got a driver', when(ride.committed)], ['left', when(ride.gone)], ['blocked', ride.starved ? duration(ride.starved) : null]]) : el('p', { class: 'none' }, 'Not among those that are drawn.'),
    el('p', {}, list.length + (list.length === 1 ? ' try' : ' tries') + (model.sample.every > 1 ? ' among the drivers that are drawn' : '') + ':'), el('ul', {}, list.map((one) => tryLine(one, 'on', driverLink(one.driver))))];
}

function aboutDriver(n) {
  const list = triesOfDriver.get(n) || [];
  const trips = list.filter((one) => one.committed !== null).length;
  return [el('h3', {}, 'Driver ' + n), facts([['tries', grouped(list.length)], ['trips', grouped(trips)]]),
    el('ul', {}, list.map((one) => tryLine(one, 'for', rideLink(one.ride))))];
}

function aboutTry(row) {
  const one = tries[row];
  return [el('h3', {}, nameOfToken(one)[0].toUpperCase() + nameOfToken(one).slice(1)),
    facts([['driver', driverLink(one.driver)], ['ride', rideLink(one.ride)], ['matcher', 'matcher/' + one.matcher], [one.leased ? 'granted' : 'begun', when(one.begin)], ['offer sent', when(one.sent)], ['seen', when(one.shown)],
      ['answered', one.decided === null ? null : when(one.decided) + (one.accepted ? ', yes' : ', no') + (one.in_time ? '' : ', too late')], ['left the screen', when(one.left)], ['would expire', when(one.expires)], ['over', when(one.over)],
      ['ended because', one.ending], ['written down', when(one.committed)], ['rider told', when(one.promised)], ['trip over', when(one.tripOver)], ['came to', outcomeOf(one)]])];
}

function inspector() {
  const card = el('div', { class: 'card inspector', id: 'inspector', 'aria-live': 'polite' }, el('h3', {}, 'Nothing selected'), el('p', { class: 'none' }, 'Choose ' + (model.kind === 'story' ? 'a bar' : model.breaches.length ? 'a breach, a bar or a dot' : 'a bar or a dot') + ': its ride, lease and driver are listed here, each a link to the others.'));
  // Who came by a link of this card goes on from its new heading: the link itself is gone.
  listeners.push((what) => {
    const isHere = card.contains(document.activeElement);
    card.replaceChildren(...(what.ride ? aboutRide(what.ride) : what.driver ? aboutDriver(what.driver) : aboutTry(what.try)));
    card.dataset.of = JSON.stringify(what);
    card.querySelector('h3').tabIndex = -1;
    if (isHere) card.querySelector('h3').focus({ preventScroll: true });
  });
  return card;
}

function breaches() {
  if (!model.breaches.length) {
    return section('breaches', 'Harms', null, el('div', { class: 'card' }, el('p', { id: 'calm' }, 'None: ', prose(model.calm), '.')));
  }
  const items = model.breaches.map((b, i) => el('li', {}, el('div', { class: 'no' }, String(i + 1)), el('div', {},
    el('button', { type: 'button', class: 'link', onclick: (e) => {
      openBreach(b);
      // Pressed by key: the arrow keys go on in the lanes.
      if (e.detail === 0) $('lanes-canvas').focus({ preventScroll: true });
    } }, b.headline), el('div', { class: 'kind' }, wordOf(b.kind) + ' at ' + clock(b.t) + '   ', el('code', {}, model.commands[i])))));
  const mute = violationCount() - model.metrics.promises.violations.length;
  const beyond = mute > 0 ? ' ' + grouped(mute) + ' more broken promises are only counted.' : '';
  return section('breaches', 'Harms', 'Where a promise was broken, and the harms worth a look, the most instructive first. Each opens its swim-lanes.' + beyond, el('ol', { class: 'breaches' }, items));
}
