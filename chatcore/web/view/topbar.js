/** The bar at the top: where the reader is, search, and the menu. */

import { call } from "../api.js";
import { Narrow } from "../model/narrow.js";
import { t } from "../text/text.js";
import { html, useState } from "./html.js";
import { Icon } from "./icon.js";
import { report } from "./notice.js";
import { PAGES } from "./pages.js";
import { TopicMenu } from "./topic.js";
import { StatusEmoji } from "./presence.js";
import { StatusDialog } from "./settings/status.js";

/** @param {{chat: import("../model/chat.js").Chat, narrow: Narrow | null, page: string, isOpen: boolean, act: import("./app.js").Acts}} props */
export function Topbar({ chat, narrow, page, isOpen, act }) {
  const search = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const words = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("words")).trim();
    const place = narrow?.forServer.filter((term) => ["channel", "topic", "dm", "sender"].includes(term.operator)) ?? [];
    const terms = words ? [...place, { operator: "search", operand: words }] : place;
    location.hash = terms.length ? new Narrow(terms).hash((id) => chat.channelName(id)) : "#inbox";
  };
  const [setsStatus, setSetsStatus] = useState(false);
  const logOut = async () => {
    await report(call("POST", "accounts/logout"));
    location.reload();
  };
  return html`
    <header class="topbar">
      <button type="button" class="menu" aria-expanded=${isOpen} aria-label=${t("nav.open")} onClick=${act.toggleSidebar}><${Icon} name="menu" /></button>
      <h1 dir="auto">${titleOf(chat, narrow, page)}</h1>
      ${narrow?.channelId !== undefined && narrow.topic !== undefined && html`<${TopicMenu} chat=${chat} id=${narrow.channelId} topic=${narrow.topic} act=${act} />`}
      <form class="search" role="search" onSubmit=${search} key=${narrow?.key}>
        <input type="search" name="words" aria-label=${t("search.label")} placeholder=${t("search.hint")} defaultValue=${narrow?.words.join(" ") ?? ""}
          ref=${(/** @type {HTMLElement | null} */ element) => {
            act.search = () => element?.focus();
          }} />
      </form>
      <button type="button" onClick=${() => act.help(true)} aria-label=${t("menu.keys")} title=${t("menu.keys")}><${Icon} name="help" /></button>
      <details class="own" ref=${closing}>
        <summary class="button">${chat.name(chat.me)} <${StatusEmoji} chat=${chat} id=${chat.me} /></summary>
        <ul>
          <li><button type="button" class="link" onClick=${() => setSetsStatus(true)}>${t("status.title")}</button></li>
          ${Object.entries(PAGES)
            .filter(([name]) => name !== "inbox")
            .map(([name, { title }]) => html`<li key=${name}><a href=${`#${name}`}>${t(title)}</a></li>`)}
          <li><button type="button" class="link" onClick=${logOut}>${t("menu.log_out")}</button></li>
        </ul>
      </details>
      ${setsStatus && html`<${StatusDialog} chat=${chat} close=${() => setSetsStatus(false)} />`}
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

/** @type {Record<string, Parameters<typeof t>[0]>} */
const VIEWS = { mentioned: "nav.mentions", starred: "nav.starred", followed: "nav.followed", dm: "nav.direct" };

/** @param {import("../model/chat.js").Chat} chat @param {Narrow | null} narrow @param {string} page @returns {string} */
export function titleOf(chat, narrow, page) {
  if (!narrow) return t(PAGES[page].title);
  const parts = [];
  if (narrow.channelId !== undefined) parts.push(`#${chat.channelName(narrow.channelId)}`);
  if (narrow.topic !== undefined) parts.push(narrow.topic || t("topic.empty"));
  if (narrow.people) parts.push(narrow.people.map((id) => chat.name(id)).join(", "));
  for (const { operator, operand } of narrow.forServer) {
    if (operator === "is" && VIEWS[String(operand)]) parts.push(t(VIEWS[String(operand)]));
    if (operator === "search") parts.push(`“${operand}”`);
    if (operator === "sender" && typeof operand === "number") parts.push(chat.name(operand));
  }
  return parts.join(" › ") || t("nav.all");
}
