/** The text of a message: HTML of the server, with what only a page can add. */

import { call } from "../api.js";
import { fullTime, t } from "../text/text.js";
import { glyph } from "./emoji.js";
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { copy, report } from "./notice.js";
import { PICTURE, openPicture } from "./pictures.js";

/** In pixels, as `max-height` of pictures in messages. */
const THUMBNAIL_HEIGHT = 270;

/**
 * Parse the HTML of a message outside of the page. Styles of elements become properties, which the page's policy
 * allows; attributes it would refuse.
 *
 * @param {string} source
 */
function parsed(source) {
  const safe = source.replace(/<[^>]*>/g, (tag) => tag.replace(/ style="/g, ' data-style="'));
  const body = new DOMParser().parseFromString(safe, "text/html").body;
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
  function pictures(body) {
    for (const one of body.querySelectorAll("img[data-original-dimensions]")) {
      const image = /** @type {HTMLImageElement} */ (one);
      const [width, height] = (image.dataset.originalDimensions ?? "").split("x").map(Number);
      if (!(width > 0 && height > 0)) continue;
      // Its place has the right size before it is loaded, so nothing moves then.
      image.style.aspectRatio = `${width} / ${height}`;
      image.style.width = `${Math.round(width * Math.min(1, THUMBNAIL_HEIGHT / height))}px`;
    }
    for (const one of body.querySelectorAll(PICTURE)) one.setAttribute("aria-label", t("picture.open", { name: one.getAttribute("title") ?? "" }));
    for (const video of body.querySelectorAll(".message_inline_video a > video")) {
      /** @type {HTMLVideoElement} */ (video).controls = true;
      video.parentElement?.replaceWith(video);
    }
  },
  function mentions(body) {
    for (const one of body.querySelectorAll(".user-mention[data-user-id]")) {
      const id = Number(one.getAttribute("data-user-id"));
      if (!id) continue;
      const link = document.createElement("a");
      link.className = one.className;
      link.href = `#people/${id}`;
      link.append(...one.childNodes);
      one.replaceWith(link);
    }
  },
  function times(body) {
    for (const time of body.querySelectorAll("time[datetime]")) {
      const at = Date.parse(time.getAttribute("datetime") ?? "");
      if (Number.isNaN(at)) continue;
      /** @type {HTMLElement} */ (time).title = t("time.written", { time: time.textContent ?? "" });
      time.textContent = fullTime(at / 1000);
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

/** A text as it would look in a message, or null while it is written, and what changes between both. @param {string} text */
export function usePreview(text) {
  const [rendered, setRendered] = useState(/** @type {string | null} */ (null));
  const toggle = async () => setRendered(rendered === null ? ((await report(call("POST", "messages/render", { content: text })))?.rendered ?? null) : null);
  return { rendered, toggle, end: () => setRendered(null) };
}

/** @param {{content: string}} props */
export function Content({ content }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const body = parsed(content);
    for (const improve of IMPROVEMENTS) improve(body);
    place.current?.replaceChildren(...body.childNodes);
  }, [content]);
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
