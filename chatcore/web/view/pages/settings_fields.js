/**
 * Fields of settings, which tables name. A setting has a name and a type; some have `options`, and `texts`,
 * the kind of their names; `max`; and `none`, which is sent for no value.
 */

import { Check, Choice, Field, LongField } from "../kit.js";
import { call, html, language, named, noteSaved, report, t } from "../kit.js";

const NO_CHANNEL = -1;
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
const DURATIONS = [MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY, 30 * DAY];
const KEPT_DAYS = [7, 30, 90, 365, 3650];
const KEPT_FOR_EVER = -1;
const UNITS = Object.entries({ day: DAY, hour: HOUR, minute: MINUTE, second: 1 });

/** Settings of one type, whose names are the words of a text, and which share what else is known. */
export const typed = (type, names, more = {}) => names.split(/\s+/).map((name) => ({ name, type, ...more }));
export const checks = (names) => typed("check", names);

/** `kind` is that of the names of the settings; `read` and `set` get the name of one, as does `isFixed`. */
export const SettingFields = ({ chat, settings, kind = "setting", read, set, isFixed = (_) => false }) =>
  settings.map((setting) => {
    const { name, type, none } = setting;
    const common = { key: name, label: named(kind, name), disabled: isFixed(name) };
    return FIELDS[type]({ chat, ...setting, value: read(name), set: (to) => set(name, to ?? none), common });
  });

/** What some sections are about. @type {Record<string, TextName>} */
const ABOUT = {
  "personal.email_notifications": "about.mail",
  "settings.visible": "about.visible",
  "settings_of.announcements": "about.announcements",
};

/** Settings in sections, which have a title. */
export const SettingSections = ({ sections, ...props }) =>
  Object.entries(sections).map(
    ([title, settings]) =>
      html`<section key=${title} class="group" aria-label=${t(/** @type {any} */ (title))}>
        <h3>${t(/** @type {any} */ (title))}</h3>
        ${ABOUT[title] && html`<p><small>${t(ABOUT[title])}</small></p>`}
        <${SettingFields} settings=${settings} ...${props} /></section>`,
  );

/** How fields read and change settings of the own account. @param {Chat} chat */
export const own = (chat) => ({
  chat,
  read: (name) => chat.settings[name],
  set: (name, value) => report(call("PATCH", "settings", { [name]: value })),
});

/** A type of fields that are a choice. */
const choice = (optionsOf) => (props) =>
  html`<${Choice} ...${props.common} value=${props.value} options=${optionsOf(props)} set=${props.set} />`;

/** The change of a text that is written. */
const written = (set) => async (event) =>
  event.target.reportValidity() && noteSaved(await set(event.target.value));

/** The field of each type of setting. */
const FIELDS = {
  check: ({ value, set, common }) => html`<${Check} ...${common} isOn=${value} set=${set} />`,
  color: ({ value, set, common }) =>
    html`<${Field} ...${common} type="color" defaultValue=${value} onChange=${written(set)} />`,
  number: ({ max, none, value, set, common }) => html`
    <${Field} ...${common} type="number" min="0" max=${max} defaultValue=${value}
      placeholder=${none && t("setting.unlimited")}
      onChange=${written((text) => set(text === "" ? null : Number(text)))} />`,
  text: ({ max, none, value, set, common }) => html`
    <${Field} ...${common} max=${max} defaultValue=${value ?? ""}
      onChange=${written((text) => set(text || (none ? null : "")))} />`,
  long: ({ max, value, set, common }) => html`
    <${LongField} ...${common} rows="3" max=${max} defaultValue=${value} onChange=${written(set)} />`,
  choice: choice(({ options, texts, name }) => options.map((one) => [one, named(texts ?? name, one)])),
  language: choice(({ options }) => {
    const names = new Intl.DisplayNames(language, { type: "language" });
    return options.map((one) => [one, names.of(one) ?? one]);
  }),
  weekday: choice(() => {
    const days = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
    // 1970-01-05 was a Monday.
    return [0, 1, 2, 3, 4, 5, 6].map((one) => [one, days.format(Date.UTC(1970, 0, 5 + one))]);
  }),
  zone: choice(({ value }) => [
    ["", t("setting.no_zone")],
    ...zones(value).map((zone) => [zone, zone.replace(/_/g, " ")]),
  ]),
  channel: choice(({ chat }) => [
    [NO_CHANNEL, t("setting.no_channel")],
    ...chat.openChannels.map(({ stream_id, name }) => [stream_id, `#${name}`]),
  ]),
  provider: choice(({ chat }) =>
    Object.values(chat.state.realm_available_video_chat_providers).map(({ id, name }) => [
      id,
      id ? name : t("setting.no_calls"),
    ]),
  ),
  retention: choice(({ value }) => retentionOptions(value)),
  duration: choice(({ value }) => durations(value).map((one) => [one, durationText(one)])),
};

/** All zones, also one that the browser does not know. */
const zones = (present) => [...new Set([present, ...Intl.supportedValuesOf("timeZone")])].filter(Boolean);

/** The days for which messages are kept, as they are set. */
export const retentionOptions = (/** @type {number | null} */ present) => [
  [present === KEPT_FOR_EVER ? present : "unlimited", t("retention.unlimited")],
  ...[...new Set([...KEPT_DAYS, present ?? KEPT_FOR_EVER])]
    .filter((days) => days !== KEPT_FOR_EVER)
    .sort((a, b) => a - b)
    .map((days) => [days, durationText(days * DAY)]),
];

const durations = (present) =>
  [...new Set([null, ...DURATIONS, present])].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));

export function durationText(/** @type {number | null} */ seconds) {
  if (seconds === null) return t("setting.unlimited");
  const [unit, size] = UNITS.find(([, one]) => seconds % one === 0) ?? UNITS[3];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}
