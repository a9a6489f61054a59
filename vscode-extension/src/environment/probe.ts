/** Asks an interpreter what it is, and whether dplint is installed there. */

import { execFile } from "node:child_process";

const QUESTION = `
import json, sys
from importlib import metadata, util
try:
    version = metadata.version("dplint")
except metadata.PackageNotFoundError:
    version = None
print(json.dumps({"python": sys.version.split()[0], "dplint": version, "pip": util.find_spec("pip") is not None}))
`;
const PATIENCE_MS = 20_000;

export interface Python {
  readonly path: string;
  /** Its version, such as 3.12.1. */
  readonly python: string;
  /** The version of dplint in it, null if there is none. */
  readonly dplint: string | null;
  /** Whether it has pip. */
  readonly pip: boolean;
}

/** What an interpreter says of itself; undefined, and a word to `log`, if it does not start. home: where it is run. */
export function probe(path: string, home: string, log: (text: string) => void): Promise<Python | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: home, timeout: PATIENCE_MS, windowsHide: true };
    execFile(path, ["-c", QUESTION], options, (error, stdout, stderr) => {
      const found = error === null ? parseAnswer(stdout) : undefined;
      if (found === undefined) {
        log(`${path} cannot be used: ${(stderr || error?.message || "it gave no answer").trim()}`);
      }
      resolve(found && { path, ...found });
    });
  });
}

/** The last line of what it printed; environments may print more when they start. */
export function parseAnswer(text: string): Omit<Python, "path"> | undefined {
  try {
    const found = JSON.parse(text.trim().split("\n").at(-1) ?? "") as Partial<Record<keyof Python, unknown>>;
    const { python, dplint, pip } = found;
    if (typeof python === "string" && (dplint === null || typeof dplint === "string")) {
      return { python, dplint, pip: pip === true };
    }
  } catch {
    // No JSON: nothing that can be used.
  }
  return undefined;
}
