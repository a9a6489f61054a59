/** One view of one mechanism: what it shows, kept for when it is hidden and shown again. */

import * as vscode from "vscode";
import type { Mechanism, Server, Status } from "../types";
import * as actions from "./actions";
import { html } from "./html";
import type { Counterexample, Curve, FromView, Kind, Outputs, Proof, Refused, Subject, ToView } from "./messages";

const AFTER_TYPING_MS = 800;

/** The parts of the server's answers that a view needs. */
interface Answer {
  readonly view: Counterexample;
}

export class Panel implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  /** The last message of each type, to be sent again to a view that was hidden. */
  private readonly last = new Map<ToView["type"], ToView>();
  private found: Counterexample | undefined;
  private running = false;
  private counts = "";
  private asked = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * quiet: nothing that takes long begins by itself, for the window was loaded again and nobody has asked.
   * another: opens another view of the same mechanism, in the same column.
   */
  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly subject: Subject,
    private readonly server: Server,
    extension: vscode.Uri,
    private quiet: boolean,
    private readonly another: (subject: Subject, column: vscode.ViewColumn | undefined) => void,
  ) {
    panel.title = `${TITLES[subject.kind]}: ${subject.function}`;
    panel.iconPath = vscode.Uri.joinPath(extension, "media", "icon.png");
    panel.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, "dist")] };
    this.disposables.push(
      panel.webview.onDidReceiveMessage((message: FromView) => void this.take(message)),
      server.onStatus((status) => this.follow(status)),
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event.document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.changed(document)),
    );
    panel.onDidDispose(() => this.dispose());
    this.last.set("subject", { type: "subject", subject });
    panel.webview.html = html(panel.webview, extension);
  }

  /** Bring it to the front and look again, for somebody has asked for it. */
  reveal(): void {
    this.panel.reveal(undefined, true);
    this.quiet = false;
    void this.load();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.asked += 1;
    for (const one of this.disposables.splice(0)) {
      one.dispose();
    }
  }

  private async take(message: FromView): Promise<void> {
    switch (message.type) {
      case "ready":
        for (const known of this.last.values()) {
          void this.panel.webview.postMessage(known);
        }
        if (this.last.size === 1) {
          await this.load();
        }
        return;
      case "open":
        return this.said(() => actions.open(this.subject.uri, message.range));
      case "copyTest":
        return this.withTest((test) => actions.copy(test.text));
      case "copyText":
        return this.said(() => actions.copy(message.text));
      case "applyFix":
        return this.mend();
      case "writeTest":
        return this.withTest(actions.write);
      case "saveSvg":
        return this.said(() => actions.save(message.svg, `${this.subject.function}-curve.svg`, this.subject.uri));
      case "testDeeper":
        return this.said(() => this.request("dplint.testDeeper"));
      case "stop":
        return this.said(() => this.request("dplint.stop"));
      case "drawAgain":
        this.quiet = false;
        return this.subject.kind === "curve" ? this.sweep() : this.draw();
      case "showCurve":
        this.another({ ...this.subject, kind: "curve" }, this.panel.viewColumn);
    }
  }

  /** The audit of this mechanism, for the bound that grows; and whether there may be something new to show. */
  private follow(status: Status): void {
    const { uri, function: name } = this.subject;
    if (this.subject.kind === "curve") {
      return;
    }
    const own = status.running.find((one) => one.uri === uri && one.function === name);
    const audit = own && { runs: own.runs, claimed: own.claimed, epsilonLower: own.epsilonLower };
    this.post({ type: "audit", audit: audit ?? null, may: status.state === "on" });
    const counts = `${status.mechanisms} ${status.violations}`;
    if ((this.running && own === undefined) || counts !== this.counts) {
      void this.load();
    }
    this.running = own !== undefined;
    this.counts = counts;
  }

  private changed(document: vscode.TextDocument): void {
    if (this.subject.kind !== "curve" && document.uri.toString() === vscode.Uri.parse(this.subject.uri).toString()) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.load(), AFTER_TYPING_MS);
    }
  }

  private async load(): Promise<void> {
    if (this.subject.kind === "curve") {
      if (!this.quiet) {
        return this.sweep();
      }
      this.post({ type: "curve", curve: RELOADED });
      return;
    }
    if (this.subject.kind === "proof") {
      return this.prove();
    }
    const asked = ++this.asked;
    let answer: Answer | null;
    try {
      answer = await this.request<Answer | null>("dplint.showCounterexample");
    } catch (error) {
      this.post({ type: "nothing", text: reason(error) });
      return;
    }
    if (asked !== this.asked) {
      return;
    }
    if (answer === null && this.found === undefined) {
      this.openDocument();
    }
    if (answer === null) {
      this.post({ type: "nothing", text: this.found === undefined ? NOTHING : OUTDATED });
      await this.compare();
      return;
    }
    const before = this.found;
    this.found = answer.view;
    this.last.delete("nothing");
    this.last.delete("after");
    this.post({ type: "counterexample", view: answer.view });
    if (before === undefined || !sameInput(before, answer.view)) {
      await this.draw();
    }
  }

  /** The proof as it stands, with a picture of outputs the first time. */
  private async prove(): Promise<void> {
    const asked = ++this.asked;
    const answer = await this.request<{ readonly view: Proof } | null>("dplint.showProof").catch((error: unknown) => reason(error));
    if (asked !== this.asked) {
      return;
    }
    const first = !this.last.has("proof");
    if (answer === null || typeof answer === "string") {
      this.post({ type: "nothing", text: answer ?? (first ? NO_PROOF : OUTDATED) });
      return;
    }
    this.last.delete("nothing");
    this.post({ type: "proof", proof: answer.view });
    if (first && answer.view.pair !== null) {
      await this.draw();
    }
  }

  /** What is known of the function by now, beside what was found before. */
  private async compare(): Promise<void> {
    if (this.found === undefined) {
      return;
    }
    const all = await this.server.request<Mechanism[]>("dplint.mechanisms", this.subject.uri).catch(() => []);
    const own = all.find((one) => one.function === this.subject.function);
    this.post({ type: "after", state: own?.state ?? null });
  }

  private mend(): Promise<void> {
    const fix = this.found?.places[0]?.fix;
    return this.said(async () => (fix ? actions.mend(this.subject.uri, fix) : "There is no fix."));
  }

  /** After a window was loaded again, only files that are seen are open; the server has to know this one. */
  private openDocument(): void {
    vscode.workspace.openTextDocument(vscode.Uri.parse(this.subject.uri)).then(undefined, (error: unknown) => {
      this.post({ type: "nothing", text: reason(error) });
    });
  }

  private async draw(): Promise<void> {
    const outputs = await this.made<Outputs>("dplint.showOutputs");
    this.post({ type: "outputs", outputs });
  }

  private async sweep(): Promise<void> {
    this.last.delete("curve");
    this.post({ type: "sweeping" });
    const curve = await this.made<Curve>("dplint.showCurve");
    this.last.delete("sweeping");
    this.post({ type: "curve", curve });
  }

  /** What the server makes by running the mechanism; or why it does not. */
  private async made<T>(command: string): Promise<T | Refused> {
    try {
      return await this.request<T | Refused>(command);
    } catch (error) {
      return { error: reason(error) };
    }
  }

  private request<T>(command: string): Promise<T> {
    return this.server.request<T>(command, this.subject.uri, this.subject.function);
  }

  private withTest(act: (test: NonNullable<Counterexample["test"]>) => Promise<string>): Promise<void> {
    const test = this.found?.test;
    return this.said(async () => (test ? act(test) : "There is no test."));
  }

  /** Do something, and have the view say what came of it. */
  private async said(act: () => Promise<unknown>): Promise<void> {
    let text: unknown;
    try {
      text = await act();
    } catch (error) {
      text = reason(error);
    }
    if (typeof text === "string") {
      void this.panel.webview.postMessage({ type: "said", text } satisfies ToView);
    }
  }

  private post(message: ToView): void {
    this.last.set(message.type, message);
    void this.panel.webview.postMessage(message);
  }
}

const TITLES: Readonly<Record<Kind, string>> = { counterexample: "Counterexample", proof: "Proof", curve: "Curve" };
const NO_PROOF = "There is no proof to show: the mechanism is not tested yet, or its claim is not proved. This view fills as soon as it is.";
const NOTHING =
  "There is no counterexample to show: the mechanism is not tested yet, nothing was found, or its file is closed. " +
  "This view fills as soon as there is one.";
const OUTDATED = "The source has changed since, or its file is closed: this is what was found before.";
const RELOADED: Refused = { error: "The window was loaded again. The function has to be run anew for the curve." };

function sameInput(one: Counterexample, two: Counterexample): boolean {
  return one.event === two.event && JSON.stringify([one.data, one.arguments]) === JSON.stringify([two.data, two.arguments]);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
