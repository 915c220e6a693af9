/** Wait; no longer than until the browser is online again, or *signal* comes. @param {number} milliseconds @param {AbortSignal} [signal] */
export function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    addEventListener("online", resolve, { once: true });
    signal?.addEventListener("abort", resolve, { once: true });
  });
}
