/** The people of the organization: all in a list, the page of each, and changes of accounts by administrators. */

import { Narrow } from "../model/narrow.js";
import { ROLE, holds, isAdministrator, isOwner } from "../model/rights.js";
import { fullTime, language, named, t } from "../text/text.js";
import { Avatar, Buttons, Choice, Content, Fact, Field, Form, Presence, Rows, Status, byName, call, html, personEntry, report, sure } from "./kit.js";
import { groupName } from "./picker.js";

const hasRole = (/** @type {number} */ role) => (/** @type {Person} */ one) => one.is_active && !one.is_bot && one.role === role;

const SHOWN = {
  "people.active": (/** @type {Person} */ one) => one.is_active && !one.is_bot,
  "group.role:owners": hasRole(ROLE.OWNER),
  "group.role:administrators": hasRole(ROLE.ADMINISTRATOR),
  "group.role:moderators": hasRole(ROLE.MODERATOR),
  "group.role:members": hasRole(ROLE.MEMBER),
  "people.guests": hasRole(ROLE.GUEST),
  "people.bots": (/** @type {Person} */ one) => one.is_active && one.is_bot,
  "people.inactive": (/** @type {Person} */ one) => !one.is_active,
};

/** @param {PageProps} props */
export function People({ chat, parts: [part] }) {
  const person = chat.people.get(Number(part));
  return html`<div class="subpage">${person ? html`<${PersonPage} key=${part} chat=${chat} person=${person} />` : html`<${PeopleList} chat=${chat} />`}</div>`;
}

/** Tags after the name of a person. @param {Person} person */
const tagsOf = ({ is_bot, is_active }) => [is_bot && t("message.bot"), !is_active && t("message.deactivated")];

/** @param {{chat: Chat, isForChanges?: boolean}} props with roles and activity to change, as administrators see them */
export function PeopleList({ chat, isForChanges = false }) {
  const entry = (/** @type {Person} */ one) => ({
    ...personEntry(one),
    name: html`${personEntry(one).name} <${Presence} chat=${chat} id=${one.user_id} />`,
    tags: [...tagsOf(one), !isForChanges && !one.is_bot && named("role", one.role)],
    detail: html`<${Status} chat=${chat} id=${one.user_id} />`,
    more: isForChanges && !one.is_bot && html`<${RoleChoice} chat=${chat} person=${one} />`,
    buttons: [isForChanges && activity(chat, one)],
  });
  return html`
    <section>
      <${Rows} label=${t("nav.people")} items=${byName([...chat.people.values()])} shown=${SHOWN} entry=${entry}
        textOf=${(/** @type {Person} */ one) => `${one.full_name} ${one.delivery_email ?? ""}`} />
    </section>
  `;
}

/** The roles that the reader may give. @param {Chat} chat @param {number} [present] @returns {[number, string][]} */
export const roleOptions = (chat, present) =>
  Object.values(ROLE)
    .filter((role) => role === present || role !== ROLE.OWNER || isOwner(chat))
    .map((role) => [role, named("role", role)]);

/** Whether only owners may change an account. @param {Chat} chat @param {Person} person */
const isForOwners = (chat, person) => person.role === ROLE.OWNER && !isOwner(chat);

/** @param {{chat: Chat, person: Person}} props */
function RoleChoice({ chat, person }) {
  return html`<${Choice} label=${t("person.role")} aria-label=${`${t("person.role")}: ${person.full_name}`} value=${person.role} options=${roleOptions(chat, person.role)}
    disabled=${!person.is_active || isForOwners(chat, person)} set=${(/** @type {number} */ role) => report(call("PATCH", `users/${person.user_id}`, { role }))} />`;
}

/** The button that deactivates an account, or reactivates it. @param {Chat} chat @param {Person} person @returns {import("./rows.js").Button | null} */
function activity(chat, person) {
  const { user_id: id, full_name: name, is_active, is_bot } = person;
  if (id === chat.me || person.is_system_bot || isForOwners(chat, person)) return null;
  if (!is_active) return [t("action.reactivate"), () => report(call("POST", `users/${id}/reactivate`))];
  const text = t("action.deactivate");
  return [text, () => sure(t("person.deactivate_sure", { name }), text, () => report(call("DELETE", is_bot ? `bots/${id}` : `users/${id}`)))];
}

