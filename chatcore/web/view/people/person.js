/** The page of one person. */

import { call } from "../../api.js";
import { holds, isAdministrator } from "../../model/permissions.js";
import { Narrow } from "../../model/narrow.js";
import { fullTime, language, t } from "../../text/text.js";
import { Avatar } from "../avatar.js";
import { Content } from "../content.js";
import { Field, submitted } from "../form.js";
import { html } from "../html.js";
import { report, saved } from "../notice.js";
import { groupName } from "../picker.js";
import { Activity, RoleChoice } from "./administration.js";
import { Presence, Status } from "../presence.js";

/** @typedef {{chat: import("../../model/chat.js").Chat, person: any}} Props */

/** @param {Props} props */
export function PersonPage({ chat, person }) {
  const id = person.user_id;
  const isMuted = chat.state.muted_users.some((/** @type {any} */ one) => one.id === id);
  const groups = chat.groups.filter((one) => !one.is_system_group && !one.deactivated && holds(chat, one.id, id));
  const rename = (/** @type {Event} */ event) => saved(call("PATCH", `users/${id}`, submitted(event)));
  return html`
    <div class="bar">
      <a href="#people">← ${t("nav.people")}</a>
    </div>
    <div class="bar profile">
      <${Avatar} src=${person.avatar_url} />
      <h2 dir="auto">${person.full_name} <${Presence} chat=${chat} id=${id} /></h2>
      ${person.is_bot && html`<span class="tag">${t("message.bot")}</span>`}
      ${!person.is_active && html`<span class="tag">${t("message.deactivated")}</span>`}
    </div>
    <p dir="auto"><${Status} chat=${chat} id=${id} /></p>
    <p class="bar">
      ${person.is_active && html`<a class="button" href=${Narrow.of(["dm", [id]]).hash(String)}>${t("person.write")}</a>`}
      <a class="button" href=${Narrow.of(["sender", id]).hash(String)}>${t("list.messages")}</a>
      ${id !== chat.me && html`<button type="button" aria-pressed=${isMuted} onClick=${() => report(call(isMuted ? "DELETE" : "POST", `users/me/muted_users/${id}`))}>${t(isMuted ? "person.unmute" : "person.mute")}</button>`}
    </p>
    <dl class="facts">
      <${Fact} name=${t("person.role")}>${!person.is_bot && t(/** @type {any} */ (`role.${person.role}`))}<//>
      <${Fact} name=${t("person.email")}>${person.delivery_email && html`<a href=${`mailto:${person.delivery_email}`}>${person.delivery_email}</a>`}<//>
      <${Fact} name=${t("person.local_time")}>${localTime(person.timezone)}<//>
      <${Fact} name=${t("person.owner")}>${person.bot_owner_id && html`<${Name} chat=${chat} id=${person.bot_owner_id} />`}<//>
      <${Fact} name=${t("person.joined")}>${person.date_joined && fullTime(Date.parse(person.date_joined) / 1000)}<//>
      ${chat.state.custom_profile_fields.map((/** @type {any} */ field) => html`<${Fact} key=${field.id} name=${field.name}>${fieldValue(chat, field, person.profile_data?.[field.id])}<//>`)}
      <${Fact} name=${t("nav.groups")}>${groups.length > 0 && groups.map((one) => html`<a key=${one.id} href=${`#groups/${one.id}`} dir="auto">${groupName(one)}</a> `)}<//>
    </dl>
    ${
      isAdministrator(chat) &&
      !person.is_system_bot &&
      html`
      <section>
        <h3>${t("administration.title")}</h3>
        <form onSubmit=${rename} key=${person.full_name}>
          <${Field} label=${t("field.name")} name="full_name" required maxlength="100" defaultValue=${person.full_name} />
          <button class="primary">${t("action.save")}</button>
        </form>
        <${RoleChoice} chat=${chat} person=${person} />
        <${Activity} chat=${chat} person=${person} />
      </section>`
    }
  `;
}

/** @param {{name: string, children?: any}} props */
function Fact({ name, children }) {
  return children ? html`<div><dt dir="auto">${name}</dt><dd dir="auto">${children}</dd></div>` : null;
}

/** @param {{chat: import("../../model/chat.js").Chat, id: number}} props */
const Name = ({ chat, id }) => html`<a href=${`#people/${id}`} dir="auto">${chat.name(id)}</a> `;

/** @param {string} timezone */
function localTime(timezone) {
  try {
    return timezone && new Intl.DateTimeFormat(language, { weekday: "long", hour: "2-digit", minute: "2-digit", timeZone: timezone }).format();
  } catch {
    return null; // a zone that the browser does not know
  }
}

const TYPE = { OPTIONS: 3, DATE: 4, LINK: 5, PEOPLE: 6, ACCOUNT: 7 };

/** @param {import("../../model/chat.js").Chat} chat @param {any} field @param {{value: string, rendered_value?: string} | undefined} data */
function fieldValue(chat, field, data) {
  if (!data?.value) return null;
  const { value, rendered_value } = data;
  if (rendered_value) return html`<${Content} content=${rendered_value} />`;
  if (field.type === TYPE.OPTIONS) return JSON.parse(field.field_data)[value]?.text;
  if (field.type === TYPE.DATE) return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(value));
  if (field.type === TYPE.PEOPLE) return JSON.parse(value).map((/** @type {number} */ id) => html`<${Name} key=${id} chat=${chat} id=${id} />`);
  if (field.type === TYPE.LINK) return html`<${Link} to=${value} text=${value} />`;
  if (field.type === TYPE.ACCOUNT) {
    const { subtype, url_pattern } = JSON.parse(field.field_data);
    const pattern = url_pattern ?? chat.state.realm_default_external_accounts[subtype]?.url_pattern ?? "";
    return html`<${Link} to=${pattern.replace("%(username)s", encodeURIComponent(value))} text=${value} />`;
  }
  return value;
}

/** A link of a person's profile; other than to web pages it is only text. @param {{to: string, text: string}} props */
function Link({ to, text }) {
  return /^https?:\/\//i.test(to) ? html`<a href=${to} target="_blank" rel="noopener noreferrer">${text}</a>` : text;
}
