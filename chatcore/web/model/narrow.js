/**
 * Narrows: which messages a page shows. The address of the page has them after `#narrow/`.
 *
 * @typedef {{operator: string, operand: string | number | number[], negated?: boolean}} Term
 */

/** @param {string} text @returns {string} a part of an address, in the encoding of links in messages */
function encodePart(text) {
  return encodeURIComponent(text)
    .replace(/[.!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%/g, ".");
}

/** @param {string} part */
export function decodePart(part) {
  try {
    return decodeURIComponent(part.replace(/\.(?=[0-9A-Fa-f]{2})/g, "%"));
  } catch {
    return part;
  }
}

const IDS = /^\d+(?:,\d+)*/;
/** Operators whose operand is an id, or several. */
const ONE = new Set(["channel", "sender", "with", "near"]);
const SEVERAL = new Set(["dm", "dm-including"]);

/** Other words for operators. */
export const OTHER_WORDS = new Map([
  ["stream", "channel"],
  ["subject", "topic"],
  ["pm-with", "dm"],
  ["group-pm-with", "dm-including"],
  ["from", "sender"],
]);

/** The messages of a narrow: a list of terms, each of which a message has to fulfil. */
export class Narrow {
  /** @param {Term[]} terms */
  constructor(terms) {
    this.terms = terms;
    const operand = (/** @type {string} */ operator) => terms.find((term) => term.operator === operator && !term.negated)?.operand;
    const idOf = (/** @type {string} */ operator) => /** @type {number | undefined} */ (Number.isInteger(operand(operator)) ? operand(operator) : undefined);
    const [topic, people] = [operand("topic"), operand("dm")];
    this.channelId = idOf("channel");
    this.topic = topic === undefined ? undefined : String(topic);
    this.people = Array.isArray(people) ? people : undefined;
    /** Whether its messages are one conversation: all of one topic, or among the same people. */
    this.isConversation = (this.channelId !== undefined && this.topic !== undefined) || this.people !== undefined;
    /** The id of the message that a link leads to. */
    this.near = idOf("near");
    /** The terms that the server evaluates; `near` says only where to begin. */
    this.forServer = terms.filter((term) => term.operator !== "near");
    this.words = terms.filter((term) => term.operator === "search").map((term) => String(term.operand));
  }

  /** @param {...[string, Term["operand"]]} pairs */
  static of(...pairs) {
    return new Narrow(pairs.map(([operator, operand]) => ({ operator, operand })));
  }

  /** Return the narrow of a conversation, or of a whole channel. @param {Place} place */
  static at({ channelId = 0, topic, people }) {
    if (people) return Narrow.of(["dm", people.toSorted((a, b) => a - b)]);
    return topic === undefined ? Narrow.of(["channel", channelId]) : Narrow.of(["channel", channelId], ["topic", topic]);
  }

  /** Return the narrow that begins at a message. @param {number} id */
  from(id) {
    return new Narrow([...this.terms, { operator: "near", operand: id }]);
  }

  /** Return the narrow of an address, or null if it is none. @param {string} hash */
  static parse(hash) {
    const [kind, ...parts] = hash.replace(/^#/, "").split("/");
    if (kind !== "narrow") return null;
    /** @type {Term[]} */
    const terms = [];
    for (let at = 0; at < parts.length; at += 2) {
      const word = decodePart(parts[at]).replace(/^-/, "");
      if (!word) continue;
      const operator = OTHER_WORDS.get(word) ?? word;
      const text = decodePart(parts[at + 1] ?? "");
      /** @type {Term} */
      const term = { operator, operand: text };
      const ids = IDS.exec(text)?.[0];
      if (ONE.has(operator) && ids) term.operand = Number.parseInt(ids, 10);
      if (SEVERAL.has(operator) && ids) term.operand = ids.split(",").map(Number);
      if (parts[at].startsWith("-")) term.negated = true;
      terms.push(term);
    }
    return new Narrow(terms);
  }

  get key() {
    return JSON.stringify(this.forServer.map(({ operator, operand, negated }) => [operator, operand, !!negated]));
  }

  /** @param {(id: number) => string} channelName */
  hash(channelName) {
    return `#narrow/${this.terms
      .map(({ operator, operand, negated }) => {
        let text = Array.isArray(operand) ? `${operand.join(",")}-${operand.length > 1 ? "group" : "dm"}` : String(operand);
        if (operator === "channel" && typeof operand === "number") text = `${operand}-${channelName(operand).replace(/ /g, "-")}`;
        return `${negated ? "-" : ""}${operator}/${encodePart(text)}`;
      })
      .join("/")}`;
  }

  /** Whether a new message belongs to the narrow; null if only the server can tell. @param {Message} message @param {number} me */
  matches(message, me) {
    /** @type {boolean | null} */
    let result = true;
    for (const term of this.forServer) {
      const one = TESTS[term.operator]?.(term.operand, message, me) ?? null;
      if (one === null) result = result && null;
      else if (one === !!term.negated) return false;
    }
    return result;
  }
}

/** @type {Record<string, (operand: any, message: Message, me: number) => boolean | null>} */
const TESTS = {
  channel: (operand, message) => (typeof operand === "number" ? message.stream_id === operand : null),
  topic: (operand, message) => message.stream_id !== undefined && message.subject.toLowerCase() === operand.toLowerCase(),
  dm: (operand, message, me) => (Array.isArray(operand) ? message.stream_id === undefined && sameIds(message.people(me), operand) : null),
  sender: (operand, message) => (typeof operand === "number" ? message.sender_id === operand : null),
  is: (operand, message) => {
    const flags = message.flags;
    if (operand === "dm" || operand === "private") return message.stream_id === undefined;
    if (operand === "mentioned") return flags.has("mentioned") || flags.has("wildcard_mentioned");
    if (operand === "starred") return flags.has("starred");
    if (operand === "unread") return !flags.has("read");
    return null;
  },
  in: (operand) => (operand === "all" ? true : null),
};

/** @param {number[]} one @param {number[]} other */
function sameIds(one, other) {
  return one.length === other.length && one.every((id) => other.includes(id));
}

// Keys of conversations: texts that name a topic of a channel, or the people of direct messages.

/** @param {number | undefined} channelId @param {string} topic */
export const topicKey = (channelId, topic) => `${channelId}:${topic.toLowerCase()}`;

/** @param {number[]} people @param {number} [me] who is left out, if there are others */
export function directKey(people, me) {
  const others = people.filter((id) => id !== me);
  return `dm:${(others.length ? others : people).toSorted((a, b) => a - b).join(",")}`;
}

/** The key of a conversation; that of the empty topic for a channel. @param {Place} place */
export const keyOf = ({ channelId, topic = "", people }) => (people ? directKey(people) : topicKey(channelId, topic));

/** @param {string} key @returns {[number | null, string]} the channel, or null, and the topic or the people */
export function splitKey(key) {
  const at = key.indexOf(":");
  return key.startsWith("dm:") ? [null, key.slice(3)] : [Number(key.slice(0, at)), key.slice(at + 1)];
}
