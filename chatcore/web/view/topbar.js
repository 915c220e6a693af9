/** The bar at the top: where the reader is, search, and the menu. */

import { noteSession } from "../model/connection.js";
import { Narrow } from "../model/narrow.js";
import { termsOf, textOf } from "../model/search.js";
import { KeyHelp } from "./keys.js";
import { Icon, StatusDialog, StatusEmoji, call, html, overlay, report, t } from "./kit.js";
import { PAGES } from "./pages.js";
import { TopicMenu } from "./topic.js";

/** @param {{chat: Chat, narrow: Narrow | null, page: string, isOpen: boolean, setOpen: (isOpen: boolean) => void, act: PageActions}} props */
export function Topbar({ chat, narrow, page, isOpen, setOpen, act }) {
  const search = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const words = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("words")).trim();
    const terms = termsOf(chat, words, narrow?.forServer ?? []);
    location.hash = terms.length ? chat.link(new Narrow(terms)) : "#inbox";
  };
  const logOut = async () => {
    if (await report(call("POST", "accounts/logout"))) noteSession(false);
    location.reload();
  };
  const channel = chat.channels.get(narrow?.channelId ?? 0);
  return html`
    <header class="topbar">
      <button type="button" class="menu" aria-expanded=${isOpen} aria-label=${t("nav.open")} onClick=${() => setOpen(!isOpen)}><${Icon} name="menu" /></button>
      <h1 dir="auto">${titleOf(chat, narrow, page)}</h1>
      ${channel && narrow?.topic !== undefined && html`<${TopicMenu} chat=${chat} id=${channel.stream_id} topic=${narrow.topic} act=${act} />`}
      <form class="search" role="search" onSubmit=${search} key=${narrow?.key}>
        <input type="search" name="words" aria-label=${t("search.label")} placeholder=${t("search.hint")} defaultValue=${textOf(narrow?.forServer ?? [])}
          ref=${(/** @type {HTMLElement | null} */ element) => {
            act.search = () => element?.focus();
          }} />
      </form>
      <button type="button" onClick=${() => overlay.show(KeyHelp)} aria-label=${t("menu.keys")} title=${t("menu.keys")}><${Icon} name="help" /></button>
      <details class="own" ref=${closing}>
        <summary class="button">${chat.name(chat.me)} <${StatusEmoji} chat=${chat} id=${chat.me} /></summary>
        <ul>
          <li><button type="button" class="link" onClick=${() => overlay.show(StatusDialog)}>${t("status.title")}</button></li>
          ${Object.entries(PAGES)
            .filter(([name]) => name !== "inbox")
            .map(([name, { title }]) => html`<li key=${name}><a href=${`#${name}`}>${t(title)}</a></li>`)}
          <li><button type="button" class="link" onClick=${logOut}>${t("menu.log_out")}</button></li>
        </ul>
      </details>
    </header>
  `;
}

/** Close a menu after a choice, and when the focus leaves it. @param {HTMLDetailsElement | null} element */
function closing(element) {
  if (!element) return;
  element.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement) element.open = false;
  });
  element.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !element.open) return;
    element.open = false;
    element.querySelector("summary")?.focus();
  });
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (!element.contains(/** @type {Node | null} */ (relatedTarget))) element.open = false;
  });
}

/** @type {Record<string, TextName>} */
const VIEWS = { mentioned: "nav.mentions", starred: "nav.starred", followed: "nav.followed", dm: "nav.direct" };

/** @param {Chat} chat @param {Narrow | null} narrow @param {string} page @returns {string} */
export function titleOf(chat, narrow, page) {
  if (!narrow) return t(PAGES[page].title);
  /** @type {unknown[]} */
  const parts = [];
  if (narrow.channelId !== undefined) parts.push(`#${chat.channelName(narrow.channelId)}`);
  if (narrow.topic !== undefined) parts.push(narrow.topic || t("topic.empty"));
  if (narrow.people) parts.push(chat.names(narrow.people));
  for (const { operator, operand } of narrow.forServer) {
    const view = VIEWS[String(operand)];
    if (operator === "is" && view) parts.push(t(view));
    if (operator === "search") parts.push(`“${operand}”`);
    if (operator === "sender" && typeof operand === "number") parts.push(chat.name(operand));
  }
  return parts.join(" › ") || t("nav.all");
}
