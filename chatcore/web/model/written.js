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

const FILE = /^\[([^\]\n]*)\]\((\/user_uploads\/[^)\s]+)\)$/;

/**
 * A text without the links to uploaded files at its end, which stand there alone on their lines, and these.
 *
 * @param {string} text
 */
export function parted(text) {
  const lines = text.split("\n");
  const first = lines.findLastIndex((line) => !FILE.test(line)) + 1;
  const files = lines.slice(first).map((link) => {
    const [, name, url] = /** @type {string[]} */ (/** @type {unknown} */ (FILE.exec(link)));
    return { link, name, url };
  });
  return { body: lines.slice(0, first).join("\n"), files };
}

/** The text with links to files at its end. @param {string} body @param {{link: string}[]} files */
export const withFiles = (body, files) =>
  [...(body || !files.length ? [body] : []), ...files.map(({ link }) => link)].join("\n");
