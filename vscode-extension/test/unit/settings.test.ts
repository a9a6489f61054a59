import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forCommand, forServer } from "../../src/settings";

interface Property {
  readonly default?: unknown;
  readonly scope?: string;
  readonly enum?: unknown[];
  readonly markdownDescription?: string;
}

const root = join(import.meta.dirname, "..", "..");
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
const manifest = read("package.json") as {
  contributes: { configuration: { properties: Record<string, Property> }[] };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
};
const properties = Object.fromEntries(
  manifest.contributes.configuration.flatMap((group) => Object.entries(group.properties)),
);
const OURS = ["command", "package", "trace.server"];
const EDITORS = ["run", "deepen", "codeLens", "inlayHints"];

describe("the manifest", () => {
  /** The settings of dplint, after the schema that its own tests hold against the code. */
  function known(): Record<string, { enum?: unknown[] }> {
    const schema = read("../dplint/config/dplint.schema.json") as {
      properties: { tool: { properties: { dplint: { properties: Record<string, { enum?: unknown[] }> } } } };
    };
    const all = Object.entries(schema.properties.tool.properties.dplint.properties);
    return Object.fromEntries(all.filter(([name]) => name !== "mechanisms"));
  }

  const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

  test("has every setting of dplint, and no other one", () => {
    const wanted = [...Object.keys(known()).map(camel), ...EDITORS, ...OURS].map((name) => `dplint.${name}`);
    expect(Object.keys(properties).sort()).toEqual(wanted.sort());
  });

  test("leaves what nobody sets to pyproject.toml", () => {
    for (const name of Object.keys(known()).map(camel)) {
      expect(properties[`dplint.${name}`]?.default, name).toBe(null);
    }
  });

  test("offers the choices that dplint knows", () => {
    for (const [name, { enum: choices }] of Object.entries(known())) {
      if (choices !== undefined) {
        expect(properties[`dplint.${camel(name)}`]?.enum?.filter((one) => one !== null), name).toEqual(choices);
      }
    }
  });

  test("describes each setting", () => {
    for (const [name, property] of Object.entries(properties)) {
      expect(property.markdownDescription, name).toMatch(/\.$/);
    }
  });

  test("takes nothing that decides what is run from a workspace that is not trusted", () => {
    const restricted = ["dplint.interpreter", "dplint.command", "dplint.package", "dplint.allow"];
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(restricted);
    for (const name of restricted) {
      expect(properties[name]?.scope, name).toBe("machine-overridable");
    }
  });
});

describe("the server is told", () => {
  test("what is set, and nothing of the extension's own", () => {
    const values = { run: "onType", alpha: null, command: ["x"], package: "y", trace: { server: "off" }, ignore: ["DP9"] };
    expect(forServer(values, undefined)).toEqual({ run: "onType", ignore: ["DP9"] });
  });

  test("the interpreter that was found, in place of what the setting says", () => {
    expect(forServer({ interpreter: "${workspaceFolder}/x" }, "/found")).toEqual({ interpreter: "/found" });
    expect(forServer({ interpreter: "/gone" }, undefined)).toEqual({});
  });

  test("nothing, where there is nothing", () => {
    expect(forServer(null, undefined)).toEqual({});
  });
});

test("the command is told the same by variables", () => {
  const values = {
    run: "manual",
    deepen: true,
    keepGoing: true,
    memoryMib: 512,
    epsilons: [0.5, 1],
    severity: { DP2: "error", DP209: "off" },
    alpha: null,
  };
  expect(forCommand(values, "/python")).toEqual({
    DPLINT_PROFILE: "editor",
    DPLINT_KEEP_GOING: "true",
    DPLINT_MEMORY_MIB: "512",
    DPLINT_EPSILONS: "0.5,1",
    DPLINT_SEVERITY: "DP2=error,DP209=off",
    DPLINT_INTERPRETER: "/python",
  });
});
