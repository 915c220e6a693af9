/** The channels that the reader may see, and the page of each. */

import { may } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Choice } from "../form.js";
import { html, useState } from "../html.js";
import { Rows } from "../rows.js";
import { Channel } from "./channel.js";
import { NewChannel } from "./creation.js";
import { Mark, Subscription } from "./parts.js";

/** @typedef {import("../../model/chat.js").Chat} Chat */

/** @type {Record<string, (chat: Chat, channel: any) => boolean>} */
const SHOWN = {
  all: (_, one) => !one.is_archived,
  subscribed: (chat, one) => !one.is_archived && chat.subscribed.has(one.stream_id),
  others: (chat, one) => !one.is_archived && !chat.subscribed.has(one.stream_id),
  archived: (_, one) => one.is_archived,
};
const CREATE = ["can_create_public_channel_group", "can_create_private_channel_group", "can_create_web_public_channel_group"];

/** @param {import("../pages.js").PageProps} props */
export function Channels({ chat, parts: [part] }) {
  const channel = chat.channels.get(Number(part));
  if (part === "new") return html`<div class="subpage"><${NewChannel} chat=${chat} /></div>`;
  if (channel) return html`<div class="subpage"><${Channel} key=${part} chat=${chat} channel=${channel} /></div>`;
  return html`<div class="subpage"><${List} chat=${chat} /></div>`;
}

/** @param {{chat: Chat}} props */
function List({ chat }) {
  const [shown, setShown] = useState("all");
  /** @type {[string, string][]} */
  const options = [
    ["all", t("channels.all")],
    ["subscribed", t("channels.subscribed")],
    ["others", t("channels.others")],
  ];
  if ([...chat.channels.values()].some((one) => one.is_archived)) options.push(["archived", t("channels.archived")]);
  const channels = [...chat.channels.values()].filter((one) => SHOWN[shown](chat, one)).sort((a, b) => a.name.localeCompare(b.name));
  return html`
    <section>
      ${CREATE.some((name) => may(chat, name)) && html`<p class="bar"><a class="button" href="#channels/new">${t("channels.new")}</a></p>`}
      <${Rows} label=${t("nav.channels")} items=${channels} nameOf=${(/** @type {any} */ one) => `${one.name} ${one.description}`}
        row=${(/** @type {any} */ one) => html`<${Row} key=${one.stream_id} chat=${chat} channel=${one} />`}>
        <${Choice} label=${t("channels.shown")} value=${shown} options=${options} set=${setShown} />
      <//>
    </section>
  `;
}

/** @param {{chat: Chat, channel: any}} props */
function Row({ chat, channel }) {
  const folder = chat.state.channel_folders.find((/** @type {any} */ one) => one.id === channel.folder_id);
  return html`
    <li>
      <div>
        <a href=${`#channels/${channel.stream_id}`} dir="auto"><${Mark} channel=${channel} />${channel.name}</a>
        ${folder && html` <span class="tag" dir="auto">${folder.name}</span>`}
        <small dir="auto">${t("channels.count", { count: channel.subscriber_count })}${channel.description && ` · ${channel.description}`}</small>
      </div>
      <${Subscription} chat=${chat} channel=${channel} />
    </li>
  `;
}
