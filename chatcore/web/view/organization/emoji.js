/** Emoji of the organization. */

import { call, upload } from "../../api.js";
import { isAdministrator, may } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { emojiText } from "../emoji.js";
import { Field, submitted } from "../form.js";
import { html } from "../html.js";
import { report, saved } from "../notice.js";
import { Rows } from "../rows.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Emoji({ chat }) {
  const emoji = Object.values(chat.emoji)
    .filter((one) => !one.deactivated)
    .sort((a, b) => a.name.localeCompare(b.name));
  const add = async (/** @type {Event} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { name, picture } = submitted(event);
    if (await saved(upload(picture, () => {}, `realm/emoji/${encodeURIComponent(name)}`))) form.reset();
  };
  const deactivate = (/** @type {any} */ one) =>
    confirm(t("editable.sure", { name: `:${one.name}:` })) && report(call("DELETE", `realm/emoji/${encodeURIComponent(one.name)}`));
  return html`
    ${
      may(chat, "can_add_custom_emoji_group") &&
      html`
      <form onSubmit=${add}>
        <${Field} label=${t("emoji.name")} name="name" required pattern="[a-z0-9_\\-]+" hint=${t("emoji.name_hint")} />
        <${Field} label=${t("emoji.picture")} name="picture" type="file" required accept="image/png,image/gif,image/jpeg,image/webp" />
        <p class="bar"><button class="primary">${t("editable.add")}</button></p>
      </form>`
    }
    <${Rows} label=${t("organization.emoji")} items=${emoji} nameOf=${(/** @type {any} */ one) => one.name} row=${(/** @type {any} */ one) => html`
      <li key=${one.id}>
        <div>${emojiText(chat, { emoji_name: one.name, emoji_code: one.id, reaction_type: "realm_emoji" })} :${one.name}: <small>${chat.name(one.author_id)}</small></div>
        ${(isAdministrator(chat) || one.author_id === chat.me) && html`<button type="button" aria-label=${`${t("action.deactivate")}: ${one.name}`} onClick=${() => deactivate(one)}>${t("action.deactivate")}</button>`}
      </li>`} />
  `;
}
