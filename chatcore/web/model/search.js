/** Texts of the search field: words, and terms such as `channel:garden`, `sender:"Ada Fox"` or `-is:read`. */

import { inLetters } from "../text/domains.js";
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
  const namesOf = (one) => [
    one.full_name,
    one.email,
    one.delivery_email,
    inLetters(one.delivery_email ?? ""),
  ];
  const having = (fits) =>
    people.filter((one) => namesOf(one).some((name) => name && fits(name.toLowerCase())));
  const exact =
    people.find((one) => `${one.user_id}` === text) ?? having((name) => name === text.toLowerCase())[0];
  const begun = having((name) => name.startsWith(text.toLowerCase()));
  return (exact ?? (begun.length === 1 ? begun[0] : undefined))?.user_id;
}

const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();
