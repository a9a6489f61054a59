import type { Python } from "./probe";

/**
 * The command that installs a package into an interpreter: by its own pip, or by uv for environments without one.
 * Where there is neither, pip is asked all the same, and its error says what is missing.
 */
export function installers(python: Pick<Python, "path" | "pip">, what: string, uv: string | undefined): string[] {
  return python.pip || uv === undefined
    ? [python.path, "-m", "pip", "install", what]
    : [uv, "pip", "install", "--python", python.path, what];
}
