/** Files that are chosen, pasted or dropped where a text is written. */

import { uploads } from "../../model/uploads.js";
import { Icon, html, language, local, report, t, useModel } from "../kit.js";

const PICTURE = /\.(?:avif|gif|jpe?g|png|webp)$/i;
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** The size of a file for people. @param {number} bytes */
function sizeOf(bytes) {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const unitDisplay = power ? "short" : "long"; // the short form of bytes has no plural
  const form = { style: "unit", unit: UNITS[power], unitDisplay, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(language, /** @type {any} */ (form)).format(bytes / 1000 ** power);
}

const sheet = html`<span class="kind"><${Icon} name="file-text" /></span>`;

/** A file of a text: with a `share` it is on its way. */
function Tile({ name, source, size = 0, share, isWaiting = false, label, remove }) {
  const turn = (element) => element?.style.setProperty("--share", share);
  const ring = () => html`<span class="ring" role="progressbar" aria-label=${name} ref=${turn}
    aria-valuenow=${Math.round(share * 100)}></span>`;
  const note = isWaiting ? t("compose.upload_waits") : size > 0 && sizeOf(size);
  return html`
    <li class="tile" title=${name}>
      ${source ? html`<img src=${source} alt="" />` : sheet}
      <span class="about"><span dir="auto">${name}</span>${note && html`<small>${note}</small>`}</span>
      ${share !== undefined && ring()}
      <button type="button" class="plain" aria-label=${label} title=${label} onClick=${remove}>
        <${Icon} name="x" /></button>
    </li>`;
}

/**
 * Upload the files that come to the text with a *key*, and `insert` links to them; `attached` are the links
 * that it has, which `remove` takes out.
 */
export function useFiles(key, insert, attached = /** @type {any[]} */ ([]), remove = (_) => {}) {
  useModel(uploads);
  const running = uploads.of(key);
  const add = (answer) => answer && insert(`[${answer.filename.replace(/[[\]]/g, "")}](${answer.url})`);
  const attach = (/** @type {File[]} */ files) => {
    let before = Promise.resolve(); // the links have the order of the files
    for (const file of files) before = report(uploads.add(file, key, before)).then(add);
  };
  /** Words and links are dropped as the browser does it. */
  const onDrag = (event, take = (_) => {}) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  };
  /** Programs put a picture of formatted text beside it: then the text is meant. */
  const onPaste = ({ clipboardData: data }) => {
    if (!(data.types.includes("text/html") && data.getData("text/plain").trim())) attach([...data.files]);
  };
  const take = (url, link) => {
    remove(link);
    uploads.forget(url);
  };
  const done = attached.map(({ name, url, link }) => {
    const { preview = PICTURE.test(name) ? local(url) : "", size } = uploads.known.get(url) ?? {};
    return html`<${Tile} key=${url} name=${name} source=${preview} size=${size}
      label=${t("picker.remove", { name })} remove=${() => take(url, link)} />`;
  });
  const coming = running.map(
    ({ id, file, preview, share, isWaiting, cancel }) => html`<${Tile} key=${id} name=${file.name}
      source=${preview} size=${file.size} share=${share} isWaiting=${isWaiting}
      label=${t("compose.upload_cancel", { name: file.name })} remove=${cancel} />`,
  );
  const tiles = [...done, ...coming];
  return {
    attach,
    onPaste,
    dropping: { onDragOver: onDrag, onDrop: (event) => onDrag(event, attach) },
    isRunning: running.length > 0,
    tiles: tiles.length > 0 && html`<ul class="tiles" aria-label=${t("compose.files")}>${tiles}</ul>`,
  };
}
