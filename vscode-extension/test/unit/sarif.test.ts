import { expect, test } from "vitest";
import { readSarif, unitColumn } from "../../src/workspace/sarif";

const place = (line: number): object => ({
  artifactLocation: { uri: "file:///project/a.py" },
  region: { startLine: line, startColumn: 5, endLine: line, endColumn: 9 },
});

function report(result: object, run: object = {}): string {
  return JSON.stringify({ version: "2.1.0", runs: [{ results: [result], ...run }] });
}

test("a result is a problem with its related places", () => {
  const found = readSarif(
    report({
      ruleId: "DP901",
      level: "warning",
      message: { text: "`f` breaks its claim\nD1 = \\[0\\]" },
      locations: [{ physicalLocation: place(3) }],
      relatedLocations: [{ physicalLocation: place(2), message: { text: "the claim" } }],
    }),
  );
  expect(found.problems).toEqual([
    {
      uri: "file:///project/a.py",
      line: 3,
      column: 5,
      endLine: 3,
      endColumn: 9,
      code: "DP901",
      level: "warning",
      message: "`f` breaks its claim",
      related: [{ uri: "file:///project/a.py", line: 2, column: 5, endLine: 2, endColumn: 9, message: "the claim" }],
    },
  ]);
});

test("brackets are escaped in SARIF, but not in a problem", () => {
  const found = readSarif(report({ message: { text: "output\\[0\\] < 1" }, locations: [{ physicalLocation: place(1) }] }));
  expect(found.problems[0]?.message).toBe("output[0] < 1");
});

test("what could not be checked is not lost", () => {
  const notifications = [{ message: { text: "a.py does not parse" } }];
  const run = { results: [], invocations: [{ toolExecutionNotifications: notifications }] };
  expect(readSarif(report({}, run)).notChecked).toEqual(["a.py does not parse"]);
});

test("counts come from the summary", () => {
  const found = readSarif(report({}, { results: [], properties: { summary: { mechanisms: 3, violations: 1 } } }));
  expect([found.mechanisms, found.violations]).toEqual([3, 1]);
});

test.each(["", "{}", "not JSON", '{"runs": [{}]}'])("%j is no report", (text) => {
  expect(() => readSarif(text)).toThrow();
});

test("columns count code points there, and UTF-16 units here", () => {
  expect(unitColumn("𝔻𝔻 = f(x)", 6)).toBe(8);
  expect(unitColumn("ε = f(x)", 5)).toBe(5);
  expect(unitColumn("", 1)).toBe(1);
});
