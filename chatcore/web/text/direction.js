/** Texts of both directions beside each other. */

/** Letters of scripts that go from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isolate = (/** @type {string} */ text) => `\u2068${text}\u2069`;

/**
 * A text in a sentence: whatever its direction, what stands beside it keeps its place.
 *
 * @param {string} text
 */
export const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? isolate(text) : text);

/**
 * Names beside each other, in this order whatever their directions.
 *
 * @param {string[]} names
 * @param {string} between
 */
export const joined = (names, between) =>
  (names.some((one) => RIGHT_TO_LEFT.test(one)) ? names.map(isolate) : names).join(between);
