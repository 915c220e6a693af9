/** The titles of pages and narrows. */

import { own } from "../model/own.js";
import { joined } from "../text/direction.js";
import { t } from "../text/text.js";

/** The pages beside the lists of messages, by their addresses. @satisfies {Record<string, TextName>} */
export const PAGES = {
  inbox: "nav.inbox",
  recent: "nav.recent",
  channels: "nav.channels",
  people: "nav.people",
  groups: "nav.groups",
  organization: "nav.organization",
  drafts: "nav.drafts",
  settings: "settings.title",
};

/** @type {Record<keyof typeof PAGES, string>} */
export const PAGE_ICONS = {
  inbox: "inbox",
  recent: "clock",
  channels: "hash",
  people: "users",
  groups: "users-round",
  organization: "building",
  drafts: "file-text",
  settings: "settings",
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
  if (!narrow) return t(PAGES[page]);
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
