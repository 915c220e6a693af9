/** The box in which messages are written. */

import { keyOf } from "../model/narrow.js";
import { arrived, send } from "../model/sending.js";
import { uploads } from "../model/uploads.js";
import { completions } from "./completion.js";
import { Content, FileButton, Fragment, Icon, call, html, report, t, useEffect, useModel, usePreview, useRef, useState } from "./kit.js";

/** @param {{chat: Chat, place: Place, act: PageActions}} props */
export function Compose({ chat, place, act }) {
  const { drafts } = chat;
  useModel(drafts);
  useModel(uploads);
  const key = keyOf(place);
  const text = drafts.text(place);
  const [topic, setTopic] = useState(place.topic ?? "");
  const preview = usePreview(text);
  const [found, setFound] = useState(/** @type {import("./completion.js").Completion[]} */ ([]));
  const [chosen, setChosen] = useState(0);
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const typed = useRef(0);
  const running = uploads.of(key);

  useEffect(() => {
    setTopic(place.topic ?? "");
    preview.end();
    setFound([]);
  }, [key]);
  const write = (/** @type {string} */ value) => drafts.write(place, value, topic);
  act.focus = () => area.current?.focus();
  act.insert = (/** @type {string} */ more) => {
    drafts.append(place, more);
    area.current?.focus();
  };

  const typing = (/** @type {"start" | "stop"} */ op) => {
    if (!chat.settings[place.people ? "send_private_typing_notifications" : "send_stream_typing_notifications"]) return;
    if (op === "start" && Date.now() - typed.current < chat.state.server_typing_started_wait_period_milliseconds) return;
    if (op === "stop" && !typed.current) return;
    typed.current = op === "start" ? Date.now() : 0;
    const to = place.people ? { type: "direct", to: place.people } : { type: "channel", stream_id: place.channelId, topic };
    call("POST", "typing", { op, ...to }).catch(() => {});
  };

  const submit = () => {
    if (!text.trim() || running.length) return;
    typing("stop");
    send(chat, { ...place, topic }, text, drafts.take(place));
    if (!place.people && place.topic === undefined) act.goTo(place.channelId ?? 0, topic);
    preview.end();
  };

  const later = () => {
    typing("stop");
    act.sendLater({ ...place, topic }, text, () => drafts.take(place)());
  };

  const attach = (/** @type {Iterable<File>} */ files) => {
    for (const file of files)
      report(uploads.add(file, key)).then((answer) => {
        if (answer) drafts.append(place, `[${answer.filename.replace(/[[\]]/g, "")}](${answer.url})\n`);
      });
  };

  /** Offer completions of the text before the cursor. */
  const offer = async (/** @type {string} */ before, isWanted = true) => {
    const those = isWanted ? await completions(chat, before) : [];
    const element = area.current;
    if (element?.value.slice(0, element.selectionStart) !== before) return; // more was written meanwhile
    setFound(those);
    setChosen(0);
  };

  const complete = (/** @type {import("./completion.js").Completion} */ one, isPart = false) => {
    const element = /** @type {HTMLTextAreaElement} */ (area.current);
    const before = text.slice(0, one.start) + (isPart ? one.part : `${one.insert} `);
    element.focus();
    element.value = before + element.value.slice(element.selectionStart);
    element.setSelectionRange(before.length, before.length);
    write(element.value);
    offer(before, isPart);
  };

  const onInput = (/** @type {any} */ event) => {
    const element = event.target;
    write(element.value);
    if (element.value) typing("start");
    offer(element.value.slice(0, element.selectionStart));
  };

  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing) return;
    if (found.length && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      setChosen((chosen + (event.key === "ArrowDown" ? 1 : found.length - 1)) % found.length);
    } else if (found.length && ["Enter", "Tab"].includes(event.key)) {
      complete(found[chosen]);
    } else if (event.key === ">" && found[chosen]?.part) {
      complete(found[chosen], true);
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

  const hint = place.people
    ? t("compose.hint.direct", { people: chat.names(place.people) })
    : t("compose.hint.channel", { channel: chat.channelName(place.channelId ?? 0), topic: (place.topic ?? topic) || t("topic.empty") });
  return html`
    <form class="compose" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), submit())}
      onDragOver=${(/** @type {Event} */ event) => event.preventDefault()}
      onDrop=${(/** @type {DragEvent} */ event) => (event.preventDefault(), attach(event.dataTransfer?.files ?? []))}>
      ${
        !place.people &&
        place.topic === undefined &&
        html`
        <input class="topic" dir="auto" aria-label=${t("compose.topic")} placeholder=${t("compose.topic")} maxlength=${chat.state.max_topic_length} value=${topic}
          onInput=${(/** @type {any} */ event) => setTopic(event.target.value)} onChange=${() => text && write(text)} />`
      }
      ${
        preview.rendered === null
          ? html`<textarea ref=${area} dir="auto" rows=${Math.min(10, text.split("\n").length + 1)} aria-label=${t("compose.label")} placeholder=${hint}
            aria-autocomplete="list" aria-controls=${found.length ? "completions" : undefined} aria-activedescendant=${found.length ? `completion-${chosen}` : undefined}
            maxlength=${chat.state.max_message_length} value=${text} onInput=${onInput} onKeyDown=${onKeyDown} onBlur=${() => typing("stop")}
            onPaste=${(/** @type {ClipboardEvent} */ event) => attach(event.clipboardData?.files ?? [])}></textarea>`
          : html`<div class="preview"><${Content} content=${preview.rendered} /></div>`
      }
      ${
        found.length > 0 &&
        html`
        <ul class="completions" role="listbox" id="completions" aria-label=${t("compose.completions")}>
          ${found.map(
            (one, at) => html`<li key=${one.insert} id=${`completion-${at}`} role="option" aria-selected=${at === chosen}
            onMouseDown=${(/** @type {Event} */ event) => (event.preventDefault(), complete(one))}>${one.shown}</li>`,
          )}
        </ul>`
      }
      ${running.map(
        (one) => html`
        <p class="upload" key=${one}><span dir="auto">${one.file.name}</span> <progress aria-label=${one.file.name} value=${one.share}></progress>
          ${one.isWaiting && html`<span>${t("compose.upload_waits")}</span>`}
          <button type="button" aria-label=${t("compose.upload_cancel", { name: one.file.name })} onClick=${() => one.cancel()}>${t("action.cancel")}</button></p>`,
      )}
      <div class="bar">
        <${FileButton} label=${t("compose.attach")} multiple pick=${attach}><${Icon} name="clip" /><//>
        <button type="button" onClick=${preview.toggle} disabled=${!text}>${t(preview.rendered === null ? "compose.preview" : "compose.edit")}</button>
        <button type="button" onClick=${later} disabled=${!text.trim() || running.length > 0}>${t("compose.later")}</button>
        <button type="submit" class="primary" disabled=${running.length > 0}>${t("compose.send")}</button>
      </div>
    </form>
  `;
}

/** Messages that are on their way, or could not be sent. @param {{chat: Chat}} props */
export function Outbox({ chat }) {
  const drop = (/** @type {string} */ localId) => {
    arrived(chat, localId);
    chat.changed();
  };
  return [...chat.outbox].map(
    ([localId, one]) => html`
    <div class="outgoing" key=${localId}>
      <p dir="auto">${one.content}</p>
      ${
        one.error
          ? html`<${Fragment}><span class="error" role="alert">${t("compose.failed", { reason: one.error })}</span>
            <button type="button" onClick=${() => send(chat, one.place, one.content, one.done, localId)}>${t("compose.again")}</button>
            <button type="button" onClick=${() => drop(localId)}>${t("compose.discard")}</button><//>`
          : html`<span>${t("compose.waiting")}</span>`
      }
    </div>`,
  );
}
