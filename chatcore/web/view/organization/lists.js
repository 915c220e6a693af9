/** What administrators list: emoji, linkifiers, channels of new people, folders, domains, exports. */

import { isAdministrator, may } from "../../model/rights.js";
import { emojiText } from "../emoji.js";
import { Adding, Check, Content, Field, Form, Rows, call, fullTime, html, report, sure, t, useAnswer, useEffect, useState } from "../kit.js";
import { Editable } from "./editable.js";
import { PICTURE_TYPES } from "./profile.js";

/** @param {{chat: Chat}} props */
export function Emoji({ chat }) {
  const emoji = Object.values(chat.emoji)
    .filter((one) => !one.deactivated)
    .sort((a, b) => a.name.localeCompare(b.name));
  const path = (/** @type {string} */ name) => `realm/emoji/${encodeURIComponent(name)}`;
  const add = (/** @type {Record<string, any>} */ { name, file }) => call("POST", path(name), { file });
  const deactivate = (/** @type {string} */ name) =>
    sure(t("editable.sure", { name: `:${name}:` }), t("action.deactivate"), () => report(call("DELETE", path(name))));
  const entry = (/** @type {any} */ { id, name, author_id }) => ({
    key: id,
    label: name,
    name: html`${emojiText(chat, { emoji_name: name, emoji_code: id, reaction_type: "realm_emoji" })} :${name}:`,
    detail: chat.name(author_id),
    buttons: [(isAdministrator(chat) || author_id === chat.me) && [t("action.deactivate"), () => deactivate(name)]],
  });
  return html`
    ${
      may(chat, "can_add_custom_emoji_group") &&
      html`
      <${Form} send=${add} isEmptied button=${t("editable.add")}>
        <${Field} label=${t("emoji.name")} name="name" required pattern="[a-z0-9_\\-]+" hint=${t("emoji.name_hint")} />
        <${Field} label=${t("emoji.picture")} name="file" type="file" required accept=${PICTURE_TYPES} />
      <//>`
    }
    <${Rows} label=${t("organization.emoji")} items=${emoji} textOf=${(/** @type {any} */ one) => one.name} entry=${entry} />
  `;
}

/** @param {{chat: Chat}} props */
export function Linkifiers({ chat }) {
  const linkifiers = chat.state.realm_linkifiers;
  return html`
    <p>${t("linkifiers.hint")}</p>
    <${Editable} label=${t("organization.linkifiers")} items=${linkifiers} isFixed=${!isAdministrator(chat)} path="realm/filters" fields=${LinkifierFields}
      nameOf=${(/** @type {any} */ one) => one.pattern} detailOf=${(/** @type {any} */ one) => one.url_template}
      reorder=${(/** @type {number[]} */ ids) => call("PATCH", "realm/linkifiers", { ordered_linkifier_ids: ids })} />
    <${Preview} linkifiers=${linkifiers} />
  `;
}

/** @param {{item: any}} props */
const LinkifierFields = ({ item }) => html`
  <${Field} label=${t("linkifiers.pattern")} required hint="#(?P<number>[0-9]+)" name="pattern" defaultValue=${item?.pattern} />
  <${Field} label=${t("linkifiers.template")} required hint="https://tracker.example/{number}" name="url_template" defaultValue=${item?.url_template} />`;

const PAUSE = 300;

/** A text as it would look in a message. @param {{linkifiers: any[]}} props */
function Preview({ linkifiers }) {
  const [text, setText] = useState("");
  const [rendered, setRendered] = useState("");
  useEffect(() => {
    if (!text.trim()) return setRendered("");
    const timer = setTimeout(() => report(call("POST", "messages/render", { content: text })).then((answer) => setRendered(answer?.rendered ?? "")), PAUSE);
    return () => clearTimeout(timer);
  }, [text, linkifiers]);
  return html`
    <${Field} label=${t("linkifiers.try")} value=${text} set=${setText} />
    ${rendered && html`<div class="preview"><${Content} content=${rendered} /></div>`}
  `;
}

/** @param {{chat: Chat}} props */
export function DefaultChannels({ chat }) {
  const isDefault = (/** @type {Channel} */ one) => chat.state.realm_default_streams.includes(one.stream_id);
  const others = chat.openChannels.filter((one) => !one.invite_only && !isDefault(one));
  const change = (/** @type {"POST" | "DELETE"} */ method, /** @type {number} */ stream_id) => report(call(method, "default_streams", { stream_id }));
  const entry = (/** @type {Channel} */ one) => ({
    key: one.stream_id,
    label: one.name,
    name: html`<a href=${`#channels/${one.stream_id}`} dir="auto"># ${one.name}</a>`,
    buttons: [[t("rows.remove"), () => change("DELETE", one.stream_id)]],
  });
  const [folders, gone] = [false, true].map((isGone) => chat.state.channel_folders.filter((one) => one.is_archived === isGone));
  return html`
    <h3>${t("organization.default_channels")}</h3>
    <${Rows} label=${t("organization.default_channels")} items=${chat.openChannels.filter(isDefault)} entry=${entry} />
    ${others.length > 0 && html`<${Adding} label=${t("organization.add_default_channel")} options=${others.map((one) => [one.stream_id, one.name])} add=${(/** @type {number} */ id) => change("POST", id)} />`}
    <h3>${t("organization.folders")}</h3>
    <${Editable} label=${t("organization.folders")} items=${folders} path="channel_folders" addPath="channel_folders/create" fields=${FolderFields}
      nameOf=${(/** @type {any} */ one) => one.name} detailOf=${(/** @type {any} */ one) => one.description}
      remove=${(/** @type {any} */ one) => call("PATCH", `channel_folders/${one.id}`, { is_archived: true })}
      reorder=${(/** @type {number[]} */ ids) => call("PATCH", "channel_folders", { order: [...ids, ...gone.map((one) => one.id)] })} />
  `;
}

