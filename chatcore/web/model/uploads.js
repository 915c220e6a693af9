/** Uploads of files, in pieces: after a failure they continue where the server is. */

import { ApiError } from "../api.js";
import { Observable } from "./observable.js";
import { pause } from "./pause.js";

const START = new URL("api/v1/tus", document.baseURI);
const PIECE = 512 * 1024;
const MOST_FAILURES = 100;
const LONGEST_PAUSE = 20_000;

/** Refusals after which the server is asked for the offset: no such upload, another offset, another request writes. */
const AGAIN = new Set([404, 409, 423]);
const HEADERS = { "Tus-Resumable": "1.0.0", "X-Chat-Page": "1" };

/** @param {string} text */
const base64 = (text) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

/** One file on its way. */
class Upload {
  /** Bytes that have arrived; null if only the server knows. @type {number | null} */
  #offset = 0;
  /** @type {URL | null} */
  #address = null;
  #stop = new AbortController();
  share = 0;
  /** Whether it waits for the server, which cannot be reached. */
  isWaiting = false;

  /** @param {File} file @param {string} key of the conversation */
  constructor(file, key) {
    this.file = file;
    this.key = key;
  }

  /** Upload it, however long the server cannot be reached. @param {() => void} changed @returns {Promise<{url: string, filename: string} | null>} null if it was cancelled */
  async run(changed) {
    for (let failures = 0; ; ) {
      try {
        const done = await this.#step();
        failures = 0;
        this.isWaiting = false;
        this.share = (this.#offset ?? 0) / (this.file.size || 1);
        if (done) return done;
      } catch (error) {
        if (this.#stop.signal.aborted) return null;
        if (!(error instanceof ApiError) || !error.isTemporary || ++failures > MOST_FAILURES) throw error;
        this.isWaiting = true;
        this.#offset = null;
        changed();
        await pause(Math.min(LONGEST_PAUSE, 500 * 2 ** failures), this.#stop.signal);
      }
      changed();
    }
  }

  cancel() {
    this.#stop.abort();
    if (this.#address) fetch(this.#address, { method: "DELETE", headers: HEADERS }).catch(() => {});
  }

  /** One request: the beginning, the question how far it is, or a piece. */
  async #step() {
    if (this.#address === null) {
      const metadata = `filename ${base64(this.file.name)},filetype ${base64(this.file.type)}`;
      const { headers, answer } = await this.#ask(START, "POST", { "Upload-Length": `${this.file.size}`, "Upload-Metadata": metadata });
      this.#address = new URL(headers.get("Location") ?? "", START);
      this.#offset = 0;
      return answer; // an empty file is complete
    }
    if (this.#offset === null) {
      const { headers } = await this.#ask(this.#address, "HEAD");
      this.#offset = Number(headers.get("Upload-Offset"));
      // All of it may have arrived with an answer that was lost; nothing more is sent, and the answer is the same.
    }
    const piece = this.file.slice(this.#offset, this.#offset + PIECE);
    const { headers, answer } = await this.#ask(
      this.#address,
      "PATCH",
      { "Upload-Offset": `${this.#offset}`, "Content-Type": "application/offset+octet-stream" },
      piece,
    );
    this.#offset = Number(headers.get("Upload-Offset"));
    return answer;
  }

  /** @param {URL} address @param {string} method @param {Record<string, string>} [headers] @param {Blob} [body] */
  async #ask(address, method, headers = {}, body) {
    let response, text;
    try {
      response = await fetch(address, { method, headers: { ...HEADERS, ...headers }, body, credentials: "same-origin", signal: this.#stop.signal });
      text = await response.text();
    } catch {
      throw new ApiError("The server cannot be reached.", "NETWORK", 0);
    }
    const answer = text ? JSON.parse(text) : null;
    if (response.ok) return { headers: response.headers, answer };
    if (response.status === 404) this.#address = null; // it has expired, and begins anew
    throw new ApiError(answer?.message ?? response.statusText, AGAIN.has(response.status) ? "NETWORK" : "", response.status);
  }
}

class Uploads extends Observable {
  /** @type {Upload[]} */
  running = [];

  /** @param {File} file @param {string} key */
  async add(file, key) {
    const upload = new Upload(file, key);
    this.running = [...this.running, upload];
    this.changed();
    try {
      return await upload.run(() => this.changed());
    } finally {
      this.running = this.running.filter((one) => one !== upload);
      this.changed();
    }
  }

  /** @param {string} key */
  of(key) {
    return this.running.filter((one) => one.key === key);
  }
}

export const uploads = new Uploads();
