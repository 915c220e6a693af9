/** The groups of people: all in a list, a new one, and the page of each. */

import { may, rightsOn } from "../../model/rights.js";
import { Chosen, Field, Form, PeopleRows, Picker } from "../kit.js";
import { asking, call, groupHolder, groupName, html, report, t } from "../kit.js";
import { Head, Things } from "./parts.js";
import { FoldedPermissions } from "./permissions.js";

const SHOWN = {
  "nav.groups": (one) => !one.is_system_group && !one.deactivated,
  "groups.roles": (one) => one.is_system_group,
  "people.inactive": (one) => one.deactivated,
};

export function Groups(/** @type {PageProps} */ { chat, parts: [part] }) {
  const group = chat.groups.find((one) => one.id === Number(part));
  if (part === "new") return html`<div class="subpage"><${NewGroup} chat=${chat} /></div>`;
  if (group) return html`<div class="subpage"><${GroupPage} key=${part} chat=${chat} group=${group} /></div>`;
  const entry = (one) => ({
    key: one.id,
    name: groupName(one),
    href: `#groups/${one.id}`,
    detail: [t("groups.count", { count: one.members.length }), !one.is_system_group && one.description]
      .filter(Boolean)
      .join(" · "),
  });
  const create = may(chat, "can_create_groups") && t("groups.new");
  return html`<div class="subpage"><${Things} page="groups" create=${create} items=${chat.groups}
    shown=${SHOWN} textOf=${groupName} entry=${entry} /></div>`;
}

/** The fields of a group's name and description. */
const GroupTexts = ({ name, description }) => html`
  <${Field} label=${t("field.name")} name="name" required max=${100} defaultValue=${name} />
  <${Field} label=${t("field.description")} name="description" defaultValue=${description} />
`;

const NewGroup = ({ chat }) => html`
  <h2>${t("groups.new")}</h2>
  <${Form} send=${(fields) => call("POST", "user_groups/create", { ...fields, members: [chat.me] })}
    savedText="" button=${t("group.create")}
    more=${html` <a class="button" href="#groups">${t("action.cancel")}</a>`}
    done=${({ group_id }) => (location.hash = `#groups/${group_id}`)}>
    <${GroupTexts} />
  <//>
`;

function GroupPage(/** @type {{chat: Chat, group: Group}} */ { chat, group }) {
  const { members, direct_subgroup_ids, description, is_system_group, deactivated } = group;
  const path = `user_groups/${group.id}`;
  const rights = rightsOn(chat, group);
  const name = groupName(group);
  const isIn = members.includes(chat.me);
  const change =
    (how) =>
    ({ id, isGroup = false }) =>
      report(call("POST", `${path}/members`, { [isGroup ? `${how}_subgroups` : how]: [id] }));
  const [add, remove] = [change("add"), change("delete")];
  const [text, run] = deactivated
    ? [t("action.reactivate"), () => report(call("PATCH", path, { deactivated: false }))]
    : asking(t("action.deactivate"), t("group.deactivate_sure", { name }), () =>
        call("POST", `${path}/deactivate`),
      );
  const others = chat.groups.filter((one) => !one.deactivated && one !== group);
  const subgroups = chat.groups.filter((one) => direct_subgroup_ids.includes(one.id)).map(groupHolder);
  const isExcluded = ({ id, isGroup }) => (isGroup ? direct_subgroup_ids : members).includes(id);
  const texts = html`
    <${Form} send=${(fields) => call("PATCH", path, { ...fields })}
      more=${html` <button type="button" onClick=${run}>${text}</button>`}>
      <${GroupTexts} ...${group} />
    <//>`;
  const join = html`<button type="button" onClick=${() => (isIn ? remove : add)({ id: chat.me })}>${t(
    isIn ? "group.leave" : "group.join",
  )}</button>`;
  return html`
    <${Head} page="groups" name=${name} tags=${[deactivated && t("message.deactivated")]}>${
      !deactivated && (isIn ? rights.leaves : rights.joins) && join
    }<//>
    ${rights.manages ? texts : html`<p dir="auto">${!is_system_group && description}</p>`}
    <section>
      <h3>${t("group.members")}</h3>
      ${
        rights.adds &&
        html`<${Picker} chat=${chat} label=${t("picker.add")} groups=${others} pick=${add}
          isExcluded=${isExcluded} />`
      }
      ${
        subgroups.length > 0 &&
        html`<h4>${t("group.subgroups")}</h4><${Chosen} chosen=${subgroups}
          remove=${rights.manages && remove} />`
      }
      <${PeopleRows} chat=${chat} label=${t("group.members")} ids=${members}
        remove=${rights.removes && ((id) => remove({ id }))} />
    </section>
    ${
      !is_system_group &&
      html`<${FoldedPermissions} chat=${chat} kind="group" path=${path} thing=${group}
        isFixed=${!rights.manages || deactivated} />`
    }
  `;
}
