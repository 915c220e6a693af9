/**
 * What the browser keeps of a person, to be read without a connection: the state of the organization, and the
 * ends of the lists that were shown last. Browsers have no stores without TLS.
 */

export const HOME = new URL(".", document.baseURI).href;
const [LISTS, MESSAGES] = [30, 50];
const NOTED_FOR = 10_000;
const addressOf = (/** @type {Narrow} */ narrow) => `list?${encodeURIComponent(narrow.key)}`;
const nameFor = (me) => `${HOME} kept ${me}`;

/** The names of the stores of this client; others may have the same origin. */
export const findStores = async (kind = "") =>
  (globalThis.caches ? await caches.keys() : []).filter((name) => name.startsWith(`${HOME} ${kind}`));

/** Forget what is kept of other people. @param {number} me */
export async function forgetOthers(me) {
  for (const one of await findStores("kept")) if (one !== nameFor(me)) await caches.delete(one);
}

/** Keep the state that the server has answered with. @param {State} state */
export async function keepState(state) {
  const kept = new Response(JSON.stringify({ state, time: Date.now() / 1000 }));
  await (await globalThis.caches?.open(nameFor(state.user_id)))?.put("state", kept);
}

let noted = 0;

/** Keep the time of an answer, unless that of one shortly before is kept. @param {number} me */
export async function noteAnswer(me) {
  if (Date.now() - noted < NOTED_FOR || !(await findStores("kept")).includes(nameFor(me))) return;
  noted = Date.now();
  await (await caches.open(nameFor(me))).put("time", new Response(`${noted / 1000}`));
}

/** Keep the end of a list of the server, unless the session has ended. @param {MessageList} list */
export async function keepList({ chat, narrow, messages, isLoaded, isKept }) {
  if (!isLoaded || isKept || !(await findStores("kept")).includes(nameFor(chat.me))) return;
  const store = await caches.open(nameFor(chat.me));
  const end = messages.slice(-MESSAGES).map((one) => ({ ...one, flags: [...one.flags] }));
  await store.delete(addressOf(narrow)); // the newest is last
  await store.put(addressOf(narrow), new Response(JSON.stringify(end)));
  const lists = (await store.keys()).filter(({ url }) => url.includes("list?"));
  await Promise.all(lists.slice(0, -LISTS).map((one) => store.delete(one)));
}

/** @returns {Promise<any>} */
const read = async (address, cacheName) =>
  cacheName && (await globalThis.caches?.match(address, { cacheName }))?.json();

/** The state that is kept, if there is one, with the `time` in seconds when the server answered last. */
export async function keptState() {
  const [name] = await findStores("kept");
  const [kept, time = 0] = await Promise.all([read("state", name), read("time", name)]);
  return kept && { ...kept, time: Math.max(kept.time, time) };
}

/** The messages that are kept of a list. @param {MessageList} list @returns {Promise<Message[]>} */
export const keptMessages = async ({ chat, narrow }) =>
  (await read(addressOf(narrow), nameFor(chat.me))) ?? [];
