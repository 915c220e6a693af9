/** The page of one channel, and what a new one has in common with it. */

import { subscriptionOf } from "../../device/notices.js";
import { Narrow } from "../../model/narrow.js";
import { isAdministrator, isOwner, may, rightsIn } from "../../model/rights.js";
import { Buttons, Check, Choice, Content, Field, Form, LongField, Mark, PeopleRows, Picker } from "../kit.js";
import { asking, call, html, named, notices, report, t, useAnswer } from "../kit.js";
import { changeSubscribers, setPersonal, subscription } from "../places/actions.js";
import { Head } from "../pages/parts.js";
import { FoldedPermissions } from "../pages/permissions.js";
import { SettingFields, checks, retentionOptions } from "../pages/settings_fields.js";

export function ChannelPage(/** @type {{chat: Chat, channel: Channel}} */ { chat, channel }) {
  const { stream_id: id, name, is_archived, subscriber_count: count } = channel;
  const rights = rightsIn(chat, channel);
  const props = { chat, channel, rights, path: `streams/${id}` };
  return html`
    <${Head} page="channels" name=${html`<${Mark} channel=${channel} />${name}`} tags=${[
      is_archived && t("channels.archived"),
    ]}>
      ${
        rights.reads &&
        html`<a class="button" href=${chat.link(Narrow.of(["channel", id]))}>${t("list.messages")}</a>`
      }
      <${Buttons} of=${name} buttons=${[subscription(chat, channel)]} />
    <//>
    ${channel.description && html`<${Content} content=${channel.rendered_description} />`}
    <p><small>${t(`privacy.${privacyOf(channel)}`)} · ${t("channels.count", { count })}</small></p>
    ${chat.subscribed.has(id) && html`<${Personal} ...${props} />`}
    <${Subscribers} ...${props} />
    ${rights.administers && html`<${Administration} ...${props} />`}
    <${FoldedPermissions} chat=${chat} kind="stream" path=${props.path} thing=${channel}
      isFixed=${!rights.administers || is_archived} />
  `;
}

const PERSONAL = [
  { name: "color", type: "color" },
  ...checks(`is_muted pin_to_top desktop_notifications audible_notifications email_notifications
    wildcard_mentions_notify`),
];
/** Shown where this device shows notices while the page is closed. */
const WHILE_CLOSED = checks("push_notifications");

/** The setting of the account that counts where a property of a subscription has no value. */
const usual = (name) => (name === "wildcard_mentions_notify" ? name : `enable_stream_${name}`);

function Personal({ chat, channel }) {
  const read = (name) => channel[name] ?? chat.settings[usual(name)];
  const set = (property, value) => setPersonal(channel, property, value);
  const settings = [...PERSONAL, ...(subscriptionOf(chat) ? WHILE_CLOSED : [])];
  return html`<section class="group"><h3>${t("channel.personal")}</h3>
    <${SettingFields} chat=${chat} settings=${settings} kind="personal" set=${set} read=${read} /></section>`;
}

function Subscribers({ chat, channel: { stream_id: id, name, is_archived }, rights, path }) {
  const known = chat.subscribers.get(id);
  const take = ({ subscribers }) => {
    chat.subscribers.set(id, new Set(subscribers));
    chat.changed();
  };
  useAnswer(`${path}/members`, { again: [chat.queueId], take });
  const add = ({ id }) => report(changeSubscribers("POST", { name }, [id]));
  const remove = (id) => report(changeSubscribers("DELETE", name, [id]));
  const [label, isExcluded] = [t("permission.can_add_subscribers_group"), (one) => known.has(one.id)];
  return html`
    <section>
      <h3>${t("channel.subscribers")}</h3>
      ${
        rights.adds &&
        !is_archived &&
        known &&
        html`<${Picker} chat=${chat} label=${label} isExcluded=${isExcluded} pick=${add} />`
      }
      ${
        known &&
        html`<${PeopleRows} chat=${chat} label=${t("channel.subscribers")} ids=${known}
          remove=${rights.removes && remove} />`
      }
    </section>
  `;
}

const AS_ORGANIZATION = "realm_default";
const TOPICS = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"];

