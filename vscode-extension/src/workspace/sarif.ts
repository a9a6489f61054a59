/** Reads a SARIF report of `dplint check`: the parts of it that an editor shows. */

export interface Place {
  readonly uri: string;
  /** From 1, columns in code points, the end exclusive. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Problem extends Place {
  readonly code: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  readonly related: readonly (Place & { readonly message: string })[];
}

export interface Report {
  readonly problems: readonly Problem[];
  /** What could not be checked, in words. */
  readonly notChecked: readonly string[];
  readonly mechanisms: number;
  readonly violations: number;
}

interface Located {
  physicalLocation?: {
    artifactLocation?: { uri?: string };
    region?: { startLine?: number; startColumn?: number; endLine?: number; endColumn?: number };
  };
  message?: { text?: string };
}

interface Log {
  runs?: {
    invocations?: { toolExecutionNotifications?: { message?: { text?: string } }[] }[];
    results?: {
      ruleId?: string;
      level?: string;
      message?: { text?: string };
      locations?: Located[];
      relatedLocations?: Located[];
    }[];
    properties?: { summary?: { mechanisms?: number; violations?: number } };
  }[];
}

/** Throws an Error if the text is no such report. */
export function readSarif(text: string): Report {
  const run = (JSON.parse(text) as Log).runs?.[0];
  if (run?.results === undefined) {
    throw new Error("the report of dplint has no results");
  }
  const problems = run.results.flatMap((result) => {
    const place = placeOf(result.locations?.[0]);
    if (place === undefined) {
      return [];
    }
    const problem: Problem = {
      ...place,
      code: result.ruleId ?? "",
      level: result.level === "warning" || result.level === "note" ? result.level : "error",
      message: sentence(result.message?.text),
      related: related(result),
    };
    return [problem];
  });
  const notifications = run.invocations?.flatMap((one) => one.toolExecutionNotifications ?? []) ?? [];
  return {
    problems,
    notChecked: notifications.map((one) => one.message?.text ?? ""),
    mechanisms: run.properties?.summary?.mechanisms ?? 0,
    violations: run.properties?.summary?.violations ?? 0,
  };
}

function related(result: { relatedLocations?: Located[] }): Problem["related"] {
  return (result.relatedLocations ?? []).flatMap((one) => {
    const place = placeOf(one);
    return place === undefined ? [] : [{ ...place, message: one.message?.text ?? "" }];
  });
}

function placeOf(located: Located | undefined): Place | undefined {
  const { artifactLocation, region } = located?.physicalLocation ?? {};
  if (artifactLocation?.uri === undefined) {
    return undefined;
  }
  const line = region?.startLine ?? 1;
  const column = region?.startColumn ?? 1;
  return {
    uri: artifactLocation.uri,
    line,
    column,
    endLine: region?.endLine ?? line,
    endColumn: region?.endColumn ?? column + 1,
  };
}

/** The first line: what follows are the details of the counterexample, which a problem has no room for. */
function sentence(text = ""): string {
  return (text.split("\n")[0] ?? "").replace(/\\([[\]\\])/g, "$1");
}

/** A column in code points as one in UTF-16 units, both from 1. */
export function unitColumn(line: string, column: number): number {
  return Array.from(line).slice(0, column - 1).join("").length + 1;
}
