/** Presence: saying that this person is here, and asking who else is. */

import { call } from "../api.js";

/** Repeat it as long as the page is open. @param {Chat} chat @returns {() => void} the end of it */
export function keepPresent(chat) {
  const end = new AbortController();
  let isInput = true;
  for (const type of ["keydown", "pointerdown"])
    addEventListener(type, () => (isInput = true), { signal: end.signal });
  const say = async () => {
    const status = document.hasFocus() || isInput ? "active" : "idle";
    const last_update_id = chat.state.presence_last_update_id ?? -1;
    // The connection reports failures, and the next report follows soon.
    const answer = await call("POST", "users/me/presence", {
      status,
      new_user_input: isInput,
      last_update_id,
    }).catch(() => null);
    isInput = false;
    if (!answer) return;
    chat.state.presence_last_update_id = answer.presence_last_update_id;
    chat.meet(answer.presences);
  };
  const timer = setInterval(say, chat.state.server_presence_ping_interval_seconds * 1000);
  end.signal.addEventListener("abort", () => clearInterval(timer));
  say();
  return () => end.abort();
}

/** @param {Chat} chat @param {number} id @returns {"active" | "idle" | "offline"} */
export function presenceOf(chat, id) {
  const { active_timestamp: active = 0, idle_timestamp: idle = 0 } = chat.presences.get(id) ?? {};
  const since = Date.now() / 1000 - chat.state.server_presence_offline_threshold_seconds;
  if (active > since) return "active";
  return idle > since ? "idle" : "offline";
}
