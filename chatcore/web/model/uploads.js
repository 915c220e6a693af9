/** Uploads of files, in pieces: after a failure they continue where the server is. */

import { ApiError, ask, persist } from "../api.js";
import { Observable } from "./observable.js";

const START = new URL("api/v1/tus", document.baseURI);
const PIECE = 512 * 1024;
const MOST_FAILURES = 100;

/** Refusals after which the server is asked for the offset: none, another one, or another writer. */
const AGAIN = [404, 409, 423];
/** Pictures that browsers show of themselves. */
const SHOWN = /^image\/(?:avif|gif|jpeg|png|webp)$/;
/** As many previews are kept of files that have arrived; others come from the server. */
const MOST_KNOWN = 20;
let last = 0;

/** @param {{preview?: string}} file */
const free = ({ preview }) => preview && URL.revokeObjectURL(preview);

const base64 = (text) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

/** One file on its way. */
class Upload {
  /** Bytes that have arrived; null if only the server knows. @type {number | null} */
  #offset = 0;
  /** @type {URL | null} */ #address = null;
  #stop = new AbortController();
  share = 0;
  /** Whether it waits for the server, which cannot be reached. */
  isWaiting = false;

  constructor(/** @type {File} */ file, key) {
    this.id = ++last;
    this.file = file;
    this.preview = SHOWN.test(file.type) ? URL.createObjectURL(file) : undefined;
    this.key = key;
  }

  /**
   * Upload it, however long the server cannot be reached.
   *
   * @returns {Promise<{url: string, filename: string} | undefined>} nothing if it was cancelled
   */
  async run() {
    const { signal } = this.#stop;
    const failed = (error, count) => {
      if (count > MOST_FAILURES) throw error;
      this.isWaiting = true;
      this.#offset = null;
      uploads.changed();
    };
    try {
      for (;;) {
        const { url, filename } = await persist(() => this.#step(), { failed, signal });
        if (url) return { url, filename };
        this.isWaiting = false;
        this.share = (this.#offset ?? 0) / (this.file.size || 1);
        uploads.changed();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Also of one whose beginning is not answered: it is deleted once its address is known. */
  cancel = () => {
    this.#stop.abort();
    this.#remove();
    uploads.changed();
  };

  get isCancelled() {
    return this.#stop.signal.aborted;
  }

  #remove() {
    if (this.#address) this.#ask(this.#address, "DELETE", {}, undefined, false).catch(() => {});
  }

  /** One request: the beginning, the question how far it is, or a piece. */
  async #step() {
    this.#stop.signal.throwIfAborted();
    if (this.#address === null) {
      const metadata = `filename ${base64(this.file.name)},filetype ${base64(this.file.type)}`;
      const about = { "Upload-Length": `${this.file.size}`, "Upload-Metadata": metadata };
      const { headers, answer } = await this.#ask(START, "POST", about, undefined, false);
      this.#address = new URL(headers.get("Location") ?? "", START);
      if (this.isCancelled) this.#remove();
      this.#offset = 0;
      return answer; // an empty file is complete
    }
    // All of it may have arrived, and the answer was lost: then nothing is sent, and the answer is the same.
    this.#offset ??= Number((await this.#ask(this.#address, "HEAD")).headers.get("Upload-Offset"));
    const piece = this.file.slice(this.#offset, this.#offset + PIECE);
    const about = { "Upload-Offset": `${this.#offset}`, "Content-Type": "application/offset+octet-stream" };
    const { headers, answer } = await this.#ask(this.#address, "PATCH", about, piece);
    this.#offset = Number(headers.get("Upload-Offset"));
    return answer;
  }

  async #ask(address, method, headers = {}, body, endsByCancel = true) {
    const { response, answer } = await ask(address, {
      method,
      body,
      signal: endsByCancel ? this.#stop.signal : null,
      headers: { "Tus-Resumable": "1.0.0", ...headers },
    });
    if (response.ok) return { headers: response.headers, answer };
    if (response.status === 404) this.#address = null; // it has expired, and begins anew
    throw new ApiError(
      { msg: answer.message ?? response.statusText, code: AGAIN.includes(response.status) ? "NETWORK" : "" },
      response.status,
    );
  }
}

class Uploads extends Observable {
  /** @type {Upload[]} */ running = [];
  /** What the page knows of files that it has uploaded, by their addresses. */
  known = new Map();

  /** Upload a file for the conversation with a *key*; it is on its way until those *before* have arrived. */
  async add(file, key, before = Promise.resolve()) {
    const upload = new Upload(file, key);
    this.set({ running: [...this.running, upload] });
    let answer;
    try {
      const arrived = await upload.run();
      await before;
      if (!upload.isCancelled) answer = arrived;
      if (answer) this.known.set(answer.url, { preview: upload.preview, size: file.size });
      if (this.known.size > MOST_KNOWN) this.forget(this.known.keys().next().value);
      return answer;
    } finally {
      if (!answer) free(upload);
      this.set({ running: this.running.filter((one) => one !== upload) });
    }
  }

  /** Keep nothing of a file any more, by its address. */
  forget(url) {
    free(this.known.get(url) ?? {});
    this.known.delete(url);
  }

  of = (key) => this.running.filter((one) => one.key === key && !one.isCancelled);
}

export const uploads = new Uploads();
