/**
 * Texts of search fields: words, and terms such as `channel:garden`, `sender:"Ada Fox"` or `-is:read`; and
 * things that are found by parts of their names, the best first.
 */

import { OTHER_WORDS, isPlace } from "./narrow.js";

const TERM = /(?<=^|\s)(-?)([a-z-]+):("[^"]*"|\S+)/g;
const OPERATORS = "channel channels topic sender dm dm-including is in has id mentions".split(" ");

/**
 * Return the terms of a text, after those of *here* in whose place it has none.
 *
 * @param {Chat} chat
 * @param {string} text
 * @param {Term[]} [here]
 */
export function termsOf(chat, text, here = []) {
  /** @type {Term[]} */ const terms = [];
  const words = text.replace(TERM, (found, sign, word, quoted) => {
    const operator = OTHER_WORDS.get(word) ?? word;
    if (!OPERATORS.includes(operator)) return found;
    terms.push({
      operator,
      operand: operandOf(chat, operator, quoted.replace(/^"|"$/g, "")),
      ...(sign && { negated: true }),
    });
    return "";
  });
  const search = words.replace(/\s+/g, " ").trim();
  const given = terms.filter((term) => !term.negated).map((term) => term.operator);
  const isElsewhere = given.includes("channel") || given.includes("dm");
  const kept = here.filter(
    (one) => !(isPlace(one) && given.includes(one.operator)) && !(isElsewhere && isPlace(one)),
  );
  return [...kept, ...terms, ...(search ? [{ operator: "search", operand: search }] : [])];
}

/**
 * Return the id of what is named, or the text if nothing is.
 *
 * @param {Chat} chat
 * @param {string} operator
 * @param {string} text
 * @returns {Term["operand"]}
 */
function operandOf(chat, operator, text) {
  const people = text.split(",").map((one) => personOf(chat, one.trim()));
  if (operator === "channel")
    return [...chat.channels.values()].find(({ name }) => isSame(name, text))?.stream_id ?? text;
  if (operator === "sender" || operator === "mentions") return personOf(chat, text) ?? text;
  if (operator.startsWith("dm") && !people.includes(undefined)) return /** @type {number[]} */ (people);
  return text;
}

/**
 * The person of an id, a name or an address, of the beginning of one if nobody else has it, or "me".
 *
 * @param {Chat} chat
 * @returns {number | undefined}
 */
function personOf(chat, text) {
  if (text === "me") return chat.me;
  const people = [...chat.people.values()];
  const namesOf = (one) => [one.full_name, one.email, one.delivery_email];
  const wanted = spellings(text);
  /** @param {(name: string, spelling: string) => boolean} fits */
  const having = (fits) =>
    people.filter((one) =>
      namesOf(one).some((name) => name && wanted.some((spelling) => fits(name.toLowerCase(), spelling))),
    );
  const exact =
    people.find((one) => `${one.user_id}` === text) ?? having((name, spelling) => name === spelling)[0];
  const begun = having((name, spelling) => name.startsWith(spelling));
  return (exact ?? (begun.length === 1 ? begun[0] : undefined))?.user_id;
}

/**
 * What finds a name or an address by a text, in small letters: the text itself, and with a domain as the
 * server has it, in ASCII, which is of whole words only.
 *
 * @param {string} text
 */
export function spellings(text) {
  const asked = text.trim().toLowerCase();
  const inAscii = (domain) => (URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).host : domain);
  return [asked, asked.replace(/[\p{L}\p{M}\d.-]*\P{ASCII}[\p{L}\p{M}\d.-]*$/u, inAscii)];
}

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();

/**
 * A thing that can be found: its name without marks and capitals, and what it counts among those whose names
 * fit as well, such as for being recent.
 *
 * @typedef {{folded: string, weight: number}} Findable
 */

/** How a name fits that has only the letters, in their order: it is found if no other fits better. */
const SCATTERED = 1;

/** A text without accents and capitals. @param {string} text */
export const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** How well a name fits a part: as its beginning, that of a word, inside, or scattered; 0 if not at all. */
function fit(name, part) {
  const at = name.indexOf(part);
  if (at === 0) return name.length === part.length ? 5 : 4;
  if (at > 0) return /[\s\-_./]/.test(name[at - 1]) || name.includes(` ${part}`) ? 3 : 2;
  const words = part.split(" ");
  if (words.length > 1 && words.every((word) => name.startsWith(word) || name.includes(` ${word}`))) return 3;
  return part.length > 1 && name[0] === part[0] && hasLetters(name, part) ? SCATTERED : 0;
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
  const found = things.map((one) => ({ one, fits: part ? fit(one.folded, part) : SCATTERED }));
  const beyond = found.some(({ fits }) => fits > SCATTERED) ? SCATTERED : 0;
  return found
    .filter(({ fits }) => fits > beyond)
    .sort(
      (a, b) => b.fits - a.fits || b.one.weight - a.one.weight || a.one.folded.length - b.one.folded.length,
    )
    .slice(0, most)
    .map(({ one }) => one);
}
