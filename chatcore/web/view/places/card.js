/** The card of a person, at a name or face that was clicked. */

import { Narrow } from "../../model/narrow.js";
import { presenceOf } from "../../model/presence.js";
import { Avatar, Facts, Presence, Status, dayAndHour, fullTime, html, named, t } from "../kit.js";
import { MuteButton, fieldValue, localTime } from "../pages/person_facts.js";

export function PersonCard(/** @type {Props} */ { chat, act, close, id }) {
  const person = chat.people.get(id);
  if (!person) return null;
  const { full_name: name, delivery_email: address, is_bot: isBot, role, is_active: isActive } = person;
  const fields = chat.state.custom_profile_fields.filter((one) => one.display_in_profile_summary);
  const facts = [
    [t("person.local_time"), localTime(person.timezone)],
    [t("login.name"), address && html`<a href=${`mailto:${address}`}>${address}</a>`],
    ...fields.map((one) => [one.name, fieldValue(chat, one, person.profile_data?.[one.id])]),
  ];
  const mention = () => {
    close();
    act.insert(`@**${name}|${id}** `);
  };
  const tags = [isBot ? t("message.bot") : named("role", role), !isActive && t("message.deactivated")];
  return html`
    <div class="card">
      <div class="person">
        <${Avatar} person=${person} kind="middle" />
        <div><h3 dir="auto">${name}</h3>
          <small>${tags.filter(Boolean).join(" · ")}</small>
          <small><${Presence} chat=${chat} id=${id} /> ${!isBot && seen(chat, id)}</small></div>
      </div>
      <p dir="auto"><${Status} chat=${chat} id=${id} /></p>
      <${Facts} facts=${facts} />
      <p class="bar">
        ${
          isActive &&
          html`<a class="button" href=${chat.link(Narrow.at({ people: [id] }))} onClick=${close}>
            ${t("person.write")}</a>`
        }
        ${act.canWrite && html`<button type="button" onClick=${mention}>${t("person.mention")}</button>`}
        <${MuteButton} chat=${chat} id=${id} />
        <a class="button" href=${`#people/${id}`} onClick=${close}>${t("person.profile")}</a>
      </p>
    </div>
  `;
}

/** Whether somebody is here, or else was last. @param {Chat} chat @param {number} id */
function seen(chat, id) {
  const presence = presenceOf(chat, id);
  const { active_timestamp: active = 0, idle_timestamp: idle = 0 } = chat.presences.get(id) ?? {};
  const last = Math.max(active, idle);
  if (presence !== "offline" || !last) return t(`presence.${presence}`);
  return html`<span title=${fullTime(last)}>${t("presence.seen", { time: dayAndHour(last) })}</span>`;
}