/** @param {{chat: Chat, person: Person}} props */
function PersonPage({ chat, person }) {
  const { user_id: id, full_name, delivery_email, is_bot, bot_owner_id, date_joined } = person;
  const isMuted = chat.state.muted_users.some((one) => one.id === id);
  const mute = () => report(call(isMuted ? "DELETE" : "POST", `users/me/muted_users/${id}`));
  const groups = chat.groups.filter((one) => !one.is_system_group && !one.deactivated && holds(chat, one.id, id));
  return html`
    <div class="bar">
      <a href="#people">← ${t("nav.people")}</a>
    </div>
    <div class="bar profile">
      <${Avatar} src=${person.avatar_url} />
      <h2 dir="auto">${full_name} <${Presence} chat=${chat} id=${id} /></h2>
      ${tagsOf(person).map((one) => one && html`<span class="tag">${one}</span>`)}
    </div>
    <p dir="auto"><${Status} chat=${chat} id=${id} /></p>
    <p class="bar">
      ${person.is_active && html`<a class="button" href=${chat.link(Narrow.of(["dm", [id]]))}>${t("person.write")}</a>`}
      <a class="button" href=${chat.link(Narrow.of(["sender", id]))}>${t("list.messages")}</a>
      ${id !== chat.me && html`<button type="button" aria-pressed=${isMuted} onClick=${mute}>${t(isMuted ? "topic.unmute" : "person.mute")}</button>`}
    </p>
    <dl class="facts">
      <${Fact} name=${t("person.role")}>${!is_bot && named("role", person.role)}<//>
      <${Fact} name=${t("login.name")}>${delivery_email && html`<a href=${`mailto:${delivery_email}`}>${delivery_email}</a>`}<//>
      <${Fact} name=${t("person.local_time")}>${localTime(person.timezone)}<//>
      <${Fact} name=${t("person.owner")}>${bot_owner_id && html`<${Name} chat=${chat} id=${bot_owner_id} />`}<//>
      <${Fact} name=${t("person.joined")}>${date_joined && fullTime(Date.parse(date_joined) / 1000)}<//>
      ${chat.state.custom_profile_fields.map((field) => html`<${Fact} key=${field.id} name=${field.name}>${fieldValue(chat, field, person.profile_data?.[field.id])}<//>`)}
      <${Fact} name=${t("nav.groups")}>${groups.length > 0 && groups.map((one) => html`<a key=${one.id} href=${`#groups/${one.id}`} dir="auto">${groupName(one)}</a> `)}<//>
    </dl>
    ${
      isAdministrator(chat) &&
      !person.is_system_bot &&
      html`
      <section>
        <h3>${t("administration.title")}</h3>
        <${Form} send=${(/** @type {object} */ fields) => call("PATCH", `users/${id}`, { ...fields })} key=${full_name}>
          <${Field} label=${t("field.name")} name="full_name" required maxlength="100" defaultValue=${full_name} />
        <//>
        <${RoleChoice} chat=${chat} person=${person} />
        <${Buttons} of=${full_name} buttons=${[activity(chat, person)]} />
      </section>`
    }
  `;
}

/** @param {{chat: Chat, id: number}} props */
const Name = ({ chat, id }) => html`<a href=${`#people/${id}`} dir="auto">${chat.name(id)}</a> `;

/** @param {string} timezone */
function localTime(timezone) {
  try {
    return timezone && new Intl.DateTimeFormat(language, { weekday: "long", hour: "2-digit", minute: "2-digit", timeZone: timezone }).format();
  } catch {
    return null; // a zone that the browser does not know
  }
}

/** The types of fields of profiles, as far as they differ from short texts. */
export const FIELD = { TEXT: 1, LONG: 2, OPTIONS: 3, DATE: 4, LINK: 5, PEOPLE: 6, ACCOUNT: 7 };

/** The options of a field: keys and texts, in their order. @param {any} field @returns {[string, string][]} */
export function choicesOf(field) {
  /** @type {[string, any][]} */
  const choices = Object.entries(JSON.parse(field.field_data || "{}"));
  return choices.sort(([, one], [, other]) => one.order - other.order).map(([key, { text }]) => [key, text]);
}

/** @param {Chat} chat @param {any} field @param {{value: string, rendered_value?: string} | undefined} data */
function fieldValue(chat, field, data) {
  if (!data?.value) return null;
  const { value, rendered_value } = data;
  if (rendered_value) return html`<${Content} content=${rendered_value} />`;
  if (field.type === FIELD.OPTIONS) return choicesOf(field).find(([key]) => key === value)?.[1];
  if (field.type === FIELD.DATE) return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(value));
  if (field.type === FIELD.PEOPLE) return JSON.parse(value).map((/** @type {number} */ id) => html`<${Name} key=${id} chat=${chat} id=${id} />`);
  if (field.type === FIELD.LINK) return html`<${Link} to=${value} text=${value} />`;
  if (field.type === FIELD.ACCOUNT) {
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
