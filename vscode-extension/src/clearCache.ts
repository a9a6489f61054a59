/** What audits have learnt, forgotten. */

import * as vscode from "vscode";
import { runDplint } from "./commandLine";
import type { Session } from "./server/session";

export async function clearCache(session: Session, home: string): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const launch = session.view.environment?.launch;
  if (launch === undefined) {
    throw new Error("dplint is not installed, so it has no cache.");
  }
  const said: string[] = [];
  for (const folder of folders) {
    const { code, stdout, stderr } = await runDplint(launch, ["clean", folder.uri.fsPath], { cwd: home });
    if (code !== 0) {
      throw new Error((stderr || stdout).trim());
    }
    said.push(stdout.trim());
  }
  // What the server knows is forgotten with it.
  await session.start();
  void vscode.window.showInformationMessage(`dplint: ${said.join(" ") || "there is no folder with a cache"}`);
}
