/** Keys outside of text fields. */

import { t } from "../text/text.js";
import { Dialog } from "./dialog.js";
import { html, useEffect } from "./html.js";

/** @type {[string, Parameters<typeof t>[0]][]} */
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

/** @param {import("./app.js").Acts} act */
export function useKeys(act) {
  useEffect(() => {
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
      const run = KEYS[event.key];
      if (!run) return;
      event.preventDefault();
      run(act);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [act]);
}

/** @type {Record<string, (act: import("./app.js").Acts) => void>} */
const KEYS = {
  n: (act) => act.nextUnread(),
  j: (act) => act.move(1),
  k: (act) => act.move(-1),
  r: (act) => act.reply(),
  ">": (act) => act.quoteMarked(),
  c: (act) => act.focus(),
  "/": (act) => act.search(),
  i: () => (location.hash = "#inbox"),
  s: (act) => act.starMarked(),
  "+": (act) => act.want("react"),
  e: (act) => act.want("edit"),
  ".": (act) => act.want("menu"),
  "?": (act) => act.help(true),
  Escape: (act) => act.help(false),
};

/** @param {{close: () => void}} props */
export function KeyHelp({ close }) {
  return html`
    <${Dialog} title=${t("keys.title")} close=${close}>
      <dl class="keys">${HELP.map(([keys, name]) => html`<div key=${keys}><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${t(name)}</dd></div>`)}</dl>
    <//>
  `;
}
