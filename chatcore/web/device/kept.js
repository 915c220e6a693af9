/**
 * What the browser keeps of a person, to be read without a connection: the state of the organization, and the
 * ends of the lists that were shown last. Browsers have no stores without TLS.
 */

export const HOME = new URL(".", document.baseURI).href;
const [LISTS, MESSAGES] = [30, 50];
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

/** The state that is kept, with its `time` in seconds, if there is one. */
export const keptState = async () => read("state", (await findStores("kept"))[0]);

/** The messages that are kept of a list. @param {MessageList} list @returns {Promise<Message[]>} */
export const keptMessages = async ({ chat, narrow }) =>
  (await read(addressOf(narrow), nameFor(chat.me))) ?? [];
