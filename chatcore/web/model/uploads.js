/** Uploads of files, in pieces: after a failure they continue where the server is. */

import { ApiError, ask, persist } from "../api.js";
import { Observable } from "./observable.js";

const START = new URL("api/v1/tus", document.baseURI);
const PIECE = 512 * 1024;
const MOST_FAILURES = 100;

/**
 * Refusals after which the server is asked for the offset: no such upload, another offset, another request
 * writes.
 */
const AGAIN = [404, 409, 423];

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
    this.file = file;
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

  cancel() {
    this.#stop.abort();
    if (this.#address) this.#ask(this.#address, "DELETE", {}, undefined, null).catch(() => {});
  }

  /** One request: the beginning, the question how far it is, or a piece. */
  async #step() {
    if (this.#address === null) {
      const metadata = `filename ${base64(this.file.name)},filetype ${base64(this.file.type)}`;
      const { headers, answer } = await this.#ask(START, "POST", {
        "Upload-Length": `${this.file.size}`,
        "Upload-Metadata": metadata,
      });
      this.#address = new URL(headers.get("Location") ?? "", START);
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

  async #ask(
    address,
    method,
    headers = {},
    body,
    signal = /** @type {AbortSignal | null} */ (this.#stop.signal),
  ) {
    const { response, answer } = await ask(address, {
      method,
      body,
      signal,
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

  /** Upload a file for the conversation with a *key*. */
  async add(file, key) {
    const upload = new Upload(file, key);
    this.set({ running: [...this.running, upload] });
    try {
      return await upload.run();
    } finally {
      this.set({ running: this.running.filter((one) => one !== upload) });
    }
  }

  of = (key) => this.running.filter((one) => one.key === key);
}

export const uploads = new Uploads();
