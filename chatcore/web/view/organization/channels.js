/** Channels of new people, and folders of channels. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { activeChannels } from "../channels/parts.js";
import { Choice, Field } from "../form.js";
import { html } from "../html.js";
import { report } from "../notice.js";
import { Editable, bound } from "./editable.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function DefaultChannels({ chat }) {
  const isDefault = (/** @type {any} */ one) => chat.state.realm_default_streams.includes(one.stream_id);
  const others = activeChannels(chat).filter((one) => !one.invite_only && !isDefault(one));
  const change = (/** @type {"POST" | "DELETE"} */ method, /** @type {number} */ stream_id) => report(call(method, "default_streams", { stream_id }));
  return html`
    <h3>${t("organization.default_channels")}</h3>
    <ul class="rows">
      ${activeChannels(chat)
        .filter(isDefault)
        .map(
          (one) => html`
        <li key=${one.stream_id}><a href=${`#channels/${one.stream_id}`} dir="auto"># ${one.name}</a>
          <button type="button" aria-label=${t("picker.remove", { name: one.name })} onClick=${() => change("DELETE", one.stream_id)}>${t("rows.remove")}</button></li>`,
        )}
    </ul>
    ${others.length > 0 && html`<${Choice} label=${t("organization.add_default_channel")} value=${null} options=${[[null, "…"], ...others.map((one) => [one.stream_id, one.name])]} set=${(/** @type {number | null} */ id) => id && change("POST", id)} />`}
    <h3>${t("organization.folders")}</h3>
    <${Editable} label=${t("organization.folders")} items=${chat.state.channel_folders.filter((/** @type {any} */ one) => !one.is_archived)} nameOf=${(/** @type {any} */ one) => one.name}
      detail=${(/** @type {any} */ one) => one.description} empty=${{ name: "", description: "" }}
      fields=${(/** @type {any} */ draft, /** @type {any} */ change) => html`
        <${Field} label=${t("field.name")} required maxlength=${chat.state.max_channel_folder_name_length} ...${bound(draft, change, "name")} />
        <${Field} label=${t("field.description")} maxlength=${chat.state.max_channel_folder_description_length} ...${bound(draft, change, "description")} />`}
      save=${(/** @type {any} */ { id, name, description }, /** @type {boolean} */ isNew) => call(isNew ? "POST" : "PATCH", isNew ? "channel_folders/create" : `channel_folders/${id}`, { name, description })}
      remove=${(/** @type {any} */ one) => call("PATCH", `channel_folders/${one.id}`, { is_archived: true })}
      reorder=${(/** @type {number[]} */ ids) => call("PATCH", "channel_folders", { order: [...ids, ...chat.state.channel_folders.filter((/** @type {any} */ one) => one.is_archived).map((/** @type {any} */ one) => one.id)] })} />
  `;
}
