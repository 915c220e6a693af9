/** The scrolling list of a narrow's messages. */

import { call } from "../api.js";
import { MessageList } from "../model/messages.js";
import { dayOf, t } from "../text/text.js";
import { News } from "./access.js";
import { Fragment, html, useEffect, useLayoutEffect, useMemo, useModel, useRef, useState } from "./html.js";
import { conversationOf } from "./message_actions.js";
import { MessageView } from "./message.js";

const NEAR_END = 800;
const SAME_SENDER = 600;
const READ_AFTER = 400;
const AT_END = 40;

/** @param {{chat: Chat, narrow: import("../model/narrow.js").Narrow, act: PageActions}} props */
export function Messages({ chat, narrow, act }) {
  const list = useMemo(() => new MessageList(chat, narrow), [chat, narrow.key, narrow.near]);
  useModel(list);
  useLayoutEffect(() => {
    chat.lists.add(list);
    list.load(); // while the rest is painted
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
  const { rows, hold } = useScrolling(list, scroller, setAtEnd);
  const markRead = useReadMarks(list, scroller);

  const onScroll = () => {
    const element = scroller.current;
    if (!element || !list.isLoaded) return;
    hold();
    if (element.scrollTop < NEAR_END) list.older();
    if (below(element) < NEAR_END) list.newer();
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
        const isNewDay = !before || dateOf(before) !== dateOf(message);
        const isNewPlace = !before || before.conversation(chat.me) !== message.conversation(chat.me);
        const isFirst =
          isNewDay ||
          message.id === list.firstUnread ||
          isNewPlace ||
          before.sender_id !== message.sender_id ||
          message.timestamp - before.timestamp > SAME_SENDER;
        // One element of the list for each message: else keys would not hold where others are inserted.
        return html`<${Fragment} key=${message.id}>
          ${message.id === list.firstUnread && at > 0 && html`<h2 class="day new"><span>${t("list.unread")}</span></h2>`}
          ${isNewDay && html`<h2 class="day"><span>${dayOf(message.timestamp)}</span></h2>`}
          ${isNewPlace && !narrow.isConversation && html`<${PlaceHeader} chat=${chat} message=${message} />`}
          <${Row} chat=${chat} message=${message} isFirst=${isFirst} isMarked=${marked === message.id} isFound=${narrow.words.length > 0} act=${act} />
        <//>`;
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

/** The date of a message, quicker than its text. @param {import("../model/messages.js").Message} message */
const dateOf = ({ timestamp }) => new Date(timestamp * 1000).toDateString();

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
  const top = useRef(0);
  /** @param {HTMLElement} element @param {HTMLElement | null} [message] the one whose place is held from now on */
  const note = (element, message = uppermost(element)) => {
    const isEnd = list.foundNewest && below(element) < AT_END;
    setAtEnd(isEnd);
    list.seen = { id: Number(message?.dataset.id ?? 0), offset: message ? distance(element, message) : 0, isEnd };
    top.current = element.scrollTop;
  };
  // The layout can change between a scroll and its event. So how far the reader has scrolled is known from the
  // position alone, and all else that has moved the message is undone.
  const hold = () => {
    const element = scroller.current;
    if (!element || began.current !== list) return;
    const { id, offset, isEnd } = list.seen;
    const message = articleOf(id);
    const change = element.scrollTop - top.current;
    const isShorter = change < 0 && below(element) < 1; // then the browser has scrolled
    const scrolled = isShorter ? 0 : change;
    if (isEnd && !scrolled) scrollToEnd(element);
    else if (message) element.scrollTop += distance(element, message) - offset + scrolled;
    note(element, isEnd || scrolled || !message ? undefined : message);
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !list.isLoaded) return;
    if (began.current === list) return hold();
    began.current = list;
    const first = articleOf(list.ids.find((id) => id >= list.anchor));
    if (first) element.scrollTop += distance(element, first) - element.clientHeight / 4;
    else scrollToEnd(element);
    note(element, first ?? undefined);
  }, [list, list.ids, list.isLoaded]);
  useEffect(() => {
    if (!scroller.current || !rows.current) return;
    const sizes = new ResizeObserver(hold);
    sizes.observe(scroller.current);
    sizes.observe(rows.current);
    return () => sizes.disconnect();
  }, [list]);
  return { rows, hold };
}

/** The height of what is below the window. @param {HTMLElement} element */
const below = (element) => element.scrollHeight - element.scrollTop - element.clientHeight;

/** @param {number | undefined} id */
const articleOf = (id) => document.getElementById(`message-${id}`);

/** How far an element begins below the upper edge of the window. @param {HTMLElement} window @param {HTMLElement} element */
const distance = (window, element) => element.getBoundingClientRect().top - window.getBoundingClientRect().top;

/** The first message that begins in the window. @param {HTMLElement} element */
function uppermost(element) {
  const articles = element.getElementsByTagName("article");
  let [from, to] = [0, articles.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (distance(element, articles[middle]) >= 0) to = middle;
    else from = middle + 1;
  }
  return articles[from] ?? null;
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
