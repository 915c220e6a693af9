/** People as administrators see them. */

import { html } from "../html.js";
import { Activity, RoleChoice } from "../people/administration.js";
import { PeopleList } from "../people/page.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Members({ chat }) {
  return html`<${PeopleList} chat=${chat} actions=${(/** @type {any} */ person) => html`
    ${!person.is_bot && html`<${RoleChoice} chat=${chat} person=${person} />`}
    <${Activity} chat=${chat} person=${person} />`} />`;
}
