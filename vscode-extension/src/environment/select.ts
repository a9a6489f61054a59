/** Choosing the interpreter: in the Python extension where that is installed, else from a list. */

import * as vscode from "vscode";
import { interpretersOf } from "./find";
import { probe } from "./probe";
import { hasPythonExtension } from "./pythonExtension";

interface Item extends vscode.QuickPickItem {
  /** What the setting becomes; undefined unsets it. */
  readonly choose?: () => Promise<string | undefined>;
}

export async function selectInterpreter(home: string, output: vscode.LogOutputChannel): Promise<void> {
  const folder = await chosenFolder();
  const settings = vscode.workspace.getConfiguration("dplint", folder?.uri);
  const set = settings.get<string | null>("interpreter") ?? undefined;
  if (hasPythonExtension() && set === undefined) {
    await vscode.commands.executeCommand("python.setInterpreter");
    return;
  }
  const now = (await interpretersOf(folder))[0]?.path;
  const others = await interpretersOf(folder, { all: true });
  const paths = new Set([...(now === undefined ? [] : [now]), ...others.map((one) => one.path)]);
  const pythons = await Promise.all([...paths].map((path) => probe(path, home, (text) => output.warn(text))));
  const items: Item[] = pythons
    .filter((one) => one !== undefined)
    .map((one) => ({
      label: `${one.path === now ? "$(check)" : "$(blank)"} Python ${one.python}`,
      description: one.path,
      detail: one.dplint === null ? "dplint is not installed" : `dplint ${one.dplint}`,
      choose: () => Promise.resolve(one.path),
    }));
  items.push({ label: "$(folder-opened) Browse…", description: "another interpreter", choose: browse });
  if (set !== undefined) {
    const way = hasPythonExtension() ? "take what is selected in the Python extension" : "look for it";
    items.push({ label: "$(discard) Unset", description: way, choose: () => Promise.resolve("") });
  }
  const chosen = await vscode.window.showQuickPick(items, { title: "dplint: the Python of the project" });
  const path = await chosen?.choose?.();
  if (path !== undefined) {
    await settings.update("interpreter", path || undefined, targetOf(folder));
  }
}

/** The folder that is meant; asked where there are several. */
async function chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 1
    ? vscode.window.showWorkspaceFolderPick({ placeHolder: "Of which folder?" })
    : folders[0];
}

/** Settings of a workspace that is not trusted are not heeded, so the user's are set there. */
function targetOf(folder: vscode.WorkspaceFolder | undefined): vscode.ConfigurationTarget {
  if (folder === undefined || !vscode.workspace.isTrusted) {
    return vscode.ConfigurationTarget.Global;
  }
  const several = (vscode.workspace.workspaceFolders ?? []).length > 1;
  return several ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace;
}

async function browse(): Promise<string | undefined> {
  const found = await vscode.window.showOpenDialog({ title: "The Python of the project", openLabel: "Select" });
  return found?.[0]?.fsPath;
}
