/** Completion of names while a message is written. */

import { emojiText, findEmoji } from "./emoji.js";

const SHOWN = 8;

/**
 * @typedef {{start: number, insert: string, shown: any}} Completion
 * `start` is where the completed part of the text begins.
 */

/** @type {{pattern: RegExp, find: (chat: import("../model/chat.js").Chat, part: string) => Promise<{insert: string, shown: any}[]>}[]} */
const KINDS = [
  { pattern: /(?:^|[\s(])@(_?[^\s@*][^@*\n]{0,30}|)$/u, find: findPeople },
  { pattern: /(?:^|[\s(])#([^\s#*][^#*\n]{0,30}|)$/u, find: findChannels },
  { pattern: /(?:^|[\s(]):([a-z0-9_+-]{2,30})$/u, find: findByName },
];

/** @param {import("../model/chat.js").Chat} chat @param {string} before the text before the cursor @returns {Promise<Completion[]>} */
export async function completions(chat, before) {
  for (const { pattern, find } of KINDS) {
    const match = pattern.exec(before);
    if (!match) continue;
    const start = before.length - match[1].length - 1;
    const found = await find(chat, match[1].toLowerCase());
    return found.slice(0, SHOWN).map((one) => ({ ...one, start }));
  }
  return [];
}

/** @param {string} name @param {string} part */
const fits = (name, part) => name.toLowerCase().startsWith(part) || name.toLowerCase().includes(` ${part}`);

/** @param {import("../model/chat.js").Chat} chat @param {string} part */
async function findPeople(chat, part) {
  const wildcards = ["all", "topic"].filter((name) => fits(name, part)).map((name) => ({ insert: `@**${name}**`, shown: `@${name}` }));
  const people = [...chat.people.values()].filter((one) => one.is_active !== false && fits(one.full_name, part));
  const isSole = (/** @type {string} */ name) => people.filter((one) => one.full_name === name).length === 1;
  const groups = chat.groups.filter((one) => !one.is_system_group && !one.deactivated && fits(one.name, part));
  return [
    ...people
      .sort((a, b) => a.full_name.localeCompare(b.full_name))
      .map((one) => ({ insert: `@**${one.full_name}${isSole(one.full_name) ? "" : `|${one.user_id}`}**`, shown: one.full_name })),
    ...groups.map((one) => ({ insert: `@*${one.name}*`, shown: `@${one.name}` })),
    ...wildcards,
  ];
}

/** @param {import("../model/chat.js").Chat} chat @param {string} part */
async function findChannels(chat, part) {
  return [...chat.channels.values()]
    .filter((one) => !one.is_archived && fits(one.name, part))
    .sort((a, b) => Number(chat.subscribed.has(b.stream_id)) - Number(chat.subscribed.has(a.stream_id)) || a.name.localeCompare(b.name))
    .map((one) => ({ insert: `#**${one.name}**`, shown: `#${one.name}` }));
}

/** @param {import("../model/chat.js").Chat} chat @param {string} part */
async function findByName(chat, part) {
  const found = await findEmoji(chat, part);
  return found.slice(0, SHOWN).map((one) => ({ insert: `:${one.emoji_name}:`, shown: [emojiText(chat, one), ` ${one.emoji_name}`] }));
}
