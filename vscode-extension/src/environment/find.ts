/** Finds the interpreter of each folder, and the one that the server is started with. */

import * as fs from "node:fs";
import * as os from "node:os";
import * as vscode from "vscode";
import { type Candidate, candidates, isInside, type Machine, onPath } from "./candidates";
import { type Python, probe } from "./probe";
import { selectedInterpreter } from "./pythonExtension";

/** How the server is started, and what is said about it. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Version of dplint; unknown if the user's own command starts it. */
  readonly version: string | undefined;
  readonly from: "command" | "interpreter" | "path";
}

/** What was found for the workspace. */
export interface Environment {
  /** The interpreter of the first folder, undefined if there is none. */
  readonly chosen: (Python & Pick<Candidate, "source">) | undefined;
  /** Undefined if dplint is installed nowhere that it may be taken from. */
  readonly launch: Launch | undefined;
}

export const machine: Machine = {
  platform: process.platform,
  home: os.homedir(),
  searchPath: process.env.PATH ?? "",
  isFile(path) {
    try {
      return fs.statSync(path).isFile();
    } catch {
      return false;
    }
  },
};

/** The interpreters that come into question for a folder, the best first. all: as if the setting were not set. */
export async function interpretersOf(
  folder: vscode.WorkspaceFolder | undefined,
  { all = false } = {},
): Promise<Candidate[]> {
  const trusted = vscode.workspace.isTrusted;
  const setting = all ? undefined : setInterpreter(folder);
  const question = {
    setting,
    selected: trusted && setting === undefined ? await selectedInterpreter(folder?.uri) : undefined,
    folder: folder?.uri.fsPath,
    folders: folderPaths(),
    trusted,
  };
  return candidates(question, machine);
}

function setInterpreter(folder: vscode.WorkspaceFolder | undefined): string | undefined {
  const value = vscode.workspace.getConfiguration("dplint", folder?.uri).get<string | null>("interpreter");
  return value?.trim() || undefined;
}

/**
 * What the code of a folder is to be run with, if somebody has said so. Otherwise the server looks for it, as the command
 * does: what pyproject.toml says, the environment of the project, its own interpreter.
 */
export async function interpreterFor(folder: vscode.WorkspaceFolder | undefined): Promise<string | undefined> {
  const found = (await interpretersOf(folder))[0];
  return found?.source === "setting" || found?.source === "python-extension" ? found.path : undefined;
}

/** home: a folder of ours, which programs are started in: Python imports what lies in the working directory. */
export async function findEnvironment(home: string, log: (text: string) => void): Promise<Environment> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const chosen = await firstThatStarts(await interpretersOf(folder), home, log);
  return { chosen, launch: ownCommand(folder) ?? inInterpreter(chosen) ?? installedTool() };
}

async function firstThatStarts(
  found: readonly Candidate[],
  home: string,
  log: (text: string) => void,
): Promise<Environment["chosen"]> {
  for (const { path, source } of found) {
    const python = await probe(path, home, log);
    if (python !== undefined) {
      return { ...python, source };
    }
  }
  return undefined;
}

/** The command that the user has set. */
function ownCommand(folder: vscode.WorkspaceFolder | undefined): Launch | undefined {
  const words = vscode.workspace.getConfiguration("dplint", folder?.uri).get<string[] | null>("command");
  const [command, ...args] = words ?? [];
  return command === undefined ? undefined : { command, args, version: undefined, from: "command" };
}

function inInterpreter(chosen: Python | undefined): Launch | undefined {
  if (chosen?.dplint == null) {
    return undefined;
  }
  return { command: chosen.path, args: ["-m", "dplint", "server"], version: chosen.dplint, from: "interpreter" };
}

/** A dplint that was installed by itself, as pipx and uv do. */
function installedTool(): Launch | undefined {
  const outside = (file: string): boolean =>
    !folderPaths().some((folder) => isInside(file, folder, machine.platform));
  const command = onPath("dplint", machine).find((file) => outside(file) && machine.isFile(file));
  return command === undefined ? undefined : { command, args: ["server"], version: undefined, from: "path" };
}

function folderPaths(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
}
