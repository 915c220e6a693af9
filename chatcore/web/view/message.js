/** One message: who wrote it, its text, reactions and actions. */

import { call } from "../api.js";
import { Narrow } from "../model/narrow.js";
import { fullTime, t, timeOf } from "../text/text.js";
import { Avatar } from "./avatar.js";
import { Content } from "./content.js";
import { EmojiPicker, emojiText } from "./emoji.js";
import { Fragment, classes, focusNew, html, useEffect, useState } from "./html.js";
import { Icon } from "./icon.js";
import { report } from "./notice.js";
import { Submessages } from "./widgets.js";

/**
 * @typedef {import("../model/chat.js").Chat} Chat
 * @typedef {import("../model/messages.js").Message} Message
 */

/** @param {{chat: Chat, message: Message, isFirst: boolean, isMarked: boolean, words: string[], act: import("./app.js").Acts}} props */
export function MessageView({ chat, message, isFirst, isMarked, words, act }) {
  const [isEdited, setEdited] = useState(false);
  const [picks, setPicks] = useState(false);
  useEffect(() => {
    if (isMarked && act.wanted === "edit") setEdited(true);
    if (isMarked && act.wanted === "react") setPicks(true);
    if (isMarked) act.wanted = "";
  });
  const sender = chat.people.get(message.sender_id);
  const isUnread = !message.flags.has("read");
  const name = sender?.full_name ?? /** @type {any} */ (message).sender_full_name;
  return html`
    <article id=${`message-${message.id}`} data-id=${message.id} aria-label=${`${name}, ${fullTime(message.timestamp)}`} tabindex=${isMarked ? 0 : -1}
      class=${classes("message", isFirst && "first", isUnread && "unread", isMarked && "marked",
        (message.flags.has("mentioned") || message.flags.has("wildcard_mentioned")) && "mentions")}>
      ${isFirst && html`
        <${Avatar} src=${sender?.avatar_url ?? /** @type {any} */ (message).avatar_url} />
        <header>
          <span class="sender" dir="auto">${name}</span>
          ${sender?.is_bot && html`<span class="tag">${t("message.bot")}</span>`}
          <time title=${fullTime(message.timestamp)}>${timeOf(message.timestamp)}</time>
        </header>`}
      ${isEdited
        ? html`<${Editor} message=${message} done=${() => setEdited(false)} />`
        : html`<${Content} content=${message.content} words=${words} />`}
      ${/** @type {any} */ (message).last_edit_timestamp && html`<span class="edited" title=${fullTime(/** @type {any} */ (message).last_edit_timestamp)}>${t("message.edited")}</span>`}
      <${Submessages} chat=${chat} message=${message} />
      <${Reactions} chat=${chat} message=${message} />
      <${Actions} chat=${chat} message=${message} act=${act} edit=${() => setEdited(true)} react=${() => setPicks(true)} />
      ${picks && html`<${EmojiPicker} chat=${chat} done=${(/** @type {any} */ emoji) => {
        setPicks(false);
        if (emoji) react(message, emoji, true);
      }} />`}
    </article>
  `;
}

/** @param {Message} message @param {{emoji_name: string, emoji_code?: string, reaction_type?: string}} emoji @param {boolean} isSet */
export function react(message, { emoji_name, emoji_code, reaction_type }, isSet) {
  report(call(isSet ? "POST" : "DELETE", `messages/${message.id}/reactions`, { emoji_name, emoji_code, reaction_type }));
}

/** @param {Message} message */
export function star(message) {
  const op = message.flags.has("starred") ? "remove" : "add";
  report(call("POST", "messages/flags", { messages: [message.id], op, flag: "starred" }));
}

/** @param {{chat: Chat, message: Message}} props */
function Reactions({ chat, message }) {
  if (!message.reactions.length) return null;
  /** @type {Map<string, any[]>} */
  const groups = new Map();
  for (const one of message.reactions) {
    const key = `${one.reaction_type}:${one.emoji_code}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return html`
    <div class="reactions">
      ${[...groups].map(([key, those]) => {
        const isMine = those.some((one) => one.user_id === chat.me);
        const names = those.map((one) => chat.name(one.user_id)).join(", ");
        return html`<button type="button" key=${key} aria-pressed=${isMine} title=${t("reaction.by", { names, emoji: those[0].emoji_name })}
          onClick=${() => react(message, those[0], !isMine)}>${emojiText(chat, those[0])} <span>${those.length}</span></button>`;
      })}
    </div>
  `;
}

/** @param {any} props */
function Actions({ chat, message, act, edit, react: pick }) {
  const isMine = message.sender_id === chat.me;
  const remove = () => {
    if (confirm(t("action.delete_sure"))) report(call("DELETE", `messages/${message.id}`));
  };
  return html`
    <div class="actions" role="toolbar" aria-label=${t("action.menu")}>
      <button type="button" title=${t("action.react")} aria-label=${t("action.react")} onClick=${pick}><${Icon} name="smile" /></button>
      <button type="button" title=${t("action.quote")} aria-label=${t("action.quote")} onClick=${() => act.quote(message)}><${Icon} name="quote" /></button>
      <button type="button" aria-pressed=${message.flags.has("starred")} title=${t(message.flags.has("starred") ? "action.unstar" : "action.star")}
        aria-label=${t("action.star")} onClick=${() => star(message)}><${Icon} name="star" filled=${message.flags.has("starred")} /></button>
      <button type="button" title=${t("action.link")} aria-label=${t("action.link")} onClick=${() => copyLink(chat, message)}><${Icon} name="link" /></button>
      ${isMine && html`<${Fragment}>
        <button type="button" title=${t("action.edit")} aria-label=${t("action.edit")} onClick=${edit}><${Icon} name="pen" /></button>
        <button type="button" title=${t("action.delete")} aria-label=${t("action.delete")} onClick=${remove}><${Icon} name="bin" /></button>
      <//>`}
    </div>
  `;
}

/** The narrow of the conversation of a message. @param {Chat} chat @param {Message} message */
export function conversationOf(chat, message) {
  return message.stream_id === undefined
    ? Narrow.of(["dm", message.people(chat.me).sort((a, b) => a - b)])
    : Narrow.of(["channel", message.stream_id], ["topic", message.subject]);
}

/** @param {Chat} chat @param {Message} message */
function copyLink(chat, message) {
  const narrow = new Narrow([...conversationOf(chat, message).terms, { operator: "near", operand: message.id }]);
  const hash = narrow.hash((id) => chat.channelName(id));
  navigator.clipboard.writeText(new URL(hash, document.baseURI).href);
}

/** @param {{message: Message, done: () => void}} props */
function Editor({ message, done }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    call("GET", `messages/${message.id}`, { apply_markdown: false }).then((answer) => setText(answer.message.content), done);
  }, []);
  if (text === null) return html`<p>${t("list.loading")}</p>`;
  const save = async () => {
    await report(call("PATCH", `messages/${message.id}`, { content: text }));
    done();
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") done();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    else return;
    event.preventDefault();
  };
  return html`
    <div class="editor">
      <textarea rows="4" dir="auto" aria-label=${t("action.edit")} value=${text} autofocus ref=${focusNew}
        onInput=${(/** @type {any} */ event) => setText(event.target.value)} onKeyDown=${onKeyDown}></textarea>
      <button type="button" class="primary" onClick=${save}>${t("action.save")}</button>
      <button type="button" onClick=${done}>${t("action.cancel")}</button>
    </div>
  `;
}
