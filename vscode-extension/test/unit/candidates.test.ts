import { describe, expect, test } from "vitest";
import { candidates, isInside, type Machine, type Question } from "../../src/environment/candidates";

function machine(files: string[], changes: Partial<Machine> = {}): Machine {
  const searchPath = "/usr/local/bin:/usr/bin:bin:.";
  return { platform: "linux", home: "/home/me", searchPath, isFile: (path) => files.includes(path), ...changes };
}

const question = (changes: Partial<Question> = {}): Question => ({
  setting: undefined,
  selected: undefined,
  folder: "/project",
  folders: ["/project", "/other"],
  trusted: true,
  ...changes,
});

const EVERYTHING = ["/usr/bin/python3", "/usr/bin/python", "/project/.venv/bin/python", "/project/venv/bin/python", "/conda/python"];

const paths = (asked: Question, files: string[], changes: Partial<Machine> = {}): string[] =>
  candidates(asked, machine(files, changes)).map((one) => one.path);

describe("in a trusted workspace", () => {
  test("the selected interpreter comes first, then the folder's, then those on the path", () => {
    const found = candidates(question({ selected: "/conda/python" }), machine(EVERYTHING));
    expect(found).toEqual([
      { path: "/conda/python", source: "python-extension" },
      { path: "/project/.venv/bin/python", source: "folder" },
      { path: "/project/venv/bin/python", source: "folder" },
      { path: "/usr/bin/python3", source: "path" },
      { path: "/usr/bin/python", source: "path" },
    ]);
  });

  test("what is not there is left out", () => {
    expect(paths(question({ selected: "/gone" }), ["/usr/bin/python3"])).toEqual(["/usr/bin/python3"]);
    expect(paths(question(), [])).toEqual([]);
  });

  test("entries of PATH that depend on the working directory are not looked at", () => {
    expect(paths(question(), ["bin/python3", "python3", "/project/bin/python3"])).toEqual([]);
  });

  test("the setting is the only one, even if it names nothing", () => {
    expect(paths(question({ setting: "/gone/python" }), EVERYTHING)).toEqual([]);
    expect(paths(question({ setting: "/conda/python" }), EVERYTHING)).toEqual(["/conda/python"]);
  });

  test.each([
    ["${workspaceFolder}/envs/a/bin/python", "/project/envs/a/bin/python"],
    ["envs/a/bin/python", "/project/envs/a/bin/python"],
    ["envs/a", "/project/envs/a/bin/python"],
    ["~/envs/a/bin/python", "/home/me/envs/a/bin/python"],
    ["python3", "/usr/bin/python3"],
  ])("the setting may be written %s", (setting, path) => {
    expect(paths(question({ setting }), [...EVERYTHING, "/home/me/envs/a/bin/python", "/project/envs/a/bin/python"])).toEqual([
      path,
    ]);
  });
});

describe("in a workspace that is not trusted", () => {
  const untrusted = (changes: Partial<Question> = {}): Question => question({ trusted: false, ...changes });

  test("nothing of the workspace is taken, nor what is selected", () => {
    expect(paths(untrusted({ selected: "/conda/python" }), EVERYTHING)).toEqual(["/usr/bin/python3", "/usr/bin/python"]);
  });

  test("a setting of the user may not lead into the workspace", () => {
    expect(paths(untrusted({ setting: "/project/.venv/bin/python" }), EVERYTHING)).toEqual([]);
    expect(paths(untrusted({ setting: ".venv" }), EVERYTHING)).toEqual([]);
    expect(paths(untrusted({ setting: "/other/x/../python" }), ["/other/python"])).toEqual([]);
    expect(paths(untrusted({ setting: "/conda/python" }), EVERYTHING)).toEqual(["/conda/python"]);
  });

  test("a PATH that leads into a folder of the workspace is not followed there", () => {
    const searchPath = "/other/bin:/usr/bin";
    expect(paths(untrusted(), ["/other/bin/python3", "/usr/bin/python3"], { searchPath })).toEqual(["/usr/bin/python3"]);
  });
});

test.each([
  ["/project/a", "/project", "linux", true],
  ["/project", "/project", "linux", true],
  ["/projects/a", "/project", "linux", false],
  ["/project/../a", "/project", "linux", false],
  ["/PROJECT/a", "/project", "linux", false],
  ["/PROJECT/a", "/project", "darwin", true],
] as const)("%s in %s on %s: %s", (file, folder, platform, inside) => {
  expect(isInside(file, folder, platform)).toBe(inside);
});
