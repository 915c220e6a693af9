/** The channels that the reader may see: all in a list, a new one, and the page of each. */

import { aboutOf } from "../../model/places.js";
import { isAdministrator, may } from "../../model/rights.js";
import { Check, Choice, Form, Mark, Selection, call, html, personHolder, t, useState } from "../kit.js";
import { subscription } from "../places/actions.js";
import { Things } from "../pages/parts.js";
import { ChannelPage, ChannelTexts, privacyFields, privacyOptions } from "./channel.js";

const CREATE = ["public", "private", "web_public"].map((one) => `can_create_${one}_channel_group`);

export function Channels(/** @type {PageProps} */ { chat, parts: [part] }) {
  const channel = chat.channels.get(Number(part));
  if (part === "new") return html`<div class="subpage"><${NewChannel} chat=${chat} /></div>`;
  if (channel)
    return html`<div class="subpage"><${ChannelPage} key=${part} chat=${chat} channel=${channel} /></div>`;
  const isIn = (one) => chat.subscribed.has(one.stream_id);
  const shown = {
    "channels.all": (one) => !one.is_archived,
    "channels.subscribed": (one) => !one.is_archived && isIn(one),
    "channels.others": (one) => !one.is_archived && !isIn(one),
    "channels.archived": (one) => one.is_archived,
  };
  const entry = (/** @type {Channel} */ one) => ({
    key: one.stream_id,
    name: one.name,
    href: `#channels/${one.stream_id}`,
    mark: html`<${Mark} channel=${one} />`,
    tags: [
      one.invite_only && t("channel.private"),
      ...chat.state.channel_folders.filter(({ id }) => id === one.folder_id).map(({ name }) => name),
    ],
    detail: [t("channels.count", { count: one.subscriber_count }), aboutOf(one)].filter(Boolean).join(" · "),
    buttons: [!chat.keptAt && subscription(chat, one)],
  });
  const create = CREATE.some((name) => may(chat, name)) && t("channels.new");
  const textOf = (one) => `${one.name} ${one.description}`;
  return html`<div class="subpage"><${Things} page="channels" create=${create} items=${chat.sortedChannels}
    shown=${shown} entry=${entry} textOf=${textOf} /></div>`;
}

function NewChannel({ chat }) {
  const options = privacyOptions(chat);
  const [privacy, setPrivacy] = useState(
    options.some(([name]) => name === "public") ? "public" : options[0]?.[0],
  );
  const [people, setPeople] = useState([personHolder(chat, chat.me)]);
  const isPublic = privacy === "public" || privacy === "web";
  const create = ({ announce, is_default_stream, ...fields }) => {
    const boxes = { announce: !!announce, is_default_stream: !!is_default_stream };
    return call("POST", "channels/create", {
      ...fields,
      ...boxes,
      subscribers: people.map(({ id }) => id),
      ...privacyFields(privacy, "invite_only"),
    });
  };
  return html`
    <h2>${t("channels.new")}</h2>
    <${Form} send=${create} savedText="" button=${t("channel.create")}
      more=${html` <a class="button" href="#channels">${t("action.cancel")}</a>`}
      done=${({ id }) => (location.hash = `#narrow/channel/${id}`)}>
      <${ChannelTexts} chat=${chat} />
      <${Choice} label=${t("channel.privacy")} value=${privacy} options=${options} set=${setPrivacy} />
      <fieldset>
        <legend>${t("channel.subscribers")}</legend>
        <${Selection} chat=${chat} label=${t("picker.add_people")} chosen=${people} set=${setPeople} />
      </fieldset>
      ${
        isPublic &&
        chat.state.realm_new_stream_announcements_stream_id > 0 &&
        html`<${Check} label=${t("channel.announce")} name="announce" isOn />`
      }
      ${
        isPublic &&
        isAdministrator(chat) &&
        html`<${Check} label=${t("channel.default")} name="is_default_stream" isOn=${false} />`
      }
    <//>
  `;
}
