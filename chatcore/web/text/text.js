/**
 * The texts of the interface, in the language chosen in this browser, or else in the browser's own; times,
 * directions and characters of emoji as texts have them.
 */

import TEXTS from "./texts.js";

/** Names of the languages, in the order of the texts. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch" };
const CHOSEN = "language";
const DAY = 86_400_000;

const isKnown = (/** @type {string | null} */ code) => code !== null && Object.hasOwn(LANGUAGES, code);

export let language = "";
let formats;
const preferred = [localStorage.getItem(CHOSEN), ...navigator.languages.map((one) => one.slice(0, 2)), "en"];
speak(preferred.find(isKnown));

/** Speak a language, also on the page, whose lines begin at its side. */
function speak(code) {
  language = document.documentElement.lang = code;
  formats = {
    time: new Intl.DateTimeFormat(code, { hour: "numeric", minute: "2-digit" }),
    day: new Intl.DateTimeFormat(code, { weekday: "long", day: "numeric", month: "long" }),
    year: new Intl.DateTimeFormat(code, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    near: new Intl.RelativeTimeFormat(code, { numeric: "auto" }),
    full: new Intl.DateTimeFormat(code, { dateStyle: "full", timeStyle: "short" }),
  };
}

/** Choose a language for this browser, if it is known. @param {string} code */
export function chooseLanguage(code) {
  if (!isKnown(code)) return;
  localStorage.setItem(CHOSEN, code);
  speak(code);
}

/** @param {TextName} name @param {Record<string, unknown>} [values] */
export function t(name, values = {}) {
  const text = TEXTS[name][Object.keys(LANGUAGES).indexOf(language)];
  return text.replace(/\{(\w+)\}/g, (_, key) => isolated(String(values[key] ?? "")));
}

/**
 * The text for a name of the API, or the name itself where the API knows more names.
 *
 * @param {string} kind
 * @param {unknown} name
 */
export function named(kind, name) {
  const key = `${kind}.${name}`;
  return Object.hasOwn(TEXTS, key) ? t(/** @type {TextName} */ (key)) : String(name).replace(/_/g, " ");
}

/** The time of a day that is known. @param {number} timestamp seconds since 1970 */
export const hourOf = (timestamp) => formats.time.format(timestamp * 1000);

/** The same where there is little room: without the half of the day. */
export const clockOf = (timestamp) =>
  formats.time
    .formatToParts(timestamp * 1000)
    .filter(({ type }) => type !== "dayPeriod")
    .map(({ value }) => value)
    .join("")
    .trim();

/** Yesterday, today, tomorrow, or the date, of another year with the year. */
export function dayOf(timestamp) {
  const [then, now] = [new Date(timestamp * 1000), new Date()];
  const isThisYear = then.getFullYear() === now.getFullYear();
  const days = Math.round((then.setHours(0, 0, 0, 0) - now.setHours(0, 0, 0, 0)) / DAY);
  const name =
    Math.abs(days) <= 1
      ? formats.near.format(days, "day")
      : formats[isThisYear ? "day" : "year"].format(timestamp * 1000);
  return name[0].toLocaleUpperCase(language) + name.slice(1);
}

export const dayAndHour = (timestamp) => `${dayOf(timestamp)}, ${hourOf(timestamp)}`;

export const fullTime = (timestamp) => formats.full.format(timestamp * 1000);

/** Letters of scripts that go from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isolate = (/** @type {string} */ text) => `\u2068${text}\u2069`;

/** A text in a sentence; what stands beside it keeps its place. @param {string} text */
export const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? isolate(text) : text);

/** Names beside each other, whatever their directions. @param {string[]} names @param {string} between */
export const joined = (names, between) =>
  (names.some((one) => RIGHT_TO_LEFT.test(one)) ? names.map(isolate) : names).join(between);

export const AS_PICTURE = "\ufe0f";

/** The character of an emoji's code, as a picture even where it is a letter. @param {string} code */
export function glyph(code) {
  const points = code.split("-").map((part) => Number.parseInt(part, 16));
  const text = String.fromCodePoint(...points);
  return points.length > 1 || /^\p{Emoji_Presentation}/u.test(text) ? text : text + AS_PICTURE;
}
