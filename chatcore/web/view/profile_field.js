/** Fields of profiles, which the organization chooses. */

/** Their types, as far as they differ from short texts. */
export const FIELD = { TEXT: 1, LONG: 2, OPTIONS: 3, DATE: 4, LINK: 5, PEOPLE: 6, ACCOUNT: 7 };

/** The options of a field: keys and texts, in their order. @param {any} field @returns {[string, string][]} */
export function choicesOf(field) {
  /** @type {[string, any][]} */
  const choices = Object.entries(JSON.parse(field.field_data || "{}"));
  return choices.sort(([, one], [, other]) => one.order - other.order).map(([key, { text }]) => [key, text]);
}
