/** Requests to the server's API, by the session of the browser; and how they are repeated. */

const BASE = new URL("api/v1/", document.baseURI);
const SHORTEST = 500;

/**
 * An address of the server in this page, which may be below another path; `./`, because a path may look like
 * a scheme.
 *
 * @param {string} address
 */
export const local = (address) => address.replace(/^\/(?!\/)(#?)/, (_, fragment) => fragment || "./");

/** A refusal by the server, or a failure to reach it (then `code` is `NETWORK`). */
export class ApiError extends Error {
  constructor(answer, status = 0, retryAfter = 0) {
    super(answer.msg);
    this.answer = answer;
    this.code = answer.code;
    this.status = status;
    /** The seconds after which to try again. */
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.code === "NETWORK" || this.status === 429 || this.status >= 500;
  }
}

/** Send a request; return the response, and the JSON in it. @param {URL} url @param {RequestInit} options */
export async function ask(url, options) {
  let response;
  try {
    response = await fetch(url, {
      cache: "no-store",
      ...options,
      headers: { "X-Chat-Page": "1", ...options.headers },
    });
    const answer = JSON.parse((await response.text()) || "{}");
    const { status } = response;
    if (status < 500) dispatchEvent(new CustomEvent("answered", { detail: { status, code: answer.code } }));
    return { response, answer };
  } catch (error) {
    if (options.signal?.aborted && error.name !== "TimeoutError") throw error;
    throw new ApiError(
      { code: "NETWORK", msg: response ? "The answer is not readable." : "The server cannot be reached." },
      response?.status,
    );
  }
}

/**
 * Call an endpoint, at a path below `api/v1/`, and return its answer. Texts and files are sent as they are,
 * everything else as JSON.
 *
 * @template {"GET" | "POST" | "PATCH" | "PUT" | "DELETE"} Method
 * @template {string} Path
 * @param {Method} method
 * @param {Path} path
 * @param {object} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer<Method, Path>>}
 */
export async function call(method, path, parameters = {}, signal) {
  const fields = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  /** @type {any} */
  const body = fields.some(([, value]) => value instanceof File) ? new FormData() : new URLSearchParams();
  for (const [name, value] of fields)
    body.set(name, typeof value === "string" || value instanceof File ? value : JSON.stringify(value));
  const url = new URL(path, BASE);
  const isInQuery = method === "GET" || method === "DELETE";
  if (isInQuery) url.search = body.toString();
  const { response, answer } = await ask(url, { method, body: isInQuery ? undefined : body, signal });
  if (answer.result === "success") return answer;
  throw new ApiError(answer, response.status, Number(response.headers.get("Retry-After")));
}

/** Ask for messages, of a list or a search. @param {object} parameters @param {AbortSignal} [signal] */
export const callMessages = (parameters, signal) =>
  call("GET", "messages", { client_gravatar: false, allow_empty_topic_name: true, ...parameters }, signal);

/** The text on which a change is based, as a parameter; only with TLS. @param {string} text */
export async function seen(text) {
  const digest = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text));
  return {
    prev_content_sha256:
      digest && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

/**
 * Wait, or until *signal* comes, or one of the *signs* that the server can be reached; return whether there
 * was one.
 *
 * @param {number} milliseconds
 * @param {AbortSignal | undefined} signal
 * @param {string[]} signs
 */
function pause(milliseconds, signal, signs) {
  const over = new AbortController();
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, false);
    signal?.addEventListener("abort", () => resolve(false), { signal: over.signal });
    for (const sign of signs) addEventListener(sign, () => resolve(true), { signal: over.signal });
  }).finally(() => over.abort());
}

/**
 * What ends a pause after a failure: an answer to another request where nothing was answered; nothing where
 * the server has named a time.
 */
const signsAfter = ({ code, retryAfter }) =>
  retryAfter ? [] : code === "NETWORK" ? ["online", "answered"] : ["online"];

/** Repeat *step* until it succeeds, and return its result. */
export async function persist(
  step,
  /** @type {Retry} */ { failed, isFinal = (error) => !error.isTemporary, signal, longest = 30_000 } = {},
) {
  for (let [count, wait] = [1, SHORTEST]; ; count += 1) {
    try {
      return await step();
    } catch (error) {
      if (isFinal(error)) throw error;
      failed?.(error, count);
      wait = Math.min(longest, 2 * wait);
      const pauseLength = Math.max(wait * (0.5 + Math.random() / 2), (error.retryAfter ?? 0) * 1000);
      if (await pause(pauseLength, signal, signsAfter(error))) wait = SHORTEST;
    }
  }
}
