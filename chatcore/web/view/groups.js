/** The groups of people: all in a list, a new one, and the page of each. */

import { may, rightsOn } from "../model/rights.js";
import { Field, Form, PeopleRows, Rows, call, html, report, sure, t } from "./kit.js";
import { FoldedPermissions } from "./permission.js";
import { Chosen, Picker, groupHolder, groupName } from "./picker.js";

const SHOWN = {
  "nav.groups": (/** @type {Group} */ one) => !one.is_system_group && !one.deactivated,
  "groups.roles": (/** @type {Group} */ one) => one.is_system_group,
  "people.inactive": (/** @type {Group} */ one) => one.deactivated,
};

/** @param {PageProps} props */
export function Groups({ chat, parts: [part] }) {
  const group = chat.groups.find((one) => one.id === Number(part));
  if (part === "new") return html`<div class="subpage"><${NewGroup} chat=${chat} /></div>`;
  if (group) return html`<div class="subpage"><${GroupPage} key=${part} chat=${chat} group=${group} /></div>`;
  const entry = (/** @type {Group} */ one) => ({
    key: one.id,
    name: html`<a href=${`#groups/${one.id}`} dir="auto">${groupName(one)}</a>`,
    detail: [t("groups.count", { count: one.members.length }), !one.is_system_group && one.description].filter(Boolean).join(" · "),
  });
  return html`
    <div class="subpage">
      <section>
        ${may(chat, "can_create_groups") && html`<p class="bar"><a class="button" href="#groups/new">${t("groups.new")}</a></p>`}
        <${Rows} label=${t("nav.groups")} items=${chat.groups} shown=${SHOWN} textOf=${groupName} entry=${entry} />
      </section>
    </div>
  `;
}

/** The fields of a group's name and description. @param {{group?: Group}} props */
function GroupTexts({ group }) {
  return html`
    <${Field} label=${t("field.name")} name="name" required maxlength="100" defaultValue=${group?.name} />
    <${Field} label=${t("field.description")} name="description" defaultValue=${group?.description} />
  `;
}

/** @param {{chat: Chat}} props */
function NewGroup({ chat }) {
  return html`
    <h2>${t("groups.new")}</h2>
    <${Form} send=${(/** @type {object} */ fields) => call("POST", "user_groups/create", { ...fields, members: [chat.me] })} said="" button=${t("group.create")}
      more=${html` <a class="button" href="#groups">${t("action.cancel")}</a>`} done=${(/** @type {any} */ { group_id }) => (location.hash = `#groups/${group_id}`)}>
      <${GroupTexts} />
    <//>
  `;
}

/** @param {{chat: Chat, group: Group}} props */
function GroupPage({ chat, group }) {
  const path = `user_groups/${group.id}`;
  const rights = rightsOn(chat, group);
  const name = groupName(group);
  const isIn = group.members.includes(chat.me);
  const change = (/** @type {Record<string, number[]>} */ fields) => report(call("POST", `${path}/members`, fields));
  const take =
    (/** @type {"add" | "delete"} */ how) =>
    (/** @type {{id: number, isGroup?: boolean}} */ { id, isGroup }) =>
      change({ [isGroup ? `${how}_subgroups` : how]: [id] });
  const subgroups = chat.groups.filter((one) => group.direct_subgroup_ids.includes(one.id));
  const reactivate = () => report(call("PATCH", path, { deactivated: false }));
  const deactivate = () => sure(t("group.deactivate_sure", { name }), t("action.deactivate"), () => report(call("POST", `${path}/deactivate`)));
  return html`
    <div class="bar">
      <a href="#groups">← ${t("nav.groups")}</a>
      <h2 dir="auto">${name}</h2>
      ${group.deactivated && html`<span class="tag">${t("message.deactivated")}</span>`}
      ${
        !group.deactivated &&
        (isIn ? rights.leaves : rights.joins) &&
        html`<button type="button" onClick=${() => take(isIn ? "delete" : "add")({ id: chat.me })}>${t(isIn ? "group.leave" : "group.join")}</button>`
      }
    </div>
    ${
      rights.manages
        ? html`
        <${Form} send=${(/** @type {object} */ fields) => call("PATCH", path, { ...fields })} key=${`${group.name}\n${group.description}`}
          more=${html` <button type="button" onClick=${group.deactivated ? reactivate : deactivate}>${t(group.deactivated ? "action.reactivate" : "action.deactivate")}</button>`}>
          <${GroupTexts} group=${group} />
        <//>`
        : html`<p dir="auto">${!group.is_system_group && group.description}</p>`
    }
    <section>
      <h3>${t("group.members")}</h3>
      ${
        rights.adds &&
        html`<${Picker} chat=${chat} label=${t("picker.add")} groups=${chat.groups.filter((one) => !one.deactivated && one.id !== group.id)} pick=${take("add")}
        isOut=${(/** @type {{id: number, isGroup: boolean}} */ { id, isGroup }) => (isGroup ? group.direct_subgroup_ids : group.members).includes(id)} />`
      }
      ${
        subgroups.length > 0 &&
        html`<h4>${t("group.subgroups")}</h4>
        <${Chosen} chosen=${subgroups.map(groupHolder)} remove=${rights.manages ? take("delete") : undefined} />`
      }
      <${PeopleRows} chat=${chat} label=${t("group.members")} ids=${group.members} remove=${rights.removes ? (/** @type {number} */ id) => take("delete")({ id }) : undefined} />
    </section>
    ${!group.is_system_group && html`<${FoldedPermissions} chat=${chat} kind="group" path=${path} thing=${group} isFixed=${!rights.manages || group.deactivated} />`}
  `;
}
