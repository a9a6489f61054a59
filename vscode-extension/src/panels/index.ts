/**
 * The views: a counterexample explained, a proof, and a curve. They are opened by the commands `dplint.showCounterexample`,
 * `dplint.showProof` and `dplint.showCurve`, which code lenses call with the address of a document and the name of a function.
 */

import * as vscode from "vscode";
import type { Server } from "../types";
import type { Kind, Subject } from "./messages";
import { Panel } from "./panel";

const KINDS: readonly Kind[] = ["counterexample", "proof", "curve"];
const COMMANDS: Readonly<Record<Kind, string>> = {
  counterexample: "dplint.showCounterexample",
  proof: "dplint.showProof",
  curve: "dplint.showCurve",
};

export function registerPanels(context: vscode.ExtensionContext, server: Server): void {
  const panels = new Map<string, Panel>();

  const keep = (made: vscode.WebviewPanel, subject: Subject, quiet: boolean): void => {
    const key = keyOf(subject);
    const panel = new Panel(made, subject, server, context.extensionUri, quiet, show);
    panels.set(key, panel);
    made.onDidDispose(() => panels.delete(key));
  };

  const show = (subject: Subject, column?: vscode.ViewColumn): void => {
    const known = panels.get(keyOf(subject));
    if (known !== undefined) {
      known.reveal();
      return;
    }
    const where = { viewColumn: column ?? vscode.ViewColumn.Beside, preserveFocus: column === undefined };
    keep(vscode.window.createWebviewPanel(typeOf(subject.kind), "dplint", where), subject, false);
  };

  for (const kind of KINDS) {
    context.subscriptions.push(
      vscode.commands.registerCommand(COMMANDS[kind], (uri: string, name: string) =>
        show({ kind, uri, function: name }),
      ),
      vscode.window.registerWebviewPanelSerializer(typeOf(kind), {
        deserializeWebviewPanel: (panel: vscode.WebviewPanel, state: unknown) => {
          // A second view of the same mechanism would show nothing that the first one does not.
          if (isSubject(state) && !panels.has(keyOf(state))) {
            keep(panel, { ...state, kind }, true);
          } else {
            panel.dispose();
          }
          return Promise.resolve();
        },
      }),
    );
  }
  context.subscriptions.push({ dispose: () => panels.forEach((panel) => panel.dispose()) });
}

function typeOf(kind: Kind): string {
  return `dplint.${kind}`;
}

function keyOf(subject: Subject): string {
  return `${subject.kind} ${subject.uri} ${subject.function}`;
}

function isSubject(state: unknown): state is Subject {
  const found = state as Partial<Subject> | null | undefined;
  return typeof found?.uri === "string" && typeof found.function === "string";
}
