/** Polls and lists of tasks: messages that people answer by submessages. */

import { call } from "../api.js";
import { t } from "../text/text.js";
import { html, useState } from "./html.js";
import { report } from "./notice.js";

/** The parsed submessages: the widget, then what people did with it. @param {Message} message @returns {{sender: number, data: any}[]} */
function acts(message) {
  return message.submessages.flatMap(({ sender_id, content }) => {
    try {
      return [{ sender: sender_id, data: JSON.parse(content) }];
    } catch {
      return [];
    }
  });
}

/** @param {Message} message @param {object} data */
const act = (message, data) => report(call("POST", "submessage", { message_id: message.id, msg_type: "widget", content: JSON.stringify(data) }));

/** The index of the next thing that a person adds. @param {{sender: number, data: any}[]} those @param {string} type @param {number} me */
const nextIndex = (those, type, me) => those.filter(({ sender, data }) => sender === me && data.type === type).length;

/** A message, as its widget or else as its text. @param {{chat: Chat, message: Message, children: unknown}} props */
export function WidgetOr({ chat, message, children }) {
  const [first, ...those] = acts(message);
  const View = first && KINDS[first.data?.widget_type];
  return View ? html`<${View} chat=${chat} message=${message} data=${first.data.extra_data ?? {}} those=${those} />` : children;
}

/** @type {Record<string, (props: any) => unknown>} */
const KINDS = { poll: Poll, todo: Tasks };

/** @param {any} props */
function Poll({ chat, message, data, those }) {
  /** @type {Map<string, {text: string, voters: Set<number>}>} */
  const options = new Map((data.options ?? []).map((/** @type {string} */ text, /** @type {number} */ at) => [`canned,${at}`, { text, voters: new Set() }]));
  let question = data.question;
  for (const {
    sender,
    data: { type, idx, option, key, vote, question: other },
  } of those) {
    if (type === "question") question = other;
    if (type === "new_option") options.set(`${sender},${idx}`, { text: option, voters: new Set([sender]) });
    if (type === "vote" && vote === 1) options.get(key)?.voters.add(sender);
    if (type === "vote" && vote === -1) options.get(key)?.voters.delete(sender);
  }
  const add = (/** @type {string} */ option) => act(message, { type: "new_option", option, idx: nextIndex(those, "new_option", chat.me) });
  return html`
    <div class="widget">
      <strong dir="auto">${question || t("poll.title")}</strong>
      ${[...options].map(([key, { text, voters }]) => {
        const isMine = voters.has(chat.me);
        const names = chat.names(voters);
        return html`<div class="option" key=${key}>
          <button type="button" aria-pressed=${isMine} title=${names} onClick=${() => act(message, { type: "vote", key, vote: isMine ? -1 : 1 })}>
            <span class="count">${voters.size}</span> <span dir="auto">${text}</span></button>
          <span class="faint" dir="auto">${names}</span></div>`;
      })}
      <${Adder} label=${t("poll.add")} add=${add} />
    </div>
  `;
}

/** @param {any} props */
function Tasks({ chat, message, data, those }) {
  /** @type {Map<string, {task: string, desc: string, isDone: boolean}>} */
  const tasks = new Map(
    (data.tasks ?? []).map((/** @type {any} */ { task, desc }, /** @type {number} */ at) => [`${at},canned`, { task, desc, isDone: false }]),
  );
  let title = data.task_list_title;
  for (const {
    sender,
    data: { type, key, task, desc, completed, title: other },
  } of those) {
    if (type === "new_task_list_title") title = other;
    if (type === "new_task") tasks.set(`${key},${sender}`, { task, desc, isDone: completed });
    const known = type === "strike" ? tasks.get(key) : undefined;
    if (known) known.isDone = !known.isDone;
  }
  const add = (/** @type {string} */ text) => {
    const [task, desc = ""] = text.split(/: (.*)/s);
    return act(message, { type: "new_task", key: nextIndex(those, "new_task", chat.me), task, desc, completed: false });
  };
  const strike = (/** @type {Event} */ event, /** @type {string} */ key) => {
    event.preventDefault(); // the event of the server ticks it
    act(message, { type: "strike", key });
  };
  return html`
    <div class="widget">
      <strong dir="auto">${title || t("tasks.title")}</strong>
      ${[...tasks].map(
        ([key, { task, desc, isDone }]) => html`
        <label class="check" key=${key} dir="auto"><input type="checkbox" checked=${isDone} onClick=${(/** @type {Event} */ event) => strike(event, key)} />
          <span>${isDone ? html`<s>${task}</s>` : task} ${desc && html`<span class="faint">${desc}</span>`}</span></label>`,
      )}
      <${Adder} label=${t("tasks.add")} add=${add} />
    </div>
  `;
}

/** A line with which one more is added. @param {{label: string, add: (text: string) => Promise<unknown>}} props */
function Adder({ label, add }) {
  const [text, setText] = useState("");
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim() && (await add(text.trim()))) setText("");
  };
  return html`
    <form class="adder" onSubmit=${submit}>
      <input dir="auto" aria-label=${label} placeholder=${label} value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      <button type="submit" aria-label=${label}>+</button>
    </form>
  `;
}
