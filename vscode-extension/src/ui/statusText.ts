/** What the status bar says, as plain data: the editor's half is in statusBar.ts. */

import type { Phase } from "../server/session";
import type { Running, Status } from "../types";

export interface Shown {
  /** With the names of icons, as `$(beaker)`. */
  readonly text: string;
  /** In Markdown. */
  readonly tooltip: string;
  /** For screen readers: the text in words. */
  readonly spoken: string;
  readonly weight: "plain" | "warning" | "error";
}

interface Known {
  readonly phase: Phase;
  readonly status: Status | undefined;
  readonly trusted: boolean;
}

export function statusText({ phase, status, trusted }: Known): Shown {
  switch (phase) {
    case "stopped":
      return shown("$(beaker) dplint", "The server of dplint is not running.");
    case "starting":
      return shown("$(loading~spin) dplint", "dplint is starting.");
    case "again":
      return shown("$(warning) dplint", "The server of dplint has ended, and is about to be started again.", "warning");
    case "failed":
      return shown("$(error) dplint", "The server of dplint has ended too often. Select this to start it again.", "error");
    case "missing":
      return trusted
        ? shown("$(warning) dplint: not installed", "dplint is not installed in the Python environment.", "warning")
        : shown(
            "$(workspace-untrusted) dplint: no Python",
            "The workspace is not trusted, so no Python of it is run, and dplint was found nowhere else.",
          );
    case "running":
      return status === undefined ? shown("$(beaker) dplint", "dplint is ready.") : running(status);
  }
}

function running(status: Status): Shown {
  const standing = inWords(status);
  const violated = status.violations > 0 ? ` $(error) ${status.violations}` : "";
  // A test that failed must not look as if all were well.
  const found = violated + (status.failed > 0 ? ` $(warning) ${status.failed}` : "");
  if (status.state === "untrusted") {
    const why = "The workspace is not trusted: rules only, and none of its code is run.";
    return shown("$(workspace-untrusted) dplint: rules only", `${why}\n\n${standing}`);
  }
  if (status.state === "paused") {
    return shown(`$(debug-pause) dplint${found}`, `Tests are paused.\n\n${standing}`);
  }
  const [first, ...others] = status.running;
  if (first === undefined) {
    return shown(`$(beaker) dplint${found}`, standing);
  }
  const more = others.length > 0 ? ` +${others.length}` : "";
  const tests = status.running.map((one) => `- \`${one.function}\`: ${counted(one)}`).join("\n");
  return shown(`$(loading~spin) dplint: ${first.function}${more}${found}`, `Testing\n\n${tests}\n\n${standing}`);
}

function inWords(status: Status): string {
  if (status.mechanisms === 0) {
    return "No mechanism in the open files.";
  }
  const parts: [number, string][] = [
    [status.violations, "violated"],
    [status.proved, "proved"],
    [status.provedInPart, "proved in part"],
    [status.noViolation, "without a violation found"],
    [status.underpowered, "tried too little"],
    [status.untestable, "not testable"],
    [status.failed, "with a failed test"],
  ];
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const all = `${status.mechanisms} ${status.mechanisms === 1 ? "mechanism" : "mechanisms"} in open files`;
  return told.length === 0 ? `${all}.` : `${all}: ${told.join(", ")}.`;
}

function counted({ runs, epsilonLower }: Running): string {
  const bound = epsilonLower === null || epsilonLower <= 0 ? "" : `, ε ≥ ${epsilonLower.toPrecision(3)} so far`;
  return runs === 0 ? "beginning" : `${runs.toLocaleString("en")} runs${bound}`;
}

function shown(text: string, tooltip: string, weight: Shown["weight"] = "plain"): Shown {
  const spoken = `${text.replace(/\$\([^)]*\)\s*/g, "").trim()}. ${tooltip.replace(/[`\n]+/g, " ")}`;
  return { text, tooltip, spoken, weight };
}
