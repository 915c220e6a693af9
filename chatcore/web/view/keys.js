/** Keys outside of text fields. */

import { Dialog, html, notices, overlay, t, useListener } from "./kit.js";
import { star } from "./messages/actions.js";
import { NewDirect } from "./messages/new.js";

/**
 * Keys by what they do. Those without a function here belong to fields and dialogs.
 *
 * @type {[TextName, Record<string, ((act: PageActions) => unknown) | null>][]}
 */
const HELP = [
  ["keys.next", { n: (act) => act.nextUnread() }],
  ["keys.move", { j: (act) => act.move(1), k: (act) => act.move(-1) }],
  ["keys.reply", { r: (act) => act.reply(), ">": (act) => act.quote() }],
  ["keys.compose", { c: (act) => act.focus() }],
  ["keys.direct", { x: () => overlay.show(NewDirect) }],
  ["keys.search", { "/": (act) => act.search() }],
  ["keys.find", { "Ctrl + K": null }],
  ["keys.inbox", { i: () => (location.hash = "#inbox") }],
  ["keys.star", { s: (act) => act.message && star(act.message) }],
  ["keys.react", { "+": (act) => act.want("react") }],
  ["keys.edit_marked", { e: (act) => act.want("edit") }],
  ["keys.more", { ".": (act) => act.want("menu") }],
  ["keys.undo", { z: () => notices.undo() }],
  ["keys.edit", { "↑": null }],
  ["keys.send", { Enter: null }],
  ["keys.line", { "Shift + Enter": null }],
  ["keys.escape", { Esc: null }],
  ["keys.help", { "?": () => overlay.show(KeyHelp) }],
];
const SEARCHES = ["channel:general topic:soup", "sender:ada has:link", "is:unread -is:muted"];
const KEYS = Object.assign({}, ...HELP.map(([, runs]) => runs));

export function useKeys(/** @type {PageActions} */ act) {
  const onKeyDown = (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) act.find(); // one that is closed goes later
      return;
    }
    const isTyped =
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target.closest("input, textarea, select, dialog");
    if (isTyped || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key](act);
  };
  useListener("keydown", onKeyDown, [act]);
}

export function KeyHelp({ close }) {
  return html`
    <${Dialog} title=${t("menu.keys")} close=${close}>
      <dl class="keys">
        ${HELP.map(
          ([name, runs]) => html`<div key=${name}><dt>
          ${Object.keys(runs).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${t(name)}</dd></div>`,
        )}</dl>
      <p>${t("search.examples")} ${SEARCHES.map((one) => html`<kbd>${one}</kbd> `)}</p>
    <//>
  `;
}
