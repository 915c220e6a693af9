/** Keys outside of text fields. */

import { NewDirect } from "./direct.js";
import { Dialog, html, overlay, t, useListener } from "./kit.js";

/** Keys by what they do. Those without a function here belong to fields and dialogs. @type {[TextName, Record<string, ((act: PageActions) => unknown) | null>][]} */
const HELP = [
  ["keys.next", { n: (act) => act.nextUnread() }],
  ["keys.move", { j: (act) => act.move(1), k: (act) => act.move(-1) }],
  ["keys.reply", { r: (act) => act.reply(), ">": (act) => act.quote() }],
  ["keys.compose", { c: (act) => act.focus() }],
  ["keys.direct", { x: () => overlay.show(NewDirect) }],
  ["keys.search", { "/": (act) => act.search() }],
  ["keys.inbox", { i: () => (location.hash = "#inbox") }],
  ["keys.star", { s: (act) => act.star() }],
  ["keys.react", { "+": (act) => act.want("react") }],
  ["keys.edit_marked", { e: (act) => act.want("edit") }],
  ["keys.more", { ".": (act) => act.want("menu") }],
  ["keys.edit", { "↑": null }],
  ["keys.escape", { Esc: null }],
  ["keys.help", { "?": () => overlay.show(KeyHelp) }],
];
const KEYS = Object.assign({}, ...HELP.map(([, runs]) => runs));

/** @param {PageActions} act */
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

/** @param {{close: () => void}} props */
export function KeyHelp({ close }) {
  return html`
    <${Dialog} title=${t("menu.keys")} close=${close}>
      <dl class="keys">${HELP.map(([name, runs]) => html`<div key=${name}><dt>${Object.keys(runs).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${t(name)}</dd></div>`)}</dl>
    <//>
  `;
}
