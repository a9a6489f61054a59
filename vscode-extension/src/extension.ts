/** The entry point. What happens before `activate` returns delays the editor; everything slow comes after. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { offerInstallation } from "./environment/install";
import { onSelection } from "./environment/pythonExtension";
import { registerPanels } from "./panels";
import { type Phase, Session, type View } from "./server/session";
import { showStatus } from "./ui/statusBar";
import { WorkspaceCheck } from "./workspace/check";

/** Settings that decide who is started; all others are told to the server while it runs. */
const STARTING = ["dplint.interpreter", "dplint.command"];

const RESTART = "Restart Server";
const SHOW_LOGS = "Show Logs";

let session: Session | undefined;

/** What other extensions, and our tests, may know. */
export interface Api {
  readonly view: View;
  /** Run a command of the server. */
  request<T>(command: string, ...args: unknown[]): Promise<T>;
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
    request: (command, ...args) => server.request(command, ...args),
  };
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

let before: Phase = "stopped";

/** What people should be told when it happens, and not only see in the status bar. */
async function attend(server: Session, { phase }: View, context: vscode.ExtensionContext): Promise<void> {
  if (phase === before) {
    return;
  }
  before = phase;
  if (phase === "missing") {
    await offerInstallation(server, context.extensionPath, { memory: context.workspaceState });
  } else if (phase === "again") {
    const text = "The server of dplint has ended. It is started again by itself.";
    follow(await vscode.window.showWarningMessage(text, SHOW_LOGS));
  } else if (phase === "failed") {
    const text = "The server of dplint has ended too often, and is not started again by itself.";
    follow(await vscode.window.showErrorMessage(text, RESTART, SHOW_LOGS));
  }
}

function follow(chosen: string | undefined): void {
  if (chosen !== undefined) {
    void vscode.commands.executeCommand(chosen === SHOW_LOGS ? "dplint.showLogs" : "dplint.restart");
  }
}
