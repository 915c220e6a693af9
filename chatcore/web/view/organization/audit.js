/** The audit log: who changed what of the organization. Administrators see it. */

import { Choice, Rows, fullTime, html, named, t, useAnswer, useState } from "../kit.js";

const PAGE = 50;
export const TARGETS = [
  "organization",
  "user",
  "channel",
  "default_channel_group",
  "group",
  "message",
  "invitation",
  "export",
  "emoji",
  "hold",
];

export function Audit({ chat }) {
  const [target, setTarget] = useState("");
  const [before, setBefore] = useState(/** @type {number | undefined} */ (undefined));
  const [entries, setEntries] = useState(/** @type {any[]} */ ([]));
  const [isComplete, setComplete] = useState(true);
  const take = ({ entries: page }) => {
    setEntries(before === undefined ? page : [...entries, ...page]);
    setComplete(page.length < PAGE);
  };
  const wanted = { limit: PAGE, ...(target && { target_type: target }), ...(before && { before }) };
  useAnswer("audit", { parameters: wanted, again: [target, before, chat.queueId], take });
  const choose = (/** @type {string} */ one) => {
    setTarget(one);
    setBefore(undefined);
  };
  const options = ["", ...TARGETS].map((one) => [one, one ? named("audit.target", one) : t("audit.all")]);
  const entry = (one) => ({
    key: one.id,
    name: named("audit", one.kind),
    tags: [targetText(chat, one)],
    detail: [actorText(chat, one), one.address, one.client, fullTime(one.timestamp)]
      .filter(Boolean)
      .join(" · "),
    more: html`<${Changes} before=${one.before} after=${one.after} />`,
  });
  return html`
    <div class="filters">
      <${Choice} label=${t("audit.target")} value=${target} options=${options} set=${choose} />
    </div>
    <${Rows} key=${entries.length} label=${t("organization.audit")} items=${entries} entry=${entry}
      first=${entries.length} />
    ${
      !isComplete &&
      html`<p class="bar"><button type="button" onClick=${() => setBefore(entries.at(-1).id)}>
        ${t("audit.older")}</button></p>`
    }
  `;
}

/** The values that differ, each before and after. */
function Changes({ before, after }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return html`<div>${names.map(
    (name) =>
      html`<div key=${name}><small dir="auto">${name.replace(/_/g, " ")}: ${
        name in before && html`<del dir="auto">${valueText(before[name])}</del>`
      } → ${name in after && html`<ins dir="auto">${valueText(after[name])}</ins>`}</small></div>`,
  )}</div>`;
}

const valueText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

const actorText = (chat, { actor_id, origin }) =>
  actor_id === null ? named("audit.origin", origin) : chat.name(actor_id);

function targetText(chat, { target_type: type, target_id: id }) {
  if (id === null) return "";
  const name = type === "user" ? chat.name(id) : type === "channel" ? chat.channels.get(id)?.name : undefined;
  return `${named("audit.target", type)} ${name ?? id}`;
}
