/** The times in which nothing notifies the reader. */

import { call } from "../api.js";

const PATH = "users/me/do_not_disturb";
/** In ms. Other devices change the times as well. */
const REMEMBERED = 60_000;
const LONGEST = 2_000;
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

async function ask(/** @type {Promise<boolean>} */ before) {
  try {
    return !(await call("GET", PATH, {}, AbortSignal.timeout(LONGEST))).is_on;
  } catch {
    forget();
    return before;
  }
}

/** Choose some of the times. @param {{ daily?: string, until?: number }} times */
export async function chooseTimes(times) {
  await call("PATCH", PATH, times);
  forget();
  tabs.postMessage(null);
}
