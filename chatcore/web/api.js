/** Requests to the server's API, by the session of the browser. */

const BASE = new URL("api/v1/", document.baseURI);

/** A refusal by the server, or a failure to reach it (then `code` is `NETWORK`). */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {string} code
   * @param {number} status
   * @param {number} retryAfter seconds after which to try again
   * @param {any} answer all fields of the refusal
   */
  constructor(message, code, status, retryAfter = 0, answer = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.answer = answer;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.code === "NETWORK" || this.status === 429 || this.status >= 500;
  }
}

/** @param {Record<string, unknown>} parameters */
function encoded(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  /** @type {any} */
  const form = given.some(([, value]) => value instanceof File) ? new FormData() : new URLSearchParams();
  for (const [name, value] of given) form.set(name, typeof value === "string" || value instanceof File ? value : JSON.stringify(value));
  return form;
}

/**
 * Call an endpoint and return its answer.
 *
 * @param {"GET" | "POST" | "PATCH" | "PUT" | "DELETE"} method
 * @param {string} path below `api/v1/`
 * @param {Record<string, unknown>} [parameters] texts and files as they are, everything else as JSON
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function call(method, path, parameters = {}, signal) {
  const form = encoded(parameters);
  const url = new URL(path, BASE);
  const inQuery = method === "GET" || method === "DELETE";
  if (inQuery) url.search = form.toString();
  let response;
  try {
    response = await fetch(url, {
      method,
      body: inQuery ? undefined : form,
      headers: { "X-Chat-Page": "1" },
      credentials: "same-origin",
      cache: "no-store",
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("The server cannot be reached.", "NETWORK", 0);
  }
  return answerOf(response);
}

/** @param {Response} response */
async function answerOf(response) {
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new ApiError("The answer is not readable.", "NETWORK", response.status);
  }
  if (answer.result === "success") return answer;
  const retryAfter = Number(response.headers.get("Retry-After") ?? 0);
  throw new ApiError(answer.msg, answer.code, response.status, retryAfter, answer);
}
