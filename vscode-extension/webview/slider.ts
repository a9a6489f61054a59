/** What the claim would have to be: an epsilon to choose, and what this counterexample says of it. */

import type { Counterexample } from "../src/panels/messages";
import { h } from "./dom";
import { epsilonWords, finite } from "./numbers";

const STEPS = 200;

export function epsilonSlider(view: Counterexample): HTMLElement {
  const lower = finite(view.bound.lower);
  const top = Number.isFinite(lower) ? 2 * Math.max(lower, view.bound.claimed) : 8 * Math.max(view.bound.claimed, 0.1);
  const answer = h("output", { for: "epsilon", "aria-live": "polite" }, epsilonWords(view, view.bound.claimed));
  const value = (step: number): number => (top * step) / STEPS;
  const start = Math.round((STEPS * view.bound.claimed) / top);
  const input = h("input", {
    type: "range",
    id: "epsilon",
    min: 1,
    max: STEPS,
    value: Math.max(1, start),
    "aria-valuetext": epsilonWords(view, view.bound.claimed),
    oninput: () => {
      const words = epsilonWords(view, value(Number(input.value)));
      answer.textContent = words;
      input.setAttribute("aria-valuetext", words);
    },
  });
  return h("div", { class: "slider" }, h("label", { for: "epsilon" }, "If epsilon were claimed as"), input, h("p", {}, answer));
}
