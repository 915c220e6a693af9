/** The own status: an emoji and a text. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Dialog } from "../dialog.js";
import { EmojiPicker, emojiText } from "../emoji.js";
import { Field } from "../form.js";
import { html, useState } from "../html.js";
import { Icon } from "../icon.js";
import { report } from "../notice.js";

const NOTHING = { emoji_name: "", emoji_code: "", reaction_type: "" };

/** @param {{chat: import("../../model/chat.js").Chat, done?: () => void}} props */
export function StatusForm({ chat, done = () => {} }) {
  const { status_text = "", ...known } = chat.statuses.get(chat.me) ?? {};
  const [emoji, setEmoji] = useState(/** @type {any} */ (known.emoji_name ? known : NOTHING));
  const [text, setText] = useState(status_text);
  const [picks, setPicks] = useState(false);
  const save = async (/** @type {string} */ wanted, /** @type {any} */ { emoji_name, emoji_code, reaction_type }) => {
    const named = emoji_name ? { emoji_name, emoji_code, reaction_type } : { emoji_name };
    if (await report(call("POST", "users/me/status", { status_text: wanted, ...named }))) done();
  };
  const clear = () => {
    setText("");
    setEmoji(NOTHING);
    save("", NOTHING);
  };
  return html`
    <form class="status-form" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), save(text.trim(), emoji))}>
      <button type="button" aria-label=${t("status.emoji")} title=${t("status.emoji")} onClick=${() => setPicks(!picks)}>
        ${emoji.emoji_name ? emojiText(chat, emoji) : html`<${Icon} name="smile" />`}</button>
      <${Field} label=${t("status.text")} value=${text} maxlength="60" onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      <p><button type="submit" class="primary">${t("action.save")}</button> <button type="button" onClick=${clear}>${t("status.clear")}</button></p>
    </form>
    ${
      picks &&
      html`<div class="in-form"><${EmojiPicker} chat=${chat} done=${(/** @type {any} */ one) => {
        setPicks(false);
        if (one) setEmoji(one);
      }} /></div>`
    }
  `;
}

/** @param {{chat: import("../../model/chat.js").Chat, close: () => void}} props */
export function StatusDialog({ chat, close }) {
  return html`<${Dialog} title=${t("status.title")} close=${close}><${StatusForm} chat=${chat} done=${close} /><//>`;
}