/** @param {{chat: Chat, item: any}} props */
const FolderFields = ({ chat: { state }, item }) => html`
  <${Field} label=${t("field.name")} required maxlength=${state.max_channel_folder_name_length} name="name" defaultValue=${item?.name} />
  <${Field} label=${t("field.description")} maxlength=${state.max_channel_folder_description_length} name="description" defaultValue=${item?.description} />`;

/** Domains of e-mail addresses with which people may join. @param {{chat: Chat}} props */
export function Domains({ chat }) {
  const path = (/** @type {string} */ domain) => `realm/domains/${encodeURIComponent(domain)}`;
  const entry = (/** @type {any} */ { domain, allow_subdomains }) => ({
    key: domain,
    name: domain,
    more: html`<${Check} label=${t("domains.subdomains")} isOn=${allow_subdomains} set=${(/** @type {boolean} */ isOn) => report(call("PATCH", path(domain), { allow_subdomains: isOn }))} />`,
    buttons: [[t("rows.remove"), () => report(call("DELETE", path(domain)))]],
  });
  return html`
    <p>${t("domains.hint", { setting: t("setting.emails_restricted_to_domains") })}</p>
    <${Rows} label=${t("organization.domains")} items=${chat.state.realm_domains} entry=${entry} />
    <${Form} send=${(/** @type {object} */ fields) => call("POST", "realm/domains", { ...fields, allow_subdomains: false })} said="" isEmptied button=${t("editable.add")}>
      <${Field} label=${t("domains.domain")} name="domain" required />
    <//>
  `;
}

/** Kinds of exports, as the server numbers them. @type {Record<number, TextName>} */
const EXPORTS = { 1: "exports.public", 2: "exports.with_consent" };

/** @param {{chat: Chat}} props */
export function Exports({ chat }) {
  const { state } = chat;
  useAnswer("export/realm", {
    again: [chat.queueId],
    take({ exports }) {
      state.exports = exports;
      chat.changed();
    },
  });
  const shown = (state.exports ?? []).filter((/** @type {any} */ one) => !one.deleted_timestamp).reverse();
  const entry = (/** @type {any} */ one) => ({
    key: one.id,
    name: fullTime(one.export_time),
    detail: `${t(EXPORTS[one.export_type])} · ${chat.name(one.acting_user_id)}`,
    tags: [one.pending && t("exports.pending"), one.failed_timestamp && t("exports.failed")],
    more: one.export_url && html`<a class="button" href=${one.export_url}>${t("exports.download")}</a>`,
    buttons: [one.export_url && [t("action.delete"), () => report(call("DELETE", `export/realm/${one.id}`))]],
  });
  return html`
    <p class="bar">
      ${Object.entries(EXPORTS).map(([type, name]) => html`<button type="button" key=${type} onClick=${() => report(call("POST", "export/realm", { export_type: type }))}>${t(name)}</button>`)}
    </p>
    <${Rows} label=${t("organization.exports")} items=${shown} entry=${entry} />
  `;
}
