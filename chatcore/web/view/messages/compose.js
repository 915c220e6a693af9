/** The box in which messages are written. */

import { keyOf } from "../../model/places.js";
import { isGuestWith } from "../../model/rights.js";
import { addressed } from "../../model/sending.js";
import { excess, parted, withFiles } from "../../model/written.js";
import { EmojiPicker, Excess, FileButton, Icon } from "../kit.js";
import { call, html, isTouched, overlay, report, t } from "../kit.js";
import { useEffect, useLayoutEffect, useModel, usePreview, useRef, useState } from "../kit.js";
import { completions } from "./completion.js";
import { useFiles } from "./files.js";
import { FormatButtons, formatByKey, insert } from "./formatting.js";
import { NewPoll } from "./new.js";
import { TopicOptions } from "./topic.js";

export function Compose(/** @type {Props} */ { chat, place, act, area }) {
  const { drafts, settings, state } = chat;
  useModel(drafts);
  const key = keyOf(place);
  const text = drafts.text(place);
  const isNewTopic = !place.people && place.topic === undefined;
  const [topic, setTopic] = useState(place.topic ?? "");
  const to = { ...place, topic: topic.trim() };
  const preview = usePreview(text);
  const [picks, setPicks] = useState(false);
  const typed = useRef(0);
  const told = useRef(Promise.resolve());
  const { body, files: attached } = parted(text);
  const files = useFiles(
    key,
    (link) => drafts.attach(place, link),
    attached,
    (link) => drafts.attach(place, link, false),
  );
  const isTooLong =
    excess(text, state.max_message_length) > 0 || (isNewTopic && excess(topic, state.max_topic_length) > 0);
  const write = (value) => drafts.write(place, withFiles(value, attached), topic);
  const completion = useCompletion(chat, place, area, write);
  // Before anybody can type in it, who would lose the topic otherwise.
  useLayoutEffect(() => {
    setTopic(place.topic ?? "");
    preview.end();
    setPicks(false);
    completion.end();
  }, [key]);

  const typing = (/** @type {"start" | "stop"} */ op) => {
    if (
      !(place.people ? settings.send_private_typing_notifications : settings.send_stream_typing_notifications)
    )
      return;
    const isKnown = Date.now() - typed.current < state.server_typing_started_wait_period_milliseconds;
    if (op === "start" ? isKnown : !typed.current) return;
    typed.current = op === "start" ? Date.now() : 0;
    const where = place.people ? addressed(place) : { type: "channel", stream_id: place.channelId, topic };
    // One after another, so that the end comes last.
    told.current = told.current.then(() => call("POST", "typing", { op, ...where })).catch(() => {});
  };
  const send = (content, done = () => {}) => {
    chat.outbox.add(to, content, done);
    if (isNewTopic) act.goTo(place.channelId, to.topic);
  };
  const isUnready = !text.trim() || files.isRunning || isTooLong;
  const submit = () => {
    if (isUnready) return;
    typing("stop");
    send(text, drafts.take(place));
    preview.end();
  };
  const sendLater = () => {
    preview.end();
    act.show("SendLater", { place, to });
  };
  const addCall = async () => {
    const link = startCall && (await report(startCall(hint)));
    if (link) insert(area.current, `[${t("call.join")}](${link})`);
  };
  const mention = () => {
    const { value, selectionStart } = area.current;
    insert(area.current, /\S$/.test(value.slice(0, selectionStart)) ? " @" : "@");
  };
  const picked = (emoji) => {
    setPicks(false);
    if (emoji) insert(area.current, `${emoji.sign || `:${emoji.emoji_name}:`} `);
    else area.current?.focus();
  };
  const attach = (those) => {
    files.attach(those);
    area.current?.focus();
  };
  const onInput = ({ target }) => {
    write(target.value);
    if (target.value) typing("start");
    completion.offer();
  };
  const onKeyDown = (event) => {
    if (completion.onKey(event.key)) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey && !isTouched) submit();
    else if (event.key === "Escape") area.current.blur();
    else if (event.key === "ArrowUp" && !body) act.editLast();
    else if (!formatByKey(area.current, event)) return;
    event.preventDefault();
  };

  const isOff = { disabled: preview.isOn };
  const hint = place.people
    ? t("compose.hint.direct", { people: chat.names(place.people) })
    : t("compose.hint.channel", {
        channel: chat.channelName(place.channelId),
        topic: (place.topic ?? topic) || t("topic.empty"),
      });
  const startCall = callLink(chat);
  const guests = state.realm_enable_guest_user_dm_warning && guestsAmong(chat, place.people ?? []);
  const policy = chat.channels.get(place.channelId ?? 0)?.topics_policy;
  const isNeeded = (policy === "inherit" ? state.realm_topics_policy : policy) === "disable_empty_topic";
  const topicField = () => html`
    <input class="topic" dir="auto" aria-label=${t("compose.topic")} list="topics" value=${topic}
      placeholder=${t(isNeeded ? "compose.topic" : "compose.topic_optional")}
      onInput=${({ target }) => setTopic(target.value)} onChange=${() => text && write(body)} />
    <${Excess} text=${topic} most=${state.max_topic_length} />
    <${TopicOptions} id="topics" chat=${chat} channel=${place.channelId} />`;
  return html`
    <form class="compose" onSubmit=${prevented(submit)} ...${files.dropping}>
      ${completion.list}
      ${guests && html`<small>${t("compose.guests", { people: chat.names(guests) })}</small>`}
      ${picks && html`<${EmojiPicker} chat=${chat} done=${picked} hasTones />`}
      <div class="box">
        ${isNewTopic && topicField()}
        ${preview.or(html`
          <textarea ref=${area} dir="auto" rows=${Math.min(10, body.split("\n").length)}
            aria-label=${t("compose.label")} placeholder=${hint}
            value=${body} onInput=${onInput} onKeyDown=${onKeyDown} onBlur=${() => typing("stop")}
            onPaste=${files.onPaste} ...${completion.attributes}></textarea>`)}
        <${Excess} text=${text} most=${state.max_message_length} />
        ${files.tiles}
        <div class="icons">
          ${tool("face-slightly-smiling", "compose.emoji", () => setPicks(!picks), isOff)}
          ${tool("at-sign", "person.mention", mention, isOff)}
          <${FileButton} label=${t("compose.attach")} multiple pick=${attach}>
            <${Icon} name="paperclip" /><//>
          ${tool("chart-bar-decreasing", "poll.new", () => overlay.show(NewPoll, { send }))}
          ${startCall && tool("video", "call.new", addCall, isOff)}
          ${tool("alarm-clock", "later.send", sendLater, { disabled: isUnready })}
          ${preview.button({ disabled: !text }, true)}
          <${FormatButtons} area=${area} ...${isOff} />
        </div>
        <button type="submit" class="primary" disabled=${isUnready} title=${t("compose.send")}
          aria-label=${t("compose.send")}><${Icon} name="send-horizontal" /></button>
      </div>
    </form>
  `;
}

