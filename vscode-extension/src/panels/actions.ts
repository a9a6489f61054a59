/** What buttons and links of a view do in the editor. Each answers with a few words for the view, or with nothing. */

import * as vscode from "vscode";
import type { Mend, Range, TestFile } from "./messages";

/** Open the editor at a range, beside the view. */
export async function open(uri: string, range: Range): Promise<void> {
  const { start, end } = range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  const visible = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri);
  const document = visible?.document ?? (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)));
  await vscode.window.showTextDocument(document, {
    selection,
    viewColumn: visible?.viewColumn ?? vscode.ViewColumn.One,
  });
}

export async function copy(text: string): Promise<string> {
  await vscode.env.clipboard.writeText(text);
  return "Copied.";
}

/** Make the edits of a fix, and save, so that the mended function is tested. A text that has changed is left as it is. */
export async function mend(uri: string, fix: Mend): Promise<string> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  if (document.version !== fix.version) {
    return "The file has changed since; look at the view again.";
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of fix.edits) {
    const { start, end } = range;
    edit.replace(document.uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    return "The editor did not take the edit.";
  }
  await document.save();
  return `Done: ${fix.title}. The function is tested again.`;
}

/** Put the test into the project and show it; a file that is there already is shown and left as it is. */
export async function write(test: TestFile): Promise<string> {
  if (test.uri === null) {
    return "The test has no place in this project.";
  }
  const uri = vscode.Uri.parse(test.uri);
  const there = await exists(uri);
  if (!there) {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, ".."));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(test.text));
  }
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
  return there ? "The file is there already; it was left as it is." : "Written.";
}

/** Ask where to, and save a picture there. */
export async function save(svg: string, name: string, beside: string): Promise<string> {
  const source = vscode.Uri.parse(beside);
  const folder = vscode.workspace.getWorkspaceFolder(source)?.uri ?? vscode.Uri.joinPath(source, "..");
  const uri = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: { "SVG pictures": ["svg"] },
    title: "Save the curve",
  });
  if (uri === undefined) {
    return "";
  }
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(svg));
  return `Saved as ${vscode.workspace.asRelativePath(uri)}.`;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
