/** The event queue: one poll after another, whatever happens to the network or the server in between. */

import { ApiError, call } from "../api.js";
import { Chat } from "./chat.js";
import { Observable } from "./observable.js";
import { pause } from "./pause.js";

const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: false,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
};
const LONGEST_PAUSE = 30_000;
const TICK = 5_000;
/** A longer time between two ticks means that the computer slept. */
const SLEPT = 30_000;
/** After the time in which the server always answers, how long an answer may be on its way. */
const GRACE = 15_000;

/** The name of a note that this browser has a session: no script sees its cookie, and without one nothing is asked that needs it. */
const SESSION = `session ${new URL(".", document.baseURI).href}`;

/** Note that a session has begun, or ended. @param {boolean} hasBegun */
export function noteSession(hasBegun) {
  if (hasBegun) localStorage.setItem(SESSION, "yes");
  else localStorage.removeItem(SESSION);
}

export class Connection extends Observable {
  /** @type {Chat | null} */
  chat = null;
  /** Whether the page may lack events at present. */
  isLost = false;
  /** The server's reason, if it refuses what the page needs. */
  refusal = "";
  /** Whether the browser has no session, or none any more. */
  isLoggedOut = localStorage.getItem(SESSION) === null;
  /** The last event that was received. */
  #position = -1;
  #hasQueue = false;
  /** Ends the poll that waits at present. @type {AbortController | null} */
  #stop = null;
  /** When the server answered last. */
  #heard = Date.now();

  /** Register, and follow the events until the session ends. */
  async run() {
    if (this.isLoggedOut) return;
    let failures = 0;
    for (const change of ["online", "offline"]) addEventListener(change, () => this.#stop?.abort());
    const watch = this.#watch();
    while (!this.isLoggedOut) {
      try {
        if (!this.#hasQueue) await this.#register();
        else await this.#poll();
        failures = 0;
        this.#lost(false);
      } catch (error) {
        if (/** @type {Error} */ (error).name === "AbortError") continue;
        if (!(error instanceof ApiError)) console.error(error);
        else if (error.status === 401) {
          clearInterval(watch);
          noteSession(false);
          this.isLoggedOut = true;
          this.changed();
          return;
        } else if (error.code === "BAD_EVENT_QUEUE_ID") {
          this.#hasQueue = false;
          continue;
        }
        this.refusal = error instanceof ApiError && !error.isTemporary ? error.message : "";
        this.#lost(++failures > 1);
        const wanted = Math.min(LONGEST_PAUSE, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
        await pause(Math.max(wanted, (error instanceof ApiError ? error.retryAfter : 0) * 1000));
      }
    }
  }

  async #register() {
    const state = await call("POST", "register", {
      client_capabilities: CAPABILITIES,
      apply_markdown: true,
      client_gravatar: false,
      include_subscribers: false,
      slim_presence: true,
      queue_lifespan_secs: 3600,
    });
    this.#heard = Date.now();
    this.#position = state.last_event_id;
    this.#hasQueue = true;
    if (this.chat) {
      if (this.chat.state.service_version !== state.service_version) this.chat.isOutdated = true;
      this.chat.start(state);
      for (const list of this.chat.lists) list.reload();
    } else {
      this.chat = new Chat(state);
    }
    this.changed();
  }

  async #poll() {
    const chat = /** @type {Chat} */ (this.chat);
    const stop = (this.#stop = new AbortController());
    const wanted = { queue_id: chat.queueId, last_event_id: this.#position };
    const answer = await call("GET", "events", wanted, stop.signal).finally(() => (this.#stop = null));
    this.#heard = Date.now();
    for (const event of answer.events) {
      this.#position = Math.max(this.#position, event.id);
      chat.apply(event);
    }
  }

  /** Ask again where an answer will not come: after sleep, or on a connection that is dead though nobody says so. */
  #watch() {
    let last = Date.now();
    return setInterval(() => {
      const now = Date.now();
      const longest = (this.chat?.state.event_queue_longpoll_timeout_seconds ?? 90) * 1000 + GRACE;
      if (now - last > SLEPT || now - this.#heard > longest) {
        this.#heard = now;
        this.#stop?.abort();
      }
      last = now;
    }, TICK);
  }

  /** @param {boolean} isLost */
  #lost(isLost) {
    if (this.isLost === isLost) return;
    this.isLost = isLost;
    this.changed();
  }
}
