/** The head of the places: the organization and the reader, with a menu of all that belongs to them. */

import { endOfQuiet, findTimes } from "../device/notices.js";
import { invites } from "../model/rights.js";
import { KeyHelp } from "./keys.js";
import { Face, Icon, StatusDialog, StatusEmoji, classes, html, overlay, t, useState } from "./kit.js";
import { PAGES } from "./titles.js";

export function OwnMenu(/** @type {Props} */ { chat, logOut }) {
  const { realm_name: name, realm_icon_url: icon } = chat.state;
  const [quietUntil, setQuietUntil] = useState(/** @type {string | false} */ (false));
  const look = ({ target }) =>
    target.open && findTimes().then((times) => setQuietUntil(endOfQuiet(times)), console.warn);
  const link = (address, sign = PAGES[address].icon, text = t(PAGES[address].title)) =>
    html`<li><a href=${`#${address}`}><${Icon} name=${sign} />${text}</a></li>`;
  const button = (sign, text, run, kind = "") =>
    html`<li class=${classes(kind)}><button type="button" onClick=${run}><${Icon} name=${sign} />
      ${text}</button></li>`;
  return html`
    <details class="own" onToggle=${look} onClick=${closeMenu} onKeyDown=${closeMenu} onFocusOut=${closeMenu}>
      <summary>
        <${Face} name=${name} src=${icon} kind="square" />
        <span class="names"><b dir="auto">${name}</b><small><span dir="auto">${chat.name(chat.me)}</span>
          <${StatusEmoji} chat=${chat} id=${chat.me} /></small></span>
        <${Icon} name="chevron-down" />
      </summary>
      <ul>
        ${button("face-slightly-smiling", t("status.title"), () => overlay.show(StatusDialog))}
        ${link(
          "settings/notifications",
          "bell-off",
          quietUntil ? t("disturb.paused", { time: quietUntil }) : t("disturb.pause"),
        )}
        ${link("settings")}
        ${invites(chat) && link("organization/invitations", "user-plus", t("menu.invite"))}
        ${link("people")}
        ${link("groups")}
        ${link("channels")}
        ${link("organization")}
        ${button("keyboard", t("menu.keys"), () => overlay.show(KeyHelp))}
        ${button("log-out", t("menu.log_out"), logOut, "apart")}
      </ul>
    </details>
  `;
}

/** Close the menu after a choice, by Escape, and when the focus leaves it. */
function closeMenu({ type, key, target, relatedTarget, currentTarget: menu }) {
  const isEscape = key === "Escape" && menu.open;
  const isLeft = type === "focusout" && !menu.contains(relatedTarget);
  if (isEscape) menu.querySelector("summary").focus();
  if (isEscape || isLeft || (type === "click" && target.closest("a"))) menu.open = false;
}
