/** Completion of names while a message is written. */

import { Narrow } from "../../model/narrow.js";
import { joined, t } from "../../text/text.js";
import { call, emojiText, findEmoji } from "../kit.js";

const SHOWN = 8;

/**
 * A completion: `insert` is for the text, and `part` is inserted by the key `>` instead, to continue with a
 * topic.
 *
 * @typedef {{insert: string, shown: any, part?: string}} Found
 */

/**
 * The first that fits counts; the last of the parts is the place.
 *
 * @type {[RegExp, (chat: Chat, ...parts: any[]) => Found[] | Promise<Found[]>][]}
 */
const KINDS = [
  [/(?<=^|[\s(])@(_?)\*{0,2}([^\s@*][^@*\n]{0,30}|)$/u, findPeople],
  [/(?<=^|[\s(])#(?:\*\*)?([^#*>\n]{1,60})>([^#*>\n]{0,60})$/u, findTopics],
  [/(?<=^|[\s(])#(?:\*\*)?([^\s#*][^#*\n]{0,30}|)$/u, findChannels],
  [/(?<=^|[\s(]):([a-z0-9_+-]{2,30})$/u, findByName],
];

/** Completions of the text before the cursor at a place; each has the `start` of what it completes. */
export async function completions(/** @type {Chat} */ chat, /** @type {Place} */ place, before) {
  for (const [pattern, find] of KINDS) {
    const match = pattern.exec(before);
    if (!match) continue;
    const found = await find(chat, ...match.slice(1).map((part) => part.toLowerCase()), place);
    return found.slice(0, SHOWN).map((one) => ({ ...one, start: match.index }));
  }
  return [];
}

const fits = (name, part) => name.toLowerCase().startsWith(part) || name.toLowerCase().includes(` ${part}`);

/** The channels whose subscribers were asked for, each with the queue of that time. */
const asked = new Set();

/** Ask once who reads a channel; what is offered follows when it is known. */
async function askForSubscribers(/** @type {Chat} */ chat, channelId) {
  const question = `${chat.queueId} ${channelId}`;
  if (asked.has(question)) return;
  asked.add(question);
  const answer = await call("GET", `streams/${channelId}/members`).catch(() => null);
  if (answer) chat.subscribers.set(channelId, new Set(answer.subscribers));
  chat.changed();
}

/** How near people are: first those who spoke here, the last one before others, then those who read here. */
function nearness(/** @type {Chat} */ chat, /** @type {Place} */ { channelId = 0, topic, people }) {
  if (!people && !chat.subscribers.has(channelId)) askForSubscribers(chat, channelId);
  const near = new Map([...(people ?? chat.subscribers.get(channelId) ?? [])].map((id) => [id, 0]));
  const here = Narrow.at({ channelId, topic, people });
  for (const message of chat.messages.values())
    if (message.sender_id !== chat.me && here.matches(message, chat.me))
      near.set(message.sender_id, Math.max(message.id, near.get(message.sender_id) ?? 0));
  return (id) => near.get(id) ?? -1;
}

/** Names after an `@`, and an underscore or nothing. @param {Chat} chat */
function findPeople(chat, silent, part, place) {
  const near = nearness(chat, place);
  const people = [...chat.people.values()].filter((one) => one.is_active && fits(one.full_name, part));
  const namesakes = Map.groupBy(people, (one) => one.full_name);
  const idOf = ({ full_name, user_id }) => (namesakes.get(full_name)?.length === 1 ? "" : `|${user_id}`);
  const groups = chat.groups.filter(
    (one) => !one.is_system_group && !one.deactivated && fits(one.name, part),
  );
  const wildcards = ["all", "topic"].filter((name) => fits(name, part));
  return [
    ...people
      .sort((a, b) => near(b.user_id) - near(a.user_id) || a.full_name.localeCompare(b.full_name))
      .map((one) => ({ insert: `@${silent}**${one.full_name}${idOf(one)}**`, shown: one.full_name })),
    ...groups.map((one) => ({ insert: `@${silent}*${one.name}*`, shown: `@${one.name}` })),
    ...wildcards.map((name) => ({ insert: `@${silent}**${name}**`, shown: `@${name}` })),
  ];
}

function findChannels(/** @type {Chat} */ chat, part) {
  return chat.openChannels
    .filter((one) => fits(one.name, part))
    .sort((a, b) => Number(chat.subscribed.has(b.stream_id)) - Number(chat.subscribed.has(a.stream_id)))
    .map(({ name }) => ({ insert: `#**${name}**`, shown: `#${name}`, part: `#**${name}>` }));
}

async function findTopics(/** @type {Chat} */ chat, channelName, part) {
  const channel = [...chat.channels.values()].find((one) => one.name.toLowerCase() === channelName);
  if (!channel) return [];
  const topics = await chat.topics.load(channel.stream_id).catch(() => chat.topics.of(channel.stream_id));
  return topics
    .filter(({ name }) => fits(name, part))
    .map(({ name }) => ({
      insert: `#**${channel.name}>${name}**`,
      shown: joined([`#${channel.name}`, name || t("topic.empty")], " › "),
    }));
}

async function findByName(/** @type {Chat} */ chat, part) {
  const found = await findEmoji(chat, part);
  return found
    .slice(0, SHOWN)
    .map((one) => ({ insert: `:${one.emoji_name}:`, shown: [emojiText(chat, one), ` ${one.emoji_name}`] }));
}
