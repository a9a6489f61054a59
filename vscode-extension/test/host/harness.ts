/** Tests inside the extension host of a real VS Code: named steps, whose results the driver reads from a file. */

import * as fs from "node:fs";
import * as vscode from "vscode";
import type { Api } from "../../src/extension";

export interface Step {
  readonly name: string;
  readonly ms: number;
  readonly error?: string;
  /** What a step wants to have told: a number that was measured. */
  readonly note?: string;
}

export type Test = (name: string, body: () => Promise<unknown>) => Promise<void>;

export const PATIENCE_MS = 60_000;

/** Run the steps of a suite one after the other and write down how they went; later ones run also after a failure. */
export async function runSuite(suite: (test: Test) => Promise<void>): Promise<void> {
  const steps: Step[] = [];
  const write = (done: boolean): void => fs.writeFileSync(required("DPLINT_RESULT"), JSON.stringify({ done, steps }));
  await suite(async (name, body) => {
    const start = Date.now();
    const step: { -readonly [Key in keyof Step]: Step[Key] } = { name, ms: 0 };
    try {
      const note = await body();
      if (typeof note === "string") {
        step.note = note;
      }
    } catch (error) {
      step.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    step.ms = Date.now() - start;
    steps.push(step);
    write(false);
  });
  write(true);
}

export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set`);
  }
  return value;
}

/** Look again and again until there is something; throws with what was seen last. */
export async function until<T>(what: string, look: () => T | Promise<T>, wanted: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (wanted(seen)) {
      return seen;
    }
    if (Date.now() > end) {
      throw new Error(`never seen: ${what}; last: ${JSON.stringify({ seen }).slice(0, 2000)}`);
    }
    await pause(50);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function extension(): vscode.Extension<Api> {
  const found = vscode.extensions.getExtension<Api>("dplint.dplint");
  if (found === undefined) {
    throw new Error("the extension is not there");
  }
  return found;
}

export async function activated(): Promise<Api> {
  return extension().activate();
}

export function file(name: string, folder = 0): vscode.Uri {
  const root = vscode.workspace.workspaceFolders?.[folder];
  if (root === undefined) {
    throw new Error("there is no folder");
  }
  return vscode.Uri.joinPath(root.uri, name);
}

/** As a user does: what is opened by the interface for extensions stays open for minutes when its tab was closed. */
export async function open(name: string, folder = 0): Promise<vscode.TextEditor> {
  const uri = file(name, folder);
  await vscode.commands.executeCommand("vscode.open", uri, { preview: false });
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString()) {
    throw new Error(`${name} was not opened`);
  }
  return editor;
}

export const problems = (uri: vscode.Uri): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter((one) => one.source === "dplint");

export const codeOf = (one: vscode.Diagnostic): string =>
  typeof one.code === "object" ? String(one.code.value) : String(one.code);

export async function see(uri: vscode.Uri, code: string): Promise<vscode.Diagnostic> {
  const found = await until(
    `${code} in ${uri.path}`,
    () => problems(uri),
    (all) => all.some((one) => codeOf(one) === code),
  );
  const one = found.find((item) => codeOf(item) === code);
  if (one === undefined) {
    throw new Error("cannot happen");
  }
  return one;
}

export async function lenses(uri: vscode.Uri): Promise<vscode.Command[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 1000);
  return found.flatMap((one) => (one.command === undefined ? [] : [one.command]));
}

export async function seeLens(uri: vscode.Uri, title: string | RegExp): Promise<vscode.Command> {
  const fits = (one: vscode.Command): boolean =>
    typeof title === "string" ? one.title.includes(title) : title.test(one.title);
  const all = await until(
    `lens ${String(title)}`,
    () => lenses(uri),
    (found) => found.some(fits),
  );
  return all.find(fits) ?? all[0] ?? { title: "", command: "" };
}

/** Select a place by a piece of the text that stands there. */
export function goTo(editor: vscode.TextEditor, piece: string): vscode.Position {
  const offset = editor.document.getText().indexOf(piece);
  if (offset < 0) {
    throw new Error(`${piece} does not stand there`);
  }
  const position = editor.document.positionAt(offset);
  editor.selection = new vscode.Selection(position, position);
  return position;
}

export async function replace(editor: vscode.TextEditor, piece: string, by: string): Promise<void> {
  const start = goTo(editor, piece);
  const end = editor.document.positionAt(editor.document.offsetAt(start) + piece.length);
  await editor.edit((edit) => edit.replace(new vscode.Range(start, end), by));
}

/** Set a setting for the workspace, and unset it when the body has run. */
export async function withSetting(name: string, value: unknown, body: () => Promise<void>): Promise<void> {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("dplint");
  await settings().update(name, value, vscode.ConfigurationTarget.Workspace);
  try {
    await body();
  } finally {
    await settings().update(name, undefined, vscode.ConfigurationTarget.Workspace);
  }
}
