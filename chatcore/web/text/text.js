/** The texts of the interface in the language of the browser. */

import de from "./de.js";
import en from "./en.js";

/** @type {Record<string, Record<string, string>>} */
const LANGUAGES = { de, en };

export const language = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES) ?? "en";
/** Whether lines begin at the right. */
export const direction = ["ar", "fa", "he", "ur"].includes(language) ? "rtl" : "ltr";
const texts = LANGUAGES[language];

/** @param {keyof typeof en} name @param {Record<string, unknown>} [values] */
export function t(name, values = {}) {
  return (texts[name] ?? en[name]).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** The text for a name of the API, or the name itself where the API knows more names. @param {string} kind @param {string} name */
export function named(kind, name) {
  const key = `${kind}.${name}`;
  return key in en ? t(/** @type {keyof typeof en} */ (key)) : name.replace(/_/g, " ");
}

const TIME = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(language, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const FULL = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" });

/** @param {number} timestamp seconds since 1970 */
export const timeOf = (timestamp) => TIME.format(timestamp * 1000);
/** @param {number} timestamp */
export const dayOf = (timestamp) => DAY.format(timestamp * 1000);
/** @param {number} timestamp */
export const fullTime = (timestamp) => FULL.format(timestamp * 1000);
