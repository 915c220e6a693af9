/** The earlier versions of a message. */

import { call } from "../../api.js";
import { fullTime, t } from "../../text/text.js";
import { Content } from "../content.js";
import { Dialog } from "../dialog.js";
import { html, useEffect, useState } from "../html.js";
import { report } from "../notice.js";

/** @param {any} props */
export function History({ chat, message, close }) {
  const [versions, setVersions] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    report(call("GET", `messages/${message.id}/history`, { allow_empty_topic_name: true })).then((answer) =>
      answer ? setVersions(answer.message_history.reverse()) : close(),
    );
  }, []);
  return html`
    <${Dialog} title=${t("action.history")} close=${close}>
      <ol class="versions">
        ${versions.map(
          (one) => html`
          <li key=${one.timestamp}>
            <p class="faint">${t(one.prev_content === undefined && one === versions.at(-1) ? "history.wrote" : "history.changed", { name: chat.name(one.user_id), time: fullTime(one.timestamp) })}</p>
            ${one.prev_stream !== undefined && html`<p dir="auto"><del>#${chat.channelName(one.prev_stream)}</del> → <ins>#${chat.channelName(one.stream)}</ins></p>`}
            ${one.prev_topic !== undefined && html`<p dir="auto"><del>${one.prev_topic || t("topic.empty")}</del> → <ins>${one.topic || t("topic.empty")}</ins></p>`}
            ${(one.prev_content !== undefined || one === versions.at(-1)) && html`<${Content} content=${one.content_html_diff ?? one.rendered_content} />`}
          </li>`,
        )}
      </ol>
    <//>
  `;
}
