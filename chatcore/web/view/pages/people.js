/** The people of the organization: their list, the page of each, and what administrators change. */

import { Narrow } from "../../model/narrow.js";
import { ROLE, holds, isAdministrator, isOwner } from "../../model/rights.js";
import { fullTime, named, t } from "../../text/text.js";
import { Avatar, Buttons, Choice, Facts, Field, Form, Presence, Status } from "../kit.js";
import { asking, byName, call, groupName, html, personEntry, proving, report } from "../kit.js";
import { Head, Things } from "./parts.js";
import { MuteButton, Name, fieldValue, localTime } from "./person_facts.js";

const isMember = (one) => one.is_active && !one.is_bot;
const hasRole = (role) => (one) => isMember(one) && one.role === role;

const SHOWN = {
  "people.active": isMember,
  "group.role:owners": hasRole(ROLE.OWNER),
  "group.role:administrators": hasRole(ROLE.ADMINISTRATOR),
  "group.role:moderators": hasRole(ROLE.MODERATOR),
  "group.role:members": hasRole(ROLE.MEMBER),
  "people.guests": hasRole(ROLE.GUEST),
  "people.bots": (one) => one.is_active && one.is_bot,
  "people.inactive": (one) => !one.is_active,
};

export function People(/** @type {PageProps} */ { chat, parts: [part] }) {
  const person = chat.people.get(Number(part));
  return html`<div class="subpage">${
    person
      ? html`<${PersonPage} key=${part} chat=${chat} person=${person} />`
      : html`<${PeopleList} chat=${chat} />`
  }</div>`;
}

/** Tags after the name of a person. @param {Person} person */
const tagsOf = ({ is_bot, is_active }) => [
  is_bot && t("message.bot"),
  !is_active && t("message.deactivated"),
];

function PeopleList({ chat }) {
  const entry = (one) => ({
    ...personEntry(one),
    tags: [...tagsOf(one), !one.is_bot && named("role", one.role)],
    note: html` <${Presence} chat=${chat} id=${one.user_id} />`,
    detail: html`<${Status} chat=${chat} id=${one.user_id} />`,
  });
  const textOf = (one) => `${one.full_name} ${one.delivery_email ?? ""}`;
  return html`<${Things} page="people" items=${byName([...chat.people.values()])} shown=${SHOWN}
    entry=${entry} textOf=${textOf} />`;
}

/** The roles that the reader may give. @param {Chat} chat @param {number} [present] */
export const roleOptions = (chat, present) =>
  Object.values(ROLE)
    .filter((role) => role === present || role !== ROLE.OWNER || isOwner(chat))
    .map((role) => [role, named("role", role)]);

/** Whether only owners may change an account. @param {Chat} chat @param {Person} person */
const isForOwners = (chat, person) => person.role === ROLE.OWNER && !isOwner(chat);

function RoleChoice({ chat, person: { user_id, full_name, role, is_active }, person }) {
  const label = t("person.role");
  return html`<${Choice} label=${label} aria-label=${`${label}: ${full_name}`} value=${role}
    options=${roleOptions(chat, role)} disabled=${!is_active || isForOwners(chat, person)}
    set=${(to) => report(call("PATCH", `users/${user_id}`, { role: to }))} />`;
}

/** The button that deactivates an account, or reactivates it. @param {Chat} chat @param {Person} person */
function activity(chat, person) {
  const { user_id: id, full_name: name, is_active, is_bot } = person;
  if (id === chat.me || person.is_system_bot || isForOwners(chat, person)) return null;
  const title = t("action.reactivate");
  const reactivate = (fields) => call("POST", `users/${id}/reactivate`, fields);
  if (!is_active) return [title, () => report(proving(chat, title, reactivate))];
  return asking(t("action.deactivate"), t("person.deactivate_sure", { name }), () =>
    call("DELETE", is_bot ? `bots/${id}` : `users/${id}`),
  );
}

/** The buttons by which an owner erases a person. @param {Chat} chat @param {Person} person */
function erasures(chat, person) {
  const { user_id: id, full_name: name } = person;
  if (!isOwner(chat) || person.is_bot || id === chat.me) return [];
  const erase = (/** @type {"person.erase" | "person.erase_all"} */ key, messages) =>
    asking(t(key), t(`${key}_sure`, { name }), () =>
      proving(chat, t(key), (fields) => call("POST", `users/${id}/erase`, { messages, ...fields })),
    );
  return [erase("person.erase", "keep"), erase("person.erase_all", "delete")];
}

function PersonPage(/** @type {{chat: Chat, person: Person}} */ { chat, person }) {
  const { user_id: id, full_name, delivery_email: address, is_bot, bot_owner_id, date_joined } = person;
  const groups = chat.groups.filter(
    (one) => !one.is_system_group && !one.deactivated && holds(chat, one.id, id),
  );
  const link = (one) => html`<a key=${one.id} href=${`#groups/${one.id}`} dir="auto">${groupName(one)}</a> `;
  const facts = [
    [t("person.role"), !is_bot && named("role", person.role)],
    [t("login.name"), address && html`<a href=${`mailto:${address}`}>${address}</a>`],
    [t("person.local_time"), localTime(person.timezone)],
    [t("person.owner"), bot_owner_id && html`<${Name} chat=${chat} id=${bot_owner_id} />`],
    [t("person.joined"), date_joined && fullTime(Date.parse(date_joined) / 1000)],
    ...chat.state.custom_profile_fields.map((field) => [
      field.name,
      fieldValue(chat, field, person.profile_data?.[field.id]),
    ]),
    [t("nav.groups"), groups.length > 0 && groups.map(link)],
  ];
  const name = html`<span class="person">
    <${Avatar} person=${person} /> ${full_name} <${Presence} chat=${chat} id=${id} /></span>`;
  const erases = erasures(chat, person);
  const administration = html`
    <section>
      <h3>${t("administration.title")}</h3>
      <${Form} send=${(fields) => call("PATCH", `users/${id}`, { ...fields })}>
        <${Field} label=${t("field.name")} name="full_name" required max=${100} defaultValue=${full_name} />
      <//>
      <${RoleChoice} chat=${chat} person=${person} />
      <${Buttons} of=${full_name} buttons=${[activity(chat, person)]} />
    </section>
    ${
      erases.length > 0 &&
      html`<section class="danger"><h3>${t("person.erasure")}</h3>
        <p class="bar"><${Buttons} of=${full_name} buttons=${erases} /></p></section>`
    }`;
  return html`
    <${Head} page="people" name=${name} tags=${tagsOf(person)} />
    <p dir="auto"><${Status} chat=${chat} id=${id} /></p>
    <p class="bar">
      ${
        person.is_active &&
        html`<a class="button" href=${chat.link(Narrow.of(["dm", [id]]))}>${t("person.write")}</a>`
      }
      <a class="button" href=${chat.link(Narrow.of(["sender", id]))}>${t("list.messages")}</a>
      <${MuteButton} chat=${chat} id=${id} />
    </p>
    <${Facts} facts=${facts} />
    ${isAdministrator(chat) && !person.is_system_bot && administration}
  `;
}
