/**
 * Fields of settings, which tables name.
 *
 * @typedef {{name: string, type: keyof typeof FIELDS, options?: (string | number)[], texts?: string, source?: string, max?: number, none?: string}} Setting
 *   `texts` is the kind of the names of options, if it is not the name of the setting; `source` the field of the state with the options;
 *   `none` is sent for no value
 */

import { Check, Choice, Field, LongField, html, language, named, t } from "./kit.js";

/** @param {...string} names @returns {Setting[]} */
export const checks = (...names) => names.map((name) => ({ name, type: "check" }));

/**
 * @param {{chat: Chat, settings: Setting[], kind?: string, read: (name: string) => any, set: (name: string, value: unknown) => unknown,
 *   isFixed?: (name: string) => boolean}} props
 *   `kind` is that of the names of the settings
 */
export function SettingFields({ chat, settings, kind = "setting", read, set, isFixed = () => false }) {
  return settings.map((setting) => {
    const { name, type, none } = setting;
    const common = { key: name, label: named(kind, name), disabled: isFixed(name) };
    return FIELDS[type]({ chat, setting, value: read(name), set: (to) => set(name, to ?? none), common });
  });
}

/** @typedef {{chat: Chat, setting: any, value: any, set: (to: unknown) => void, common: {key: string, label: string, disabled: boolean}}} FieldProps */

/** A type of fields that are a choice. @param {(props: FieldProps) => [unknown, string][]} optionsOf @returns {(props: FieldProps) => unknown} */
const choice = (optionsOf) => (props) => html`<${Choice} ...${props.common} value=${props.value} options=${optionsOf(props)} set=${props.set} />`;

/** The change of a text that is written. @param {(text: string) => void} set */
const written =
  (set) =>
  (/** @type {any} */ { target }) =>
    target.reportValidity() && set(target.value);

/** The field of each type of setting. */
const FIELDS = {
  check: (/** @type {FieldProps} */ { value, set, common }) => html`<${Check} ...${common} isOn=${value} set=${set} />`,
  color: (/** @type {FieldProps} */ { value, set, common }) => html`<${Field} ...${common} type="color" value=${value} onChange=${written(set)} />`,
  number: (/** @type {FieldProps} */ { setting: { max, none }, value, set, common }) => html`
    <${Field} ...${common} key=${`${common.key} ${value}`} type="number" min="0" max=${max} defaultValue=${value} placeholder=${none && t("setting.unlimited")}
      onChange=${written((text) => set(text === "" ? null : Number(text)))} />`,
  text: (/** @type {FieldProps} */ { setting: { max, none }, value, set, common }) => html`
    <${Field} ...${common} key=${`${common.key} ${value}`} maxlength=${max} defaultValue=${value ?? ""} onChange=${written((text) => set(text || (none ? null : "")))} />`,
  long: (/** @type {FieldProps} */ { setting: { max }, value, set, common }) => html`
    <${LongField} ...${common} key=${`${common.key} ${value}`} rows="3" maxlength=${max} defaultValue=${value} onChange=${written(set)} />`,
  choice: choice(({ setting: { options, texts, name } }) => options.map((/** @type {string} */ one) => [one, named(texts ?? name, one)])),
  weekday: choice(() => [...Array(7).keys()].map((day) => [day, WEEKDAY.format(MONDAY + day * DAY * 1000)])),
  language: choice(({ setting }) => setting.options.map((/** @type {string} */ one) => [one, LANGUAGE.of(one) ?? one])),
  zone: choice(({ value }) => [["", t("setting.no_zone")], ...[...new Set([value, ...Intl.supportedValuesOf("timeZone")])].filter(Boolean).map(zoneOption)]),
  provider: choice(({ chat, setting }) => Object.values(chat.state[setting.source]).map(({ id, name }) => [id, name])),
  channel: choice(({ chat }) => [[NO_CHANNEL, t("channel.no_folder")], ...chat.openChannels.map(channelOption)]),
  duration: choice(({ value }) =>
    [...new Set([null, ...DURATIONS, value])].sort((a, b) => (a ?? Infinity) - (b ?? Infinity)).map((one) => [one, durationText(one)]),
  ),
};

/** @param {string} zone @returns {[string, string]} */
const zoneOption = (zone) => [zone, zone.replace(/_/g, " ")];
/** @param {Channel} channel @returns {[number, string]} */
const channelOption = ({ stream_id, name }) => [stream_id, `#${name}`];

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
