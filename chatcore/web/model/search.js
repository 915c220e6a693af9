/** Texts of the search field: words, and terms such as `channel:garden`, `sender:"Ada Fox"` or `-is:read`. */

import { OTHER_WORDS } from "./narrow.js";

/** @typedef {import("./narrow.js").Term} Term */

const TERM = /(?<=^|\s)(-?)([a-z-]+):("[^"]*"|\S+)/g;
const OPERATORS = new Set(["channel", "channels", "topic", "sender", "dm", "dm-including", "is", "in", "has", "id", "mentions"]);
/** Operators that say where messages are. */
const PLACES = ["channel", "topic", "dm", "sender"];

/** Return the terms of a text; a text without a place looks in the place of *here*. @param {Chat} chat @param {string} text @param {Term[]} here */
export function termsOf(chat, text, here) {
  /** @type {Term[]} */
  const terms = [];
  const words = text.replace(TERM, (found, sign, word, quoted) => {
    const operator = OTHER_WORDS.get(word) ?? word;
    if (!OPERATORS.has(operator)) return found;
    terms.push({ operator, operand: operandOf(chat, operator, quoted.replace(/^"|"$/g, "")), ...(sign && { negated: true }) });
    return "";
  });
  const search = words.replace(/\s+/g, " ").trim();
  const isPlaced = terms.some(({ operator, negated }) => PLACES.includes(operator) && operator !== "topic" && !negated);
  const place = isPlaced ? [] : here.filter(({ operator }) => PLACES.includes(operator) && !terms.some((one) => one.operator === operator && !one.negated));
  return [...place, ...terms, ...(search ? [{ operator: "search", operand: search }] : [])];
}

/** Return the text of terms, without their place. @param {Term[]} terms */
export function textOf(terms) {
  const texts = terms.map(({ operator, operand, negated }) => {
    if (operator === "search") return String(operand);
    if (PLACES.includes(operator) && !negated) return "";
    const text = String(operand);
    return `${negated ? "-" : ""}${operator}:${/\s/.test(text) ? `"${text}"` : text}`;
  });
  return texts.filter(Boolean).join(" ");
}

/** Return the id of what is named, or the text if nothing is. @param {Chat} chat @param {string} operator @param {string} text @returns {Term["operand"]} */
function operandOf(chat, operator, text) {
  if (operator === "channel") return [...chat.channels.values()].find(({ name }) => isSame(name, text))?.stream_id ?? text;
  if (operator === "sender" || operator === "mentions") return personOf(chat, text) ?? text;
  if (operator === "dm" || operator === "dm-including") {
    const people = text.split(",").map((one) => personOf(chat, one.trim()));
    return people.includes(undefined) ? text : /** @type {number[]} */ (people);
  }
  return text;
}

/** @param {Chat} chat @param {string} text a name, an address, an id or "me" */
function personOf(chat, text) {
  if (text === "me") return chat.me;
  return [...chat.people.values()].find(({ full_name, email, user_id }) => [full_name, email, String(user_id)].some((one) => isSame(one, text)))?.user_id;
}

/** @param {string} one @param {string} other */
const isSame = (one, other) => one.toLowerCase() === other.toLowerCase();
