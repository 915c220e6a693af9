/** The box in which messages are written. */

import { call, upload } from "../api.js";
import { send } from "../model/sending.js";
import { t } from "../text/text.js";
import { completions } from "./completion.js";
import { Content } from "./content.js";
import { Fragment, html, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { report } from "./notice.js";

const TYPING_EVERY = 10_000;

/** @typedef {{channelId?: number, topic?: string, people?: number[]}} Place */

/** Where a text from here goes. @param {import("../model/narrow.js").Narrow | null} narrow @returns {Place} */
export const placeOf = (narrow) => ({ channelId: narrow?.channelId, topic: narrow?.topic, people: narrow?.people });

const placeKey = (/** @type {Place} */ { channelId, topic, people }) => `draft:${people ? people.join(",") : `${channelId}:${topic ?? ""}`}`;

/** @param {{chat: import("../model/chat.js").Chat, place: Place, act: import("./app.js").Acts}} props */
export function Compose({ chat, place, act }) {
  const key = placeKey(place);
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  const [topic, setTopic] = useState(place.topic ?? "");
  const [preview, setPreview] = useState(/** @type {string | null} */ (null));
  const [uploads, setUploads] = useState(/** @type {Record<string, number>} */ ({}));
  const [found, setFound] = useState(/** @type {import("./completion.js").Completion[]} */ ([]));
  const [chosen, setChosen] = useState(0);
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const typed = useRef(0);

  useEffect(() => {
    setText(localStorage.getItem(key) ?? "");
    setTopic(place.topic ?? "");
    setPreview(null);
  }, [key]);
  const write = (/** @type {string} */ value) => {
    setText(value);
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  };
  act.focus = () => area.current?.focus();
  act.insert = (/** @type {string} */ more) => {
    const before = localStorage.getItem(key) ?? "";
    write(before ? `${before}\n${more}` : more);
    area.current?.focus();
  };

  const typing = (/** @type {"start" | "stop"} */ op) => {
    if (op === "start" && Date.now() - typed.current < TYPING_EVERY) return;
    if (op === "stop" && !typed.current) return;
    typed.current = op === "start" ? Date.now() : 0;
    const to = place.people ? { type: "direct", to: place.people } : { type: "channel", stream_id: place.channelId, topic };
    call("POST", "typing", { op, ...to }).catch(() => {});
  };

  const submit = () => {
    if (!text.trim() || Object.keys(uploads).length) return;
    typing("stop");
    if (place.people) send(chat, { type: "direct", to: place.people, content: text });
    else send(chat, { type: "channel", to: /** @type {number} */ (place.channelId), topic, content: text });
    if (!place.people && place.topic === undefined) act.goTo(place.channelId, topic);
    write("");
    setPreview(null);
  };

  const attach = async (/** @type {Iterable<File>} */ files) => {
    for (const file of files) {
      const answer = await report(upload(file, (share) => setUploads((those) => ({ ...those, [file.name]: share }))));
      setUploads(({ [file.name]: _, ...rest }) => rest);
      if (answer) act.insert(`[${answer.filename.replace(/[[\]]/g, "")}](${answer.url})`);
    }
  };

  const complete = (/** @type {import("./completion.js").Completion} */ one) => {
    const element = /** @type {HTMLTextAreaElement} */ (area.current);
    const after = text.slice(element.selectionStart);
    const value = `${text.slice(0, one.start)}${one.insert} ${after}`;
    write(value);
    setFound([]);
    const at = one.start + one.insert.length + 1;
    requestAnimationFrame(() => element.setSelectionRange(at, at));
    element.focus();
  };

  const onInput = async (/** @type {any} */ event) => {
    const element = event.target;
    write(element.value);
    if (element.value) typing("start");
    setFound(await completions(chat, element.value.slice(0, element.selectionStart)));
    setChosen(0);
  };

  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing) return;
    if (found.length && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      setChosen((chosen + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length);
    } else if (found.length && ["Enter", "Tab"].includes(event.key)) {
      complete(found[chosen]);
    } else if (event.key === "Enter" && !event.shiftKey) {
      submit();
    } else if (event.key === "Escape") {
      if (found.length) setFound([]);
      else area.current?.blur();
    } else if (event.key === "ArrowUp" && !text) {
      act.editLast();
    } else return;
    event.preventDefault();
  };

  const show = async () => {
    if (preview !== null) return setPreview(null);
    const answer = await report(call("POST", "messages/render", { content: text }));
    if (answer) setPreview(answer.rendered);
  };

  const hint = place.people
    ? t("compose.hint.direct", { people: place.people.map((id) => chat.name(id)).join(", ") })
    : t("compose.hint.channel", { channel: chat.channelName(/** @type {number} */ (place.channelId)), topic: (place.topic ?? topic) || t("topic.empty") });
  return html`
    <form class="compose" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), submit())}
      onDragOver=${(/** @type {Event} */ event) => event.preventDefault()}
      onDrop=${(/** @type {DragEvent} */ event) => (event.preventDefault(), attach(event.dataTransfer?.files ?? []))}>
      ${!place.people && place.topic === undefined && html`
        <input class="topic" dir="auto" aria-label=${t("compose.topic")} placeholder=${t("compose.topic")} maxlength="60" value=${topic}
          onInput=${(/** @type {any} */ event) => setTopic(event.target.value)} />`}
      ${preview === null
        ? html`<textarea ref=${area} dir="auto" rows=${Math.min(10, text.split("\n").length + 1)} aria-label=${t("compose.label")} placeholder=${hint}
            value=${text} onInput=${onInput} onKeyDown=${onKeyDown} onBlur=${() => typing("stop")}
            onPaste=${(/** @type {ClipboardEvent} */ event) => attach(event.clipboardData?.files ?? [])}></textarea>`
        : html`<div class="preview"><${Content} content=${preview} /></div>`}
      ${found.length > 0 && html`
        <ul class="completions" role="listbox">
          ${found.map((one, at) => html`<li key=${one.insert} role="option" aria-selected=${at === chosen}
            onMouseDown=${(/** @type {Event} */ event) => (event.preventDefault(), complete(one))}>${one.shown}</li>`)}
        </ul>`}
      <div class="bar">
        <label class="button" title=${t("compose.attach")}><${Icon} name="clip" /><input type="file" multiple aria-label=${t("compose.attach")}
          onChange=${(/** @type {any} */ event) => (attach(event.target.files), (event.target.value = ""))} /></label>
        <button type="button" onClick=${show} disabled=${!text}>${t(preview === null ? "compose.preview" : "compose.edit")}</button>
        ${Object.entries(uploads).map(([name, share]) => html`<span key=${name}>${t("compose.uploading", { name, percent: Math.round(share * 100) })}</span>`)}
        <button type="submit" class="primary">${t("compose.send")}</button>
      </div>
    </form>
  `;
}

/** Messages that are on their way, or could not be sent. @param {{chat: import("../model/chat.js").Chat}} props */
export function Outbox({ chat }) {
  const drop = (/** @type {string} */ localId) => {
    chat.outbox.delete(localId);
    chat.changed();
  };
  return html`
    ${[...chat.outbox].map(([localId, one]) => html`
      <div class="outgoing" key=${localId}>
        <p dir="auto">${one.content}</p>
        ${one.error
          ? html`<${Fragment}><span class="error" role="alert">${t("compose.failed", { reason: one.error })}</span>
              <button type="button" onClick=${() => send(chat, one, localId)}>${t("compose.again")}</button>
              <button type="button" onClick=${() => drop(localId)}>${t("compose.discard")}</button><//>`
          : html`<span>${t("compose.waiting")}</span>`}
      </div>`)}
  `;
}
