/** The own status: an emoji and a text. */

import { EmojiPicker, emojiText } from "./emoji.js";
import { Dialog, Field, Form, Icon, call, html, t, useState } from "./kit.js";

const NOTHING = { emoji_name: "", emoji_code: "", reaction_type: "" };

/** @param {{chat: Chat, done?: () => void}} props */
export function StatusForm({ chat, done }) {
  const { status_text = "", ...known } = chat.statuses.get(chat.me) ?? {};
  const [emoji, setEmoji] = useState(/** @type {any} */ (known.emoji_name ? known : NOTHING));
  const [text, setText] = useState(status_text);
  const [picks, setPicks] = useState(false);
  const set = (/** @type {string} */ wanted, /** @type {any} */ { emoji_name, emoji_code, reaction_type }) =>
    call("POST", "users/me/status", { status_text: wanted, emoji_name, ...(emoji_name && { emoji_code, reaction_type }) });
  const save = (/** @type {{clears?: string}} */ { clears }) => {
    if (!clears) return set(text.trim(), emoji);
    setText("");
    setEmoji(NOTHING);
    return set("", NOTHING);
  };
  const choose = (/** @type {any} */ one) => {
    setPicks(false);
    if (one) setEmoji(one);
  };
  return html`
    <${Form} class="status-form" send=${save} said="" done=${done} more=${html` <button name="clears" value="yes">${t("status.clear")}</button>`}>
      <button type="button" aria-label=${t("status.emoji")} title=${t("status.emoji")} onClick=${() => setPicks(!picks)}>
        ${emoji.emoji_name ? emojiText(chat, emoji) : html`<${Icon} name="smile" />`}</button>
      <${Field} label=${t("status.text")} value=${text} maxlength="60" set=${setText} />
    <//>
    ${picks && html`<div class="in-form"><${EmojiPicker} chat=${chat} done=${choose} /></div>`}
  `;
}

/** @param {{chat: Chat, close: () => void}} props */
export function StatusDialog({ chat, close }) {
  return html`<${Dialog} title=${t("status.title")} close=${close}><${StatusForm} chat=${chat} done=${close} /><//>`;
}
