import { describe, expect, test } from "vitest";
import type { Phase } from "../../src/server/session";
import type { Running, Status } from "../../src/types";
import { statusText } from "../../src/ui/statusText";

const STATUS: Status = {
  state: "on",
  running: [],
  violations: 0,
  mechanisms: 3,
  proved: 0,
  provedInPart: 0,
  noViolation: 3,
  underpowered: 0,
  untestable: 0,
  failed: 0,
  interpreter: "/python",
  version: "1",
};
const RUN: Running = { uri: "a", function: "f", runs: 41_000, phase: "testing", claimed: 1, epsilonLower: 0.456 };

const text = (status: Partial<Status>): string =>
  statusText({ phase: "running", status: { ...STATUS, ...status }, trusted: true }).text;
const tooltip = (status: Partial<Status>): string =>
  statusText({ phase: "running", status: { ...STATUS, ...status }, trusted: true }).tooltip;

describe("while it runs", () => {
  test("violations and failed tests are counted in every mode but the untrusted one", () => {
    expect(text({})).toBe("$(beaker) dplint");
    expect(text({ violations: 2 })).toBe("$(beaker) dplint $(error) 2");
    expect(text({ violations: 2, failed: 1 })).toBe("$(beaker) dplint $(error) 2 $(warning) 1");
    expect(text({ violations: 2, state: "paused" })).toBe("$(debug-pause) dplint $(error) 2");
    expect(text({ state: "untrusted" })).toBe("$(workspace-untrusted) dplint: rules only");
  });

  test("what is tested is named", () => {
    expect(text({ running: [RUN] })).toBe("$(loading~spin) dplint: f");
    expect(text({ running: [RUN, RUN], violations: 1 })).toBe("$(loading~spin) dplint: f +1 $(error) 1");
    expect(tooltip({ running: [RUN] })).toContain("`f`: 41,000 runs, ε ≥ 0.456 so far");
  });

  test("the tooltip counts outcomes, and never says private", () => {
    const said = tooltip({ violations: 1, noViolation: 1, untestable: 1 });
    expect(said).toBe("3 mechanisms in open files: 1 violated, 1 without a violation found, 1 not testable.");
    const some = tooltip({ mechanisms: 4, noViolation: 1, proved: 2, provedInPart: 1 });
    expect(some).toBe("4 mechanisms in open files: 2 proved, 1 proved in part, 1 without a violation found.");
    expect(tooltip({ mechanisms: 0 })).toBe("No mechanism in the open files.");
  });
});

test.each<[Phase, string]>([
  ["failed", "error"],
  ["again", "warning"],
  ["missing", "warning"],
  ["starting", "plain"],
])("%s is shown as %s", (phase, weight) => {
  expect(statusText({ phase, status: undefined, trusted: true }).weight).toBe(weight);
});

test("a screen reader gets words, and no names of icons", () => {
  for (const phase of ["stopped", "starting", "again", "failed", "missing", "running"] as const) {
    expect(statusText({ phase, status: STATUS, trusted: false }).spoken).toMatch(/^dplint[^$]*\.$/);
  }
});
