/** The commands of the palette, of lenses and of the status bar. */

import * as vscode from "vscode";
import { clearCache } from "./clearCache";
import { offerInstallation } from "./environment/install";
import { selectInterpreter } from "./environment/select";
import { meant, type Target } from "./mechanisms";
import { openSample } from "./sample";
import type { Session } from "./server/session";
import type { Mechanism } from "./types";
import { showMenu } from "./ui/menu";
import type { WorkspaceCheck } from "./workspace/check";

interface Parts {
  readonly context: vscode.ExtensionContext;
  readonly session: Session;
  readonly output: vscode.LogOutputChannel;
  readonly check: WorkspaceCheck;
}

const NO_VIOLATION = "No violation is known in";
const violated = (one: Mechanism): boolean => one.violated;
const shown = (one: Mechanism): boolean => one.violated || one.unconfirmed;

export function registerCommands({ context, session, output, check }: Parts): vscode.Disposable {
  const commands: Record<string, (...args: never[]) => unknown> = {
    // What lenses and fixes call, with the address of a document and the name of a function.
    test: (...target: Target) => session.request("dplint.test", ...target),
    testDeeper: (...target: Target) => session.request("dplint.testDeeper", ...target),
    stop: (...target: Target) => session.request("dplint.stop", ...target),
    worst: (...target: Target) => session.request("dplint.worst", ...target),
    copyTest: (...target: Target) => copyTest(session, target),
    explain: (code: string) => explain(session, code),
    // The same for the function under the cursor.
    testHere: () => here(session, "dplint.test"),
    testDeeperHere: () => here(session, "dplint.testDeeper"),
    stopHere: () => here(session, "dplint.stop"),
    copyTestHere: () => here(session, "dplint.copyTest", NO_VIOLATION, violated),
    showCounterexampleHere: () => here(session, "dplint.showCounterexample", NO_VIOLATION, shown),
    showProofHere: () => here(session, "dplint.showProof", "No proof is known in", (one) => one.proved),
    showCurveHere: () => here(session, "dplint.showCurve"),
    worstHere: () => here(session, "dplint.worst"),
    testWorkspace: () => check.run(),
    pause: () => session.request("dplint.pause"),
    resume: () => session.request("dplint.resume"),
    restart: () => session.start(),
    showLogs: () => output.show(),
    selectInterpreter: () => selectInterpreter(context.extensionPath, output),
    install: () => offerInstallation(session, context.extensionPath, { asked: true }),
    clearCache: () => clearCache(session, context.extensionPath),
    openSample: () => openSample(context),
    menu: () => showMenu(session),
  };
  const registered = Object.entries(commands).map(([name, command]) =>
    vscode.commands.registerCommand(`dplint.${name}`, guarded(command)),
  );
  return vscode.Disposable.from(...registered);
}

/** Run a command of a mechanism for the one that the user means. */
async function here(session: Session, command: string, ...which: [string?, ((one: Mechanism) => boolean)?]): Promise<void> {
  const target = await meant(session, ...which);
  if (target !== undefined) {
    await vscode.commands.executeCommand(command, ...target);
  }
}

async function copyTest(session: Session, target: Target): Promise<void> {
  const found = await session.request<{ fileName: string; text: string } | null>("dplint.copyTest", ...target);
  if (found !== null) {
    await vscode.env.clipboard.writeText(found.text);
    void vscode.window.showInformationMessage(`The test was copied. Paste it into a file such as ${found.fileName}.`);
  }
}

/** The page of a code, as a page. */
async function explain(session: Session, code: string): Promise<void> {
  const found = await session.request<{ uri: string } | null>("dplint.explain", code);
  if (found !== null) {
    await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.parse(found.uri));
  }
}

/** What goes wrong in a command is told, with a way on. */
function guarded(command: (...args: never[]) => unknown): (...args: never[]) => Promise<void> {
  return async (...args) => {
    try {
      await command(...args);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const chosen = await vscode.window.showErrorMessage(`dplint: ${said}`, "Show Logs");
      if (chosen !== undefined) {
        await vscode.commands.executeCommand("dplint.showLogs");
      }
    }
  };
}
