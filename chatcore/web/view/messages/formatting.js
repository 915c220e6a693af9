/** Marks of formatting, written around what is selected in a field, and the buttons for them. */

import { Icon, html, t } from "../kit.js";

/**
 * A format makes of the selected text what is before it, the text that is selected then, and what is after
 * it; one of `lines` begins where the first of them does. `key` is for the keyboard, with Ctrl or Cmd.
 *
 * @typedef {{
 *   icon: string, name: TextName, key?: string, lines?: boolean, write: (text: string) => string[],
 * }} Format
 */

const around = (mark) => (text) => [mark, text, mark];

/** @type {Format[]} */
const FORMATS = [
  { icon: "letter-b", name: "format.bold", key: "b", write: around("**") },
  { icon: "italic", name: "format.italic", key: "i", write: around("*") },
  {
    icon: "link",
    name: "format.link",
    write: (text) => (/^https?:\S+$/.test(text) ? ["[", "", `](${text})`] : ["[", text, "](https://)"]),
  },
  { icon: "list", name: "format.list", lines: true, write: (text) => ["", text.replace(/^/gm, "- "), ""] },
  {
    icon: "code",
    name: "format.code",
    write: (text) => (text.includes("\n") ? ["```\n", text, "\n```"] : around("`")(text)),
  },
];

/**
 * Write a text in place of the selection, as by keys: it can be undone, and the field tells its listeners.
 *
 * @param {HTMLTextAreaElement} field
 * @param {string} text
 */
export function insert(field, text) {
  field.focus();
  if (document.execCommand("insertText", false, text)) return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {HTMLTextAreaElement} field @param {Format} format */
function apply(field, { lines, write }) {
  const { selectionStart, selectionEnd: to, value } = field;
  const from = lines ? value.lastIndexOf("\n", selectionStart - 1) + 1 : selectionStart;
  const [before, text, after] = write(value.slice(from, to));
  field.setSelectionRange(from, to);
  insert(field, before + text + after);
  const start = from + before.length;
  field.setSelectionRange(lines ? start + text.length : start, start + text.length);
}

/** Apply the format of a key; return whether there is one. */
export function formatByKey(field, { key, ctrlKey, metaKey, altKey }) {
  const format = (ctrlKey || metaKey) && !altKey && FORMATS.find((one) => one.key === key);
  if (format) apply(field, format);
  return !!format;
}

/** A button for each format; *area* refers to the field. */
export const FormatButtons = ({ area, disabled }) =>
  FORMATS.map(
    (format) => html`<button type="button" key=${format.name} disabled=${disabled} title=${t(format.name)}
    aria-label=${t(format.name)} onClick=${() => apply(area.current, format)}>
      <${Icon} name=${format.icon} /></button>`,
  );
