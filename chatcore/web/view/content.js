/** The text of a message: HTML of the server, with what only a page can add. */

import { fullTime, t } from "../text/text.js";
import { glyph } from "./emoji.js";
import { html, useLayoutEffect, useRef } from "./html.js";

/**
 * Parse the HTML of a message outside of the page. Styles of elements become properties, which the page's policy
 * allows; attributes it would refuse.
 *
 * @param {string} source
 */
function parsed(source) {
  const body = new DOMParser().parseFromString(source.replace(/ style=/g, " data-style="), "text/html").body;
  for (const element of body.querySelectorAll("[data-style]")) {
    const target = /** @type {HTMLElement} */ (element);
    target.style.cssText = target.dataset.style ?? "";
    target.removeAttribute("data-style");
  }
  return body;
}

/** @type {((body: HTMLElement) => void)[]} */
const IMPROVEMENTS = [
  function links(body) {
    for (const link of body.querySelectorAll("a[href]")) {
      const target = /** @type {HTMLAnchorElement} */ (link);
      const href = target.getAttribute("href") ?? "";
      if (href.startsWith("/#narrow") || href.startsWith("#narrow")) target.setAttribute("href", href.replace(/^\//, ""));
      else {
        if (href.startsWith("/")) target.setAttribute("href", href.slice(1));
        target.target = "_blank";
        target.rel = "noopener noreferrer";
      }
    }
    for (const media of body.querySelectorAll("img[src], video[src], audio[src]")) {
      const src = media.getAttribute("src") ?? "";
      if (src.startsWith("/") && !src.startsWith("//")) media.setAttribute("src", src.slice(1));
      if (media instanceof HTMLImageElement) media.loading = "lazy";
    }
  },
  function times(body) {
    for (const time of body.querySelectorAll("time[datetime]")) {
      const at = Date.parse(time.getAttribute("datetime") ?? "");
      if (!Number.isNaN(at)) time.textContent = fullTime(at / 1000);
    }
  },
  function emoji(body) {
    for (const one of body.querySelectorAll("span.emoji")) {
      const code = /emoji-([0-9a-f-]+)/.exec(one.className)?.[1];
      if (code) one.textContent = glyph(code);
    }
  },
  function spoilers(body) {
    for (const block of body.querySelectorAll(".spoiler-block")) {
      const header = block.querySelector(".spoiler-header");
      const content = block.querySelector(".spoiler-content");
      if (!header || !content) continue;
      const details = document.createElement("details");
      const summary = document.createElement("summary");
      summary.append(...header.childNodes);
      if (!summary.textContent?.trim()) summary.textContent = "…";
      details.append(summary, ...content.childNodes);
      block.replaceWith(details);
    }
  },
  function code(body) {
    for (const block of body.querySelectorAll(".codehilite")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = t("code.copy");
      block.append(button);
    }
  },
];

/** @param {{content: string, words?: string[]}} props */
export function Content({ content, words = [] }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const body = parsed(content);
    for (const improve of IMPROVEMENTS) improve(body);
    if (words.length) mark(body, words);
    place.current?.replaceChildren(...body.childNodes);
  }, [content, words.join(" ")]);
  return html`<div class="content" dir="auto" ref=${place} onClick=${copyCode}></div>`;
}

/** @param {MouseEvent} event */
function copyCode(event) {
  const button = /** @type {HTMLElement} */ (event.target);
  if (!button.matches("button.copy")) return;
  navigator.clipboard.writeText(button.parentElement?.querySelector("code")?.textContent ?? "");
  button.textContent = t("action.copied");
}

/** Mark the words of a search. @param {HTMLElement} body @param {string[]} words */
function mark(body, words) {
  const escaped = words.flatMap((one) => one.split(/\s+/)).filter(Boolean).map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!escaped.length) return;
  const pattern = new RegExp(`(${escaped.join("|")})`, "giu");
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(/** @type {Text} */ (walker.currentNode));
  for (const node of nodes) {
    const parts = node.data.split(pattern);
    if (parts.length < 2) continue;
    node.replaceWith(
      ...parts.map((part, at) => {
        if (at % 2 === 0) return part;
        const marked = document.createElement("mark");
        marked.textContent = part;
        return marked;
      }),
    );
  }
}
