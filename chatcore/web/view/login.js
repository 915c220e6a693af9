/** The page before a login. */

import { ApiError, call } from "../api.js";
import { t } from "../text/text.js";
import { html, useEffect, useState } from "./html.js";

/** @param {{onLogin: () => void}} props */
export function Login({ onLogin }) {
  const [server, setServer] = useState(/** @type {any} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    call("GET", "server_settings").then(setServer, (failure) => setError(failure.message));
  }, []);

  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    setError("");
    try {
      await call("POST", "accounts/login", { username: form.get("name"), password: form.get("password") });
      onLogin();
    } catch (failure) {
      const isWrong = failure instanceof ApiError && failure.status === 401;
      setError(isWrong ? t("login.failed") : /** @type {Error} */ (failure).message);
    }
  };

  const enter = async (/** @type {string} */ address) => {
    try {
      await call("POST", "accounts/dev_login", { username: address });
      onLogin();
    } catch (failure) {
      setError(/** @type {Error} */ (failure).message);
    }
  };

  const name = server?.realm_name ?? "";
  return html`
    <main class="login">
      <h1>${t("login.title", { name })}</h1>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <form onSubmit=${submit}>
        <label>${t("login.name")} <input name="name" type="text" autocomplete="username" required autofocus /></label>
        <label>${t("login.password")} <input name="password" type="password" autocomplete="current-password" required /></label>
        <button type="submit" class="primary">${t("login.submit")}</button>
      </form>
      <${DemoPeople} enter=${enter} />
    </main>
  `;
}

/** On a demo: a button for each person. @param {{enter: (address: string) => void}} props */
function DemoPeople({ enter }) {
  const [people, setPeople] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    call("GET", "dev_list_users").then(
      (answer) => setPeople([...answer.direct_admins, ...answer.direct_users]),
      () => {},
    );
  }, []);
  if (!people.length) return null;
  return html`
    <section class="demo">
      <h2>${t("login.demo")}</h2>
      ${people.slice(0, 12).map((one) => html`<button type="button" key=${one.email} onClick=${() => enter(one.email)}>${one.full_name ?? one.email}</button>`)}
    </section>
  `;
}
