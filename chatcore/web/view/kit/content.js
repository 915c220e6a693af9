/** The text of a message: HTML of the server, with what only a page can add. */

import { call, local } from "../../api.js";
import { draw, nodesOf } from "../../model/places.js";
import { fullTime, t } from "../../text/text.js";
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { copy, report } from "./notice.js";

/** In pixels, as `max-height` of pictures in messages. */
const THUMBNAIL_HEIGHT = 270;

/** Changes to elements of a text, by selectors. @type {[string, (element: any) => void][]} */
const IMPROVEMENTS = [
  ["[data-style]", (one) => (one.style.cssText = one.dataset.style.replace(/(?<=url\(")[^"]+/, local))],
  ["a[href]", link],
  ["li, blockquote", (one) => (one.dir = "auto")],
  ["[src]", (one) => one.setAttribute("src", local(one.getAttribute("src")))],
  ["img", (one) => (one.loading = "lazy")],
  ["img[data-original-dimensions]", picture],
  [".message_inline_image a > img", (one) => (one.alt = one.parentElement.title || one.parentElement.href)],
  [
    ".message_inline_video a > video",
    (one) => one.parentElement.replaceWith(Object.assign(one, { controls: true })),
  ],
  [".user-mention[data-user-id]", mention],
  ["time[datetime]", time],
  ["span.emoji", draw],
  [".spoiler-block", spoiler],
  [
    ".codehilite",
    (one) => one.append(made("button", { type: "button", className: "copy", textContent: t("code.copy") })),
  ],
];

/** Make an element. @param {string} name @param {object} properties @param {Iterable<Node>} [children] */
function made(name, properties, children = []) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function link(link) {
  const href = local(link.getAttribute("href") ?? "");
  link.setAttribute("href", href);
  if (/^[!-~]+$/.test(link.textContent)) link.dir = "ltr"; // an address, also with signs at its end
  if (!href.startsWith("#narrow")) Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
}

/** Give a picture its size before it is loaded, so nothing moves then. @param {HTMLImageElement} image */
function picture({ style, dataset }) {
  const [width, height] = (dataset.originalDimensions ?? "").split("x").map(Number);
  if (!(width > 0 && height > 0)) return;
  style.aspectRatio = `${width} / ${height}`;
  style.width = `${Math.round(width * Math.min(1, THUMBNAIL_HEIGHT / height))}px`;
}

function mention(mention) {
  const { className, dataset, childNodes } = mention;
  if (Number(dataset.userId))
    mention.replaceWith(made("a", { className, href: `#people/${dataset.userId}` }, childNodes));
}

function time(time) {
  const at = Date.parse(time.dateTime);
  if (Number.isNaN(at)) return;
  time.title = t("time.written", { time: time.textContent });
  time.textContent = fullTime(at / 1000);
}

function spoiler(block) {
  const [header, content] = [".spoiler-header", ".spoiler-content"].map((name) => block.querySelector(name));
  if (!header || !content) return;
  const summary = made("summary", {}, header.childNodes);
  if (!summary.textContent?.trim()) summary.textContent = "…";
  block.replaceWith(made("details", {}, [summary, ...content.childNodes]));
}

/** The nodes of a text with what only a page can add. @param {string} content */
function improved(content) {
  const body = nodesOf(content);
  for (const [selector, improve] of IMPROVEMENTS)
    for (const one of body.querySelectorAll(selector)) improve(one);
  return body.childNodes;
}

/** Show a text as it will look in a message, in place of its field. @param {string} text */
export function usePreview(text) {
  const [rendered, setRendered] = useState(null);
  const isWanted = useRef(/** @type {true | null} */ (null)); // until it ends, also before the answer
  const end = () => setRendered((isWanted.current = null));
  const begin = async () => {
    isWanted.current = true;
    const answer = await report(call("POST", "messages/render", { content: text }));
    if (isWanted.current) setRendered(answer?.rendered ?? null);
  };
  const isOn = rendered !== null;
  const button = (attributes = {}, isIcon = false) => {
    const name = t(isOn ? "compose.edit" : "compose.preview");
    return html`<button type="button" onClick=${isOn ? end : begin} title=${name} ...${attributes}
      aria-label=${name}>${isIcon ? html`<${Icon} name=${isOn ? "pencil" : "eye"} />` : name}</button>`;
  };
  return {
    end,
    isOn,
    button,
    or: (field) => (isOn ? html`<div class="preview"><${Content} content=${rendered} /></div>` : field),
  };
}

export function Content({ content }) {
  const place = useRef(null);
  useLayoutEffect(() => place.current.replaceChildren(...improved(content)), [content]);
  return html`<div class="content" dir="auto" ref=${place} onClick=${onClick}></div>`;
}

function onClick({ target }) {
  if (target.matches("button.copy")) copy(target.parentElement.querySelector("code")?.textContent ?? "");
}
