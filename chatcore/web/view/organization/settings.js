/** Settings and permissions of the organization. */

import { call } from "../../api.js";
import { isAdministrator, isOwner } from "../../model/permissions.js";
import { language, named, t } from "../../text/text.js";
import { activeChannels } from "../channels/parts.js";
import { Check, Choice, Field, LongField } from "../form.js";
import { html } from "../html.js";
import { report } from "../notice.js";
import { Permissions } from "../permission.js";
import { FOR_OWNERS, SETTINGS } from "./settings_table.js";

/** @typedef {import("../../model/chat.js").Chat} Chat @typedef {import("./settings_table.js").Setting} Setting */

/** @param {Chat} chat */
const isFixed = (chat) => (/** @type {string} */ name) => !isAdministrator(chat) || (FOR_OWNERS.has(name) && !isOwner(chat));

/** @param {{chat: Chat}} props */
export function Settings({ chat }) {
  return Object.entries(SETTINGS).map(
    ([section, settings]) => html`
    <section key=${section}>
      <h3>${t(/** @type {any} */ (`settings_of.${section}`))}</h3>
      ${settings.map((one) => html`<${SettingField} key=${one.name} chat=${chat} setting=${one} />`)}
    </section>`,
  );
}

/** @param {{chat: Chat}} props */
export function RealmPermissions({ chat }) {
  return html`<${Permissions} chat=${chat} kind="realm" path="realm" holdersOf=${(/** @type {string} */ name) => chat.state[`realm_${name}`]} isFixed=${isFixed(chat)} />`;
}

/** @param {{chat: Chat, setting: Setting}} props */
function SettingField({ chat, setting }) {
  const { name, type } = setting;
  const value = chat.state[`realm_${name}`];
  const set = (/** @type {unknown} */ to) => report(call("PATCH", "realm", { [name]: to ?? setting.none }));
  return FIELDS[type]({ chat, setting, value, set, common: { label: named("setting", name), disabled: isFixed(chat)(name) } });
}

/** @typedef {{chat: Chat, setting: Setting, value: any, set: (to: unknown) => void, common: {label: string, disabled: boolean}}} FieldProps */

/** The field of each type of setting. @type {Record<Setting["type"], (props: FieldProps) => unknown>} */
const FIELDS = {
  check: ({ value, set, common }) => html`<${Check} ...${common} isOn=${value} set=${set} />`,
  choice: ({ setting: { options = [], name }, ...rest }) =>
    choice(
      rest,
      options.map((one) => [one, named(name, String(one))]),
    ),
  weekday: (props) =>
    choice(
      props,
      [...Array(7).keys()].map((day) => [day, WEEKDAY.format(MONDAY + day * DAY * 1000)]),
    ),
  language: ({ setting: { options = [] }, ...rest }) =>
    choice(
      rest,
      options.map((one) => [one, LANGUAGE.of(String(one)) ?? String(one)]),
    ),
  provider: ({ setting: { source = "" }, chat, ...rest }) =>
    choice(
      rest,
      Object.values(chat.state[source]).map(({ id, name }) => [id, name]),
    ),
  channel: ({ chat, ...rest }) =>
    choice(rest, [
      [NO_CHANNEL, t("channel.no_folder")],
      ...activeChannels(chat).map((one) => /** @type {[number, string]} */ ([one.stream_id, `#${one.name}`])),
    ]),
  duration: (props) =>
    choice(
      props,
      [...new Set([null, ...DURATIONS, props.value])].sort((a, b) => (a ?? Infinity) - (b ?? Infinity)).map((one) => [one, durationText(one)]),
    ),
  number: ({ setting: { max, none }, value, set, common }) => html`
    <${Field} ...${common} key=${value} type="number" min="0" max=${max} defaultValue=${value} placeholder=${none && t("setting.unlimited")}
      onChange=${(/** @type {any} */ { target }) => target.reportValidity() && set(target.value === "" ? null : Number(target.value))} />`,
  text: ({ setting: { max, none }, value, set, common }) => html`
    <${Field} ...${common} key=${value} maxlength=${max} defaultValue=${value ?? ""} onChange=${(/** @type {any} */ { target }) => set(target.value || (none ? null : ""))} />`,
  long: ({ setting: { max }, value, set, common }) => html`
    <${LongField} ...${common} key=${value} rows="3" maxlength=${max} defaultValue=${value} onChange=${(/** @type {any} */ { target }) => set(target.value)} />`,
};

/** @param {Pick<FieldProps, "value" | "set" | "common">} props @param {[unknown, string][]} options */
const choice = ({ value, set, common }, options) => html`<${Choice} ...${common} value=${value} options=${options} set=${set} />`;

const NO_CHANNEL = -1;
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
const DURATIONS = [MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY];
const MONDAY = Date.UTC(2024, 0, 1);
const WEEKDAY = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
const LANGUAGE = new Intl.DisplayNames(language, { type: "language" });
/** @type {[string, number][]} */
const UNITS = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
  ["second", 1],
];

/** @param {number | null} seconds */
export function durationText(seconds) {
  if (seconds === null) return t("setting.unlimited");
  const [unit, size] = UNITS.find(([, one]) => seconds % one === 0) ?? UNITS[3];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}
