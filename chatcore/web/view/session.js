/** The page of a session: the chat, once its state is there. */

import { Connection } from "../model/connection.js";
import { App } from "./app.js";
import { Boundary, Failure, html, t, useMemo, useModel } from "./kit.js";

function connect() {
  const connection = new Connection();
  connection.run();
  return connection;
}

export function Session() {
  const connection = useMemo(connect, []);
  useModel(connection);
  if (connection.chat) return html`<${Boundary} otherwise=${Failure}><${App} connection=${connection} /><//>`;
  const status = connection.refusal || t(connection.isLost ? "status.lost" : "list.loading");
  return html`<p class="none" role="status">${status}</p>`;
}
