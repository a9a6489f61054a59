/** The script of all views: it keeps what the extension says, and shows it anew whenever there is more. */

import type { Audit, Counterexample, Curve, Outputs, Proof, Refused, Subject, ToView } from "../src/panels/messages";
import { type State, counterexamplePage, growthSection } from "./counterexample";
import { type Axis, curvePage, refusedPage } from "./curve";
import { h } from "./dom";
import { type Point, heardPoint } from "./growth";
import { proofPage } from "./proof";
import { remember, send } from "./vscode";

const MOST_WIDE = 980;
const MARGIN = 48;

let subject: Subject | undefined;
let view: Counterexample | undefined;
let outputs: Outputs | Refused | undefined;
let proof: Proof | undefined;
let curve: Curve | Refused | undefined;
let sweeping = false;
let axis: Axis = "pValue";
let nothing: string | undefined;
let after: string | undefined;
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
      after = undefined;
      break;
    case "proof":
      proof = message.proof;
      nothing = undefined;
      break;
    case "nothing":
      nothing = message.text;
      break;
    case "after":
      after = message.state ?? undefined;
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
    case "audit":
      follow(message.audit, message.may);
      return;
    case "said":
      say(message.text);
      return;
  }
  show();
}

/** An audit goes on, begins or ends: only its own part of the page is drawn anew. */
function follow(now: Audit | null, allowed: boolean): void {
  const turn = (audit === null) !== (now === null) || may !== allowed;
  audit = now;
  may = allowed;
  const point = now === null || view === undefined ? undefined : heardPoint(view, now);
  heard = point === undefined ? heard : [...heard, point];
  const part = document.getElementById("growth");
  if (part === null || view === undefined || (now === null && !turn)) {
    return;
  }
  const made = growthSection(stateOf(view), wide());
  keeping(part, () => part.replaceChildren(...made.childNodes));
  if (turn && subject !== undefined) {
    announce(now === null ? `The test of ${subject.function} has ended.` : `${subject.function} is tested.`);
  }
}

/** Everything again. */
function show(): void {
  const root = document.getElementById("root");
  if (root === null || subject === undefined) {
    return;
  }
  const top = window.scrollY;
  keeping(root, () => root.replaceChildren(...page(wide())));
  window.scrollTo(0, top);
}

/** Change a part of the page. What the reader has opened in it stays open, and what has the focus keeps it. */
function keeping(part: HTMLElement, change: () => void): void {
  const opened = [...part.querySelectorAll("details")].map((one) => one.open);
  const before = stops(part);
  const index = before.findIndex((one) => one === document.activeElement);
  const id = before[index]?.id ?? "";
  change();
  part.querySelectorAll("details").forEach((one, i) => {
    one.open = opened[i] ?? false;
  });
  const after = stops(part);
  const same = after.length === before.length ? after[index] : undefined;
  (after.find((one) => id !== "" && one.id === id) ?? same)?.focus({ preventScroll: true });
}

/** What the Tab key stops at. */
function stops(part: HTMLElement): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>("a, button, input, summary, [tabindex]")];
}

function wide(): number {
  return Math.min(MOST_WIDE, Math.max(320, window.innerWidth - MARGIN));
}

function stateOf(shown: Counterexample): State {
  return { view: shown, outputs, heard, audit, may, stale: nothing, after };
}

function page(width: number): HTMLElement[] {
  if (subject?.kind === "curve") {
    return curveParts(width);
  }
  if (subject?.kind === "proof") {
    return proof === undefined ? [waiting(nothing ?? "Waiting for the proof …")] : proofPage(proof, outputs, nothing, width);
  }
  if (view === undefined) {
    return [waiting(nothing ?? "Waiting for the counterexample …")];
  }
  return counterexamplePage(stateOf(view), width);
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
  for (const place of document.querySelectorAll(".said")) {
    place.textContent = text;
  }
  announce(text);
}

/** For screen readers: something has happened that is to be seen elsewhere. */
function announce(text: string): void {
  live.textContent = text;
}

const live = h("div", { class: "unseen", role: "status" });
document.body.append(live);

let resized: number | undefined;
window.addEventListener("resize", () => {
  window.clearTimeout(resized);
  resized = window.setTimeout(show, 120);
});
window.addEventListener("message", (event: MessageEvent<ToView>) => take(event.data));
send({ type: "ready" });
