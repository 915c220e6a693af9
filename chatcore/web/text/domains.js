/** Addresses of mail with domains in letters of all languages, which the server has in ASCII (RFC 3492). */

const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
const [BASE, LEAST, MOST, SKEW, DAMP, FIRST_BIAS] = [36, 1, 26, 38, 700, 72];
const FIRST = 0x80;
const LAST = 0x10ffff;

/** An address with its domain in letters, for those who look for it. @param {string} address */
export const inLetters = (address) =>
  address.replace(/(?<=[@.])xn--([a-z0-9-]+)/g, (part, code) => decoded(code) ?? part);

/** The text of a code, if it is one. @param {string} code */
function decoded(code) {
  const end = Math.max(code.lastIndexOf("-"), 0);
  const points = [...code.slice(0, end)].map((one) => one.charCodeAt(0));
  let point = FIRST;
  let place = 0;
  let bias = FIRST_BIAS;
  for (let at = end && end + 1; at < code.length; ) {
    const before = place;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = DIGITS.indexOf(code[at++] ?? " ");
      if (digit < 0) return undefined;
      place += digit * weight;
      const threshold = Math.min(Math.max(k - bias, LEAST), MOST);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = points.length + 1;
    bias = adapted(place - before, length, before === 0);
    point += Math.floor(place / length);
    if (point > LAST) return undefined;
    place %= length;
    points.splice(place++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** @param {number} delta @param {number} length @param {boolean} isFirst */
function adapted(delta, length, isFirst) {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / length);
  let k = 0;
  for (; left > ((BASE - LEAST) * MOST) / 2; k += BASE) left = Math.floor(left / (BASE - LEAST));
  return k + Math.floor((BASE * left) / (left + SKEW));
}