function Administration({ chat, channel, rights, path }) {
  const { name, description, stream_id, is_archived, invite_only, topics_policy } = channel;
  const { message_retention_days: days } = channel;
  const change = (fields) => report(call("PATCH", path, fields));
  const save = (to) =>
    call("PATCH", path, {
      new_name: to.name === name ? null : to.name,
      description: to.description === description ? null : to.description,
    });
  const archive = async () => {
    await call("DELETE", path);
    notices.show(t("channel.archived", { name }), () => call("PATCH", path, { is_archived: false }));
  };
  const [text, run] = is_archived
    ? [t("channel.unarchive"), () => change({ is_archived: false })]
    : asking(t("channel.archive"), t("channel.archive_sure", { name }), archive);
  const privacy = privacyOf(channel);
  const topics = TOPICS.map((one) => [one, named("topics_policy", one)]);
  const isDefault = chat.state.realm_default_streams.includes(stream_id);
  const setDefault = (isOn) => report(call(isOn ? "POST" : "DELETE", "default_streams", { stream_id }));
  return html`
    <section class="group">
      <h3>${t("administration.title")}</h3>
      <${Form} send=${save}><${ChannelTexts} chat=${chat} channel=${channel} /><//>
      <${Choice} label=${t("channel.privacy")} value=${privacy} options=${privacyOptions(chat, privacy)}
        disabled=${!rights.reads}
        set=${(value) => change(privacyFields(value, "is_private"))} />
      ${
        may(chat, "can_set_topics_policy_group") &&
        html`<${Choice} label=${t("setting.topics_policy")} value=${topics_policy} options=${topics}
          set=${(to) => change({ topics_policy: to })} />`
      }
      ${
        isOwner(chat) &&
        html`<${Choice} label=${t("setting.message_retention_days")} value=${days ?? AS_ORGANIZATION}
          options=${[[AS_ORGANIZATION, t("retention.as_organization")], ...retentionOptions(days)]}
          set=${(to) => change({ message_retention_days: to })} />`
      }
      ${
        isAdministrator(chat) &&
        !invite_only &&
        html`<${Check} label=${t("channel.default")} isOn=${isDefault} disabled=${is_archived}
          set=${setDefault} />`
      }
      <p class="bar"><button type="button" onClick=${run}>${text}</button></p>
    </section>
  `;
}

/**
 * The kinds of privacy. Of each: the right to create it, and the fields of the channel: `invite_only`,
 * `history_public_to_subscribers`, `is_web_public`.
 */
const PRIVACY = {
  web: { right: "can_create_web_public_channel_group", values: [false, true, true] },
  public: { right: "can_create_public_channel_group", values: [false, true, false] },
  shared: { right: "can_create_private_channel_group", values: [true, true, false] },
  protected: { right: "can_create_private_channel_group", values: [true, false, false] },
};

/** @typedef {keyof typeof PRIVACY} Privacy */

/** @param {Channel} channel @returns {Privacy} */
function privacyOf({ is_web_public, invite_only, history_public_to_subscribers }) {
  if (is_web_public) return "web";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "shared" : "protected";
}

/** The kinds that the reader may choose and the present one. @param {Chat} chat @param {Privacy} [present] */
export function privacyOptions(chat, present) {
  const isPossible = (name) =>
    may(chat, PRIVACY[name].right) && (name !== "web" || chat.state.realm_enable_spectator_access);
  const names = /** @type {Privacy[]} */ (Object.keys(PRIVACY));
  return names
    .filter((name) => name === present || isPossible(name))
    .map((name) => [name, t(`privacy.${name}`)]);
}

/**
 * The fields of a request that creates a channel, or changes one.
 *
 * @param {string} name
 * @param {"invite_only" | "is_private"} word
 */
export function privacyFields(name, word) {
  const [isPrivate, history_public_to_subscribers, is_web_public] = PRIVACY[name].values;
  return { [word]: isPrivate, history_public_to_subscribers, is_web_public };
}

/** The fields of a channel's name and description. */
export const ChannelTexts = ({ chat: { state }, channel = { name: "", description: "" } }) => html`
  <${Field} label=${t("field.name")} name="name" required max=${state.max_stream_name_length}
    defaultValue=${channel.name} />
  <${LongField} label=${t("field.description")} name="description" rows="2"
    max=${state.max_stream_description_length} defaultValue=${channel.description} />
`;
