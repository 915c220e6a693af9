/** The topics of a channel. */

import { persist } from "../../api.js";
import { html, useLater } from "../kit.js";
import { POLICY } from "../../model/chat.js";
import { Narrow } from "../../model/narrow.js";
import { topicKey } from "../../model/places.js";
import { RESOLVED, mayDeleteTopic, mayMoveOut, mayRename, mayResolve } from "../../model/rights.js";
import { Menu, call, copy, html, notices, report, sure, t, useLater } from "../kit.js";
import { addressOf } from "./actions.js";

export function TopicMenu(/** @type {Props} */ { chat, id, topic, act }) {
  const narrow = Narrow.at({ channelId: id, topic });
  const policy = chat.policyOf(id, topic);
  const change = (value) => call("POST", "user_topics", { stream_id: id, topic, visibility_policy: value });
  const set = (value) => report(change(value));
  const isFollowed = policy === POLICY.FOLLOWED;
  const isMuted = chat.isMuted(id, topic);
  const mute = async () => {
    if (isMuted) return set(chat.channels.get(id)?.is_muted ? POLICY.UNMUTED : POLICY.NONE);
    const name = topic || t("topic.empty");
    if (await set(POLICY.MUTED)) notices.show(t("topic.muted", { topic: name }), () => change(policy));
  };
  const isResolved = topic.startsWith(RESOLVED);
  const newest = (count) => ({ anchor: "newest", num_before: count, num_after: 0, narrow: narrow.forServer });

  /** Run something with the newest message of the topic. */
  const withNewest = async (run) => {
    const answer = await report(
      call("GET", "messages", { ...newest(1), allow_empty_topic_name: true, client_gravatar: false }),
    );
    if (answer?.messages.length) await run(chat.remember(answer.messages[0]));
  };
  const resolve = async (message) => {
    const most = chat.state.max_topic_length;
    const wanted = isResolved ? topic.slice(RESOLVED.length) : RESOLVED + topic;
    const name = wanted.length > most ? `${wanted.slice(0, most - 3)}...` : wanted; // as the server cuts it
    if (await report(call("PATCH", `messages/${message.id}`, { topic: name, propagate_mode: "change_all" })))
      act.goTo(id, name);
  };
  const unread = (messages) => {
    if (act.list) act.list.keepsUnread = true; // what is on the screen, too
    return call("POST", "messages/flags", { messages, op: "remove", flag: "read" });
  };
  const read = async () => {
    const before = chat.unread.idsOf(topicKey(id, topic));
    const asked = call("POST", "messages/flags/narrow", { ...newest(5000), op: "add", flag: "read" });
    if (!(await report(asked))) return;
    notices.show(t("topic.read_done"), before.length ? () => unread(before) : undefined);
  };
  const remove = async () => {
    const answer = await report(call("POST", `streams/${id}/delete_topic`, { topic_name: topic }));
    if (answer) notices.show(t(answer.complete ? "topic.deleted" : "topic.delete_rest"));
  };
  const move = (message) => act.show("Move", { message, ofTopic: true });
  const items = () => [
    {
      name: t(isFollowed ? "topic.unfollow" : "topic.follow"),
      run: () => set(isFollowed ? POLICY.NONE : POLICY.FOLLOWED),
    },
    { name: t(isMuted ? "topic.unmute" : "topic.mute"), run: mute },
    { name: t("topic.read"), run: read },
    { name: t("topic.link"), run: () => copy(addressOf(chat, narrow)) },
    mayResolve(chat, id, topic) && {
      name: t(isResolved ? "topic.unresolve" : "topic.resolve"),
      run: () => withNewest(resolve),
    },
    (mayRename(chat, id) || mayMoveOut(chat, id)) && { name: t("topic.move"), run: () => withNewest(move) },
    mayDeleteTopic(chat, id) && {
      name: t("topic.delete"),
      run: () => sure(t("topic.delete_sure", { topic }), t("topic.delete"), remove),
    },
  ];
  return html`<${Menu} label=${t("topic.menu")} items=${items} />`;
}

/** Keep the topics of a channel loaded. @param {Chat} chat @param {number} channel */
export const useTopics = (chat, channel) =>
  useLater(
    () => persist(() => chat.topics.load(channel)),
    () => {},
    [channel, chat.topicChanges],
    () => {},
  );

/** The topics of a channel, for a field that names the *id* in `list`. */
export function TopicOptions({ id, chat, channel }) {
  useTopics(chat, channel);
  return html`<datalist id=${id}>
    ${chat.topics.of(channel).map(({ name }) => html`<option key=${name} value=${name}></option>`)}
    </datalist>`;
}
