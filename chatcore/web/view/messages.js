/** The scrolling list of a narrow's messages. */

import { call } from "../api.js";
import { MessageList } from "../model/messages.js";
import { dayOf, t } from "../text/text.js";
import { News } from "./access.js";
import { html, useEffect, useLayoutEffect, useMemo, useModel, useRef, useState } from "./html.js";
import { conversationOf } from "./actions.js";
import { MessageView } from "./message.js";

const NEAR_END = 800;
const SAME_SENDER = 600;
const READ_AFTER = 400;
const AT_END = 40;

/** @param {{chat: Chat, narrow: import("../model/narrow.js").Narrow, act: Acts}} props */
export function Messages({ chat, narrow, act }) {
  const list = useMemo(() => new MessageList(chat, narrow), [chat, narrow.key, narrow.near]);
  useModel(list);
  useEffect(() => {
    chat.lists.add(list);
    list.load();
    return () => {
      chat.lists.delete(list);
    };
  }, [list]);
  act.list = list;

  const scroller = useRef(/** @type {HTMLElement | null} */ (null));
  const [marked, setMarked] = useState(0);
  act.mark = setMarked;
  act.marked = marked;
  const [isAtEnd, setAtEnd] = useState(true);
  const rows = useScrolling(list, scroller, setAtEnd);
  const markRead = useReadMarks(list, scroller);

  const onScroll = () => {
    const element = scroller.current;
    if (!element || !list.isLoaded) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (element.scrollTop < NEAR_END) list.older();
    if (below < NEAR_END) list.newer();
    markRead();
  };

  const toEnd = () => {
    list.seen = { ...list.seen, isEnd: true };
    if (list.foundNewest) scrollToEnd(scroller.current);
    else list.load("newest");
  };
  const messages = list.messages;
  return html`
    <div class="scroller" ref=${scroller} onScroll=${onScroll} role="log" aria-live="off" aria-label=${t("list.messages")} tabindex="0">
      ${
        list.error &&
        html`<p class="error" role="alert">${t("list.failed", { reason: list.error.message })}
        <button type="button" onClick=${() => list.load()}>${t("list.retry")}</button></p>`
      }
      ${!list.isLoaded && list.isLoading && html`<p class="none">${t("list.loading")}</p>`}
      ${list.isLoaded && !messages.length && html`<p class="none">${t("list.empty")}</p>`}
      ${list.isLoaded && list.foundOldest && messages.length > 0 && html`<p class="none">${t("list.first")}</p>`}
      <div ref=${rows}>
      ${messages.map((message, at) => {
        const before = messages[at - 1];
        const isNewDay = !before || dayOf(before.timestamp) !== dayOf(message.timestamp);
        const isNewPlace = !before || before.conversation(chat.me) !== message.conversation(chat.me);
        const isFirst =
          isNewDay ||
          message.id === list.firstUnread ||
          isNewPlace ||
          before.sender_id !== message.sender_id ||
          message.timestamp - before.timestamp > SAME_SENDER;
        return html`
          ${message.id === list.firstUnread && at > 0 && html`<h2 class="day new" key="new"><span>${t("list.unread")}</span></h2>`}
          ${isNewDay && html`<h2 class="day" key=${`day-${message.id}`}><span>${dayOf(message.timestamp)}</span></h2>`}
          ${isNewPlace && !narrow.isConversation && html`<${PlaceHeader} key=${`place-${message.id}`} chat=${chat} message=${message} />`}
          <${Row} key=${message.id} chat=${chat} message=${message} isFirst=${isFirst} isMarked=${marked === message.id} isFound=${narrow.words.length > 0} act=${act} />
        `;
      })}
      </div>
    </div>
    <${News} chat=${chat} list=${list} />
    ${
      list.isLoaded &&
      !isAtEnd &&
      html`
      <button type="button" class="to-end" onClick=${toEnd}>${t("list.newest")} ↓</button>`
    }
  `;
}

/** A message that is rendered again only if it has changed, or its sender has. @param {any} props */
function Row(props) {
  const { chat, message, isFirst, isMarked, isFound } = props;
  return useMemo(() => html`<${MessageView} ...${props} />`, [message, isFirst, isMarked, isFound, chat.people.get(message.sender_id)]);
}

