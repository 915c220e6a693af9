/** The worker of the page on this device, notices while no page is open, and when none may disturb. */

import { call } from "../api.js";
import { keep } from "../model/written.js";
import { fullTime } from "../text/text.js";
import { HOME, findStores } from "./kept.js";

/** Browsers have none without TLS. @type {ServiceWorkerContainer | undefined} */
const workers = navigator.serviceWorker;
const LONGEST = 3_000;

/** Whether the browser can show notices while no page is open. */
export const canNotify = !!workers && "PushManager" in globalThis && "Notification" in globalThis;

const nameFor = (/** @type {Chat} */ chat) => chat.ownName("push");

/** What the server calls this browser, to whose address it sends notices; null if it sends none. */
export const subscriptionOf = (/** @type {Chat} */ chat) =>
  JSON.parse(localStorage.getItem(nameFor(chat)) ?? "null");

const findSubscription = async () => (await workers?.getRegistration(HOME))?.pushManager?.getSubscription();

/** Install the worker; where notices have another address than the server knows, give it the new one. */
export async function settle(/** @type {Chat} */ chat) {
  await workers?.register(new URL("worker.js", HOME));
  const [noted, subscription] = [subscriptionOf(chat), await findSubscription()];
  if (!noted)
    await subscription?.unsubscribe(); // it is another person's
  else if (subscription && subscription.endpoint !== noted.endpoint) await register(chat, subscription);
}

/** Let the server send notices to this browser. @param {Chat} chat @param {string} applicationServerKey */
export async function subscribe(chat, applicationServerKey) {
  const { pushManager } = await /** @type {ServiceWorkerContainer} */ (workers).ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // the server may have another key by now
  await register(chat, await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
}

async function register(chat, /** @type {PushSubscription} */ subscription) {
  const { endpoint = "", keys } = subscription.toJSON();
  const { subscription_id: id } = await call("POST", "web_push/subscriptions", { endpoint, ...keys });
  keep(nameFor(chat), { id, endpoint });
}

/** Let the server send none to this browser any more. */
export async function unsubscribe(/** @type {Chat} */ chat) {
  const noted = subscriptionOf(chat);
  localStorage.removeItem(nameFor(chat));
  await (await findSubscription())?.unsubscribe();
  if (noted) await call("DELETE", `web_push/subscriptions/${noted.id}`, {}, AbortSignal.timeout(LONGEST));
}

/** Leave nothing in the browser after a session: no worker, with which go its notices, and no messages. */
export async function clear(/** @type {Chat | null} */ chat) {
  if (chat) localStorage.removeItem(nameFor(chat));
  await (await workers?.getRegistration(HOME))?.unregister();
  for (const name of await findStores()) await caches.delete(name);
}

/** The times in which nothing notifies the reader. */
const TIMES = "users/me/do_not_disturb";
/** In ms. Other devices change the times as well. */
const REMEMBERED = 60_000;
/** Tells the other tabs that the times are others. */
const tabs = new BroadcastChannel("do not disturb");
let askedAt = -Infinity;
/** @type {Promise<boolean>} */
let answer = Promise.resolve(true);
const forget = () => {
  askedAt = -Infinity;
};
tabs.onmessage = forget;

/** Whether signals may disturb the reader now; without an answer of the server as before. */
export function mayDisturb() {
  if (Date.now() > askedAt + REMEMBERED) {
    askedAt = Date.now();
    answer = ask(answer);
  }
  return answer;
}

export const findTimes = () => call("GET", TIMES, {}, AbortSignal.timeout(LONGEST));

/** When what disturbs nobody now ends; false if anything may disturb. */
export const endOfQuiet = ({ daily, until, is_on: isOn }) =>
  isOn && (until * 1000 > Date.now() ? fullTime(until) : daily.split("-")[1]);

async function ask(/** @type {Promise<boolean>} */ before) {
  try {
    return !(await findTimes()).is_on;
  } catch {
    forget();
    return before;
  }
}

/** Choose some of the times. @param {{ daily?: string, until?: number }} times */
export async function chooseTimes(times) {
  await call("PATCH", TIMES, times);
  forget();
  tabs.postMessage(null);
}
