import * as path from "node:path";

/** The name that people know an environment by: its folder, or that around a folder that has the usual name. */
export function environmentName(interpreter: string): string {
  const folder = path.dirname(path.dirname(interpreter));
  const name = path.basename(folder);
  return [".venv", "venv"].includes(name) ? `${path.basename(path.dirname(folder))}/${name}` : name || interpreter;
}
