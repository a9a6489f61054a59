/** Which interpreters come into question, in which order. Nothing here runs or reads anything but through `Machine`. */

import * as path from "node:path";

/** How an interpreter was found. */
export type Source = "setting" | "python-extension" | "folder" | "path";

export interface Candidate {
  readonly path: string;
  readonly source: Source;
}

/** What has to be known of the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The value of PATH. */
  readonly searchPath: string;
  isFile(path: string): boolean;
}

export interface Question {
  /** The setting `dplint.interpreter`, if somebody has set it. */
  readonly setting: string | undefined;
  /** What is selected in the Python extension, if that is installed. */
  readonly selected: string | undefined;
  /** The folder that the question is about, and all folders of the workspace. */
  readonly folder: string | undefined;
  readonly folders: readonly string[];
  readonly trusted: boolean;
}

/**
 * The interpreters that exist, the best first. In a workspace that is not trusted, nothing that lies in it is among them,
 * nor what the Python extension says, which may have it from there.
 */
export function candidates(question: Question, machine: Machine): Candidate[] {
  const found: Candidate[] = [];
  const add = (file: string, source: Source): void => {
    const outside = !question.folders.some((folder) => isInside(file, folder, machine.platform));
    if (machine.isFile(file) && (question.trusted || outside) && !found.some((one) => one.path === file)) {
      found.push({ path: file, source });
    }
  };
  if (question.setting !== undefined) {
    for (const file of namedBy(question.setting, question.folder, machine)) {
      add(file, "setting");
    }
    // Whoever has set it means it: another interpreter would be a surprise.
    return found.slice(0, 1);
  }
  if (question.trusted) {
    if (question.selected !== undefined) {
      add(question.selected, "python-extension");
    }
    if (question.folder !== undefined) {
      for (const name of [".venv", "venv"]) {
        add(pythonOf(path.join(question.folder, name), machine.platform), "folder");
      }
    }
  }
  for (const name of ["python3", "python"]) {
    for (const file of onPath(name, machine)) {
      add(file, "path");
    }
  }
  return found;
}

/** The interpreter of an environment, whether or not it is there. */
export function pythonOf(environment: string, platform: NodeJS.Platform): string {
  return platform === "win32"
    ? path.join(environment, "Scripts", "python.exe")
    : path.join(environment, "bin", "python");
}

/** Where programs of this name would be; entries of PATH that depend on the working directory are left out. */
export function onPath(name: string, machine: Machine): string[] {
  const [separator, ending] = machine.platform === "win32" ? [";", ".exe"] : [":", ""];
  return machine.searchPath
    .split(separator)
    .filter((entry) => path.isAbsolute(entry))
    .map((entry) => path.join(entry, name + ending));
}

/** Whether a file lies in a folder, by its name. */
export function isInside(file: string, folder: string, platform: NodeJS.Platform): boolean {
  const [one, other] = platform === "linux" ? [file, folder] : [file.toLowerCase(), folder.toLowerCase()];
  const way = path.relative(other, one);
  return way === "" || (!way.startsWith("..") && !path.isAbsolute(way));
}

/** What a setting names: an interpreter, an environment, or a program on the path. */
function namedBy(setting: string, folder: string | undefined, machine: Machine): string[] {
  const text = setting
    .replaceAll("${workspaceFolder}", folder ?? "")
    .replace(/^~(?=[/\\]|$)/, machine.home);
  if (path.basename(text) === text) {
    return onPath(text, machine);
  }
  const file = path.resolve(folder ?? machine.home, text);
  return [file, pythonOf(file, machine.platform)];
}
