/** The people who read a message, or reacted to it. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { reactionsOf } from "../actions.js";
import { Avatar } from "../avatar.js";
import { Dialog } from "../dialog.js";
import { emojiText } from "../emoji.js";
import { html, useEffect, useState } from "../html.js";
import { report } from "../notice.js";

/** @param {any} props */
function People({ chat, ids }) {
  return html`
    <ul class="people">
      ${ids.map((/** @type {number} */ id) => html`<li key=${id}><${Avatar} src=${chat.people.get(id)?.avatar_url} /> <a href=${`#people/${id}`} dir="auto">${chat.name(id)}</a></li>`)}
    </ul>
  `;
}

/** @param {any} props */
export function Readers({ chat, message, close }) {
  const [ids, setIds] = useState(/** @type {number[] | null} */ (null));
  useEffect(() => {
    report(call("GET", `messages/${message.id}/read_receipts`)).then((answer) => (answer ? setIds(answer.user_ids) : close()));
  }, []);
  return html`
    <${Dialog} title=${t("action.readers")} close=${close}>
      ${ids === null ? html`<p>${t("list.loading")}</p>` : ids.length ? html`<${People} chat=${chat} ids=${ids} />` : html`<p>${t("readers.none")}</p>`}
    <//>
  `;
}

/** @param {any} props */
export function Reactions({ chat, message, close }) {
  return html`
    <${Dialog} title=${t("action.reactions")} close=${close}>
      ${[...reactionsOf(chat.messages.get(message.id) ?? message)].map(
        ([key, those]) => html`
        <section key=${key}><h3>${emojiText(chat, those[0])} :${those[0].emoji_name}:</h3>
        <${People} chat=${chat} ids=${those.map((one) => one.user_id)} /></section>`,
      )}
    <//>
  `;
}
