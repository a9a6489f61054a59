/** What is selected in the Python extension, through the environments of its public interface; it need not be installed. */

import * as vscode from "vscode";

const ID = "ms-python.python";

interface EnvironmentPath {
  readonly path: string;
}

/** The part of that interface that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): EnvironmentPath;
    resolveEnvironment(
      environment: EnvironmentPath,
    ): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** Whether the user has the Python extension, and so its way of choosing interpreters. */
export function hasPythonExtension(): boolean {
  return vscode.extensions.getExtension(ID) !== undefined;
}

/** The interpreter that is selected for a folder; undefined without the extension, or if it does not say. */
export async function selectedInterpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  try {
    const api = await pythonApi();
    if (api === undefined) {
      return undefined;
    }
    const environment = await api.environments.resolveEnvironment(api.environments.getActiveEnvironmentPath(folder));
    return environment?.executable.uri?.fsPath;
  } catch {
    return undefined; // Another extension's failure is no reason to go without an interpreter.
  }
}

/** Calls back when another interpreter is selected there. */
export async function onSelection(listener: () => void): Promise<vscode.Disposable | undefined> {
  try {
    return (await pythonApi())?.environments.onDidChangeActiveEnvironmentPath(listener);
  } catch {
    return undefined;
  }
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(ID);
  const api = await extension?.activate();
  return api?.environments === undefined ? undefined : api;
}
