/** Terms of a search: as pills, and what completes one that is being written. */

import { find, fold } from "../../model/search.js";
import { own } from "../../model/own.js";
import { Avatar, Icon, Mark, html, t } from "../kit.js";
import { nameOf } from "../titles.js";

const MOST = 6;
/** An operator at the end of a text, and the beginning of its value, which may have spaces. */
const WRITTEN = /(?<=^|\s)(-?)([a-z]+):"?([^":]*)$/;
/** The beginning of an operator at the end. */
const BEGUN = /(?<=^|\s)([a-z]*)$/;
const HAS = ["link", "image", "attachment", "reaction"];
const IS = ["unread", "starred", "mentioned", "followed", "resolved", "dm", "alerted"];

const plain = (values, operator) => () =>
  values.map((one) => ({
    name: one,
    term: { operator, operand: one },
    mark: () => html`<${Icon} name="search" />`,
  }));

const peopleFor = (operator, operand) => (/** @type {Chat} */ chat) =>
  [...chat.people.values()].map((person) => ({
    name: person.full_name,
    term: { operator, operand: operand(person.user_id) },
    mark: () => html`<${Avatar} person=${person} kind="small" />`,
  }));

/**
 * The operators, in the order in which they are offered, and their values.
 *
 * @typedef {{name: string, term: Term, mark: () => unknown}} Value
 * @type {Record<string, (chat: Chat, pills: Term[]) => Value[]>}
 */
const OPERATORS = {
  from: peopleFor("sender", (id) => id),
  channel: (chat) =>
    [...chat.channels.values()].map((channel) => ({
      name: channel.name,
      term: { operator: "channel", operand: channel.stream_id },
      mark: () => html`<${Mark} channel=${channel} />`,
    })),
  topic: (chat, pills) => {
    const here = pills.find((one) => one.operator === "channel")?.operand;
    const names = chat.topics.all.flatMap(([id, those]) =>
      here === undefined || here === id ? those.map((one) => one.name) : [],
    );
    return plain([...new Set(names)].filter(Boolean), "topic")();
  },
  has: plain(HAS, "has"),
  is: plain(IS, "is"),
  dm: peopleFor("dm", (id) => [id]),
};

/**
 * What completes the end of a text: values of an operator, which become a pill (`term`), or operators, which
 * are written (`text`); `isWhole` says that the value is there already.
 *
 * @param {Chat} chat
 * @param {string} text
 * @param {Term[]} pills
 * @returns {{key: string, name: string, mark: () => unknown, text: string, isWhole?: boolean,
 *   term?: Term}[]}
 */
export function completionsOf(chat, text, pills) {
  const written = WRITTEN.exec(text);
  if (written) {
    const [all, sign, operator, part] = written;
    /** @type {Value[]} */ const values = own(OPERATORS, operator)?.(chat, pills) ?? [];
    const findable = values.map((one) => ({ ...one, folded: fold(one.name), weight: 0 }));
    const rest = text.slice(0, -all.length);
    return find(findable, part, MOST).map(({ name, mark, term }) => ({
      key: `${operator} ${JSON.stringify(term.operand)}`,
      name,
      mark,
      text: rest,
      isWhole: fold(name) === fold(part),
      term: { ...term, ...(sign && { negated: true }) },
    }));
  }
  const [begun] = BEGUN.exec(text) ?? [];
  if (begun === undefined || (text && !begun)) return [];
  return Object.keys(OPERATORS)
    .filter((one) => one.startsWith(begun))
    .map((one) => ({
      key: one,
      name: `${one}:`,
      mark: () => html`<${Icon} name="search" />`,
      text: `${text.slice(0, text.length - begun.length)}${one}:`,
    }));
}

/** A term as people read it. @param {Chat} chat @param {Term} term @returns {string} */
export function pillOf(chat, term) {
  const { operator, operand, negated } = term;
  const ids = Array.isArray(operand) ? operand : [operand];
  const isNamed = ids.every((one) => typeof one === "number");
  const names = {
    channel: () => `#${isNamed ? chat.channelName(operand) : operand}`,
    topic: () => `› ${operand || t("topic.empty")}`,
    dm: () => (isNamed ? chat.names(ids) : String(operand)),
    search: () => String(operand),
    sender: () => `from: ${isNamed ? chat.names(ids) : operand}`,
  };
  const name =
    own(names, operator)?.() ?? (nameOf(term) || `${operator}: ${isNamed ? chat.names(ids) : operand}`);
  return negated ? `− ${name}` : name;
}
