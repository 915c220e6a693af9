/** Keys outside of text fields. */

import { t } from "../text/text.js";
import { Dialog, overlay } from "./dialog.js";
import { html, useListener } from "./html.js";

/** @type {[string, TextName][]} */
const HELP = [
  ["n", "keys.next"],
  ["j k", "keys.move"],
  ["r >", "keys.reply"],
  ["c", "keys.compose"],
  ["/", "keys.search"],
  ["i", "keys.inbox"],
  ["s", "keys.star"],
  ["+", "keys.react"],
  ["e", "keys.edit_marked"],
  [".", "keys.more"],
  ["↑", "keys.edit"],
  ["Esc", "keys.escape"],
  ["?", "keys.help"],
];

/** @param {Acts} act */
export function useKeys(act) {
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
    const run = KEYS[event.key];
    if (!run) return;
    event.preventDefault();
    run(act);
  };
  useListener("keydown", onKeyDown, [act]);
}

/** @type {Record<string, (act: Acts) => void>} */
const KEYS = {
  n: (act) => act.nextUnread(),
  j: (act) => act.move(1),
  k: (act) => act.move(-1),
  r: (act) => act.reply(),
  ">": (act) => act.quote(),
  c: (act) => act.focus(),
  "/": (act) => act.search(),
  i: () => (location.hash = "#inbox"),
  s: (act) => act.star(),
  "+": (act) => act.want("react"),
  e: (act) => act.want("edit"),
  ".": (act) => act.want("menu"),
  "?": () => overlay.show(KeyHelp),
};

/** @param {{close: () => void}} props */
export function KeyHelp({ close }) {
  return html`
    <${Dialog} title=${t("menu.keys")} close=${close}>
      <dl class="keys">${HELP.map(([keys, name]) => html`<div key=${keys}><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${t(name)}</dd></div>`)}</dl>
    <//>
  `;
}
