/** The reference: the description of the API, in a program that can send its requests. */

const { SwaggerUIBundle } = /** @type {any} */ (globalThis);
const dark = matchMedia("(prefers-color-scheme: dark)");
const METHODS = ["get", "post", "put", "patch", "delete", "head", "options"];

/**
 * @typedef {{type?: string, example?: unknown, default?: unknown}} FieldSchema
 * @typedef {{properties?: Record<string, FieldSchema>, required?: string[]}} FormSchema
 * @typedef {{requestBody?: {content?: Record<string, {schema: FormSchema}>}}} Operation
 */

function followTheScheme() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

/** Read the description; the server is where it is mounted. */
async function description() {
  const answer = await fetch(new URL("v1/openapi.json", document.baseURI));
  const found = await answer.json();
  Object.values(found.paths).flatMap(operationsOf).forEach(leaveOptionalFieldsEmpty);
  return { ...found, servers: [{ url: new URL("..", document.baseURI).href.replace(/\/$/, "") }] };
}

/** @param {Record<string, Operation>} path */
function operationsOf(path) {
  return METHODS.flatMap((method) => path[method] ?? []);
}

/**
 * Begin forms with examples and defaults only; without this, other fields get made-up values.
 *
 * @param {Operation} operation
 */
function leaveOptionalFieldsEmpty(operation) {
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!schema.required?.includes(name) && !("example" in field) && !("default" in field)) {
        field.example = field.type === "array" ? [] : "";
      }
    }
  }
}

/** @typedef {(props: any) => unknown} Component */

/**
 * Empty fields are sent only where somebody has asked for it, and lists are written as they are sent: the
 * list editor would make texts of all numbers.
 */
function FormsAsTheyAreSent() {
  /** @type {(original: Component, system: any) => Component} */
  const ParameterIncludeEmpty =
    (Original, { React }) =>
    (props) =>
      React.createElement(Original, {
        ...props,
        isIncludedOptions: { ...props.isIncludedOptions, shouldDispatchInit: false },
      });
  /** @type {(original: Component, system: any) => Component} */
  const JsonSchema_array =
    (_, { React, getComponent }) =>
    (props) =>
      React.createElement(getComponent("JsonSchema_object"), props);
  return { wrapComponents: { ParameterIncludeEmpty, JsonSchema_array } };
}

/**
 * Requests without a key go by the session of the client, if the browser has one.
 *
 * @param {{headers: Record<string, string>}} request
 */
function bySession(request) {
  if (!request.headers.Authorization) request.headers["X-Chat-Page"] = "1";
  return request;
}

dark.addEventListener("change", followTheScheme);
followTheScheme();
SwaggerUIBundle({
  dom_id: "#reference",
  spec: await description(),
  plugins: [FormsAsTheyAreSent],
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  requestInterceptor: bySession,
  showMutatedRequest: false, // what curl sends has no session
});
