/** The start of the page: the login, or the chat. */

import { Connection, noteSession } from "./model/connection.js";
import { t } from "./text/text.js";
import { App } from "./view/app.js";
import { Boundary, html, render, useModel } from "./view/kit.js";
import { Login } from "./view/login.js";

function enter() {
  noteSession(true);
  begin();
}

function begin() {
  const connection = new Connection();
  connection.run();
  render(
    html`<${Whole} connection=${connection} />`,
    /** @type {HTMLElement} */ (document.getElementById("app")),
  );
}

function Whole({ connection }) {
  useModel(connection);
  if (connection.isLoggedOut) return html`<${Login} onLogin=${enter} />`;
  if (!connection.chat)
    return html`<p class="none" role="status">${
      connection.refusal || t(connection.isLost ? "status.lost" : "list.loading")
    }</p>`;
  return html`<${Boundary} otherwise=${failed}><${App} connection=${connection} /><//>`;
}

const failed = () =>
  html`<p class="none" role="alert">${t("status.failed")} <button onClick=${() => location.reload()}>
    ${t("status.reload")}</button></p>`;

begin();
