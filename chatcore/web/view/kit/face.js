/** Faces: the picture of somebody or, where none was uploaded, the first letters of the name in a colour. */

import { local } from "../../api.js";
import { classes, html } from "./html.js";
import { Presence } from "./person.js";

/** Addresses of the pictures that the server makes of ids, for clients that know no names. */
const MADE = /\/user_avatars\/\d+\/(user-\d+|nobody|organization)(-medium)?\.png/;
/** In degrees, the golden section of a circle: ids beside each other get colours far from each other. */
const TURN = 137.5;

/** Whether the picture at an address was uploaded. @param {string | null | undefined} src */
export const isUploaded = (src) => !!src && !MADE.test(src);

/** The first letters of the first and the last word. @param {string} name @param {number} most */
function initials(name, most) {
  const words = name.match(/[\p{L}\p{N}][^\s]*/gu) ?? ["?"];
  const those = most > 1 && words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]];
  return those.map((one) => [...one][0].toLocaleUpperCase()).join("");
}

/**
 * A face. `label` is read out; without it the name stands beside the face. The letters are drawn by the
 * styles, so they are in no text that is copied or searched.
 */
export function Face({ id = 0, name, src, kind = "", label = "" }) {
  if (isUploaded(src))
    return html`<img class=${classes("avatar", kind)} src=${local(src)} alt=${label} loading="lazy" />`;
  const paint = (element) => element?.style.setProperty("--tint", `${(id * TURN) % 360}`);
  return html`<span class=${classes("avatar", kind)} data-initials=${initials(name, kind === "small" ? 1 : 2)}
    ref=${paint} role=${label ? "img" : undefined} aria-label=${label || undefined}></span>`;
}

/** The face of a person; bots have corners. @param {{person: Partial<Person>, [name: string]: any}} props */
export const Avatar = ({ person, kind = "", ...more }) =>
  html`<${Face} id=${person.user_id} name=${person.full_name ?? ""} src=${person.avatar_url}
    kind=${classes(kind, person.is_bot && "square")} ...${more} />`;

/** The faces of a direct conversation: of one person with the presence at the corner, or of the first two. */
export function Faces({ chat, people }) {
  const face = (id) => html`<${Avatar} key=${id} person=${chat.people.get(id) ?? {}} kind="small" />`;
  return html`<span class=${classes("faces", people.length > 1 && "several")}>${people.slice(0, 2).map(face)}
    ${people.length === 1 && html`<${Presence} chat=${chat} id=${people[0]} />`}</span>`;
}
