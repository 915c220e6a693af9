/** Texts that people write, as the server stores and counts them. */

/** A text as the server stores it. @param {string} text */
export const stored = (text) => text.replace(/^\n+/, "").trimEnd();

/** Keep something in the browser, as far as it has room. @param {string} name @param {object} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch (error) {
    console.warn(error);
  }
}

/**
 * How many signs of a text are too many: code points, which can be two units of a string.
 *
 * @param {string} text
 * @param {number} most
 */
export const excess = (text, most) => (text.length > most ? Math.max(0, [...stored(text)].length - most) : 0);
