/** The page before a login. */

import { ApiError, call } from "../api.js";
import { goesByItself, leave } from "../model/session.js";
import { t } from "../text/text.js";
import { Field, Form } from "./kit/form.js";
import { html, useEffect, useState } from "./kit/html.js";
import { useAnswer } from "./kit/notice.js";

export function Login({ onLogin }) {
  const [failure, setFailure] = useState("");
  const show = (error) => setFailure(error.message);
  const server = useAnswer("server_settings", { failed: show });
  const logIn = (fields) => call("POST", "accounts/login", fields).catch(readable);
  const enter = (username) => call("POST", "accounts/dev_login", { username }).then(onLogin, show);
  const services = server?.external_authentication_methods ?? [];
  const atOnce = goesByItself() && services.find(({ name }) => name === "remoteuser");
  useEffect(() => {
    if (!atOnce) return;
    leave();
    location.replace(addressOf(atOnce));
  }, [atOnce]);
  const hasOthers = services.length > 0 && !atOnce;
  useEffect(() => {
    // At the address of a login service, a session may have begun without this page.
    if (hasOthers) call("GET", "users/me").then(onLogin, () => {});
  }, [hasOthers]);
  if (atOnce) return html`<p class="none" role="status">${t("list.loading")}</p>`;
  const takesPasswords = server?.email_auth_enabled ?? true;
  const byPassword = html`
    <${Form} send=${logIn} savedText="" done=${onLogin} button=${t("login.submit")}>
      <${Field} label=${t("login.name")} name="username" autocomplete="username" required autofocus />
      <${Field} label=${t("login.password")} name="password" type="password" autocomplete="current-password"
        required />
    <//>
    <p class="bar"><a href="reset">${t("login.forgotten")}</a><a href="join">${t("login.join")}</a></p>`;
  return html`
    <main class="login">
      <h1>${t("login.title", { name: server?.realm_name ?? "" })}</h1>
      ${failure && html`<p class="error" role="alert">${failure}</p>`}
      ${takesPasswords && byPassword}
      ${!takesPasswords && !services.length && html`<p>${t("login.no_passwords")}</p>`}
      ${services.map(
        (one) => html`<a class="button" key=${one.name} href=${addressOf(one)} onClick=${leave}>
          ${t("login.by", { name: one.display_name })}</a>`,
      )}
      ${server?.authentication_methods.dev && html`<${DemoPeople} enter=${enter} />`}
    </main>
  `;
}

/** The address of a login service, from which the browser comes back to the place where it is. */
const addressOf = (service) => `${service.login_url}?next=${encodeURIComponent(`/${location.hash}`)}`;

/** @returns {never} */
function readable(error) {
  throw error instanceof ApiError && error.status === 401 ? new Error(t("login.failed")) : error;
}

/** On a demo: a button for each person. */
function DemoPeople({ enter }) {
  const answer = useAnswer("dev_list_users");
  const people = answer ? [...answer.direct_admins, ...answer.direct_users].slice(0, 12) : [];
  if (!people.length) return null;
  return html`
    <section class="demo">
      <h2>${t("login.demo")}</h2>
      ${people.map(
        (one) => html`<button type="button" key=${one.email} onClick=${() => enter(one.email)}>
        ${one.full_name ?? one.email}</button>`,
      )}
    </section>
  `;
}
