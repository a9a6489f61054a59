/** The script of both views: it keeps what the extension says, and shows it anew whenever there is more. */

import type { Audit, Counterexample, Curve, Outputs, Refused, Subject, ToView } from "../src/panels/messages";
import { type State, counterexamplePage } from "./counterexample";
import { type Axis, curvePage, refusedPage } from "./curve";
import { h } from "./dom";
import { type Point, heardPoint } from "./growth";
import { remember, send } from "./vscode";

const MOST_WIDE = 980;
const MARGIN = 48;

let subject: Subject | undefined;
let view: Counterexample | undefined;
let outputs: Outputs | Refused | undefined;
let curve: Curve | Refused | undefined;
let sweeping = false;
let axis: Axis = "pValue";
let nothing: string | undefined;
let audit: Audit | null = null;
let may = true;
let heard: Point[] = [];

function take(message: ToView): void {
  switch (message.type) {
    case "subject":
      subject = message.subject;
      remember(subject);
      break;
    case "counterexample":
      if (view?.event !== message.view.event) {
        outputs = undefined;
      }
      view = message.view;
      heard = [];
      nothing = undefined;
      break;
    case "nothing":
      nothing = message.text;
      break;
    case "outputs":
      outputs = message.outputs;
      break;
    case "sweeping":
      sweeping = true;
      break;
    case "curve":
      sweeping = false;
      curve = message.curve;
      break;
    case "audit": {
      audit = message.audit;
      may = message.may;
      const point = audit === null || view === undefined ? undefined : heardPoint(view, audit);
      heard = point === undefined ? heard : [...heard, point];
      break;
    }
    case "said":
      say(message.text);
      return;
  }
  show();
}

/** Everything again. What the reader has opened, where they are and what has the focus stays. */
function show(): void {
  const root = document.getElementById("root");
  if (root === null || subject === undefined) {
    return;
  }
  const opened = [...root.querySelectorAll("details")].map((one) => one.open);
  const focused = document.activeElement?.id ?? "";
  const top = window.scrollY;
  root.replaceChildren(...page(Math.min(MOST_WIDE, Math.max(320, window.innerWidth - MARGIN))));
  root.querySelectorAll("details").forEach((one, i) => {
    one.open = opened[i] ?? false;
  });
  if (focused !== "") {
    document.getElementById(focused)?.focus();
  }
  window.scrollTo(0, top);
}

function page(width: number): HTMLElement[] {
  if (subject?.kind === "curve") {
    return curveParts(width);
  }
  if (view === undefined) {
    return [waiting(nothing ?? "Waiting for the counterexample …")];
  }
  const state: State = { view, outputs, heard, audit, may, stale: nothing };
  return counterexamplePage(state, width);
}

function curveParts(width: number): HTMLElement[] {
  const title = `The curve of ${subject?.function ?? ""}`;
  if (curve === undefined || sweeping) {
    return [h("h1", {}, title), waiting("The function is run against a range of epsilons; this takes some seconds …")];
  }
  if ("error" in curve) {
    return refusedPage(title, curve, () => send({ type: "drawAgain" }));
  }
  return curvePage(curve, axis, choose, width);
}

function choose(chosen: Axis): void {
  axis = chosen;
  show();
}

function waiting(text: string): HTMLElement {
  return h("p", { class: "waiting", role: "status" }, text);
}

/** An answer to a button, beside it. */
function say(text: string): void {
  const place = document.getElementById("said");
  if (place !== null) {
    place.textContent = text;
  }
}

let resized: number | undefined;
window.addEventListener("resize", () => {
  window.clearTimeout(resized);
  resized = window.setTimeout(show, 120);
});
window.addEventListener("message", (event: MessageEvent<ToView>) => take(event.data));
send({ type: "ready" });
