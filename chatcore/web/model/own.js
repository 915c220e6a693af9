/**
 * The entry of a table under a name that others choose, such as a word of an address or of a message; names
 * like `constructor`, which every object has, are none.
 */
export const own = (/** @type {any} */ table, /** @type {unknown} */ name) =>
  typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;
