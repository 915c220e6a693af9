/** The texts of the interface, in the language that was chosen in this browser, or else in that of the browser. */

import TEXTS from "./texts.js";

/** Names of the languages, in the order of the texts. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch" };
const CHOSEN = "language";

const isKnown = (/** @type {string | null} */ code) => code !== null && Object.hasOwn(LANGUAGES, code);
const preferred = [localStorage.getItem(CHOSEN), ...navigator.languages.map((one) => one.slice(0, 2)), "en"];

export let language = /** @type {string} */ (preferred.find(isKnown));
let formats = formatsOf(language);
describe();

/** Choose a language for this browser, if it is known. @param {string} code */
export function chooseLanguage(code) {
  if (!isKnown(code)) return;
  localStorage.setItem(CHOSEN, code);
  language = code;
  formats = formatsOf(code);
  describe();
}

/** Name the language of the page, and the side at which its lines begin. */
function describe() {
  document.documentElement.lang = language;
}

/** @param {TextName} name @param {Record<string, unknown>} [values] */
export function t(name, values = {}) {
  const text = TEXTS[name][Object.keys(LANGUAGES).indexOf(language)];
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** The text for a name of the API, or the name itself where the API knows more names. @param {string} kind @param {unknown} name */
export function named(kind, name) {
  const key = `${kind}.${name}`;
  return Object.hasOwn(TEXTS, key) ? t(/** @type {TextName} */ (key)) : String(name).replace(/_/g, " ");
}

/** @param {string} code */
function formatsOf(code) {
  return {
    time: new Intl.DateTimeFormat(code, { hour: "2-digit", minute: "2-digit" }),
    day: new Intl.DateTimeFormat(code, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    full: new Intl.DateTimeFormat(code, { dateStyle: "full", timeStyle: "short" }),
  };
}

/** @param {number} timestamp seconds since 1970 */
export const timeOf = (timestamp) => formats.time.format(timestamp * 1000);
/** @param {number} timestamp */
export const dayOf = (timestamp) => formats.day.format(timestamp * 1000);
/** @param {number} timestamp */
export const fullTime = (timestamp) => formats.full.format(timestamp * 1000);
