/** Narrows: which messages a page shows. The address of the page has them after `#narrow/`. */

import { own } from "./own.js";
import { directKey, isMention, keyOf, placeOf } from "./places.js";

/** A part of an address, in the encoding of links in messages. */
const encodePart = (text) =>
  encodeURIComponent(text).replace(/[%.!'()*]/g, (sign) =>
    sign === "%" ? "." : `.${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export function decodePart(part) {
  try {
    return decodeURIComponent(part.replace(/\.(?=[0-9A-Fa-f]{2})/g, "%"));
  } catch {
    return part;
  }
}

const IDS = /^\d+(?:,\d+)*/;
/** Operators whose operand is an id, or several. */
const ONE = ["channel", "sender", "with", "near"];
const SEVERAL = ["dm", "dm-including"];

/** Operators that say where messages are. */
const PLACES = ["channel", "topic", "dm", "with"];

export const isPlace = (/** @type {Term} */ { operator, negated }) => !negated && PLACES.includes(operator);

/** Terms with all messages of some places. */
const VIEWS = ["in:all", "in:home", "is:dm"];

/** Other words for operators. */
export const OTHER_WORDS = new Map(
  Object.entries({
    stream: "channel",
    subject: "topic",
    "pm-with": "dm",
    "group-pm-with": "dm-including",
    from: "sender",
  }),
);

/** The messages of a narrow: a list of terms, each of which a message has to fulfil. */
export class Narrow {
  constructor(/** @type {Term[]} */ terms) {
    this.terms = terms;
    const operand = (operator) => terms.find((term) => term.operator === operator && !term.negated)?.operand;
    const idOf = (operator) => [operand(operator)].find((one) => typeof one === "number");
    const [topic, people] = [operand("topic"), operand("dm")];
    this.channelId = idOf("channel");
    this.topic = topic === undefined ? undefined : String(topic);
    this.people = Array.isArray(people) ? people : undefined;
    /** @type {Place} */ this.place = { channelId: this.channelId, topic: this.topic, people: this.people };
    /** Whether its messages are one conversation: all of one topic, or among the same people. */
    this.isConversation =
      (this.channelId !== undefined && this.topic !== undefined) || this.people !== undefined;
    /** The id of the message that a link leads to. */
    this.near = idOf("near");
    /** The terms that the server evaluates; `near` says only where to begin. */
    this.forServer = terms.filter((term) => term.operator !== "near");
    /** Whether it has all messages of a place: then messages can be written there. */
    this.isWhole = this.forServer.length > 0 && this.forServer.every(isPlace);
    /** Whether others may be between its messages. */
    this.hasGaps = this.forServer.some(
      (one) => !isPlace(one) && !VIEWS.includes(`${one.operator}:${one.operand}`),
    );
    this.hasWords = terms.some((term) => term.operator === "search");
    this.key = JSON.stringify(this.forServer.map((term) => [term.operator, term.operand, !!term.negated]));
  }

  /** @param {...[string, Term["operand"]]} pairs */
  static of(...pairs) {
    return new Narrow(pairs.map(([operator, operand]) => ({ operator, operand })));
  }

  /** Return the narrow of a conversation, or of a whole channel. @param {Place} place */
  static at({ channelId = 0, topic, people }) {
    if (people) return Narrow.of(["dm", people.toSorted((a, b) => a - b)]);
    return topic === undefined
      ? Narrow.of(["channel", channelId])
      : Narrow.of(["channel", channelId], ["topic", topic]);
  }

  /** Return the narrow that begins at a message. */
  from = (id) => new Narrow([...this.terms, { operator: "near", operand: id }]);

  /** Return the narrow of an address, or null if it is none. @param {string} hash */
  static parse(hash) {
    const [kind, ...parts] = hash.replace(/^#/, "").split("/");
    if (kind !== "narrow") return null;
    /** @type {Term[]} */ const terms = [];
    for (let at = 0; at < parts.length; at += 2) {
      const word = decodePart(parts[at]).replace(/^-/, "");
      const operator = OTHER_WORDS.get(word) ?? word;
      const text = decodePart(parts[at + 1] ?? "");
      const ids = IDS.exec(text)?.[0].split(",").map(Number);
      const operand = ids && ONE.includes(operator) ? ids[0] : ids && SEVERAL.includes(operator) ? ids : text;
      if (word) terms.push({ operator, operand, ...(parts[at].startsWith("-") && { negated: true }) });
    }
    return new Narrow(terms);
  }

  hash(channelName) {
    const parts = this.terms.map(({ operator, operand, negated }) => {
      let text = String(operand);
      if (Array.isArray(operand)) text += operand.length > 1 ? "-group" : "-dm";
      if (operator === "channel" && typeof operand === "number")
        text += `-${channelName(operand).replace(/ /g, "-")}`;
      return `${negated ? "-" : ""}${operator}/${encodePart(text)}`;
    });
    return `#narrow/${parts.join("/")}`;
  }

  /** Whether it has a new message; null if unknown here. @param {Message} message @param {number} me */
  matches(message, me) {
    const results = this.forServer.map(({ operator, operand, negated }) => {
      const one = own(TESTS, operator)?.(operand, message, me) ?? null;
      return one === null ? null : one !== !!negated;
    });
    if (results.includes(false)) return false;
    return results.includes(null) ? null : true;
  }
}

/** @type {Record<string, (operand: any, message: Message, me: number) => boolean | null>} */
const TESTS = {
  channel: (operand, { stream_id }) => (typeof operand === "number" ? stream_id === operand : null),
  topic: (operand, { stream_id, subject }) =>
    stream_id !== undefined && subject.toLowerCase() === operand.toLowerCase(),
  dm: (operand, message, me) =>
    Array.isArray(operand) ? keyOf(placeOf(message, me)) === directKey(operand) : null,
  sender: (operand, { sender_id }) => (typeof operand === "number" ? sender_id === operand : null),
  in: (operand) => (operand === "all" ? true : null),
  is(operand, message) {
    const { stream_id, flags } = message;
    if (operand === "dm" || operand === "private") return stream_id === undefined;
    if (operand === "mentioned") return isMention(message);
    if (operand === "starred") return flags.has("starred");
    return operand === "unread" ? !flags.has("read") : null;
  },
};
