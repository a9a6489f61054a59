/** The entry point. What happens before `activate` returns delays the editor; everything slow comes after. */

import * as vscode from "vscode";
import { Session } from "./server/session";

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("dplint", { log: true });
  session = new Session(context.extensionPath, output);
  context.subscriptions.push(output, session);
  void session.start();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
