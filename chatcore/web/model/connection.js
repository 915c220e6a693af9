/** The event queue: one poll after another. */

import { ApiError, call, persist } from "../api.js";
import { forgetOthers, keepState, keptState, noteAnswer } from "../device/kept.js";
import { clear, unsubscribe } from "../device/notices.js";
import { Chat } from "./chat.js";
import { Observable } from "./observable.js";
import { noteArrival, noteLeaving, noteSession } from "./session.js";

const CAPABILITIES = `archived_channels bulk_message_deletion empty_topic_name include_deactivated_groups
  linkifier_url_template notification_settings_null simplified_presence_events stream_typing_notifications
  user_list_incomplete user_settings_object`;
/** The parts of the state that the page reads: `subscription` has all channels that `stream` would repeat. */
const PARTS = `alert_words channel_folders custom_profile_fields default_streams drafts message muted_users
  presence realm realm_emoji realm_linkifiers realm_user realm_user_groups recent_private_conversations
  reminders scheduled_messages subscription update_message_flags user_settings user_status user_topic`;
/** Large parts that seldom change: they are not sent again if the browser has kept them. */
const KEPT = ["realm_users", "subscriptions", "never_subscribed", "realm_user_groups"];
const named = (names, value) => Object.fromEntries(names.map((name) => [name, value(name)]));
const TICK = 5_000;
/** A longer time between two ticks means that the computer slept. */
const SLEPT = 30_000;
/** After the time in which the server always answers, how long an answer may be on its way. */
const GRACE = 15_000;
const LONGEST_PAUSE = 10_000;
/** Copying a large state would delay the first messages. It is kept before their lists are, which need it. */
const KEPT_AFTER = 500;
/** Refusals that say nothing about the session. */
const OF_PASSWORDS = ["AUTHENTICATION_FAILED", "PASSWORD_AUTH_DISABLED"];

export class Connection extends Observable {
  /** @type {Chat | null} */ chat = null;
  /** Whether the page may lack events at present. */
  isLost = false;
  /** The server's reason, if it refuses what the page needs. */
  refusal = "";
  /** Whether the session has ended, or is about to. */
  #hasEnded = false;
  /** The last event that was received. */
  #position = -1;
  #hasQueue = false;
  /** Whether the last request has failed: then the next one shows whether the server is back. */
  #hasFailed = false;
  /** Ends the poll that waits at present. */
  #stop = new AbortController();
  /** When the server answered last, and when that was looked at. */
  #heard = Date.now();
  #looked = Date.now();

