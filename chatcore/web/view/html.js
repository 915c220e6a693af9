/** The functions with which views are written. */

import htm from "../vendor/htm.js";
import { useEffect, useReducer } from "../vendor/hooks.js";
import { h } from "../vendor/preact.js";

export { Fragment, render } from "../vendor/preact.js";
export * from "../vendor/hooks.js";

export const html = htm.bind(h);

/** A function that renders the component again. */
export const useAgain = () => useReducer((/** @type {number} */ count) => count + 1, 0)[1];

/** Render the component again after changes of a model. @param {import("../model/observable.js").Observable | null} model */
export function useModel(model) {
  const again = useAgain();
  const seen = model?.version;
  useEffect(() => {
    if (model?.version !== seen) again(0); // it has changed between the rendering and this effect
    return model?.observe(() => again(0));
  }, [model]);
}

/** Listen to events of the window. @param {string} type @param {(event: any) => void} listener @param {unknown[]} those after whose changes the listener is another one */
export function useListener(type, listener, those) {
  useEffect(() => {
    addEventListener(type, listener);
    return () => removeEventListener(type, listener);
  }, those);
}

/** @param {...(string | false | null | undefined)} names */
export const classes = (...names) => names.filter(Boolean).join(" ");

/** Focus an element when it appears. @param {HTMLElement | null} element */
export const focusNew = (element) => element?.focus();
