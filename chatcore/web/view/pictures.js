/** Pictures of messages, enlarged one after another. */

import { Observable } from "../model/observable.js";
import { t } from "../text/text.js";
import { Dialog } from "./dialog.js";
import { html, useModel } from "./html.js";

export const PICTURE = ".message_inline_image:not(.message_inline_video) a";

class Pictures extends Observable {
  /** @type {HTMLAnchorElement[]} links of the pictures that the page has */
  links = [];
  at = 0;

  /** @param {HTMLAnchorElement} link */
  open(link) {
    this.links = [...document.querySelectorAll(`.scroller ${PICTURE}`)].map((one) => /** @type {HTMLAnchorElement} */ (one));
    if (!this.links.includes(link)) this.links = [link];
    this.go(this.links.indexOf(link));
  }

  /** Show a picture; after the last comes the first. @param {number} at */
  go(at) {
    this.at = (at + this.links.length) % this.links.length;
    this.changed();
  }

  close() {
    this.links = [];
    this.changed();
  }
}

export const pictures = new Pictures();

/** The picture that browsers can show: of some formats only one that the server made. @param {HTMLAnchorElement} link */
function sourceOf(link) {
  const image = link.querySelector("img");
  const transcoded = image?.dataset.transcodedImage;
  return transcoded ? image.src.replace(/[^/]*$/, transcoded) : link.href;
}

export function PictureView() {
  useModel(pictures);
  const { links, at } = pictures;
  const link = links[at];
  if (!link) return null;
  const name = link.title || nameIn(link.href);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) pictures.go(at + step);
  };
  return html`
    <${Dialog} title=${name} close=${() => pictures.close()} class="picture" onKeyDown=${onKeyDown}>
      <img src=${sourceOf(link)} alt=${name} />
      <p>
        ${
          links.length > 1 &&
          html`
          <button type="button" onClick=${() => pictures.go(at - 1)}>${t("picture.previous")}</button>
          <span role="status"> ${at + 1} / ${links.length} </span>
          <button type="button" onClick=${() => pictures.go(at + 1)}>${t("picture.next")}</button> `
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
