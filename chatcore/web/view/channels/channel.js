/** The page of one channel. */

import { call } from "../../api.js";
import { isAdministrator, may, rightsIn } from "../../model/permissions.js";
import { named, t } from "../../text/text.js";
import { Content } from "../content.js";
import { Check, Choice, Field, LongField, submitted } from "../form.js";
import { html } from "../html.js";
import { report, saved } from "../notice.js";
import { Permissions } from "../permission.js";
import { Mark, Subscription, messagesOf } from "./parts.js";
import { privacyFields, privacyOf, privacyOptions } from "./privacy.js";
import { Subscribers } from "./subscribers.js";

/** @typedef {{chat: import("../../model/chat.js").Chat, channel: any, rights: ReturnType<typeof rightsIn>}} Props */

/** @param {Omit<Props, "rights">} props */
export function Channel({ chat, channel }) {
  const props = { chat, channel, rights: rightsIn(chat, channel) };
  const isFixed = !props.rights.administers || channel.is_archived;
  return html`
    <div class="bar">
      <a href="#channels">← ${t("nav.channels")}</a>
      <h2 dir="auto"><${Mark} channel=${channel} />${channel.name}</h2>
      ${channel.is_archived && html`<span class="tag">${t("channels.archived")}</span>`}
      ${props.rights.reads && html`<a class="button" href=${messagesOf(chat, channel.stream_id)}>${t("list.messages")}</a>`}
      <${Subscription} ...${props} />
    </div>
    ${channel.rendered_description && html`<${Content} content=${channel.rendered_description} />`}
    <p><small>${t(`privacy.${privacyOf(channel)}`)} · ${t("channels.count", { count: channel.subscriber_count })}</small></p>
    ${chat.subscribed.has(channel.stream_id) && html`<${Personal} ...${props} />`}
    <${Subscribers} ...${props} />
    ${props.rights.administers && html`<${Administration} ...${props} />`}
    <details>
      <summary><h3>${t("permission.title")}</h3></summary>
      <${Permissions} chat=${chat} kind="stream" path=${`streams/${channel.stream_id}`} holdersOf=${(/** @type {string} */ name) => channel[name]} isFixed=${() => isFixed} />
    </details>
  `;
}

/** Properties of a subscription that are on or off, and the setting that counts where one has no value. @type {Record<string, string | null>} */
const PERSONAL = {
  is_muted: null,
  pin_to_top: null,
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
};

/** @param {Props} props */
function Personal({ chat, channel }) {
  const set = (/** @type {string} */ property, /** @type {unknown} */ value) =>
    report(call("POST", "users/me/subscriptions/properties", { subscription_data: [{ stream_id: channel.stream_id, property, value }] }));
  return html`
    <section>
      <h3>${t("channel.personal")}</h3>
      <${Field} label=${t("personal.color")} type="color" value=${channel.color} onChange=${(/** @type {any} */ event) => set("color", event.target.value)} />
      ${Object.entries(PERSONAL).map(
        ([name, setting]) => html`
        <${Check} key=${name} label=${t(/** @type {any} */ (`personal.${name}`))} isOn=${channel[name] ?? chat.settings[setting ?? ""]} set=${(/** @type {boolean} */ isOn) => set(name, isOn)} />`,
      )}
    </section>
  `;
}

const TOPICS = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"];

/** @param {Props} props */
function Administration({ chat, channel, rights }) {
  const path = `streams/${channel.stream_id}`;
  const change = (/** @type {Record<string, unknown>} */ fields) => report(call("PATCH", path, fields));
  const save = (/** @type {Event} */ event) => {
    const { name, description } = submitted(event);
    const fields = { new_name: name === channel.name ? null : name, description: description === channel.description ? null : description };
    if (fields.new_name ?? fields.description ?? false) saved(call("PATCH", path, fields));
  };
  const archive = () => {
    if (channel.is_archived) change({ is_archived: false });
    else if (confirm(t("channel.archive_sure", { name: channel.name }))) report(call("DELETE", path));
  };
  const folders = chat.state.channel_folders.filter((/** @type {any} */ one) => !one.is_archived);
  return html`
    <section>
      <h3>${t("administration.title")}</h3>
      <form onSubmit=${save} key=${`${channel.name}\n${channel.description}`}>
        <${Field} label=${t("field.name")} name="name" required maxlength=${chat.state.max_stream_name_length} defaultValue=${channel.name} />
        <${LongField} label=${t("field.description")} name="description" rows="2" maxlength=${chat.state.max_stream_description_length} defaultValue=${channel.description} />
        <button class="primary">${t("action.save")}</button>
      </form>
      <${Choice} label=${t("channel.privacy")} value=${privacyOf(channel)} options=${privacyOptions(chat, privacyOf(channel))} disabled=${!rights.reads}
        set=${(/** @type {any} */ value) => change(privacyFields(value, "is_private"))} />
      <${Choice} label=${t("channel.folder")} value=${channel.folder_id} options=${[[null, t("channel.no_folder")], ...folders.map((/** @type {any} */ one) => [one.id, one.name])]}
        set=${(/** @type {number | null} */ value) => change({ folder_id: value === null ? "null" : value })} />
      ${
        may(chat, "can_set_topics_policy_group") &&
        html`
        <${Choice} label=${t("channel.topics")} value=${channel.topics_policy} options=${TOPICS.map((one) => [one, named("topics_policy", one)])}
          set=${(/** @type {string} */ value) => change({ topics_policy: value })} />`
      }
      ${
        isAdministrator(chat) &&
        !channel.invite_only &&
        html`
        <${Check} label=${t("channel.default")} isOn=${chat.state.realm_default_streams.includes(channel.stream_id)} disabled=${channel.is_archived}
          set=${(/** @type {boolean} */ isOn) => report(call(isOn ? "POST" : "DELETE", "default_streams", { stream_id: channel.stream_id }))} />`
      }
      <p class="bar"><button type="button" onClick=${archive}>${t(channel.is_archived ? "channel.unarchive" : "channel.archive")}</button></p>
    </section>
  `;
}
