/** Polls and lists of tasks: messages that people answer by submessages. */

import { own } from "../../model/own.js";
import { Boundary, call, html, report, t, useState } from "../kit.js";

const isObject = (/** @type {unknown} */ one) =>
  typeof one === "object" && one !== null && !Array.isArray(one);
const text = (/** @type {unknown} */ one) => (typeof one === "string" ? one : "");
const list = (/** @type {unknown} */ one) => (Array.isArray(one) ? one : []);

/**
 * The objects in the submessages of a widget: the widget, then what people did with it.
 *
 * @param {Message} message
 * @returns {{sender: number, data: any}[]}
 */
function acts(message) {
  return message.submessages.flatMap(({ sender_id, msg_type, content }) => {
    try {
      const data = msg_type === "widget" && JSON.parse(content);
      return isObject(data) ? [{ sender: sender_id, data }] : [];
    } catch {
      return [];
    }
  });
}

/** A message, as its widget or else as its text. */
export function WidgetOr(/** @type {Props} */ { chat, message, children }) {
  const [first, ...those] = acts(message);
  const View = own(KINDS, first?.data.widget_type);
  if (!View) return children;
  const about = { message_id: message.id, msg_type: "widget" };
  const act = (data) => report(call("POST", "submessage", { ...about, content: JSON.stringify(data) }));
  /** The index of the next thing of a type that this person adds. */
  const next = (type) => those.filter(({ sender, data }) => sender === chat.me && data.type === type).length;
  const data = isObject(first.data.extra_data) ? first.data.extra_data : {};
  return html`<${Boundary} otherwise=${() => children}>
    <${View} chat=${chat} data=${data} those=${those} act=${act} next=${next} /><//>`;
}

const KINDS = { poll: Poll, todo: Tasks };

function Poll(/** @type {any} */ { chat, data: { question, options: canned }, those, act, next }) {
  const option = (words, voters = []) => ({ text: text(words), voters: new Set(voters) });
  const options = new Map(list(canned).map((words, at) => [`canned,${at}`, option(words)]));
  for (const { sender, data } of those) {
    if (data.type === "question") question = data.question;
    if (data.type === "new_option") options.set(`${sender},${data.idx}`, option(data.option, [sender]));
    if (data.type === "vote" && data.vote === 1) options.get(data.key)?.voters.add(sender);
    if (data.type === "vote" && data.vote === -1) options.get(data.key)?.voters.delete(sender);
  }
  const add = (words) => act({ type: "new_option", option: words, idx: next("new_option") });
  const most = Math.max(1, ...[...options.values()].map(({ voters }) => voters.size));
  const entry = ([key, { text: words, voters }]) => {
    const fill = (element) => element?.style.setProperty("--share", voters.size / most);
    const isMine = voters.has(chat.me);
    const names = chat.names(voters);
    return html`<div class="option" key=${key}>
      <button type="button" aria-pressed=${isMine} title=${names} ref=${fill}
        onClick=${() => act({ type: "vote", key, vote: isMine ? -1 : 1 })}>
        <span class="count">${voters.size}</span> <span dir="auto">${words}</span></button>
      <span class="faint" dir="auto">${names}</span></div>`;
  };
  return html`<${Widget} title=${text(question) || t("poll.title")} label=${t("poll.add")} add=${add}>
    ${[...options].map(entry)}<//>`;
}

function Tasks(/** @type {any} */ { data: { task_list_title: title, tasks: canned }, those, act, next }) {
  const one = (it, isDone = false) => ({ task: text(it?.task), desc: text(it?.desc), isDone });
  const tasks = new Map(list(canned).map((it, at) => [`${at},canned`, one(it)]));
  for (const { sender, data } of those) {
    if (data.type === "new_task_list_title") title = data.title;
    if (data.type === "new_task") tasks.set(`${data.key},${sender}`, one(data, data.completed === true));
    const known = data.type === "strike" ? tasks.get(data.key) : undefined;
    if (known) known.isDone = !known.isDone;
  }
  const add = (words) => {
    const [task, desc = ""] = words.split(/: (.*)/s);
    return act({ type: "new_task", key: next("new_task"), task, desc, completed: false });
  };
  const strike = (event, key) => {
    event.preventDefault(); // the event of the server ticks it
    act({ type: "strike", key });
  };
  const entry = ([key, { task, desc, isDone }]) => html`
    <label class="check" key=${key} dir="auto">
      <input type="checkbox" checked=${isDone} onClick=${(event) => strike(event, key)} />
      <span>${isDone ? html`<s>${task}</s>` : task} ${
        desc && html`<span class="faint">${desc}</span>`
      }</span></label>`;
  return html`<${Widget} title=${text(title) || t("tasks.title")} label=${t("tasks.add")} add=${add}>
    ${[...tasks].map(entry)}<//>`;
}

/** A widget, with a line with which one more is added. */
function Widget({ title, label, add, children }) {
  const [words, setWords] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    if (words.trim() && (await add(words.trim()))) setWords("");
  };
  return html`
    <div class="widget">
      <strong dir="auto">${title}</strong>
      ${children}
      <form class="adder" onSubmit=${submit}>
        <input dir="auto" aria-label=${label} placeholder=${label} value=${words}
          onInput=${({ target }) => setWords(target.value)} />
        <button type="submit" aria-label=${label}>+</button>
      </form>
    </div>
  `;
}
