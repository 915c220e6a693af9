/** The bar at the lower edge of a phone: where people go most. It makes room while somebody writes. */

import { Icon, html, t, useListener, useState } from "./kit.js";

const PAUSE = 150; // what is tapped may not move before the finger leaves it

export function Bottom(/** @type {Props} */ { narrow, page, isOpen, setOpen, act }) {
  const content = (icon, name) => html`<${Icon} name=${icon} /><span>${name}</span>`;
  const link = (href, icon, /** @type {TextName} */ name, isHere) =>
    html`<a href=${href} aria-current=${isHere && !isOpen ? "page" : undefined}>
      ${content(icon, t(name))}</a>`;
  const isWriting = useWriting();
  if (isWriting) return null;
  const isDirect = !!narrow?.people || page === "direct";
  const [isInbox, isOwn] = [page === "inbox", page === "settings" || page === "organization"];
  const isElsewhere = !isInbox && !isOwn && !isDirect && !isOpen; // where the list of places leads to
  return html`
    <nav class="bottom" aria-label=${t("nav.bottom")}>
      ${link("#inbox", "inbox", "nav.inbox", isInbox)}
      <button type="button" class="menu" aria-expanded=${isOpen} aria-label=${t("nav.open")}
        aria-current=${isElsewhere ? "true" : undefined} onClick=${() => setOpen(!isOpen)}>
        ${content("hash", t("nav.channels"))}</button>
      ${link("#direct", "messages-square", "nav.direct_short", isDirect)}
      <button type="button" onClick=${() => act.searchAll()}>${content("search", t("search.label"))}</button>
      ${link("#settings", "user-round", "nav.you", isOwn)}
    </nav>
  `;
}

/** Whether somebody writes a message: from the focus of a field until it leaves the box. */
function useWriting() {
  const [isWriting, setWriting] = useState(false);
  const look = () =>
    setTimeout(() => {
      const { activeElement: at } = document;
      setWriting((before) => !!at?.closest(".compose") && (before || at.matches("textarea, .topic")));
    }, PAUSE);
  useListener("focusin", look, []);
  useListener("focusout", look, []);
  return isWriting;
}
