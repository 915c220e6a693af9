/** Pictures of messages, enlarged one after another. */

import { t } from "../text/text.js";
import { Dialog, overlay } from "./dialog.js";
import { html, useState } from "./html.js";

export const PICTURE = ".message_inline_image:not(.message_inline_video) a";

/** Enlarge a picture, with those around it. @param {HTMLAnchorElement} link */
export function openPicture(link) {
  /** @type {HTMLAnchorElement[]} */
  const links = [...document.querySelectorAll(`.scroller ${PICTURE}`)].map((one) => /** @type {any} */ (one));
  overlay.show(PictureView, links.includes(link) ? { links, start: links.indexOf(link) } : { links: [link], start: 0 });
}

/** The picture that browsers can show: of some formats only one that the server made. @param {HTMLAnchorElement} link */
function sourceOf(link) {
  const image = link.querySelector("img");
  const transcoded = image?.dataset.transcodedImage;
  return transcoded ? image.src.replace(/[^/]*$/, transcoded) : link.href;
}

/** @param {{links: HTMLAnchorElement[], start: number, close: () => void}} props */
function PictureView({ links, start, close }) {
  const [at, setAt] = useState(start);
  const go = (/** @type {number} */ step) => setAt((at + step + links.length) % links.length); // after the last comes the first
  const link = links[at];
  const name = link.title || nameIn(link.href);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) go(step);
  };
  return html`
    <${Dialog} title=${name} close=${close} class="picture" onKeyDown=${onKeyDown}>
      <img src=${sourceOf(link)} alt=${name} />
      <p>
        ${
          links.length > 1 &&
          html`
          <button type="button" onClick=${() => go(-1)}>${t("picture.previous")}</button>
          <span role="status"> ${at + 1} / ${links.length} </span>
          <button type="button" onClick=${() => go(1)}>${t("picture.next")}</button> `
        }
        <a href=${link.href} target="_blank" rel="noopener noreferrer">${t("picture.original")}</a>
      </p>
    <//>
  `;
}

/** @param {string} address @returns {string} the name of the file, as it is if it cannot be decoded */
function nameIn(address) {
  const name = address.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
