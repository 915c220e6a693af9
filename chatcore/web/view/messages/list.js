/** The scrolling list of a narrow's messages. */

import { call } from "../../api.js";
import { Narrow, isPlace } from "../../model/narrow.js";
import { keyOf, placeOf } from "../../model/places.js";
import { dayOf, language, t } from "../../text/text.js";
import { News } from "../access.js";
import { html, useEffect } from "../kit.js";
import { useLayoutEffect, useListener, useMemo, useModel, useRef, useState } from "../kit.js";
import { Echo } from "./echo.js";
import { MessageView } from "./message.js";

const NEAR_END = 800;
const SAME_SENDER = 600;
const READ_AFTER = 400;
const AT_END = 40;

export function Messages(/** @type {Props} */ { chat, list, narrow, act }) {
  useModel(list);
  useLayoutEffect(() => {
    list.load(); // while the rest is painted
    return () => list.close();
  }, [list]);
  const scroller = useRef(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const { rows, hold, goToEnd } = useScrolling(list, scroller, setAtEnd);
  const markRead = useReadMarks(list, scroller);
  const onScroll = ({ currentTarget: element }) => {
    if (!list.isLoaded) return;
    hold();
    if (element.scrollTop < NEAR_END) list.older();
    if (below(element) < NEAR_END) list.newer();
    markRead();
  };
  const toEnd = () => {
    list.seen = { ...list.seen, isEnd: true };
    if (list.foundNewest) goToEnd();
    else list.load("newest");
  };
  const { messages, isLoaded, error } = list;
  const outgoing = list.foundNewest ? chat.outbox.expected(narrow) : [];
  const end = messages.at(-1)?.timestamp ?? 0;
  const later = outgoing.map((one) => ({ ...one, timestamp: Math.max(end, one.timestamp) }));
  const shown = [...messages, ...later];
  const sent = Number(chat.outbox.expected(narrow).at(-1)?.id ?? 0);
  const seen = useRef(sent);
  useLayoutEffect(() => {
    if (sent > seen.current && isLoaded) toEnd(); // where the reader's own message is
    seen.current = Math.max(seen.current, sent);
  }, [sent]);
  const wider = narrow.forServer.filter((one) => !isPlace(one)); // a search, without its place
  const none = narrow.forServer.length && !wider.length ? "list.empty" : "list.none";
  const note = !isLoaded
    ? list.isLoading && (error ? chat.keptAt > 0 && "list.not_kept" : "list.loading")
    : !shown.length
      ? none
      : list.foundOldest && narrow.isConversation && "list.first";
  const row = (message, at) =>
    html`<${Row} key=${message.id} ...${{ chat, list, act, message, before: shown[at - 1] }} />`;
  return html`
    ${
      wider.length > 0 &&
      wider.length < narrow.forServer.length &&
      html`<p class="wider"><a href=${chat.link(new Narrow(wider))}>${t("search.everywhere")}</a></p>`
    }
    <div class="scroller" ref=${scroller} onScroll=${onScroll} role="log" aria-live="off"
      aria-label=${t("list.messages")} tabindex="0">
      ${
        error &&
        !chat.keptAt &&
        html`<p class="error" role="alert">
          ${t("list.failed", { reason: error.message })} <button type="button" onClick=${() => list.load()}>
            ${t("action.retry")}</button></p>`
      }
      ${note && html`<p class="none">${t(note)}</p>`}
      <div ref=${rows}>${shown.map(row)}</div>
    </div>
    <${News} chat=${chat} list=${list} />
    ${
      isLoaded &&
      !isAtEnd &&
      html`<button type="button" class="to-end" onClick=${toEnd}>${t("list.newest")} ↓</button>`
    }
  `;
}

/**
 * A message, and the headings before it. It is rendered again only if it has changed, or its sender or the
 * language has.
 */
function Row(/** @type {Props} */ { chat, list, act, message, before }) {
  const isFirstUnread = message.id === list.firstUnread;
  const isNewDay = !before || dateOf(before) !== dateOf(message);
  const place = placeOf(message, chat.me);
  const isNewPlace = !before || keyOf(placeOf(before, chat.me)) !== keyOf(place);
  const isOfOther =
    before?.sender_id !== message.sender_id || message.timestamp - before.timestamp > SAME_SENDER;
  const isFirst = isFirstUnread || isNewDay || isNewPlace || isOfOther || list.narrow.hasGaps;
  const isMarked = message.id === list.marked;
  const wanted = isMarked ? list.wanted : "";
  const isFound = list.narrow.hasWords;
  const View = message.outgoing ? Echo : MessageView;
  const view = () => html`<${View} ...${{ chat, list, act, message, isFirst, isMarked, isFound, wanted }} />`;
  return html`
    ${isFirstUnread && before && html`<h2 class="day new"><span>${t("list.unread")}</span></h2>`}
    ${isNewDay && html`<h2 class="day"><span>${dayOf(message.timestamp)}</span></h2>`}
    ${isNewPlace && !list.narrow.isConversation && html`<${PlaceHeader} chat=${chat} place=${place} />`}
    ${useMemo(view, [message, isFirst, isMarked, wanted, chat.people.get(message.sender_id), language])}
  `;
}

/** Quicker than the text of a date. */
const dateOf = ({ timestamp }) => new Date(timestamp * 1000).toDateString();

function PlaceHeader(/** @type {Props} */ { chat, place }) {
  const { channelId, topic, people } = place;
  const link = (name) => html`<a href=${chat.link(Narrow.at(place))} dir="auto">${name}</a>`;
  if (people) return html`<h2 class="where">${link(chat.names(people))}</h2>`;
  return html`<h2 class="where"><a href=${`#narrow/channel/${channelId}`}
    dir="auto">#${chat.channelName(channelId)}</a> › ${link(topic || t("topic.empty"))}</h2>`;
}

const scrollToEnd = (element) => element?.scrollTo({ top: element.scrollHeight });

/** The height of what is below the window. */
const below = (element) => element.scrollHeight - element.scrollTop - element.clientHeight;

const articleOf = (id) => document.getElementById(`message-${id}`);

/** How far an element begins below the upper edge of the window. */
const distance = (window, element) =>
  element.getBoundingClientRect().top - window.getBoundingClientRect().top;

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
 * Keep what is read in its place: at first the first unread message, then the end if the reader is there,
 * else the message at the top of the window, whatever is loaded above it, and whatever becomes higher or
 * lower.
 */
function useScrolling(/** @type {MessageList} */ list, scroller, setAtEnd) {
  const began = useRef(null);
  const rows = useRef(null);
  const top = useRef(0);
  const height = useRef(0);
  /** Hold the place of a message from now on. */
  const note = (element, message = uppermost(element)) => {
    const isEnd = list.foundNewest && below(element) < AT_END;
    setAtEnd(isEnd);
    list.seen = {
      id: Number(message?.dataset.id ?? 0),
      offset: message ? distance(element, message) : 0,
      isEnd,
    };
    top.current = element.scrollTop;
    height.current = element.scrollHeight;
  };
  // The layout can change between a scroll and its event. So how far the reader has scrolled is known from
  // the position alone, and all else that has moved the message is undone.
  const hold = () => {
    const element = scroller.current;
    if (!element || began.current !== list) return;
    const { id, offset, isEnd } = list.seen;
    const message = articleOf(id);
    const before = Math.min(top.current, height.current - element.clientHeight); // in a higher window
    const change = element.scrollTop - before;
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
    const sizes = new ResizeObserver(hold);
    for (const { current } of [scroller, rows]) sizes.observe(current);
    return () => sizes.disconnect();
  }, [list]);
  /** Noted at once, as something may become higher before the event of the scrolling. */
  const goToEnd = () => {
    scrollToEnd(scroller.current);
    note(scroller.current);
  };
  return { rows, hold, goToEnd };
}

/** Mark messages as read that were on the screen of a visible page for a moment. @param {MessageList} list */
function useReadMarks(list, scroller) {
  const timer = useRef(0);
  const sent = useRef(new Set());
  const mark = () => {
    const element = scroller.current;
    if (!element || document.hidden || list.keepsUnread) return;
    const { top, bottom } = element.getBoundingClientRect();
    const isShown = (rectangle) => rectangle.bottom > top && rectangle.top < bottom;
    const shown = [...element.querySelectorAll("article.unread")].filter((one) =>
      isShown(one.getBoundingClientRect()),
    );
    const ids = new Set(shown.map((one) => Number(one.dataset.id))).difference(sent.current);
    if (!ids.size) return;
    sent.current = sent.current.union(ids);
    const fail = () => (sent.current = sent.current.difference(ids));
    call("POST", "messages/flags", { messages: [...ids], op: "add", flag: "read" }).catch(fail);
  };
  const later = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(mark, READ_AFTER);
  };
  useListener("visibilitychange", later, [list]);
  useEffect(later, [list, list.ids, list.isLoaded]);
  return later;
}
