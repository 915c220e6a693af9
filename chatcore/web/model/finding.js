/** Finding things by parts of their names, the best first. */

/**
 * A thing that can be found: its name without marks and capitals, and what it counts beside its name, from 0
 * to 9, such as for being recent.
 *
 * @typedef {{folded: string, weight: number}} Findable
 */

const STEP = 10;
/** Not found at all. */
const NONE = 0;

/** A text without accents and capitals. @param {string} text */
export const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** How well a name fits a part: as its beginning, that of a word, inside, or by letters in this order. */
function fit(name, part) {
  const at = name.indexOf(part);
  if (at === 0) return name.length === part.length ? 5 : 4;
  if (at > 0) return /[\s\-_./]/.test(name[at - 1]) || name.includes(` ${part}`) ? 3 : 2;
  const words = part.split(" ");
  if (words.length > 1 && words.every((word) => name.startsWith(word) || name.includes(` ${word}`))) return 3;
  return part.length > 1 && name[0] === part[0] && hasLetters(name, part) ? 1 : NONE;
}

function hasLetters(name, part) {
  let at = -1;
  for (const letter of part) {
    at = name.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * Those of the things whose names fit a text, the best first; all for no text.
 *
 * @template {Findable} Thing
 * @param {Thing[]} things
 * @param {string} text
 * @param {number} most
 * @returns {Thing[]}
 */
export function find(things, text, most) {
  const part = fold(text.trim());
  const found = [];
  for (const one of things) {
    const fits = part ? fit(one.folded, part) : 1;
    if (fits !== NONE) found.push({ one, value: fits * STEP + one.weight });
  }
  return found
    .sort((a, b) => b.value - a.value || a.one.folded.length - b.one.folded.length)
    .slice(0, most)
    .map(({ one }) => one);
}
