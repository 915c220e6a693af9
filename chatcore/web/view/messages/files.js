/** Files that are chosen, pasted or dropped where a text is written. */

import { uploads } from "../../model/uploads.js";
import { html, report, t, useModel } from "../kit.js";

/** Upload the files that come to the text with a *key*, and `insert` links to them. */
export function useFiles(key, insert) {
  useModel(uploads);
  const running = uploads.of(key);
  const attach = (/** @type {File[]} */ files) =>
    files.forEach(async (file) => {
      const answer = await report(uploads.add(file, key));
      if (answer) insert(`[${answer.filename.replace(/[[\]]/g, "")}](${answer.url})\n`);
    });
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
  const upload = (one) => html`
    <p class="upload" key=${one}><span dir="auto">
      ${one.file.name}</span> <progress aria-label=${one.file.name} value=${one.share}></progress>
      ${one.isWaiting && html`<span>${t("compose.upload_waits")}</span>`}
      <button type="button" aria-label=${t("compose.upload_cancel", { name: one.file.name })}
        onClick=${() => one.cancel()}>${t("action.cancel")}</button></p>`;
  const dropping = { onDragOver: onDrag, onDrop: (event) => onDrag(event, attach) };
  return { attach, onPaste, dropping, isRunning: running.length > 0, progress: running.map(upload) };
}
