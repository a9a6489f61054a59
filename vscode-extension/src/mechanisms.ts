/** Which mechanism a command is about: the one that a lens names, or the one under the cursor, or the one that is chosen. */

import * as vscode from "vscode";
import { mechanismAt } from "./mechanismAt";
import type { Mechanism, Server } from "./types";

/** The address of a document and the name of a function in it: what the server wants to know. */
export type Target = readonly [uri: string, name: string];

/**
 * The mechanism that the user means: that under the cursor, or the only one of the file, or one chosen from a list.
 * Undefined if nothing was chosen, or if there is none: the user is told `none`, which is followed by the file.
 */
export async function meant(
  server: Server,
  none = "No function with a claim of differential privacy was found in",
  wanted: (one: Mechanism) => boolean = () => true,
): Promise<Target | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "python") {
    void vscode.window.showInformationMessage("Open a Python file with a mechanism first.");
    return undefined;
  }
  const uri = editor.document.uri.toString();
  const all = await server.request<Mechanism[]>("dplint.mechanisms", uri);
  const here = mechanismAt(all, editor.selection.active.line);
  if (here !== undefined) {
    if (wanted(here)) {
      return [uri, here.function];
    }
    void vscode.window.showInformationMessage(`${here.function}: ${here.state}`);
    return undefined;
  }
  return choose(uri, all.filter(wanted), `${none} ${vscode.workspace.asRelativePath(editor.document.uri)}.`);
}

async function choose(uri: string, all: readonly Mechanism[], none: string): Promise<Target | undefined> {
  const [first] = all;
  if (first === undefined) {
    void vscode.window.showInformationMessage(none);
    return undefined;
  }
  if (all.length === 1) {
    return [uri, first.function];
  }
  const items = all.map((one) => ({ label: one.function, description: one.state }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: "Which mechanism?" });
  return chosen && [uri, chosen.label];
}
