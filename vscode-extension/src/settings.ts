/** Settings: which of them the server is told, and what they are called elsewhere. */

/** Settings that the extension heeds itself; the server does not know them. */
const OWN = new Set(["command", "package", "trace"]);
/** Settings that only the server knows, not the command. */
const SERVER_ONLY = new Set(["run", "deepen", "codeLens", "inlayHints"]);

export type Values = Readonly<Record<string, unknown>>;

/**
 * What the server is told when it asks for the section `dplint`. Everything left at null stays with pyproject.toml.
 * interpreter: the one of the folder, or undefined to let the server look for it.
 */
export function forServer(values: unknown, interpreter: string | undefined): Values {
  const known = Object.entries(asObject(values)).filter(([name, value]) => !OWN.has(name) && value !== null);
  const found = Object.fromEntries(known);
  delete found.interpreter;
  return interpreter === undefined ? found : { ...found, interpreter };
}

/** The same for the command `dplint check`, as variables of the environment. */
export function forCommand(values: unknown, interpreter: string | undefined): Record<string, string> {
  const settings = { profile: "editor", ...forServer(values, interpreter) };
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (!SERVER_ONLY.has(name)) {
      variables[variableOf(name)] = written(value);
    }
  }
  return variables;
}

function variableOf(name: string): string {
  return "DPLINT_" + name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
}

function written(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(String).join(",");
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, one]) => `${key}=${String(one)}`)
      .join(",");
  }
  return String(value);
}

function asObject(values: unknown): Values {
  return typeof values === "object" && values !== null ? (values as Values) : {};
}
