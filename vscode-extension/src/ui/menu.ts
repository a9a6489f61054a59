/** What the item in the status bar opens: what can be done now. */

import * as vscode from "vscode";
import type { Session } from "../server/session";

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
}

export async function showMenu(session: Session): Promise<void> {
  const { phase, status } = session.view;
  const entries: Entry[] = [];
  const add = (icon: string, label: string, command: string, description = ""): void => {
    entries.push({ label: `$(${icon}) ${label}`, command, description });
  };
  if (phase === "missing") {
    add("desktop-download", "Install dplint", "dplint.install");
  }
  if (phase === "running" && status?.state === "untrusted") {
    add("workspace-untrusted", "Manage Workspace Trust", "workbench.trust.manage", "rules only until it is trusted");
  }
  if (phase === "running" && status?.state === "paused") {
    add("debug-continue", "Resume Tests", "dplint.resume");
  }
  if (phase === "running" && status?.state === "on") {
    add("debug-pause", "Pause All Tests", "dplint.pause");
    add("run-all", "Test All Mechanisms in the Workspace", "dplint.testWorkspace");
  }
  if (status !== undefined && status.violations > 0) {
    add("warning", "Show Problems", "workbench.actions.view.problems");
  }
  entries.push({ label: "", kind: vscode.QuickPickItemKind.Separator });
  add("list-selection", "Select Interpreter", "dplint.selectInterpreter", session.view.environment?.chosen?.path);
  add("debug-restart", "Restart Server", "dplint.restart");
  add("output", "Show Logs", "dplint.showLogs");
  add("gear", "Open Settings", "dplint.openSettings");
  const chosen = await vscode.window.showQuickPick(entries, { title: "dplint" });
  if (chosen?.command === "dplint.openSettings") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:dplint.dplint");
  } else if (chosen?.command !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}
