/** The page of one channel. */

import { Narrow } from "../../model/narrow.js";
import { isAdministrator, may, rightsIn } from "../../model/rights.js";
import { Buttons, Check, Choice, Content, Form, Mark, PeopleRows, call, html, named, report, sure, t, useAnswer } from "../kit.js";
import { FoldedPermissions } from "../permission.js";
import { Picker } from "../picker.js";
import { SettingFields, checks } from "../settings_fields.js";
import { ChannelTexts, privacyFields, privacyOf, privacyOptions, subscription } from "./parts.js";

/** @typedef {{chat: Chat, channel: Channel, rights: ReturnType<typeof rightsIn>}} Props */

/** @param {Omit<Props, "rights">} props */
export function ChannelPage({ chat, channel }) {
  const props = { chat, channel, rights: rightsIn(chat, channel) };
  const { reads, administers } = props.rights;
  return html`
    <div class="bar">
      <a href="#channels">← ${t("nav.channels")}</a>
      <h2 dir="auto"><${Mark} channel=${channel} />${channel.name}</h2>
      ${channel.is_archived && html`<span class="tag">${t("channels.archived")}</span>`}
      ${reads && html`<a class="button" href=${chat.link(Narrow.of(["channel", channel.stream_id]))}>${t("list.messages")}</a>`}
      <${Buttons} of=${channel.name} buttons=${[subscription(chat, channel)]} />
    </div>
    ${channel.rendered_description && html`<${Content} content=${channel.rendered_description} />`}
    <p><small>${t(`privacy.${privacyOf(channel)}`)} · ${t("channels.count", { count: channel.subscriber_count })}</small></p>
    ${chat.subscribed.has(channel.stream_id) && html`<${Personal} ...${props} />`}
    <${Subscribers} ...${props} />
    ${administers && html`<${Administration} ...${props} />`}
    <${FoldedPermissions} chat=${chat} kind="stream" path=${`streams/${channel.stream_id}`} thing=${channel} isFixed=${!administers || channel.is_archived} />
  `;
}

/** The settings of the account that count where a property of a subscription has no value. @type {Record<string, string>} */
const USUAL = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
};
/** @type {import("../settings_fields.js").Setting[]} */
const PERSONAL = [{ name: "color", type: "color" }, ...checks("is_muted", "pin_to_top", ...Object.keys(USUAL))];

/** @param {Props} props */
function Personal({ chat, channel }) {
  const set = (/** @type {string} */ property, /** @type {unknown} */ value) =>
    report(call("POST", "users/me/subscriptions/properties", { subscription_data: [{ stream_id: channel.stream_id, property, value }] }));
  return html`
    <section>
      <h3>${t("channel.personal")}</h3>
      <${SettingFields} chat=${chat} settings=${PERSONAL} kind="personal" set=${set} read=${(/** @type {string} */ name) => channel[name] ?? chat.settings[USUAL[name]]} />
    </section>
  `;
}

/** @param {Props} props */
function Subscribers({ chat, channel, rights }) {
  const id = channel.stream_id;
  const known = chat.subscribers.get(id);
  useAnswer(`streams/${id}/members`, {
    again: [chat.queueId],
    take({ subscribers }) {
      chat.subscribers.set(id, new Set(subscribers));
      chat.changed();
    },
  });
  const path = "users/me/subscriptions";
  const add = (/** @type {{id: number}} */ person) => report(call("POST", path, { subscriptions: [{ name: channel.name }], principals: [person.id] }));
  const remove = (/** @type {number} */ person) => report(call("DELETE", path, { subscriptions: [channel.name], principals: [person] }));
  return html`
    <section>
      <h3>${t("channel.subscribers")}</h3>
      ${rights.adds && !channel.is_archived && known && html`<${Picker} chat=${chat} label=${t("permission.can_add_subscribers_group")} isOut=${(/** @type {{id: number}} */ one) => known.has(one.id)} pick=${add} />`}
      ${known && html`<${PeopleRows} chat=${chat} label=${t("channel.subscribers")} ids=${known} remove=${rights.removes ? remove : undefined} />`}
    </section>
  `;
}

const TOPICS = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"];

/** @param {Props} props */
function Administration({ chat, channel, rights }) {
  const { name, description, stream_id, is_archived } = channel;
  const path = `streams/${stream_id}`;
  const change = (/** @type {Record<string, unknown>} */ fields) => report(call("PATCH", path, fields));
  const save = (/** @type {Record<string, string>} */ to) =>
    call("PATCH", path, { new_name: to.name === name ? null : to.name, description: to.description === description ? null : to.description });
  const archive = () => sure(t("channel.archive_sure", { name }), t("channel.archive"), () => report(call("DELETE", path)));
  const folders = chat.state.channel_folders.filter((one) => !one.is_archived).map((one) => [one.id, one.name]);
  return html`
    <section>
      <h3>${t("administration.title")}</h3>
      <${Form} send=${save} key=${`${name}\n${description}`}><${ChannelTexts} chat=${chat} channel=${channel} /><//>
      <${Choice} label=${t("channel.privacy")} value=${privacyOf(channel)} options=${privacyOptions(chat, privacyOf(channel))} disabled=${!rights.reads}
        set=${(/** @type {import("./parts.js").Privacy} */ value) => change(privacyFields(value, "is_private"))} />
      <${Choice} label=${t("channel.folder")} value=${channel.folder_id} options=${[[null, t("channel.no_folder")], ...folders]}
        set=${(/** @type {number | null} */ value) => change({ folder_id: value ?? "null" })} />
      ${
        may(chat, "can_set_topics_policy_group") &&
        html`
        <${Choice} label=${t("setting.topics_policy")} value=${channel.topics_policy} options=${TOPICS.map((one) => [one, named("topics_policy", one)])}
          set=${(/** @type {string} */ value) => change({ topics_policy: value })} />`
      }
      ${
        isAdministrator(chat) &&
        !channel.invite_only &&
        html`
        <${Check} label=${t("channel.default")} isOn=${chat.state.realm_default_streams.includes(stream_id)} disabled=${is_archived}
          set=${(/** @type {boolean} */ isOn) => report(call(isOn ? "POST" : "DELETE", "default_streams", { stream_id }))} />`
      }
      <p class="bar"><button type="button" onClick=${is_archived ? () => change({ is_archived: false }) : archive}>${t(is_archived ? "channel.unarchive" : "channel.archive")}</button></p>
    </section>
  `;
}
