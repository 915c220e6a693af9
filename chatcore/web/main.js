/** The start of the page: the login or, in a session, the chat, whose modules are loaded for it alone. */

import { hasSession, noteSession } from "./model/session.js";
import { t } from "./text/text.js";
import { Failure, html, render } from "./view/kit/html.js";
import { Login } from "./view/login.js";

const show = (content) => render(content, /** @type {HTMLElement} */ (document.getElementById("app")));

function enter() {
  noteSession(true);
  location.reload(); // it may be older than the server
}

async function begin() {
  const links = /** @type {HTMLTemplateElement} */ (document.getElementById("session"));
  document.head.append(links.content);
  show(html`<p class="none" role="status">${t("list.loading")}</p>`);
  const { Session } = await import("./view/app.js");
  show(html`<${Session} />`);
}

function fail(error) {
  console.error(error);
  show(html`<${Failure} />`);
}

// An invitation, or a program around the server, has begun a session without this page.
if (location.hash === "#session") {
  noteSession(true);
  history.replaceState(null, "", location.pathname);
}
if (hasSession()) begin().catch(fail);
else show(html`<${Login} onLogin=${enter} />`);
