/** The channels that the reader may see: all in a list, a new one, and the page of each. */

import { isAdministrator, may } from "../../model/rights.js";
import { Check, Choice, Form, Mark, Rows, call, html, t, useState } from "../kit.js";
import { Selection, personHolder } from "../picker.js";
import { ChannelPage } from "./channel.js";
import { ChannelTexts, privacyFields, privacyOptions, subscription } from "./parts.js";

const CREATE = ["can_create_public_channel_group", "can_create_private_channel_group", "can_create_web_public_channel_group"];

/** @param {PageProps} props */
export function Channels({ chat, parts: [part] }) {
  const channel = chat.channels.get(Number(part));
  if (part === "new") return html`<div class="subpage"><${NewChannel} chat=${chat} /></div>`;
  if (channel) return html`<div class="subpage"><${ChannelPage} key=${part} chat=${chat} channel=${channel} /></div>`;
  const isIn = (/** @type {Channel} */ one) => chat.subscribed.has(one.stream_id);
  const shown = {
    "channels.all": (/** @type {Channel} */ one) => !one.is_archived,
    "channels.subscribed": (/** @type {Channel} */ one) => !one.is_archived && isIn(one),
    "channels.others": (/** @type {Channel} */ one) => !one.is_archived && !isIn(one),
    "channels.archived": (/** @type {Channel} */ one) => one.is_archived,
  };
  const entry = (/** @type {Channel} */ one) => ({
    key: one.stream_id,
    label: one.name,
    name: html`<a href=${`#channels/${one.stream_id}`} dir="auto"><${Mark} channel=${one} />${one.name}</a>`,
    tags: [one.invite_only && t("channel.private"), ...chat.state.channel_folders.filter(({ id }) => id === one.folder_id).map(({ name }) => name)],
    detail: [t("channels.count", { count: one.subscriber_count }), one.description].filter(Boolean).join(" · "),
    buttons: [subscription(chat, one)],
  });
  return html`
    <div class="subpage">
      <section>
        ${CREATE.some((name) => may(chat, name)) && html`<p class="bar"><a class="button" href="#channels/new">${t("channels.new")}</a></p>`}
        <${Rows} label=${t("nav.channels")} items=${chat.sortedChannels} shown=${shown} entry=${entry} textOf=${(/** @type {Channel} */ one) => `${one.name} ${one.description}`} />
      </section>
    </div>
  `;
}

/** @param {{chat: Chat}} props */
function NewChannel({ chat }) {
  const options = privacyOptions(chat);
  const [privacy, setPrivacy] = useState(options.some(([name]) => name === "public") ? "public" : options[0]?.[0]);
  const [people, setPeople] = useState([personHolder(chat, chat.me)]);
  const isPublic = privacy === "public" || privacy === "web";
  const create = (/** @type {Record<string, any>} */ { name, description, announces, isDefault }) =>
    call("POST", "channels/create", {
      name,
      description,
      subscribers: people.map(({ id }) => id),
      ...privacyFields(/** @type {any} */ (privacy), "invite_only"),
      announce: !!announces,
      is_default_stream: !!isDefault,
    });
  return html`
    <h2>${t("channels.new")}</h2>
    <${Form} send=${create} said="" button=${t("channel.create")} more=${html` <a class="button" href="#channels">${t("action.cancel")}</a>`}
      done=${(/** @type {any} */ { id }) => (location.hash = `#channels/${id}`)}>
      <${ChannelTexts} chat=${chat} />
      <${Choice} label=${t("channel.privacy")} value=${privacy} options=${options} set=${setPrivacy} />
      <fieldset>
        <legend>${t("channel.subscribers")}</legend>
        <${Selection} chat=${chat} label=${t("picker.add_people")} chosen=${people} set=${setPeople} />
      </fieldset>
      ${isPublic && chat.state.realm_new_stream_announcements_stream_id > 0 && html`<${Check} label=${t("channel.announce")} name="announces" isOn />`}
      ${isPublic && isAdministrator(chat) && html`<${Check} label=${t("channel.default")} name="isDefault" isOn=${false} />`}
    <//>
  `;
}
