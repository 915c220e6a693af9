/** One message: who wrote it, its text, reactions and actions. */

import { mayEdit } from "../model/rights.js";
import { Actions, react, reactionsOf } from "./message_actions.js";
import { EmojiPicker, emojiText } from "./emoji.js";
import { Avatar, Content, call, classes, focusNew, fullTime, html, report, t, timeOf, useAnswer, useEffect, usePreview, useRef, useState } from "./kit.js";
import { WidgetOr } from "./widgets.js";

/** @param {{chat: Chat, message: Message, isFirst: boolean, isMarked: boolean, isFound: boolean, act: PageActions}} props */
export function MessageView({ chat, message, isFirst, isMarked, isFound, act }) {
  const [isEdited, setEdited] = useState(false);
  const [picks, setPicks] = useState(false);
  const [opens, setOpens] = useState(false);
  const article = useRef(/** @type {HTMLElement | null} */ (null));
  const [isReached, setReached] = useState(false); // actions of all messages would take most of the time of rendering
  const reach = () => setReached(true);
  useEffect(() => {
    if (isMarked && act.wanted === "edit" && mayEdit(chat, message)) setEdited(true);
    if (isMarked && act.wanted === "react") setPicks(true);
    setOpens(isMarked && act.wanted === "menu");
    if (isMarked) act.wanted = "";
  });
  const edited = () => {
    setEdited(false);
    requestAnimationFrame(() => article.current?.focus());
  };
  const { last_edit_timestamp: editedAt, last_moved_timestamp: movedAt, match_content: found } = /** @type {any} */ (message);
  const sender = chat.people.get(message.sender_id);
  const isUnread = !message.flags.has("read");
  const name = sender?.full_name ?? /** @type {any} */ (message).sender_full_name;
  return html`
    <article ref=${article} id=${`message-${message.id}`} data-id=${message.id} aria-label=${`${name}, ${fullTime(message.timestamp)}`} tabindex=${isMarked ? 0 : -1}
      onPointerEnter=${reach} onFocusIn=${reach}
      class=${classes(
        "message",
        isFirst && "first",
        isUnread && "unread",
        isMarked && "marked",
        (message.flags.has("mentioned") || message.flags.has("wildcard_mentioned")) && "mentions",
      )}>
      ${
        isFirst &&
        html`
        <${Avatar} src=${sender?.avatar_url ?? /** @type {any} */ (message).avatar_url} />
        <header>
          <a class="sender" href=${`#people/${message.sender_id}`} dir="auto">${name}</a>
          ${sender?.is_bot && html`<span class="tag">${t("message.bot")}</span>`}
          <time title=${fullTime(message.timestamp)}>${timeOf(message.timestamp)}</time>
        </header>`
      }
      ${
        isEdited
          ? html`<${Editor} message=${message} done=${edited} />`
          : html`<${WidgetOr} chat=${chat} message=${message}><${Content} content=${isFound ? (found ?? message.content) : message.content} /><//>`
      }
      ${
        (editedAt || movedAt) &&
        html`<button type="button" class="edited" title=${fullTime(Math.max(editedAt ?? 0, movedAt ?? 0))}
        onClick=${() => act.show("History", { message })}>${t(editedAt ? "message.edited" : "message.moved")}</button>`
      }
      <${Reactions} chat=${chat} message=${message} />
      ${(isReached || isMarked) && html`<${Actions} chat=${chat} message=${message} act=${act} edit=${() => setEdited(true)} react=${() => setPicks(true)} opens=${opens} />`}
      ${
        picks &&
        html`<${EmojiPicker} chat=${chat} done=${(/** @type {any} */ emoji) => {
          setPicks(false);
          if (emoji) react(message, emoji, true);
          article.current?.focus();
        }} />`
      }
    </article>
  `;
}

/** @param {{chat: Chat, message: Message}} props */
function Reactions({ chat, message }) {
  if (!message.reactions.length) return null;
  return html`
    <div class="reactions">
      ${[...reactionsOf(message)].map(([key, those]) => {
        const isMine = those.some((one) => one.user_id === chat.me);
        const names = chat.names(those.map((one) => one.user_id));
        return html`<button type="button" key=${key} aria-pressed=${isMine} title=${t("reaction.by", { names, emoji: those[0].emoji_name })}
          onClick=${() => react(message, those[0], !isMine)}>${emojiText(chat, those[0])} <span>${those.length}</span></button>`;
      })}
    </div>
  `;
}

/** @param {{message: Message, done: () => void}} props */
function Editor({ message, done }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  useAnswer(`messages/${message.id}`, { parameters: { apply_markdown: false }, take: (answer) => setText(answer.message.content), failed: done });
  const preview = usePreview(text ?? "");
  if (text === null) return html`<p>${t("list.loading")}</p>`;
  const save = async () => {
    if (await report(call("PATCH", `messages/${message.id}`, { content: text }))) done();
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") done();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    else return;
    event.preventDefault();
  };
  return html`
    <div class="editor">
      ${
        preview.rendered === null
          ? html`<textarea rows="4" dir="auto" aria-label=${t("action.edit")} value=${text} ref=${focusNew}
            onInput=${(/** @type {any} */ event) => setText(event.target.value)} onKeyDown=${onKeyDown}></textarea>`
          : html`<div class="preview"><${Content} content=${preview.rendered} /></div>`
      }
      <button type="button" class="primary" onClick=${save}>${t("action.save")}</button>
      <button type="button" onClick=${preview.toggle}>${t(preview.rendered === null ? "compose.preview" : "compose.edit")}</button>
      <button type="button" onClick=${done}>${t("action.cancel")}</button>
    </div>
  `;
}
