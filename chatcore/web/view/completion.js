/** Completion of names while a message is written. */

import { call } from "../api.js";
import { t } from "../text/text.js";
import { emojiText, findEmoji } from "./emoji.js";

const SHOWN = 8;

/**
 * @typedef {{insert: string, shown: any, part?: string}} Found
 * `part` is what the key `>` inserts instead, to continue with a topic.
 * @typedef {Found & {start: number}} Completion
 * `start` is where the completed part of the text begins.
 */

/** The first that fits counts. @type {{pattern: RegExp, find: (chat: Chat, ...parts: string[]) => Promise<Found[]>}[]} */
const KINDS = [
  { pattern: /(?<=^|[\s(])@(_?)\*{0,2}([^\s@*][^@*\n]{0,30}|)$/u, find: findPeople },
  { pattern: /(?<=^|[\s(])#(?:\*\*)?([^#*>\n]{1,60})>([^#*>\n]{0,60})$/u, find: findTopics },
  { pattern: /(?<=^|[\s(])#(?:\*\*)?([^\s#*][^#*\n]{0,30}|)$/u, find: findChannels },
  { pattern: /(?<=^|[\s(]):([a-z0-9_+-]{2,30})$/u, find: findByName },
];

/** @param {Chat} chat @param {string} before the text before the cursor @returns {Promise<Completion[]>} */
export async function completions(chat, before) {
  for (const { pattern, find } of KINDS) {
    const match = pattern.exec(before);
    if (!match) continue;
    const found = await find(chat, ...match.slice(1).map((part) => part.toLowerCase()));
    return found.slice(0, SHOWN).map((one) => ({ ...one, start: match.index }));
  }
  return [];
}

/** @param {string} name @param {string} part */
const fits = (name, part) => name.toLowerCase().startsWith(part) || name.toLowerCase().includes(` ${part}`);

/** @param {Chat} chat @param {string} silent an underscore, or nothing @param {string} part */
async function findPeople(chat, silent, part) {
  const people = [...chat.people.values()].filter((one) => one.is_active !== false && fits(one.full_name, part));
  const isSole = (/** @type {string} */ name) => people.filter((one) => one.full_name === name).length === 1;
  const groups = chat.groups.filter((one) => !one.is_system_group && !one.deactivated && fits(one.name, part));
  const wildcards = ["all", "topic"].filter((name) => fits(name, part));
  return [
    ...people
      .sort((a, b) => a.full_name.localeCompare(b.full_name))
      .map((one) => ({ insert: `@${silent}**${one.full_name}${isSole(one.full_name) ? "" : `|${one.user_id}`}**`, shown: one.full_name })),
    ...groups.map((one) => ({ insert: `@${silent}*${one.name}*`, shown: `@${one.name}` })),
    ...wildcards.map((name) => ({ insert: `@${silent}**${name}**`, shown: `@${name}` })),
  ];
}

/** @param {Chat} chat @param {string} part */
async function findChannels(chat, part) {
  return [...chat.channels.values()]
    .filter((one) => !one.is_archived && fits(one.name, part))
    .sort((a, b) => Number(chat.subscribed.has(b.stream_id)) - Number(chat.subscribed.has(a.stream_id)) || a.name.localeCompare(b.name))
    .map((one) => ({ insert: `#**${one.name}**`, shown: `#${one.name}`, part: `#**${one.name}>` }));
}

/** @param {Chat} chat @param {string} channelName @param {string} part */
async function findTopics(chat, channelName, part) {
  const channel = [...chat.channels.values()].find((one) => one.name.toLowerCase() === channelName);
  if (!channel) return [];
  const { topics } = await call("GET", `users/me/${channel.stream_id}/topics`, { allow_empty_topic_name: true }).catch(() => ({ topics: [] }));
  return topics
    .filter((/** @type {any} */ { name }) => fits(name, part))
    .map((/** @type {any} */ { name }) => ({ insert: `#**${channel.name}>${name}**`, shown: `#${channel.name} › ${name || t("topic.empty")}` }));
}

/** @param {Chat} chat @param {string} part */
async function findByName(chat, part) {
  const found = await findEmoji(chat, part);
  return found.slice(0, SHOWN).map((one) => ({ insert: `:${one.emoji_name}:`, shown: [emojiText(chat, one), ` ${one.emoji_name}`] }));
}
