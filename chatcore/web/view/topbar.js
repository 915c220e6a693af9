/** The bar at the top: where the reader is, search, and the menu. */

import { Narrow } from "../model/narrow.js";
import { isPlace, termsOf, textOf } from "../model/search.js";
import { KeyHelp } from "./keys.js";
import { Icon, StatusDialog, StatusEmoji, html, overlay, t } from "./kit.js";
import { TopicMenu } from "./messages/topic.js";
import { PAGES, nameOf, titleOf } from "./titles.js";

export function Topbar(/** @type {Props} */ { chat, narrow, page, isOpen, setOpen, logOut, act, field }) {
  const here = narrow?.forServer ?? [];
  const search = (event) => {
    event.preventDefault();
    const terms = termsOf(chat, event.target.elements.words.value.trim(), here);
    location.hash = terms.length ? chat.link(new Narrow(terms)) : "#inbox";
  };
  const place = here.filter(isPlace);
  const hint = place.length
    ? t("search.in", { place: titleOf(chat, new Narrow(place), page) })
    : t("search.hint");
  const text = here.length === 1 && nameOf(here[0]) ? "" : textOf(here);
  const channel = chat.channels.get(narrow?.channelId ?? 0);
  const { inbox, ...pages } = PAGES;
  return html`
    <header class="topbar">
      <button type="button" class="menu plain" aria-expanded=${isOpen} aria-label=${t("nav.open")}
        onClick=${() => setOpen(!isOpen)}><${Icon} name="menu" /></button>
      <h1 dir="auto">${titleOf(chat, narrow, page)}</h1>
      ${
        channel &&
        narrow.topic !== undefined &&
        html`<${TopicMenu} chat=${chat} id=${channel.stream_id} topic=${narrow.topic} act=${act} />`
      }
      <form class="search" role="search" onSubmit=${search} key=${narrow?.key ?? page}>
        <input type="search" name="words" aria-label=${t("search.label")} placeholder=${hint}
          defaultValue=${text} ref=${field}
          onFocus=${({ target }) => target.select()} />
      </form>
      <button type="button" class="plain" onClick=${() => overlay.show(KeyHelp)} aria-label=${t("menu.keys")}
        title=${t("menu.keys")}><${Icon} name="help" /></button>
      <details class="own" onClick=${closeMenu} onKeyDown=${closeMenu} onFocusOut=${closeMenu}>
        <summary class="button">${chat.name(chat.me)} <${StatusEmoji} chat=${chat} id=${chat.me} /></summary>
        <ul>
          <li><button type="button" onClick=${() => overlay.show(StatusDialog)}>
            ${t("status.title")}</button></li>
          ${Object.entries(pages).map(
            ([name, title]) => html`<li key=${name}><a href=${`#${name}`}>
            ${t(title)}</a></li>`,
          )}
          <li><button type="button" onClick=${logOut}>${t("menu.log_out")}</button></li>
        </ul>
      </details>
    </header>
  `;
}

/** Close the menu after a choice, by Escape, and when the focus leaves it. */
function closeMenu({ type, key, target, relatedTarget, currentTarget: menu }) {
  const isEscape = key === "Escape" && menu.open;
  const isLeft = type === "focusout" && !menu.contains(relatedTarget);
  if (isEscape) menu.querySelector("summary").focus();
  if (isEscape || isLeft || (type === "click" && target.closest("a"))) menu.open = false;
}
