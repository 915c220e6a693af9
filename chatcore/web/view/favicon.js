/** The icon of the page, with the number of unread messages. */

/** @type {string | null} */
let plain = null;

/** @param {number} count */
export function showCount(count) {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  plain ??= link.href;
  const text = count > 99 ? "∞" : count;
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#3b6fd4"/>
    <text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle" fill="#fff">${text}</text></svg>`;
  link.href = count ? `data:image/svg+xml,${encodeURIComponent(image)}` : plain;
}
