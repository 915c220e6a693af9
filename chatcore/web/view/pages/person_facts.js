/** Facts about a person, as they are shown, and what mutes one. */

import { Content, html, language, t } from "../kit.js";
import { isMutedPerson, mutePerson } from "../places/actions.js";

/** The name of a person, as a link to the profile. */
export const Name = ({ chat, id }) => html`<a href=${`#people/${id}`} dir="auto">${chat.name(id)}</a> `;

/** The button that mutes a person, or no longer. */
export function MuteButton({ chat, id }) {
  const isMuted = isMutedPerson(chat, id);
  if (id === chat.me) return null;
  return html`<button type="button" aria-pressed=${isMuted} onClick=${() => mutePerson(chat, id)}>
    ${t(isMuted ? "topic.unmute" : "person.mute")}</button>`;
}

/** The time where somebody is, or null. */
export function localTime(/** @type {string} */ timezone) {
  try {
    return (
      timezone &&
      new Intl.DateTimeFormat(language, {
        weekday: "long",
        hour: "2-digit",
        minute: "2-digit",
        timeZone: timezone,
      }).format()
    );
  } catch {
    return null; // a zone that the browser does not know
  }
}

/** The types of fields of profiles, as far as they differ from short texts. */
export const FIELD = { LONG: 2, OPTIONS: 3, DATE: 4, LINK: 5, PEOPLE: 6, ACCOUNT: 7 };

/** The options of a field, in order: keys and texts. @param {any} field @returns {[string, string][]} */
export const choicesOf = (field) =>
  Object.entries(JSON.parse(field.field_data || "{}"))
    .sort(([, one], [, other]) => one.order - other.order)
    .map(([key, { text }]) => [key, text]);

/**
 * What a person has said in a field, or null.
 *
 * @param {Chat} chat
 * @param {any} field
 * @param {Api.ValueObject | undefined} data
 */
export function fieldValue(chat, field, data) {
  if (!data?.value) return null;
  const { value, rendered_value } = data;
  if (rendered_value) return html`<${Content} content=${rendered_value} />`;
  if (field.type === FIELD.OPTIONS) return choicesOf(field).find(([key]) => key === value)?.[1];
  if (field.type === FIELD.DATE)
    return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(value));
  if (field.type === FIELD.PEOPLE)
    return JSON.parse(value).map((id) => html`<${Name} key=${id} chat=${chat} id=${id} />`);
  if (field.type === FIELD.LINK) return linkTo(value, value);
  if (field.type !== FIELD.ACCOUNT) return value;
  const { subtype, url_pattern } = JSON.parse(field.field_data);
  const pattern = url_pattern ?? chat.state.realm_default_external_accounts[subtype]?.url_pattern ?? "";
  return linkTo(pattern.replace("%(username)s", encodeURIComponent(value)), value);
}

/** A link of a person's profile; other than to web pages it is only text. */
const linkTo = (to, text) =>
  /^https?:\/\//i.test(to) ? html`<a href=${to} target="_blank" rel="noopener noreferrer">${text}</a>` : text;
