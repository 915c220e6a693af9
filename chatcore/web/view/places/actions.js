/** All that can be done with a place: one table for the head of a conversation and the menus at the side. */

import { POLICY } from "../../model/chat.js";
import { Narrow } from "../../model/narrow.js";
import { RESOLVED, isGuest } from "../../model/rights.js";
import { mayDeleteTopic, mayMoveOut, mayRename, mayResolve, rightsIn } from "../../model/rights.js";
import { asking, call, callMessages, copy, notices, report, sure, t } from "../kit.js";
import { addressOf, move } from "../messages/actions.js";

/** As many as the server marks at once. */
const MOST = 5000;

/** @typedef {import("../kit/menu.js").Item} Item */

/** @param {TextName} name @param {() => void} run @returns {Item} */
const item = (name, run) => ({ name: t(name), run });

/**
 * The actions of a channel, a topic or a direct conversation, as far as the reader may.
 *
 * @param {Chat} chat
 * @param {Place} place
 * @param {PageActions} act
 * @returns {Item[]}
 */
export function placeItems(chat, place, act) {
  const { channelId = 0, topic } = place;
  const link = linkItem(chat, Narrow.at(place), topic === undefined ? "action.link" : "topic.link");
  if (chat.keptAt) return [link]; // the others need the server
  const read = item("topic.read", () => markRead(chat, place));
  if (place.people) return [read, link, ...personItems(chat, place.people)];
  if (topic !== undefined) return topicItems(chat, channelId, topic, act, [read, link]);
  const channel = chat.channels.get(channelId);
  return channel ? [read, link, ...channelItems(chat, channel)] : [];
}

/** Mark all messages of a place as read, or all there are; a notice undoes it. @param {Chat} chat */
export async function markRead(chat, /** @type {Place | null} */ place = null) {
  const before = chat.unread.idsAt(place ?? {});
  const narrow = [...(place ? Narrow.at(place).forServer : []), { operator: "is", operand: "unread" }];
  const range = { anchor: "newest", num_before: MOST, num_after: 0, narrow, op: "add", flag: "read" };
  let answer;
  do answer = await report(call("POST", "messages/flags/narrow", range));
  while (answer && !answer.found_oldest);
  if (answer) notices.show(t("topic.read_done"), before.length ? () => markUnread(chat, before) : undefined);
}

/** @param {Chat} chat @param {number[]} ids */
async function markUnread(chat, ids) {
  const those = new Set(ids);
  const shown = [...chat.lists].filter((list) => list.ids.some((id) => those.has(id)));
  for (const list of shown) list.keepsUnread = true; // what is on the screen, too
  for (let at = 0; at < ids.length; at += MOST)
    await call("POST", "messages/flags", { messages: ids.slice(at, at + MOST), op: "remove", flag: "read" });
}

/** @param {Chat} chat @param {Narrow} narrow @param {TextName} name */
const linkItem = (chat, narrow, name) => item(name, () => copy(addressOf(chat, narrow)));

/** Change a property of the reader's subscription. @param {Channel} channel @param {string} property */
export const setPersonal = ({ stream_id }, property, value) =>
  report(
    call("POST", "users/me/subscriptions/properties", {
      subscription_data: [{ stream_id, property, value }],
    }),
  );

/** @param {Chat} chat @param {Channel} channel @returns {Item[]} */
function channelItems(chat, channel) {
  const { stream_id: id, is_muted, pin_to_top } = channel;
  const isIn = chat.subscribed.has(id);
  const change = subscription(chat, channel);
  return [
    isIn && item(is_muted ? "topic.unmute" : "topic.mute", () => setPersonal(channel, "is_muted", !is_muted)),
    isIn &&
      item(pin_to_top ? "channel.unpin" : "channel.pin", () =>
        setPersonal(channel, "pin_to_top", !pin_to_top),
      ),
    item("channel.settings", () => (location.hash = `#channels/${id}`)),
    change && { name: change[0], run: change[1] },
  ];
}

/**
 * Add people to a channel, or remove them: the reader, if nobody is named.
 *
 * @param {"POST" | "DELETE"} method
 * @param {{ name: string } | string} channel to add, or the name alone to remove
 * @param {number[]} [principals]
 */
export const changeSubscribers = (method, channel, principals) =>
  call(method, "users/me/subscriptions", { subscriptions: [channel], principals });

/**
 * The button with which the reader joins a channel, or leaves it: its text, and what it does.
 *
 * @param {Chat} chat
 * @param {Channel} channel
 * @returns {[string, () => void] | null}
 */
