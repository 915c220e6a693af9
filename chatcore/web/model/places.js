/**
 * Messages, where they are, and keys: texts that name a topic, or the people of direct messages; and where
 * the reader was last.
 */

import { glyph } from "../text/text.js";
import { keep } from "./written.js";

/** A message as an answer or an event has it: a new one, so that views see changes. @returns {Message} */
export const messageOf = (fields) => ({
  reactions: [],
  submessages: [],
  ...fields,
  flags: new Set(fields.flags),
});

export const isMention = ({ flags }) => flags.has("mentioned") || flags.has("wildcard_mentioned");

/**
 * The HTML of a text as nodes outside of the page. Styles become data, as the policy of the page, which
 * counts there too, refuses them as attributes.
 *
 * @param {string} content
 */
export function nodesOf(content) {
  const safe = content.replace(/<[^>]*>/g, (tag) => tag.replace(/ style="/g, ' data-style="'));
  return new DOMParser().parseFromString(safe, "text/html").body;
}

/** What is written between the parts of formulas that do not stand beside each other. */
const BETWEEN = { mfrac: "/", msup: "^", msub: "_", msubsup: "_^", munderover: "_^" };

/** Give the element of an emoji its character instead of its name. @param {Element} emoji */
export function draw(emoji) {
  const [, code] = /emoji-([0-9a-f-]+)/.exec(emoji.className) ?? [];
  if (code) emoji.textContent = glyph(code);
}

/** The content of a message without markup; formulas as they are read, in one line, and quotes as such. */
export function plainText({ content }) {
  const nodes = nodesOf(content);
  for (const one of nodes.querySelectorAll("span.emoji")) draw(one);
  for (const one of nodes.querySelectorAll("img")) one.replaceWith(one.alt);
  for (const one of nodes.querySelectorAll(".katex-html, annotation")) one.remove();
  for (const one of nodes.querySelectorAll("msqrt")) one.prepend("√");
  for (const one of nodes.querySelectorAll(Object.keys(BETWEEN).join()))
    [...one.children].forEach((part, at) => {
      if (part.children.length > 1) part.replaceChildren("(", ...part.childNodes, ")");
      part.after(BETWEEN[one.localName][at] ?? "");
    });
  for (const one of nodes.querySelectorAll("blockquote")) one.textContent = `“${one.textContent?.trim()}”`;
  return nodes.textContent?.trim() ?? "";
}

/** What a channel is about, without markup. @param {Channel} channel */
export const aboutOf = (channel) => plainText({ content: channel.rendered_description });

/** Those of some people who are not the reader; the reader, if there are no others. @returns {number[]} */
export function othersOf(people, me) {
  const others = people.filter((id) => id !== me);
  return others.length ? others : people;
}

/** The place of a message. @returns {Place} */
export function placeOf(/** @type {Message} */ { stream_id, subject, display_recipient }, me) {
  if (stream_id !== undefined) return { channelId: stream_id, topic: subject };
  const ids = /** @type {Api.DirectPersonObject[]} */ (display_recipient).map((one) => one.id);
  return { people: othersOf(ids, me) };
}

export const topicKey = (channelId, topic) => `${channelId}:${topic.toLowerCase()}`;

export function directKey(people, me) {
  const ids = othersOf(people, me).toSorted((a, b) => a - b);
  return `dm:${ids.join(",")}`;
}

/** The key of a conversation; that of the empty topic for a channel. */
export const keyOf = (/** @type {Place} */ { channelId, topic = "", people }) =>
  people ? directKey(people) : topicKey(channelId, topic);

/** The place that a key names; its topic is in small letters. @returns {Place} */
export function placeNamed(key) {
  const [channel, rest] = key.split(/:(.*)/s);
  return channel === "dm"
    ? { people: rest.split(",").map(Number) }
    : { channelId: Number(channel), topic: rest };
}

/** Places where the reader was last, which the browser keeps. */
const KEPT = 30;

const nameFor = (/** @type {Chat} */ chat) => chat.ownName("recent");
const isSame = (one, other) =>
  keyOf(one) === keyOf(other) && (one.topic === undefined) === (other.topic === undefined);

/** The places where the reader was last, the newest first. @param {Chat} chat @returns {Place[]} */
export function recentPlaces(chat) {
  try {
    return JSON.parse(localStorage.getItem(nameFor(chat)) ?? "[]");
  } catch {
    return [];
  }
}

/** Note that the reader is at a place. @param {Chat} chat @param {Place} place */
export function notePlace(chat, place) {
  const others = recentPlaces(chat).filter((one) => !isSame(one, place));
  keep(nameFor(chat), [place, ...others].slice(0, KEPT));
}
