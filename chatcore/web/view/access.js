/** Help for people who use keys only, or a screen reader. */

import { plainText } from "../model/places.js";
import { t } from "../text/text.js";
import { html, useEffect, useListener, useRef, useState } from "./kit.js";

const PAUSE = 1_000;
const READ_OUT = 3;
const LONGEST = 300;

// Styles show that a list has the focus only to those who have moved it there: scripts do so, too.
for (const type of ["keydown", "pointerdown"])
  addEventListener(type, (/** @type {any} */ { key }) => (document.documentElement.dataset.last = key), true);

/** Focus the beginning of the page's content. @param {FocusOptions} [options] */
function focusContent(options) {
  /** @type {HTMLElement | null} */
  const element = document.querySelector("main .scroller") ?? document.querySelector("main h1");
  if (element?.tabIndex === -1) element.tabIndex = -1; // by scripts only
  element?.focus(options);
}

/** The first stop of the keyboard: past all places, to the content. */
export const SkipLink = () =>
  html`<button type="button" class="skip primary" onClick=${() => focusContent()}>
    ${t("access.skip")}</button>`;

/**
 * Move the focus to the content of a new address, unless somebody is writing, a message or the next search,
 * or a dialog is open.
 */
export function useArrival(key) {
  useEffect(() => {
    if (!document.activeElement?.closest(".compose, .search, dialog")) focusContent({ preventScroll: true });
  }, [key]);
}

/** While the places lie over the content, they have the focus; Escape or a click elsewhere closes them. */
export function useOpenPlaces(isOpen, setOpen) {
  const before = useRef(null);
  useEffect(() => {
    if (!isOpen) return;
    before.current = document.activeElement;
    /** @type {HTMLElement | null} */ (document.querySelector(".sidebar .place a"))?.focus();
  }, [isOpen]);
  const onKeyDown = ({ key }) => {
    if (!isOpen || key !== "Escape") return;
    setOpen(false);
    before.current?.focus();
  };
  useListener("keydown", onKeyDown, [isOpen]);
  useListener(
    "pointerdown",
    ({ target }) => isOpen && !target.closest(".sidebar, .bottom .menu") && setOpen(false),
    [isOpen],
  );
}

/** Tell screen readers of new messages of a list: a few with their texts, of many only how many there are. */
export function News(/** @type {Props} */ { chat, list }) {
  const [text, setText] = useState("");
  const timer = useRef(0);
  const readOut = () => {
    timer.current = 0;
    const news = list.news.splice(0).filter((one) => one.sender_id !== chat.me);
    const spoken = () =>
      news.map((one) => `${chat.name(one.sender_id)}: ${plainText(one).slice(0, LONGEST)}`).join("\n");
    if (news.length) setText(news.length > READ_OUT ? t("access.news", { count: news.length }) : spoken());
  };
  useEffect(() => {
    if (list.news.length) timer.current ||= setTimeout(readOut, PAUSE);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return html`<p class="unseen" role="status" data-news>${text}</p>`;
}
