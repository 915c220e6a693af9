/** The functions with which views are written, and what is shown where one of them fails. */

import { t } from "../../text/text.js";
import { useEffect, useErrorBoundary, useReducer, useRef } from "../../vendor/hooks.js";
import htm from "../../vendor/htm.js";
import { h } from "../../vendor/preact.js";

export { Fragment, render } from "../../vendor/preact.js";
export * from "../../vendor/hooks.js";

/**
 * A listener for keys that an input method has not used; Safari says that by the code only.
 *
 * @param {(event: any) => void} listener
 */
const onKeys = (listener) => (event) => {
  if (!event.isComposing && event.keyCode !== 229) listener(event);
};

/** Make an element: no key of an input method gets to its listener. */
function element(type, props, ...children) {
  const own =
    props?.onKeyDown && typeof type === "string" ? { ...props, onKeyDown: onKeys(props.onKeyDown) } : props;
  return h(type, own, ...children);
}

export const html = htm.bind(element);

/** A function that renders the component again. */
export const useAgain = () => useReducer((/** @type {number} */ count) => count + 1, 0)[1];

/**
 * Render the component again after changes of a model.
 *
 * @param {import("../../model/observable.js").Observable | null} model
 */
export function useModel(model) {
  const again = useAgain();
  const seen = model?.version;
  useEffect(() => {
    if (model?.version !== seen) again(0); // it has changed between the rendering and this effect
    return model?.observe(() => again(0));
  }, [model]);
}

/**
 * Make parts of a long list by their keys. One whose facts are those of the last rendering is the same node
 * again, which is neither rendered nor compared.
 *
 * @template Node
 */
export function useKept() {
  /** @type {{current: Map<unknown, {facts: unknown[], node: Node}>}} */
  const kept = useRef(new Map());
  return (/** @type {unknown} */ key, /** @type {unknown[]} */ facts, /** @type {() => Node} */ make) => {
    const known = kept.current.get(key);
    if (known && facts.every((one, at) => one === known.facts[at])) return known.node;
    const node = make();
    kept.current.set(key, { facts, node });
    return node;
  };
}

/**
 * Listen to events of the window.
 *
 * @param {string} type
 * @param {(event: any) => void} listener
 * @param {unknown[]} those after whose changes the listener is another one
 */
export function useListener(type, listener, those) {
  useEffect(() => {
    const own = type === "keydown" ? onKeys(listener) : listener;
    addEventListener(type, own);
    return () => removeEventListener(type, own);
  }, those);
}

/** @param {...(string | false | null | undefined)} names */
export const classes = (...names) => names.filter(Boolean).join(" ");

/** Whether people write with their fingers: then Enter is the only way to another line. */
export const isTouched = matchMedia("(hover: none) and (pointer: coarse)").matches;

/** Focus an element when it appears. @param {HTMLElement | null} element */
export const focusNew = (element) => element?.focus();

/** Show the children or, once they have failed, what *otherwise* makes; other parts stay as they are. */
export function Boundary({ otherwise, children }) {
  const [error] = useErrorBoundary((/** @type {unknown} */ one) => console.warn(one));
  return error ? otherwise() : html`${children}`;
}

/** What is shown in place of the page when that has failed. */
export const Failure = () =>
  html`<p class="none" role="alert">${t("status.failed")} <button onClick=${() => location.reload()}>
    ${t("status.reload")}</button></p>`;