/** The guests among these people, besides the reader; null for none. */
function guestsAmong(chat, /** @type {number[]} */ people) {
  const guests = people.filter((id) => id !== chat.me && isGuestWith(chat, id));
  return guests.length ? guests : null;
}

const tool = (icon, /** @type {TextName} */ name, run, more = {}) => html`
  <button type="button" title=${t(name)} aria-label=${t(name)} onClick=${run} ...${more}>
    <${Icon} name=${icon} /></button>`;

/** A handler that does something instead of what the browser does. */
const prevented = (run) => (event) => (event.preventDefault(), run?.(event));

/** Offers completions of the text before the cursor: their list, and what the field does for it. */
function useCompletion(chat, place, area, write) {
  const [{ found, chosen }, set] = useState({ found: /** @type {any[]} */ ([]), chosen: 0 });
  const end = () => set({ found: [], chosen: 0 });
  const before = () => area.current?.value.slice(0, area.current.selectionStart);
  const offer = async (isAgain = false) => {
    const asked = before();
    const those = await completions(chat, place, asked);
    if (before() !== asked) return; // more was written meanwhile
    set((now) => {
      if (!isAgain) return { found: those, chosen: 0 };
      if (!now.found.length) return now; // it was closed meanwhile
      const at = those.findIndex((one) => one.insert === now.found[now.chosen].insert);
      return { found: those, chosen: Math.max(0, at) };
    });
  };
  useEffect(() => {
    if (found.length) offer(true); // the state has changed
  }, [chat.version]);
  const complete = (one, isPart = false) => {
    const { current: field } = area;
    const text = field.value.slice(0, one.start) + (isPart ? one.part : `${one.insert} `);
    field.focus();
    field.value = text + field.value.slice(field.selectionStart);
    field.setSelectionRange(text.length, text.length);
    write(field.value);
    if (isPart) offer();
    else end();
  };
  const step = (by) => set({ found, chosen: (chosen + by + found.length) % found.length });
  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => complete(found[chosen]),
    Tab: () => complete(found[chosen]),
    Escape: end,
    ...(found[chosen]?.part && { ">": () => complete(found[chosen], true) }),
  };
  /** Whether the list has used a key. */
  const onKey = (key) => {
    const isUsed = found.length > 0 && Object.hasOwn(keys, key);
    if (isUsed) keys[key]();
    return isUsed;
  };
  const isOpen = found.length > 0;
  const option = (one, at) => html`
    <li key=${one.insert} id=${`completion-${at}`} role="option" aria-selected=${at === chosen}
      onMouseDown=${prevented(() => complete(one))}>${one.shown}</li>`;
  const list =
    isOpen &&
    html`<ul class="completions" role="listbox" id="completions" aria-label=${t("compose.completions")}>
      ${found.map(option)}</ul>`;
  const active = isOpen
    ? { "aria-controls": "completions", "aria-activedescendant": `completion-${chosen}` }
    : {};
  return { list, attributes: { "aria-autocomplete": "list", ...active }, offer, end, onKey };
}

/** The services of calls, by their numbers. */
const JITSI = 1;
const BIG_BLUE_BUTTON = 4;

const random = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** The function that makes a link to a new call of a name; null without a service. @param {Chat} chat */
function callLink({ state: { realm_video_chat_provider: provider, ...state } }) {
  const server = state.realm_jitsi_server_url ?? state.server_jitsi_server_url;
  if (provider === JITSI && server) return async (_) => `${server}/${random()}`;
  if (provider !== BIG_BLUE_BUTTON) return null;
  return async (name) => (await call("GET", "calls/bigbluebutton/create", { meeting_name: name })).url;
}
