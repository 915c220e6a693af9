/** The text of a message: HTML of the server, with what only a page can add. */

import { call } from "../api.js";
import { fullTime, t } from "../text/text.js";
import { glyph } from "./emoji.js";
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { copy, report } from "./notice.js";
import { PICTURE, openPicture } from "./pictures.js";

/** In pixels, as `max-height` of pictures in messages. */
const THUMBNAIL_HEIGHT = 270;

/** What elements of a text get, by selectors. @type {[string, (element: any) => void][]} */
const IMPROVEMENTS = [
  ["[data-style]", (one) => (one.style.cssText = one.dataset.style)],
  ["a[href]", link],
  ["img[src], video[src], audio[src]", media],
  ["img[data-original-dimensions]", picture],
  [PICTURE, (one) => one.setAttribute("aria-label", t("picture.open", { name: one.title }))],
  [`${PICTURE} img`, (one) => (one.alt = "")],
  [".message_inline_video a > video", (one) => one.parentElement.replaceWith(Object.assign(one, { controls: true }))],
  [
    ".user-mention[data-user-id]",
    (one) => Number(one.dataset.userId) && one.replaceWith(made("a", { className: one.className, href: `#people/${one.dataset.userId}` }, one.childNodes)),
  ],
  ["time[datetime]", time],
  ["span.emoji", (one) => (one.textContent = glyph(/emoji-([0-9a-f-]+)/.exec(one.className)?.[1] ?? "") || one.textContent)],
  [".spoiler-block", spoiler],
  [".codehilite", (one) => one.append(made("button", { type: "button", className: "copy", textContent: t("code.copy") }))],
];

/** Make an element. @param {string} name @param {object} properties @param {Iterable<Node>} [children] */
function made(name, properties, children = []) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** @param {HTMLAnchorElement} link */
function link(link) {
  const href = link.getAttribute("href") ?? "";
  if (href.startsWith("/#narrow") || href.startsWith("#narrow")) return link.setAttribute("href", href.replace(/^\//, ""));
  if (href.startsWith("/")) link.setAttribute("href", href.slice(1));
  Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
}

/** @param {HTMLMediaElement | HTMLImageElement} media */
function media(media) {
  const src = media.getAttribute("src") ?? "";
  if (src.startsWith("/") && !src.startsWith("//")) media.setAttribute("src", src.slice(1));
  if (media instanceof HTMLImageElement) media.loading = "lazy";
}

/** Give a picture its size before it is loaded, so nothing moves then. @param {HTMLImageElement} image */
function picture({ style, dataset }) {
  const [width, height] = (dataset.originalDimensions ?? "").split("x").map(Number);
  if (!(width > 0 && height > 0)) return;
  style.aspectRatio = `${width} / ${height}`;
  style.width = `${Math.round(width * Math.min(1, THUMBNAIL_HEIGHT / height))}px`;
}

/** @param {HTMLTimeElement} time */
function time(time) {
  const at = Date.parse(time.dateTime);
  if (Number.isNaN(at)) return;
  time.title = t("time.written", { time: time.textContent });
  time.textContent = fullTime(at / 1000);
}

/** @param {HTMLElement} block */
function spoiler(block) {
  const [header, content] = [".spoiler-header", ".spoiler-content"].map((name) => block.querySelector(name));
  if (!header || !content) return;
  const summary = made("summary", {}, header.childNodes);
  if (!summary.textContent?.trim()) summary.textContent = "…";
  block.replaceWith(made("details", {}, [summary, ...content.childNodes]));
}

/** The nodes of a message, whose HTML is parsed outside of the page. Styles become properties: the page's policy refuses attributes. @param {string} source */
function nodesOf(source) {
  const safe = source.replace(/<[^>]*>/g, (tag) => tag.replace(/ style="/g, ' data-style="'));
  const { body } = new DOMParser().parseFromString(safe, "text/html");
  for (const [selector, improve] of IMPROVEMENTS) for (const one of body.querySelectorAll(selector)) improve(one);
  return body.childNodes;
}

/** A text as it would look in a message, or null while it is written, and what changes between both. @param {string} text */
export function usePreview(text) {
  const [rendered, setRendered] = useState(/** @type {string | null} */ (null));
  const toggle = async () => setRendered(rendered === null ? ((await report(call("POST", "messages/render", { content: text })))?.rendered ?? null) : null);
  return { rendered, toggle, end: () => setRendered(null) };
}

/** @param {{content: string}} props */
export function Content({ content }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => place.current?.replaceChildren(...nodesOf(content)), [content]);
  return html`<div class="content" dir="auto" ref=${place} onClick=${onClick}></div>`;
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const picture = target.closest(PICTURE);
  if (target.matches("button.copy")) copy(target.parentElement?.querySelector("code")?.textContent ?? "");
  if (!picture || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openPicture(/** @type {HTMLAnchorElement} */ (picture));
}
