/** The places where the reader was last, the newest first; the browser keeps them. */

import { keyOf } from "./places.js";
import { keep } from "./written.js";

const KEPT = 30;

const nameFor = (/** @type {Chat} */ chat) => chat.ownName("recent");
const isSame = (one, other) =>
  keyOf(one) === keyOf(other) && (one.topic === undefined) === (other.topic === undefined);

/** @param {Chat} chat @returns {Place[]} */
export function recentPlaces(chat) {
  try {
    return JSON.parse(localStorage.getItem(nameFor(chat)) ?? "[]");
  } catch {
    return [];
  }
}

/** Note that the reader is at a place. @param {Chat} chat @param {Place} place */
export function notePlace(chat, place) {
  const others = recentPlaces(chat).filter((one) => !isSame(one, place));
  keep(nameFor(chat), [place, ...others].slice(0, KEPT));
}
