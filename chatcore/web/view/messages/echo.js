/** One's own messages on their way: in the list, as they will stand there, and those that are in no list. */

import { Narrow } from "../../model/narrow.js";
import { Avatar, classes, hourOf, html, notices, t, useModel } from "../kit.js";
import { titleOf } from "../titles.js";

const BLOCK = /(^```[^\n]*\n[\s\S]*?\n```$)/m;
/**
 * The most used marks. All others are shown as they were written, until the server's HTML is there.
 *
 * @type {[RegExp, (...parts: string[]) => unknown][]}
 */
const MARKS = [
  [/`([^`\n]+)`/, (text) => html`<code>${text}</code>`],
  [/@_?\*\*([^*|]+)(?:\|\d+)?\*\*/, (name) => html`<span class="user-mention">@${name}</span>`],
  [/#\*\*([^*]+)\*\*/, (name) => html`<a>#${name.replace(">", " > ")}</a>`],
  [/\*\*([^*]+)\*\*/, (text) => html`<strong>${text}</strong>`],
  [/\*([^\s*][^*]*)\*/, (text) => html`<em>${text}</em>`],
  [/\[([^\]]+)\]\([^)\s]+\)/, (text) => html`<a>${text}</a>`],
];

/** A line with the marks from the *first* on. @returns {unknown} */
function marked(text, first = 0) {
  if (first === MARKS.length) return text;
  const [pattern, made] = MARKS[first];
  const match = pattern.exec(text);
  if (!match) return marked(text, first + 1);
  const rest = text.slice(match.index + match[0].length);
  return [marked(text.slice(0, match.index), first + 1), made(...match.slice(1)), marked(rest, first)];
}

const block = (text) =>
  BLOCK.test(text)
    ? html`<pre class="codehilite"><code>${text.split("\n").slice(1, -1).join("\n")}</code></pre>`
    : text.split(/\n{2,}/).map((part) => part.trim() && html`<p>${marked(part.trim())}</p>`);

/** Why a message was not sent, and what can be done about it. */
export function Failure({ chat, outgoing: { localId, error } }) {
  const discard = () => {
    const putBack = chat.outbox.discard(localId);
    notices.show(t("compose.discarded"), async () => putBack());
  };
  const text = t(error.isTemporary ? "compose.later" : "compose.failed", { reason: error.message });
  return html`
  <span class=${error.isTemporary ? "faint" : "error"} role="alert">${text}</span>
  <button type="button" onClick=${() => chat.outbox.again(localId)}>${t("action.retry")}</button>
  <button type="button" onClick=${discard}>${t("compose.discard")}</button>`;
}

/** A message of `outbox.expected`. */
export function Echo(/** @type {Props} */ { chat, message, isFirst }) {
  const { content, timestamp } = message;
  const outgoing = /** @type {Outgoing} */ (message.outgoing);
  const header = () => html`
    <${Avatar} person=${chat.people.get(chat.me) ?? {}} />
    <header>
      <span class="sender" dir="auto">${chat.name(chat.me)}</span>
      <time>${hourOf(timestamp)}</time>
    </header>`;
  const isWaiting = !outgoing.error && !outgoing.isStored;
  return html`
    <div class=${classes("message", "outgoing", isFirst && "first", isWaiting && "waiting")}
      aria-busy=${isWaiting}>
      ${isFirst && header()}
      <div class="content" dir="auto">${content.split(BLOCK).map(block)}</div>
      ${outgoing.error && html`<div class="bar"><${Failure} chat=${chat} outgoing=${outgoing} /></div>`}
    </div>`;
}

/** Those that were refused, wherever they belong, and all of the narrow that is shown without its end. */
export function Outbox(/** @type {Props} */ { chat, list }) {
  useModel(list);
  const { outbox } = chat;
  const inList = new Set(list ? outbox.expected(list.narrow).map(({ outgoing }) => outgoing) : []);
  const isAtEnd = list?.foundNewest;
  const shown = [...outbox.messages.values()].filter((one) =>
    inList.has(one) ? !isAtEnd && one.error : one.error && !one.error.isTemporary,
  );
  const message = (outgoing) => {
    const narrow = Narrow.at(outgoing.place);
    return html`
      <div class="outgoing" key=${outgoing.localId}>
        <a href=${chat.link(narrow)} dir="auto">${titleOf(chat, narrow, "")}</a>
        <p dir="auto">${outgoing.content}</p>
        <div class="bar"><${Failure} chat=${chat} outgoing=${outgoing} /></div>
      </div>`;
  };
  return shown.length > 0 && html`<div class="outbox">${shown.map(message)}</div>`;
}
