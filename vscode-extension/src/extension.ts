/** The entry point. What happens before `activate` returns delays the editor; everything slow comes after. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { offerInstallation } from "./environment/install";
import { onSelection } from "./environment/pythonExtension";
import { registerPanels } from "./panels";
import { Session, type View } from "./server/session";
import { showStatus } from "./ui/statusBar";
import { WorkspaceCheck } from "./workspace/check";

/** Settings that decide who is started; all others are told to the server while it runs. */
const STARTING = ["dplint.interpreter", "dplint.command"];

let session: Session | undefined;

/** What other extensions, and our tests, may know. */
export interface Api {
  readonly view: View;
}

export function activate(context: vscode.ExtensionContext): Api {
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
      } else if (event.affectsConfiguration("dplint")) {
        void server.settingsChanged();
      }
    }),
  );
  registerPanels(context, server);
  void server.start();
  void onSelection(() => void server.start()).then((listening) => listening && context.subscriptions.push(listening));
  return {
    get view() {
      return server.view;
    },
  };
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