export function subscription(chat, channel) {
  const { name } = channel;
  const join = () => changeSubscribers("POST", { name });
  if (!chat.subscribed.has(channel.stream_id))
    return rightsIn(chat, channel).joins && !channel.is_archived
      ? [t("channel.join"), () => report(join())]
      : null;
  const [text, leave] = [t("channel.leave"), () => changeSubscribers("DELETE", name)];
  const left = () => notices.show(t("channel.left", { name }), join);
  return channel.invite_only || isGuest(chat)
    ? asking(text, t("channel.leave_sure", { name }), leave)
    : [text, () => report(leave().then(left))];
}

/** Whether the reader has muted a person. @param {Chat} chat @param {number} id */
export const isMutedPerson = (chat, id) => chat.state.muted_users.some((one) => one.id === id);

/** Mute a person, or no longer. @param {Chat} chat @param {number} id */
export const mutePerson = (chat, id) =>
  report(call(isMutedPerson(chat, id) ? "DELETE" : "POST", `users/me/muted_users/${id}`));

/** @param {Chat} chat @param {number[]} people @returns {Item[]} */
function personItems(chat, [id, ...others]) {
  if (others.length) return [];
  const isMuted = isMutedPerson(chat, id);
  return [
    item("person.profile", () => (location.hash = `#people/${id}`)),
    id !== chat.me && item(isMuted ? "topic.unmute" : "person.mute", () => mutePerson(chat, id)),
  ];
}

const changePolicy = (id, topic, value) =>
  call("POST", "user_topics", { stream_id: id, topic, visibility_policy: value });

const setPolicy = (id, topic, value) => report(changePolicy(id, topic, value));

/** Follow a topic, or no longer. @param {Chat} chat */
export const follow = (chat, id, topic) =>
  setPolicy(id, topic, isFollowed(chat, id, topic) ? POLICY.NONE : POLICY.FOLLOWED);

/** @param {Chat} chat */
export const isFollowed = (chat, id, topic) => chat.policyOf(id, topic) === POLICY.FOLLOWED;

/** Mute a topic, or no longer. @param {Chat} chat */
export async function muteTopic(chat, id, topic) {
  const before = chat.policyOf(id, topic);
  if (chat.isMuted(id, topic))
    return setPolicy(id, topic, chat.channels.get(id)?.is_muted ? POLICY.UNMUTED : POLICY.NONE);
  if (!(await setPolicy(id, topic, POLICY.MUTED))) return;
  const text = t("topic.muted", { topic: topic || t("topic.empty") });
  notices.show(text, () => changePolicy(id, topic, before));
}

/** @param {Chat} chat @param {PageActions} act @param {Item[]} others @returns {Item[]} */
function topicItems(chat, id, topic, act, others) {
  const narrow = Narrow.at({ channelId: id, topic });
  const newest = { anchor: "newest", num_before: 1, num_after: 0, narrow: narrow.forServer };
  /** Run something with the newest message of the topic. */
  const withNewest = async (run) => {
    const answer = await report(callMessages(newest));
    if (answer?.messages.length) await run(chat.remember(answer.messages[0]));
  };
  const remove = async () => {
    const answer = await report(call("POST", `streams/${id}/delete_topic`, { topic_name: topic }));
    if (answer) notices.show(t(answer.complete ? "topic.deleted" : "topic.delete_rest"));
  };
  const isResolved = topic.startsWith(RESOLVED);
  const resolve = async (message) => {
    const most = chat.state.max_topic_length;
    const wanted = isResolved ? topic.slice(RESOLVED.length) : RESOLVED + topic;
    const name = wanted.length > most ? `${wanted.slice(0, most - 3)}...` : wanted; // as the server cuts it
    const did = t(isResolved ? "topic.unresolved" : "topic.resolved", { topic: topic.replace(RESOLVED, "") });
    const [there, all] = [{ channelId: id, topic: name }, { propagate_mode: "change_all" }];
    if (
      (await report(move(chat, message, there, all, did, act.goTo).then(() => true))) &&
      Narrow.parse(location.hash)?.key === narrow.key
    )
      act.goTo(id, name);
  };
  return [
    item(isFollowed(chat, id, topic) ? "topic.unfollow" : "topic.follow", () => follow(chat, id, topic)),
    item(chat.isMuted(id, topic) ? "topic.unmute" : "topic.mute", () => muteTopic(chat, id, topic)),
    ...others,
    mayResolve(chat, id, topic) &&
      item(isResolved ? "topic.unresolve" : "topic.resolve", () => withNewest(resolve)),
    (mayRename(chat, id) || mayMoveOut(chat, id)) &&
      item("topic.move", () => withNewest((message) => act.show("Move", { message, ofTopic: true }))),
    mayDeleteTopic(chat, id) &&
      item("topic.delete", () => sure(t("topic.delete_sure", { topic }), t("topic.delete"), remove)),
  ];
}
