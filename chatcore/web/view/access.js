/** Help for people who use keys only, or a screen reader. */

import { t } from "../text/text.js";
import { html, useEffect, useListener, useRef, useState } from "./html.js";

const PAUSE = 1_000;
const READ_OUT = 3;
const LONGEST = 300;

// Styles show where the focus is only to those who use keys: scripts move it, too.
for (const type of ["keydown", "pointerdown"]) addEventListener(type, () => (document.documentElement.dataset.last = type), true);

/** Where the content of the page begins. @returns {HTMLElement | null} */
function beginning() {
  const element = /** @type {HTMLElement | null} */ (document.querySelector("main .scroller") ?? document.querySelector("main h1"));
  if (element?.tabIndex === -1) element.tabIndex = -1; // by scripts only
  return element;
}

/** The first stop of the keyboard: past all places, to the content. */
export function SkipLink() {
  return html`<button type="button" class="skip primary" onClick=${() => beginning()?.focus()}>${t("access.skip")}</button>`;
}

/** Move the focus to the content of a new address, unless a text is being written or a dialog is open. @param {string} key */
export function useArrival(key) {
  useEffect(() => {
    if (!document.activeElement?.closest(".compose, dialog")) beginning()?.focus({ preventScroll: true });
  }, [key]);
}

/**
 * While the places lie over the content: the focus goes there, and Escape or a click elsewhere closes them.
 *
 * @param {boolean} isOpen
 * @param {(isOpen: boolean) => void} setOpen
 */
export function useOpenPlaces(isOpen, setOpen) {
  const before = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!isOpen) return;
    before.current = /** @type {HTMLElement | null} */ (document.activeElement);
    /** @type {HTMLElement | null} */ (document.querySelector(".sidebar a"))?.focus();
  }, [isOpen]);
  const onKeyDown = (/** @type {KeyboardEvent} */ { key }) => {
    if (!isOpen || key !== "Escape") return;
    setOpen(false);
    before.current?.focus();
  };
  useListener("keydown", onKeyDown, [isOpen]);
  useListener("pointerdown", ({ target }) => isOpen && !target.closest(".sidebar, .topbar .menu") && setOpen(false), [isOpen]);
}

/** Tell screen readers of new messages of a list: a few with their texts, of many only how many there are. @param {{chat: Chat, list: MessageList}} props */
export function News({ chat, list }) {
  const [text, setText] = useState("");
  const timer = useRef(0);
  useEffect(() => {
    if (!list.news.length || timer.current) return;
    timer.current = setTimeout(() => {
      timer.current = 0;
      const news = list.news.splice(0).filter((one) => one.sender_id !== chat.me);
      if (news.length) setText(news.length > READ_OUT ? t("access.news", { count: news.length }) : news.map((one) => spoken(chat, one)).join("\n"));
    }, PAUSE);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return html`<p class="unseen" role="status" data-news>${text}</p>`;
}

/** @param {Chat} chat @param {Message} message */
function spoken(chat, { sender_id, content }) {
  const text = new DOMParser().parseFromString(content, "text/html").body.textContent ?? "";
  return `${chat.name(sender_id)}: ${text.slice(0, LONGEST)}`;
}
