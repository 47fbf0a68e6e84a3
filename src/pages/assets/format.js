// Numbers that are born on the page, such as the instant under a cursor: formatted as the program's
// text/number does it, against which a test holds them. All others come from the program as texts.

const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

// A tie goes to the even digit, as where the program prints it: toFixed takes the larger number.
function fixed(value, decimals) {
  const isDyadic = Number.isInteger(value * 2 ** (decimals + 1)), scaled = value * 10 ** decimals;
  if (!isDyadic || Math.abs(scaled % 1) !== 0.5) return value.toFixed(decimals);
  return (2 * Math.round(scaled / 2) / 10 ** decimals).toFixed(decimals);
}

// Three significant digits; a whole number with all of its digits.
function significant(value, digits = 3) {
  const size = Math.abs(value);
  if (size < 1e15 && Math.abs(value - Math.round(value)) <= 1e-12 * size) return grouped(fixed(value, 0));
  if (size < 1e-6) return value.toExponential(digits - 1).replace(/e-(\d)$/, 'e-0$1');
  const order = Number(size.toExponential(digits - 1).split('e')[1]);
  const [whole, rest] = fixed(value, Math.max(digits - 1 - order, 0)).split('.');
  return grouped(whole) + (rest ? '.' + rest : '');
}

function duration(seconds) {
  const size = Math.abs(seconds);
  if (size < 119.95) {
    const [scale, unit] = size >= 1 || size === 0 ? [1, ' s'] : size >= 1e-3 ? [1e3, ' ms'] : [1e6, ' us'];
    return significant(seconds * scale) + unit;
  }
  const whole = Math.round(size), h = Math.floor(whole / 3600), m = Math.floor(whole % 3600 / 60), s = whole % 60;
  return (seconds < 0 ? '-' : '') + [h && grouped(h) + ' h', m && m + ' min', s && s + ' s'].filter(Boolean).join(' ');
}

// `50:14.3`, or `1:02:51.0` from an hour on.
function clock(seconds, decimals = 1) {
  const scale = 10 ** decimals, all = Math.round(Math.abs(seconds) * scale), minute = 60 * scale;
  const h = Math.floor(all / (60 * minute)), m = Math.floor(all % (60 * minute) / minute);
  const tail = (all % minute / scale).toFixed(decimals).padStart(decimals ? 3 + decimals : 2, '0');
  return (seconds < 0 ? '-' : '') + (h ? h + ':' + String(m).padStart(2, '0') : m) + ':' + tail;
}
