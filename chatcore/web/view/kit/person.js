/** A person as shown everywhere: presence and status; and the own status. */

import { call } from "../../api.js";
import { presenceOf } from "../../model/presence.js";
import { t } from "../../text/text.js";
import { Dialog } from "./dialog.js";
import { emojiText } from "./emoji.js";
import { EmojiPicker } from "./emoji_picker.js";
import { Field, Form } from "./form.js";
import { html, useState } from "./html.js";
import { Icon } from "./icon.js";

export function Presence({ chat, id }) {
  if (chat.people.get(id)?.is_bot) return null;
  const presence = presenceOf(chat, id);
  const name = t(`presence.${presence}`);
  return html`<span class=${`presence ${presence}`} role="img" aria-label=${name} title=${name}></span>`;
}

/** The whole status of a person. */
export function Status({ chat, id }) {
  const status = chat.statuses.get(id);
  return status && html`${status.emoji_name && emojiText(chat, status)} ${status.status_text}`;
}

/** The emoji of a person's status, with its text. */
export function StatusEmoji({ chat, id }) {
  const status = chat.statuses.get(id);
  if (!status?.emoji_name && !status?.status_text) return null;
  const label = status.status_text || `:${status.emoji_name}:`;
  return html`<span class="status" role="img" aria-label=${label} title=${label}>${
    status.emoji_name ? emojiText(chat, status) : "💬"
  }</span>`;
}

/** Set one's status. @param {string} text */
const setStatus = (text, { emoji_name, emoji_code, reaction_type }) =>
  call("POST", "users/me/status", {
    status_text: text,
    emoji_name,
    ...(emoji_name && { emoji_code, reaction_type }),
  });

export const clearStatus = () => setStatus("", NOTHING);

const NOTHING = { emoji_name: "", emoji_code: "", reaction_type: "" };

export function StatusForm({ chat, done, close }) {
  const { status_text = "", ...known } = chat.statuses.get(chat.me) ?? {};
  const [emoji, setEmoji] = useState(known.emoji_name ? known : NOTHING);
  const [text, setText] = useState(status_text);
  const [picks, setPicks] = useState(false);
  const save = ({ clears }) => {
    if (!clears) return setStatus(text.trim(), emoji);
    setText("");
    setEmoji(NOTHING);
    return clearStatus();
  };
  const choose = (one) => {
    setPicks(false);
    if (one) setEmoji(one);
  };
  return html`
    <${Form} class="status-form" send=${save} savedText="" done=${done} close=${close}
      more=${html` <button name="clears" value="yes">${t("status.clear")}</button>`}>
      <button type="button" aria-label=${t("status.emoji")} title=${t("status.emoji")}
        onClick=${() => setPicks(!picks)}>
        ${emoji.emoji_name ? emojiText(chat, emoji) : html`<${Icon} name="face-slightly-smiling" />`}</button>
      <${Field} label=${t("status.text")} value=${text} max=${60} set=${setText} />
    <//>
    ${picks && html`<${EmojiPicker} chat=${chat} done=${choose} />`}
  `;
}

export const StatusDialog = ({ chat, close }) =>
  html`<${Dialog} title=${t("status.title")} close=${close}>
    <${StatusForm} chat=${chat} done=${close} close=${close} /><//>`;
