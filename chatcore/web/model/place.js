/** Keys of conversations: texts that name a topic of a channel, or the people of direct messages. */

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
