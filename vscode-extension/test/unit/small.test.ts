import { expect, test } from "vitest";
import { installers } from "../../src/environment/installers";
import { environmentName } from "../../src/environment/names";
import { parseAnswer } from "../../src/environment/probe";
import { mechanismAt } from "../../src/mechanismAt";
import type { Mechanism } from "../../src/types";

const mechanism = (name: string, first: number, last: number): Mechanism => ({
  function: name,
  first,
  last,
  state: "",
  violated: false,
  proved: false,
  unconfirmed: false,
});

test("the mechanism under the cursor is the innermost one, its claim included", () => {
  const all = [mechanism("outer", 2, 10), mechanism("inner", 5, 8), mechanism("next", 12, 14)];
  const at = (line: number): string | undefined => mechanismAt(all, line)?.function;
  expect([1, 2, 4, 5, 8, 9, 10, 11, 12, 14, 15].map(at)).toEqual(
    [undefined, "outer", "outer", "inner", "inner", "outer", "outer", undefined, "next", "next", undefined],
  );
});

test("an interpreter may print before it answers", () => {
  const answer = '{"python": "3.12.1", "dplint": null, "pip": true}';
  expect(parseAnswer(`welcome\n${answer}\n`)).toEqual({ python: "3.12.1", dplint: null, pip: true });
});

test.each(["", "3.12", "null", '{"python": 3}', '{"python": "3.12", "dplint": 1}'])("%j is no answer", (text) => {
  expect(parseAnswer(text)).toBeUndefined();
});

test("dplint is installed by pip, and by uv where there is no pip", () => {
  const install = (pip: boolean, uv?: string): string[] => installers({ path: "/v/bin/python", pip }, "dplint", uv);
  expect(install(true, "/bin/uv")).toEqual(["/v/bin/python", "-m", "pip", "install", "dplint"]);
  expect(install(false, "/bin/uv")).toEqual(["/bin/uv", "pip", "install", "--python", "/v/bin/python", "dplint"]);
  expect(install(false)).toEqual(["/v/bin/python", "-m", "pip", "install", "dplint"]);
});

test.each([
  ["/home/me/shop/.venv/bin/python", "shop/.venv"],
  ["/home/me/envs/science/bin/python", "science"],
  ["/usr/bin/python3", "usr"],
])("%s is called %s", (path, name) => {
  expect(environmentName(path)).toBe(name);
});
