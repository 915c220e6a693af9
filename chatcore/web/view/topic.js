/** The menu of the topic that is shown. */

import { POLICY } from "../model/chat.js";
import { Narrow } from "../model/narrow.js";
import { RESOLVED, mayDeleteTopic, mayMoveOut, mayRename, mayResolve } from "../model/rights.js";
import { addressOf } from "./message_actions.js";
import { call, copy, html, notices, report, sure, t } from "./kit.js";
import { Menu } from "./menu.js";

/** @param {{chat: Chat, id: number, topic: string, act: PageActions}} props */
export function TopicMenu({ chat, id, topic, act }) {
  const narrow = Narrow.at({ channelId: id, topic });
  const policy = chat.policyOf(id, topic);
  const set = (/** @type {number} */ value) => report(call("POST", "user_topics", { stream_id: id, topic, visibility_policy: value }));
  const isFollowed = policy === POLICY.FOLLOWED;
  const isMuted = chat.isMuted(id, topic);
  const mute = isMuted ? (chat.channels.get(id)?.is_muted ? POLICY.UNMUTED : POLICY.NONE) : POLICY.MUTED;
  const isResolved = topic.startsWith(RESOLVED);

  /** Run something with the newest message of the topic. @param {(message: any) => unknown} run */
  const withNewest = async (run) => {
    const newest = { anchor: "newest", num_before: 1, num_after: 0, narrow: narrow.forServer };
    const answer = await report(call("GET", "messages", { ...newest, allow_empty_topic_name: true, client_gravatar: false }));
    if (answer?.messages.length) await run(chat.remember(answer.messages[0]));
  };
  const resolve = () =>
    withNewest(async (message) => {
      const most = chat.state.max_topic_length;
      const wanted = isResolved ? topic.slice(RESOLVED.length) : RESOLVED + topic;
      const name = wanted.length > most ? `${wanted.slice(0, most - 3)}...` : wanted; // as the server cuts it
      const answer = await report(call("PATCH", `messages/${message.id}`, { topic: name, propagate_mode: "change_all" }));
      if (answer) act.goTo(id, name);
    });
  const all = { anchor: "newest", num_before: 5000, num_after: 0, narrow: narrow.forServer };
  const read = () => report(call("POST", "messages/flags/narrow", { ...all, op: "add", flag: "read" }));
  const remove = async () => {
    const answer = await report(call("POST", `streams/${id}/delete_topic`, { topic_name: topic }));
    if (answer) notices.show(t(answer.complete ? "topic.deleted" : "topic.delete_rest"));
  };
  const items = () => [
    { name: t(isFollowed ? "topic.unfollow" : "topic.follow"), run: () => set(isFollowed ? POLICY.NONE : POLICY.FOLLOWED) },
    { name: t(isMuted ? "topic.unmute" : "topic.mute"), run: () => set(mute) },
    { name: t("topic.read"), run: read },
    { name: t("topic.link"), run: () => copy(addressOf(chat, narrow)) },
    mayResolve(chat, id, topic) && { name: t(isResolved ? "topic.unresolve" : "topic.resolve"), run: resolve },
    (mayRename(chat, id) || mayMoveOut(chat, id)) && {
      name: t("topic.move"),
      run: () => withNewest((message) => act.show("Move", { message, ofTopic: true })),
    },
    mayDeleteTopic(chat, id) && {
      name: t("topic.delete"),
      run: () => sure(t("topic.delete_sure", { topic }), t("topic.delete"), remove),
    },
  ];
  return html`<${Menu} label=${t("topic.menu")} items=${items} />`;
}