  /** Register, and follow the events until the session ends. */
  async run() {
    for (const change of ["online", "offline"]) addEventListener(change, () => this.#stop.abort());
    addEventListener(
      "answered",
      (/** @type {any} */ { detail }) =>
        detail.status === 401 && !OF_PASSWORDS.includes(detail.code) && this.#end(),
    );
    const timer = setInterval(() => this.#hasQueue && this.#watch(), TICK);
    const options = { failed: this.#failed, longest: LONGEST_PAUSE, isFinal: () => false };
    while (!this.#hasEnded) await persist(() => this.#step(), options);
    clearInterval(timer);
  }

  /** One request, if it needs no pause before the next one. */
  async #step() {
    try {
      this.#stop = new AbortController();
      await (this.#hasQueue ? this.#poll() : this.#register());
      const isBack = this.#hasFailed;
      this.#hasFailed = false;
      if (isBack) this.chat?.outbox.sendAgain();
      if (this.isLost) this.set({ isLost: false });
    } catch (error) {
      if (error.code === "BAD_EVENT_QUEUE_ID") this.#hasQueue = false;
      else if (error.name !== "AbortError" && !this.#hasEnded) throw error;
    }
  }

  /** The session has ended, as any answer may say: the next one may be another person's. */
  async #end() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    noteSession(false);
    const { chat } = this;
    chat?.outbox.leave();
    this.#stop.abort();
    this.set({ chat: null }); // nothing is read on meanwhile
    await clear(chat).catch(console.warn);
    location.reload();
  }

  /** End the session. The poll that waits would be refused, and ends before. */
  logOut = async () => {
    this.#hasEnded = true;
    this.#stop.abort();
    noteLeaving();
    if (this.chat) await unsubscribe(this.chat).catch(console.warn);
    const answer = await call("POST", "accounts/logout").catch(() => null);
    if (answer) noteSession(false);
    await clear(this.chat).catch(console.warn);
    if (answer?.logout_url) location.assign(answer.logout_url);
    else location.reload();
  };

  /** Ask the server at once, in place of the poll that waits. */
  #check = () => {
    this.#hasFailed = true;
    this.#stop.abort();
  };

  #failed = (error, count) => {
    const isRefusal = error instanceof ApiError && !error.isTemporary;
    if (!(error instanceof ApiError)) console.error(error);
    this.#hasFailed = true;
    this.set({ isLost: this.isLost || count > 1, refusal: isRefusal ? error.message : "" });
    if (!this.chat && !isRefusal) this.#showKept().catch(console.warn);
  };

  /** Show what the browser has kept, as long as the server is away. */
  async #showKept() {
    const kept = await keptState();
    if (kept && !this.chat && !this.#hasEnded) this.#begin(new Chat(kept.state, kept.time));
  }

  #begin(/** @type {Chat} */ chat) {
    chat.outbox.check = this.#check;
    this.set({ chat });
  }

  async #register() {
    const kept = (await keptState().catch(console.warn))?.state;
    const state = await call(
      "POST",
      "register",
      {
        client_capabilities: named(CAPABILITIES.split(/\s+/), () => true),
        fetch_event_types: PARTS.split(/\s+/),
        apply_markdown: true,
        client_gravatar: false,
        include_subscribers: false,
        slim_presence: true,
        queue_lifespan_secs: 3600,
        digests: named(KEPT, (name) => kept?.digests?.[name] ?? ""),
      },
      this.#stop.signal,
    );
    for (const name in state.digests) state[name] ??= kept?.[name];
    // Events change the other one.
    const keeps = { ...state };
    this.#heard = Date.now();
    this.#position = state.last_event_id;
    this.#hasQueue = true;
    noteArrival();
    const forgets = forgetOthers(state.user_id).catch(console.warn);
    setTimeout(() => this.#hasEnded || keepState(keeps).catch(console.warn), KEPT_AFTER);
    if (!this.chat) return this.#begin(new Chat(state));
    if (this.chat.me !== state.user_id) {
      // Another person has logged in, in another tab: nothing is sent as theirs.
      this.#hasEnded = true;
      this.chat.outbox.leave();
      return forgets.then(() => location.reload());
    }
    this.chat.isOutdated ||= this.chat.state.service_version !== state.service_version;
    this.chat.start(state);
    for (const list of this.chat.lists) list.reload();
  }

  async #poll() {
    const chat = /** @type {Chat} */ (this.chat);
    const parameters = { queue_id: chat.queueId, last_event_id: this.#position, dont_block: this.#hasFailed };
    const { events } = await call("GET", "events", parameters, this.#stop.signal);
    this.#heard = Date.now();
    if (!this.#hasEnded) noteAnswer(chat.me).catch(console.warn);
    for (const event of events) {
      this.#position = Math.max(this.#position, event.id);
      chat.apply(event);
    }
  }

  /** Ask again where no answer will come: after sleep, or on a connection whose end nobody has told. */
  #watch() {
    const now = Date.now();
    const longest =
      (this.#hasFailed ? 0 : (this.chat?.state.event_queue_longpoll_timeout_seconds ?? 90) * 1000) + GRACE;
    if (now - this.#looked > SLEPT || now - this.#heard > longest) {
      this.#heard = now;
      this.#stop.abort();
    }
    this.#looked = now;
  }
}
