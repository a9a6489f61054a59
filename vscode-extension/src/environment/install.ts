/** Installing dplint: the command is shown before it runs, and runs in a terminal that stays. */

import * as vscode from "vscode";
import type { Session } from "../server/session";
import { onPath } from "./candidates";
import { machine } from "./find";
import { installers } from "./installers";
import { environmentName } from "./names";
import type { Python } from "./probe";

const NEVER = "dplint.neverOffer";
const offered = new Set<string>();

interface Asked {
  /** By the user: then the offer is made however often it was declined. */
  readonly asked?: boolean;
  readonly memory?: vscode.Memento;
}

/** Offer to install dplint into the chosen interpreter; start the server when it is there. */
export async function offerInstallation(session: Session, home: string, { asked, memory }: Asked = {}): Promise<void> {
  const chosen = session.view.environment?.chosen;
  if (asked !== true && (memory?.get<boolean>(NEVER) === true || offered.has(chosen?.path ?? ""))) {
    return;
  }
  offered.add(chosen?.path ?? "");
  if (!vscode.workspace.isTrusted) {
    const text = "The workspace is not trusted: nothing is installed into its environments. Set dplint.interpreter in your user settings to a Python that has dplint.";
    void vscode.window.showInformationMessage(text);
    return;
  }
  if (chosen === undefined) {
    const choice = await vscode.window.showWarningMessage("dplint needs a Python interpreter, and found none.", "Select Interpreter");
    if (choice !== undefined) {
      await vscode.commands.executeCommand("dplint.selectInterpreter");
    }
    return;
  }
  if (asked === true && chosen.dplint !== null) {
    void vscode.window.showInformationMessage(`dplint ${chosen.dplint} is installed in ${chosen.path}.`);
    return;
  }
  await offer(session, home, chosen, memory);
}

async function offer(session: Session, home: string, chosen: Python, memory?: vscode.Memento): Promise<void> {
  const what = vscode.workspace.getConfiguration("dplint").get<string>("package") ?? "";
  const where = `${environmentName(chosen.path)} (Python ${chosen.python})`;
  if (what === "") {
    await askForPackage(where);
    return;
  }
  const uv = onPath("uv", machine).find((file) => machine.isFile(file));
  const command = installers(chosen, what, uv);
  const text = `dplint is not installed in ${where}. Install it? This runs: ${command.join(" ")}`;
  const others = memory === undefined ? ["Select Interpreter"] : ["Select Interpreter", "Never for This Workspace"];
  const choice = await vscode.window.showWarningMessage(text, "Install", ...others);
  if (choice === "Install") {
    await install(command, home);
    await session.start();
  } else if (choice === "Select Interpreter") {
    await vscode.commands.executeCommand("dplint.selectInterpreter");
  } else if (choice !== undefined) {
    await memory?.update(NEVER, true);
  }
}

/** dplint is on no package index: only the user knows where a copy is. */
async function askForPackage(where: string): Promise<void> {
  const text = `dplint is not installed in ${where}, and it is on no package index. Set dplint.package to a checkout, a wheel or a tag of its repository, or select a Python that has it.`;
  const choice = await vscode.window.showWarningMessage(text, "Open Settings", "Select Interpreter");
  if (choice === "Open Settings") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "dplint.package");
  } else if (choice !== undefined) {
    await vscode.commands.executeCommand("dplint.selectInterpreter");
  }
}

/** Run a command as a task, which has a terminal of its own; resolves when it has ended well. */
async function install([command = "", ...args]: readonly string[], home: string): Promise<void> {
  const execution = new vscode.ProcessExecution(command, args, { cwd: home });
  const task = new vscode.Task({ type: "dplint" }, vscode.TaskScope.Workspace, "install", "dplint", execution);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated };
  const code = await new Promise<number | undefined>((resolve, reject) => {
    const end = vscode.tasks.onDidEndTaskProcess((event) => {
      if (event.execution.task.name === task.name && event.execution.task.source === task.source) {
        end.dispose();
        resolve(event.exitCode);
      }
    });
    vscode.tasks.executeTask(task).then(undefined, reject);
  });
  if (code !== 0) {
    throw new Error("the installation has failed; the terminal says why");
  }
}
