/**
 * The service worker: the page without a connection, and notices while no page is open.
 * The server fills in the release and its files. All addresses of files name the release, so no page gets a
 * file of another one; a new worker waits until the pages of the old one are closed.
 */

const RELEASE = "{version}";
const FILES = "{files}".split(" ");
const HOME = new URL("./", location.href).href;
const FILES_AT = `${HOME}web/${RELEASE}/`;
/** How the names of the stores of all releases begin; other organizations may have the same origin. */
const SHELLS = `${HOME} shell `;
const SHELL = SHELLS + RELEASE;
/** In ms: after that, a page comes from the store; and a page has to answer. */
const [PATIENCE, ANSWERED] = [5_000, 500];
const { clients, registration } = /** @type {any} */ (self);

/** Do what a function returns a promise of, when an event comes. */
const when = (type, act) => addEventListener(type, (/** @type {any} */ event) => event.waitUntil(act(event)));

/** Store the page and its files. It fails as a whole, and is tried again by the browser. */
when("install", async () => {
  const page = await fetch(HOME, { cache: "no-cache" });
  if (!(await page.clone().text()).includes(`"web/${RELEASE}/main.js"`)) throw new Error("another release");
  const shell = await caches.open(SHELL);
  await shell.put(HOME, page);
  await shell.addAll(FILES.map((name) => FILES_AT + name));
});

when("activate", async () => {
  const others = (await caches.keys()).filter((name) => name.startsWith(SHELLS) && name !== SHELL);
  await Promise.all([...others.map((name) => caches.delete(name)), clients.claim()]);
});

const stored = (address) => caches.match(address, { cacheName: SHELL, ignoreVary: true });

/** The page as the server has it, or else as it is stored. */
async function findPage(request) {
  const signal = AbortSignal.timeout(PATIENCE);
  const page = await fetch(request, { signal }).catch(() => Response.error());
  return page.status > 0 && page.status < 500 ? page : ((await stored(HOME)) ?? page);
}

addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET") return; // as all answers of the API, left to the network
  if (mode === "navigate" && url.split("#")[0] === HOME) event.respondWith(findPage(event.request));
  else if (url.startsWith(FILES_AT)) event.respondWith(stored(url).then((file) => file ?? fetch(url)));
});

/** The windows with this client, the one that was used last first. */
const findWindows = async () =>
  (await clients.matchAll({ type: "window", includeUncontrolled: true })).filter(
    ({ url }) => url.split("#")[0] === HOME,
  );

/** Whether a window shows the conversation at a path. Its `url` may be the one that it began with. */
const shows = (path) => (window) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(resolve, ANSWERED, false);
    window.postMessage({ shows: path }, [port2]);
  });

/** Show the notice of a message, unless the reader sees the message. */
when("push", async (event) => {
  const { title, body, tag, path, time, message_id: id } = event.data.json();
  const visible = (await findWindows()).filter((one) => one.visibilityState === "visible");
  if ((await Promise.all(visible.map(shows(path)))).includes(true)) return;
  // A hidden page may have shown it, by a tag of its own.
  const same = (await registration.getNotifications()).find(({ data }) => data?.id === id);
  const [icon, timestamp] = [`${FILES_AT}icon-192.png`, time * 1000];
  const options = { body, icon, timestamp, tag: same?.tag ?? tag, renotify: !same, data: { id, path } };
  await registration.showNotification(title, options);
});

/** Go to the message in a window of the client, or in a new one. */
when("notificationclick", async ({ notification }) => {
  notification.close();
  const { path } = notification.data;
  const [window] = await findWindows();
  window?.postMessage({ open: path });
  await (window ? window.focus() : clients.openWindow(new URL(path, HOME).href));
});

const ask = async (path, options = {}) =>
  (await fetch(`${HOME}api/v1/${path}`, { ...options, headers: { "X-Chat-Page": "1" } })).json();

/** Give the server a new address for notices, as the browser's old one has expired. */
when("pushsubscriptionchange", async () => {
  const { public_key: applicationServerKey } = await ask("web_push");
  if (!applicationServerKey) return;
  const options = { userVisibleOnly: true, applicationServerKey };
  const { endpoint, keys } = (await registration.pushManager.subscribe(options)).toJSON();
  await ask("web_push/subscriptions", { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
});
