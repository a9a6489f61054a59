/** The entry point. What happens before `activate` returns delays the editor; everything slow comes after. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { offerInstallation } from "./environment/install";
import { onSelection } from "./environment/pythonExtension";
import { Session, type View } from "./server/session";
import { showStatus } from "./ui/statusBar";
import { WorkspaceCheck } from "./workspace/check";

/** Settings that decide who is started; all others are told to the server while it runs. */
const STARTING = ["dplint.interpreter", "dplint.command"];

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const home = context.extensionPath;
  const output = vscode.window.createOutputChannel("dplint", { log: true });
  const server = new Session(home, output);
  session = server;
  const check = new WorkspaceCheck(server, home, output);
  context.subscriptions.push(
    output,
    server,
    check,
    showStatus(server),
    registerCommands({ context, session: server, output, check }),
    server.onView((view) => void attend(server, view, context)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.start()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (STARTING.some((name) => event.affectsConfiguration(name))) {
        void server.start();
      }
    }),
  );
  void server.start();
  void onSelection(() => void server.start()).then((listening) => listening && context.subscriptions.push(listening));
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

let told = false;

/** What people should be told when it happens, and not only see in the status bar. */
async function attend(server: Session, { phase }: View, context: vscode.ExtensionContext): Promise<void> {
  if (phase === "missing") {
    await offerInstallation(server, context.extensionPath, { memory: context.workspaceState });
  } else if (phase === "failed" && !told) {
    told = true;
    const text = "The server of dplint has ended too often, and is not started again by itself.";
    const chosen = await vscode.window.showErrorMessage(text, "Restart Server", "Show Logs");
    told = false;
    if (chosen !== undefined) {
      await vscode.commands.executeCommand(chosen === "Show Logs" ? "dplint.showLogs" : "dplint.restart");
    }
  }
}
