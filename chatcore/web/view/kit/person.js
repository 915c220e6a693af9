/**
 * A person as shown everywhere: the face (the picture or, where none was uploaded, the first letters of the
 * name in a colour), presence and status; and the own status.
 */

import { call, local } from "../../api.js";
import { presenceOf } from "../../model/presence.js";
import { t } from "../../text/text.js";
import { Dialog } from "./dialog.js";
import { emojiText } from "./emoji.js";
import { EmojiPicker } from "./emoji_picker.js";
import { Field, Form } from "./form.js";
import { classes, html, useState } from "./html.js";
import { Icon } from "./icon.js";
import { report } from "./notice.js";

/** Addresses of the pictures that the server makes of ids, for clients that know no names. */
const MADE = /\/user_avatars\/\d+\/(user-\d+|nobody|organization)(-medium)?\.png/;
/** In degrees, the golden section of a circle: ids beside each other get colours far from each other. */
const TURN = 137.5;

/** Whether the picture at an address was uploaded. @param {string | null | undefined} src */
export const isUploaded = (src) => !!src && !MADE.test(src);

/** The first letters of the first and the last word. @param {string} name @param {number} most */
function initials(name, most) {
  const words = name.match(/[\p{L}\p{N}][^\s]*/gu) ?? ["?"];
  const those = most > 1 && words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]];
  return those.map((one) => [...one][0].toLocaleUpperCase()).join("");
}

/**
 * A face. `label` is read out; without it the name stands beside the face. The letters are drawn by the
 * styles, so they are in no text that is copied or searched.
 */
export function Face({ id = 0, name, src, kind = "", label = "" }) {
  if (isUploaded(src))
    return html`<img class=${classes("avatar", kind)} src=${local(src)} alt=${label} loading="lazy" />`;
  const paint = (element) => element?.style.setProperty("--tint", `${(id * TURN) % 360}`);
  return html`<span class=${classes("avatar", kind)} data-initials=${initials(name, kind === "small" ? 1 : 2)}
    ref=${paint} role=${label ? "img" : undefined} aria-label=${label || undefined}></span>`;
}

/** The face of a person; bots have corners. @param {{person: Partial<Person>, [name: string]: any}} props */
export const Avatar = ({ person, kind = "", ...more }) =>
  html`<${Face} id=${person.user_id} name=${person.full_name ?? ""} src=${person.avatar_url}
    kind=${classes(kind, person.is_bot && "square")} ...${more} />`;

/** The faces of a direct conversation: of one person with the presence at the corner, or of the first two. */
export function Faces({ chat, people }) {
  const face = (id) => html`<${Avatar} key=${id} person=${chat.people.get(id) ?? {}} kind="small" />`;
  return html`<span class=${classes("faces", people.length > 1 && "several")}>${people.slice(0, 2).map(face)}
    ${people.length === 1 && html`<${Presence} chat=${chat} id=${people[0]} />`}</span>`;
}

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
const setStatus = (text, { emoji_name = "", emoji_code = "", reaction_type = "" }) =>
  call("POST", "users/me/status", {
    status_text: text,
    emoji_name,
    ...(emoji_name && { emoji_code, reaction_type }),
  });

export const clearStatus = () => setStatus("", {});

export function StatusForm({ chat, done, close }) {
  const { status_text: text, ...known } = chat.statuses.get(chat.me) ?? {};
  const [chosen, setChosen] = useState(/** @type {any} */ (null)); // an emoji that is not saved
  const [picks, setPicks] = useState(false);
  const emoji = chosen ?? known;
  const send = (change) => change.then(() => setChosen(null));
  const clear = () => report(send(clearStatus())).then(done);
  const choose = (one) => {
    setPicks(false);
    if (one) setChosen(one);
  };
  return html`
    <${Form} class="status-form" send=${({ text }) => send(setStatus(text.trim(), emoji))} savedText=""
      done=${done} close=${close}
      more=${html` <button type="reset" onClick=${clear}>${t("status.clear")}</button>`}>
      <button type="button" aria-label=${t("status.emoji")} title=${t("status.emoji")}
        onClick=${() => setPicks(!picks)}>
        ${emoji.emoji_name ? emojiText(chat, emoji) : html`<${Icon} name="face-slightly-smiling" />`}</button>
      <${Field} label=${t("status.text")} name="text" defaultValue=${text ?? ""} max=${60} />
    <//>
    ${picks && html`<${EmojiPicker} chat=${chat} done=${choose} />`}
  `;
}

export const StatusDialog = ({ chat, close }) =>
  html`<${Dialog} title=${t("status.title")} close=${close}>
    <${StatusForm} chat=${chat} done=${close} close=${close} /><//>`;
