/** The page of one group. */

import { call } from "../../api.js";
import { rightsOn } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Field, submitted } from "../form.js";
import { html } from "../html.js";
import { report, saved } from "../notice.js";
import { Permissions } from "../permission.js";
import { Chosen, Picker, groupName } from "../picker.js";
import { PeopleRows } from "../rows.js";

/** @param {{chat: import("../../model/chat.js").Chat, group: any}} props */
export function Group({ chat, group }) {
  const path = `user_groups/${group.id}`;
  const rights = rightsOn(chat, group);
  const isIn = group.members.includes(chat.me);
  const change = (/** @type {Record<string, number[]>} */ fields) => report(call("POST", `${path}/members`, fields));
  const take = (/** @type {"add" | "delete"} */ how) => (/** @type {number} */ id, /** @type {boolean} */ isGroup) =>
    change({ [isGroup ? `${how}_subgroups` : how]: [id] });
  const subgroups = chat.groups.filter((one) => group.direct_subgroup_ids.includes(one.id));
  const deactivate = () => {
    if (group.deactivated) report(call("PATCH", path, { deactivated: false }));
    else if (confirm(t("group.deactivate_sure", { name: groupName(group) }))) report(call("POST", `${path}/deactivate`));
  };
  return html`
    <div class="bar">
      <a href="#groups">← ${t("nav.groups")}</a>
      <h2 dir="auto">${groupName(group)}</h2>
      ${group.deactivated && html`<span class="tag">${t("message.deactivated")}</span>`}
      ${
        !group.deactivated &&
        (isIn ? rights.leaves : rights.joins) &&
        html`
        <button type="button" onClick=${() => change(isIn ? { delete: [chat.me] } : { add: [chat.me] })}>${t(isIn ? "group.leave" : "group.join")}</button>`
      }
    </div>
    ${
      rights.manages
        ? html`
        <form onSubmit=${(/** @type {Event} */ event) => saved(call("PATCH", path, submitted(event)))} key=${`${group.name}\n${group.description}`}>
          <${Field} label=${t("field.name")} name="name" required maxlength="100" defaultValue=${group.name} />
          <${Field} label=${t("field.description")} name="description" defaultValue=${group.description} />
          <p class="bar"><button class="primary">${t("action.save")}</button>
            <button type="button" onClick=${deactivate}>${t(group.deactivated ? "action.reactivate" : "action.deactivate")}</button></p>
        </form>`
        : html`<p dir="auto">${!group.is_system_group && group.description}</p>`
    }
    <section>
      <h3>${t("group.members")}</h3>
      ${
        rights.adds &&
        html`<${Picker} chat=${chat} label=${t("picker.add")} groups=${chat.groups.filter((one) => !one.deactivated && one.id !== group.id)}
        isOut=${(/** @type {number} */ id, /** @type {boolean} */ isGroup) => (isGroup ? group.direct_subgroup_ids : group.members).includes(id)} pick=${take("add")} />`
      }
      ${
        subgroups.length > 0 &&
        html`<h4>${t("group.subgroups")}</h4>
        <${Chosen} chosen=${subgroups.map((one) => ({ id: one.id, isGroup: true, name: groupName(one) }))} remove=${rights.manages ? take("delete") : undefined} />`
      }
      <${PeopleRows} chat=${chat} label=${t("group.members")} ids=${group.members} remove=${rights.removes ? (/** @type {number} */ id) => take("delete")(id, false) : undefined} />
    </section>
    ${
      !group.is_system_group &&
      html`
      <details>
        <summary><h3>${t("permission.title")}</h3></summary>
        <${Permissions} chat=${chat} kind="group" path=${path} holdersOf=${(/** @type {string} */ name) => group[name]} isFixed=${() => !rights.manages || group.deactivated} />
      </details>`
    }
  `;
}