/** @param {any} props */
function PlaceHeader({ chat, message }) {
  const narrow = conversationOf(chat, message);
  const name = (/** @type {number} */ id) => chat.channelName(id);
  if (message.stream_id === undefined) {
    const names = message
      .people(chat.me)
      .map((/** @type {number} */ id) => chat.name(id))
      .join(", ");
    return html`<h2 class="where"><a href=${narrow.hash(name)} dir="auto">${names}</a></h2>`;
  }
  return html`
    <h2 class="where">
      <a href=${`#narrow/channel/${message.stream_id}`} dir="auto">#${chat.channelName(message.stream_id)}</a> › <a href=${narrow.hash(name)} dir="auto">${message.subject || t("topic.empty")}</a>
    </h2>
  `;
}

/** @param {HTMLElement | null} element */
function scrollToEnd(element) {
  element?.scrollTo({ top: element.scrollHeight });
}

/**
 * Keep what is read in its place: at first the first unread message, then the end if the reader is there, else the
 * message at the top of the window, whatever is loaded above it, and whatever becomes higher or lower.
 *
 * @param {MessageList} list
 * @param {{current: HTMLElement | null}} scroller
 * @param {(isAtEnd: boolean) => void} setAtEnd
 */
function useScrolling(list, scroller, setAtEnd) {
  const began = useRef(/** @type {MessageList | null} */ (null));
  const rows = useRef(/** @type {HTMLElement | null} */ (null));
  const note = () => {
    const element = scroller.current;
    if (!element) return;
    const edge = element.getBoundingClientRect().top;
    const isEnd = list.foundNewest && element.scrollHeight - element.scrollTop - element.clientHeight < AT_END;
    setAtEnd(isEnd);
    const articles = element.querySelectorAll("article");
    let [from, to] = [0, articles.length - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (articles[middle].getBoundingClientRect().top >= edge) to = middle;
      else from = middle + 1;
    }
    const first = /** @type {HTMLElement | undefined} */ (articles[from]);
    if (first) list.seen = { id: Number(first.dataset.id), offset: first.getBoundingClientRect().top - edge, isEnd };
  };
  const hold = () => {
    const element = scroller.current;
    if (!element || began.current !== list) return;
    if (list.seen.isEnd) scrollToEnd(element);
    else shift(element, list.seen.id, list.seen.offset);
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !list.isLoaded) return;
    if (began.current === list) return hold();
    began.current = list;
    const first = list.ids.find((id) => id >= list.anchor);
    if (first === undefined) scrollToEnd(element);
    else shift(element, first, element.clientHeight / 4);
    note();
  }, [list, list.ids, list.isLoaded]);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !rows.current) return;
    const sizes = new ResizeObserver(hold);
    sizes.observe(element);
    sizes.observe(rows.current);
    element.addEventListener("scroll", note, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", note);
    };
  }, [list]);
  return rows;
}

/** Scroll so that a message is at a distance from the upper edge. @param {HTMLElement} element @param {number} id @param {number} offset */
function shift(element, id, offset) {
  const message = element.querySelector(`#message-${id}`);
  if (message) element.scrollTop += message.getBoundingClientRect().top - element.getBoundingClientRect().top - offset;
}

/**
 * Mark messages as read that were on the screen of a visible page for a moment.
 *
 * @param {MessageList} list
 * @param {{current: HTMLElement | null}} scroller
 */
function useReadMarks(list, scroller) {
  const timer = useRef(0);
  const sent = useRef(new Set());
  const mark = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const element = scroller.current;
      if (!element || document.hidden || list.keepsUnread) return;
      const window = element.getBoundingClientRect();
      /** @type {number[]} */ const ids = [];
      for (const one of element.querySelectorAll("article.unread")) {
        const { top, bottom } = one.getBoundingClientRect();
        const id = Number(/** @type {HTMLElement} */ (one).dataset.id);
        if (bottom > window.top && top < window.bottom && !sent.current.has(id)) ids.push(id);
      }
      if (!ids.length) return;
      for (const id of ids) sent.current.add(id);
      call("POST", "messages/flags", { messages: ids, op: "add", flag: "read" }).catch(() => {
        for (const id of ids) sent.current.delete(id);
      });
    }, READ_AFTER);
  };
  useEffect(() => {
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [list, list.ids, list.isLoaded]);
  return mark;
}
