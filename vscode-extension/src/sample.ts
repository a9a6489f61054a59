/** The sample file of the walkthrough: a copy, in a folder of its own, which people may change as they like. */

import * as vscode from "vscode";

const NAME = "dplint_sample.py";

export async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const source = vscode.Uri.joinPath(context.extensionUri, "walkthrough", "sample.py");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? context.globalStorageUri;
  const target = vscode.Uri.joinPath(folder, NAME);
  if (!(await exists(target))) {
    await vscode.workspace.fs.createDirectory(folder);
    await vscode.workspace.fs.copy(source, target);
  }
  await vscode.window.showTextDocument(target);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
