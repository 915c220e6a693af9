/** The titles of pages and narrows. */

import { own } from "../model/own.js";
import { joined, t } from "../text/text.js";

/**
 * The pages beside the lists of messages, by their addresses.
 *
 * @satisfies {Record<string, {title: TextName, icon: string}>}
 */
export const PAGES = {
  inbox: { title: "nav.inbox", icon: "inbox" },
  recent: { title: "nav.recent", icon: "clock" },
  direct: { title: "nav.direct", icon: "messages-square" },
  channels: { title: "nav.channels", icon: "hash" },
  people: { title: "nav.people", icon: "users" },
  groups: { title: "nav.groups", icon: "users-round" },
  organization: { title: "nav.organization", icon: "building" },
  drafts: { title: "nav.drafts", icon: "file-text" },
  later: { title: "nav.later", icon: "alarm-clock" },
  settings: { title: "settings.title", icon: "settings" },
};

/** @type {Record<string, TextName>} */
const VIEWS = {
  "in:all": "nav.all",
  "is:mentioned": "nav.mentions",
  "is:starred": "nav.starred",
  "is:followed": "nav.followed",
  "is:dm": "nav.direct",
};

/** The name of the view of all messages that fulfil a term, if it has one. @param {Term} term */
export const nameOf = ({ operator, operand, negated }) => {
  const view = !negated && VIEWS[`${operator}:${operand}`];
  return view && t(view);
};

/** @param {Chat} chat @param {Narrow | null} narrow @param {string} page @returns {string} */
export function titleOf(chat, narrow, page) {
  if (!narrow) return t(PAGES[page].title);
  const { channelId, topic, people } = narrow;
  const names = {
    search: (operand) => `“${operand}”`,
    sender: (operand) => typeof operand === "number" && chat.name(operand),
  };
  const parts = [
    channelId !== undefined && `#${chat.channelName(channelId)}`,
    topic !== undefined && (topic || t("topic.empty")),
    people && chat.names(people),
    ...narrow.forServer.map((term) => own(names, term.operator)?.(term.operand) ?? nameOf(term)),
  ];
  return joined(parts.filter(Boolean), " › ") || t("nav.all");
}
