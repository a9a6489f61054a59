/** Running `dplint` as a command, with the interpreter that the server was started with. */

import { spawn } from "node:child_process";
import type { CancellationToken } from "vscode";
import type { Launch } from "./environment/find";

interface Options {
  /** A folder of ours: Python imports what lies in the working directory. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly token?: CancellationToken;
}

export interface Answer {
  /** Exit code; null if it was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Resolves when it has ended, however it has; rejects if it cannot be started. */
export function runDplint(launch: Launch, args: readonly string[], { cwd, env, token }: Options): Promise<Answer> {
  const words = [...launch.args];
  if (words.pop() !== "server") {
    return Promise.reject(new Error("the setting dplint.command does not end with “server”, so no other command is known"));
  }
  return new Promise((resolve, reject) => {
    const child = spawn(launch.command, [...words, ...args], {
      cwd,
      env: { ...process.env, ...env, PYTHONIOENCODING: "utf-8" },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (data: string) => (stdout += data));
    child.stderr.setEncoding("utf8").on("data", (data: string) => (stderr += data));
    // Ctrl-C, in effect: it ends its own processes, and says what is known so far.
    const cancelling = token?.onCancellationRequested(() => child.kill("SIGINT"));
    child.on("error", reject);
    child.on("close", (code) => {
      cancelling?.dispose();
      resolve({ code, stdout, stderr });
    });
  });
}
