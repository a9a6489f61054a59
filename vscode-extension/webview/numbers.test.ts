import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bar, Counterexample, Curve, CurveLine, Outputs, Refused } from "../src/panels/messages";
import { computedWords, highestComputed, sharesOf } from "./computed";
import { MOST_EVIDENCE, curveWords, evidence } from "./curve";
import { heardPoint, points } from "./growth";
import { issueText } from "./issue";
import { fitting, marginFor } from "./outputs";
import { atLeast, barName, certainWords, compact, deltaWords, epsilonWords, eventBands, finite, limitWords, outputsWords, percent, ratioRange, refutedWords, share, short, strongerWords, unconfirmedWords } from "./numbers";

/** Answers of a real server, as test/webview/record.py wrote them down. */
const DATA = join(import.meta.dirname, "..", "test", "webview", "data");
/** What the server would answer about outcomes that are made by hand; tests/docs/evidence_pictures.py writes them. */
const HANDMADE = join(import.meta.dirname, "..", "test", "webview", "handmade");
const handmade = (name: string): Counterexample =>
  JSON.parse(readFileSync(join(HANDMADE, `${name}.json`), "utf8")) as Counterexample;
const RECORDED = readdirSync(DATA).map((name) => [
  name,
  JSON.parse(readFileSync(join(DATA, name), "utf8")) as { view: Counterexample; outputs: Outputs; curve: Curve | Refused },
] as const);
/** Those whose evidence was counted in runs. */
const COUNTED = RECORDED.filter(([, { view }]) => !view.bound.certain);

function bin(low: number, count1: number, count2: number, inside1 = 0, inside2 = 0): Bar {
  return { label: "", low, high: low + 1, counts: [count1, count2], inside: [inside1, inside2] };
}

describe("numbers", () => {
  it("has three digits that count", () => {
    expect([0, 0.0123456, 41.54, 1234.5, 2e7, 1e-5, -0.5].map(short)).toEqual(
      ["0", "0.0123", "41.5", "1,235", "2.0e+7", "1.0e−5", "−0.5"],
    );
    expect(short(Infinity)).toBe("∞");
    expect(short(finite(null))).toBe("unknown");
    expect(finite("inf")).toBe(Infinity);
  });

  it("never rounds a lower bound up", () => {
    expect([6.248, 0.04999, 12.99, 5, 0.7].map(atLeast)).toEqual(["6.24", "0.0499", "12.9", "5", "0.7"]);
  });

  it("never calls a share zero that is not", () => {
    expect([0, 0.0004, 0.012, 0.5, 1].map(percent)).toEqual(["0 %", "below 0.1 %", "1.2 %", "50 %", "100 %"]);
  });

  it("shortens amounts as the lens does", () => {
    expect([999, 1000, 41_200, 2_100_000, 45_892_407].map(compact)).toEqual(["999", "1k", "41k", "2.1M", "46M"]);
  });

  it("says that the bins at the ends are open", () => {
    expect([barName(bin(2, 1, 1), "first"), barName(bin(2, 1, 1), "inner"), barName(bin(2, 1, 1), "last")]).toEqual(
      ["below 3", "2 to 3", "2 and above"],
    );
  });
});

describe("the event in a histogram", () => {
  it("is one band from the first bin to the last one of it", () => {
    const bars = [bin(0, 5, 5), bin(1, 5, 5, 5, 5), bin(2, 7, 0, 7, 0), bin(3, 1, 1)];
    expect(eventBands(bars)).toEqual([{ low: 1, high: 3 }]);
  });

  it("goes on over bins that hold nothing, and there is none without it", () => {
    const bars = [bin(0, 0, 0), bin(1, 5, 5, 5, 5), bin(2, 0, 0), bin(3, 2, 0, 2, 0), bin(4, 0, 0)];
    expect(eventBands(bars)).toEqual([{ low: 0, high: 5 }]);
    expect(eventBands([bin(0, 3, 3), bin(1, 0, 0)])).toEqual([]);
  });

  it("may be in two pieces", () => {
    const bars = [bin(0, 1, 1, 1, 1), bin(1, 5, 5), bin(2, 1, 1, 1, 1)];
    expect(eventBands(bars)).toEqual([{ low: 0, high: 1 }, { low: 2, high: 3 }]);
  });
});

describe("exact evidence", () => {
  it("has no interval that anybody could tell apart, and no runs", () => {
    expect(handmade("exact").measure).toBe("probability");
    expect(handmade("exact").probabilities.map((one) => [one.text, one.runs])).toEqual([["0.9", null], ["0.1", null]]);
    expect(limitWords(handmade("exact"))).toBe("Allowed: at most 2.72 times as likely on D1 as on D2. Found: 9 times.");
    expect(certainWords(handmade("exact"))).toContain("epsilon is at least 2.19, where 1 was claimed");
  });

  it.each(["impossible", "limit"])("may be without a limit: %s", (name) => {
    expect(limitWords(handmade(name))).toMatch(/ Found: no limit at all\.$/);
    expect(certainWords(handmade(name))).toContain("no finite epsilon holds, and 0.7 was claimed");
    expect(ratioRange(handmade(name))).toBeUndefined();
  });

  it("tells densities from probabilities", () => {
    expect(handmade("limit").measure).toBe("density");
    expect(handmade("impossible").measure).toBe("probability");
  });

  it("never takes what the source alone shows for a violation", () => {
    const view = handmade("unconfirmed");
    expect(view.headline).toMatch(/^By the source alone, not confirmed by a run: /);
    expect(unconfirmedWords(view.unconfirmed ?? "")).toMatch(/^Known by the source alone, not confirmed by a run: .*nobody has called\.$/);
    expect(certainWords(view)).toContain("This was computed, not counted: epsilon is at least 2.19");
    expect(handmade("exact").unconfirmed).toBeNull();
  });

  it("has the proof beside the violation, where both are there", () => {
    expect(handmade("conflict").proof?.text).toContain("The same claim is proved for every length");
  });
});

describe("the bound on its way", () => {
  const view = { growth: [[1000, 0.5], [3000, 0.4], [2000, 0.9]], bound: { runs: 4000, lower: 1.1, claimed: 0.2 } };
  const shown = view as unknown as Counterexample;

  it("never falls, is in the order of the runs, and ends with the verdict", () => {
    expect(points(shown, [])).toEqual([
      { runs: 1000, lower: 0.5 },
      { runs: 2000, lower: 0.9 },
      { runs: 3000, lower: 0.9 },
      { runs: 4000, lower: 1.1 },
    ]);
  });

  it("goes on with what is heard of the audit, if it is about the same claim", () => {
    const heard = heardPoint(shown, { runs: 500, claimed: 0.2, epsilonLower: 1.3 });
    expect(heard).toEqual({ runs: 4500, lower: 1.3 });
    expect(points(shown, [{ runs: 4500, lower: 1.3 }]).at(-1)).toEqual({ runs: 4500, lower: 1.3 });
    expect(heardPoint(shown, { runs: 500, claimed: 0.7, epsilonLower: 1.3 })).toBeUndefined();
    expect(heardPoint(shown, { runs: 500, claimed: null, epsilonLower: null })).toBeUndefined();
  });
});

describe.each(RECORDED)("what a server has answered: %s", (_name, { view, outputs, curve }) => {
  it("has all runs in its bars, and the event where the verdict has it", () => {
    const all = [...outputs.bars, ...outputs.others];
    for (const side of [0, 1] as const) {
      expect(all.reduce((sum, bar) => sum + bar.counts[side], 0)).toBe(outputs.runs[side]);
      const inside = all.reduce((sum, bar) => sum + share(bar, outputs, side).inside, 0);
      const [low, high] = view.probabilities[side].interval;
      expect(inside).toBeGreaterThan(low - 0.02);
      expect(inside).toBeLessThan(high + 0.02);
    }
  });

  it("is told in words: the picture of the outputs, the limit and the curve", () => {
    expect(outputsWords(outputs, view.event)).toContain(`The event ${view.event} holds`);
    expect(limitWords(view)).toMatch(/^Allowed: at most [\d.]+ times as likely on D1 as on D2\. Found: (more than )?[\d.]+ times(, between [\d.]+ and [\d.∞]+( by these counts; the verdict decides, .*)?)?\.$/);
    const [low, high] = ratioRange(view) ?? [0, 0];
    expect(low).toBeLessThan(finite(view.limit.found));
    expect(high).toBeGreaterThan(finite(view.limit.found));
    if ("lines" in curve) {
      expect(curveWords(curve)).toContain(curve.lines[0]?.words);
    }
  });

  it("shows more than the claim allows", () => {
    expect(finite(view.limit.found)).toBeGreaterThan(finite(view.limit.allowed));
    expect(finite(view.bound.lower)).toBeGreaterThan(view.bound.claimed);
    expect(points(view, []).at(-1)?.lower).toBeCloseTo(finite(view.bound.lower));
  });

  it("has evidence that a picture can hold", () => {
    if (!("lines" in curve)) {
      expect(curve.error).toMatch(/not enough time/);
      return;
    }
    for (const point of curve.lines.flatMap((line) => line.points)) {
      expect(evidence(point)).toBeGreaterThanOrEqual(0);
      expect(evidence(point)).toBeLessThanOrEqual(MOST_EVIDENCE);
      expect(point.rejected).toBe(evidence(point) > -Math.log10(curve.level));
    }
  });
});

describe("two numbers about one thing", () => {
  it.each(COUNTED)("it is said which one decides where an interval leaves room for the claim: %s", (_, { view }) => {
    const [one, two] = view.probabilities;
    const wide = { ...view, probabilities: [{ ...one, interval: [one.interval[0], 1] }, { ...two, interval: [two.interval[0], 1] }] } as Counterexample;
    const room = (shown: Counterexample): boolean => (ratioRange(shown)?.[0] ?? Infinity) <= finite(shown.limit.allowed);
    expect(room(wide)).toBe(true);
    for (const shown of [view, wide]) {
      expect(limitWords(shown).includes(`the verdict decides, which has all runs behind it: epsilon is at least ${view.bound.text}`)).toBe(
        room(shown) && !shown.limit.atLeast,
      );
    }
  });
});

describe("what it would take", () => {
  it.each(RECORDED)("the bound decides, and the claim itself is refuted: %s", (_, { view }) => {
    const lower = finite(view.bound.lower);
    expect(epsilonWords(view, view.bound.claimed)).toContain("refutes it, for epsilon is at least");
    expect(epsilonWords(view, lower * 1.001)).toContain("does not refute it, which says nothing of others");
    expect(epsilonWords(view, lower * 0.999)).toContain("refutes it");
  });

  it("no epsilon suffices where none is finite", () => {
    expect(epsilonWords(handmade("impossible"), 1e6)).toContain("no finite epsilon holds");
  });

  it("a curve begins with a sentence", () => {
    expect(refutedWords({ claimed: 1, rejectedUpTo: 1.17 })).toBe("Everything up to 1.17 is refuted; you claim 1.");
    expect(refutedWords({ claimed: 1, rejectedUpTo: null })).toBe("Nothing is refuted; you claim 1.");
  });
});

describe("delta by epsilon", () => {
  const point = (epsilon: number, delta: number): { epsilon: number; delta: number } => ({ epsilon, delta });
  const line = (exact: CurveLine["exact"]): CurveLine => ({ name: "", claimed: 1, rejectedUpTo: null, words: "", points: [], exact: exact ?? null });

  it("begins with a sentence", () => {
    expect(deltaWords(line({ lower: 1.17, upper: 1.17, points: [point(0.5, 0.2), point(1, 0.0512), point(1.5, 0)] }))).toBe(
      "At the claimed 1 the pair that loses most needs a delta of 0.0512, and none from an epsilon of 1.17 on.",
    );
    expect(deltaWords(line({ lower: "inf", upper: "inf", points: [point(1, 0.3)] }))).toBe(
      "At the claimed 1 the pair that loses most needs a delta of 0.3.",
    );
    expect(deltaWords(line({ lower: 0.7, upper: 0.7, points: [point(1, 0)] }))).toBe(
      "At the claimed 1 the pair that loses most needs no delta; it needs none from an epsilon of 0.7 on.",
    );
    expect(deltaWords(line(null))).toBe("");
  });
});

describe("the bound beside what is shown", () => {
  it.each(RECORDED)("is explained where it is above what the shown outputs tell: %s", (_, { view }) => {
    const shown = Math.log(finite(view.limit.found));
    const words = strongerWords(view);
    if (finite(view.bound.lower) > shown + 0.01) {
      expect(words).toBe(`Other outputs tell the two apart even better: epsilon is at least ${view.bound.text}.`);
    } else {
      expect(words).toBe("");
    }
  });

  it("is of both kinds in what was recorded", () => {
    expect(new Set(RECORDED.map(([, { view }]) => strongerWords(view) === "")).size).toBe(2);
  });
});

describe("a label", () => {
  it("is whole where there is room for it, also a single letter", () => {
    for (const label of ["1", "12", "[True]"]) {
      expect(fitting(label, marginFor([label, "1"], 600))).toBe(label);
    }
    expect(fitting("x".repeat(90), marginFor(["x".repeat(90)], 600))).toMatch(/^x{10,40}…$/);
  });
});

describe("a text for an issue", () => {
  it.each(COUNTED)("says all that somebody needs: %s", (_, { view }) => {
    const text = issueText(view);
    for (const part of [view.headline, view.claim, view.bound.title, "D1 = ", "D2 = ", "dplint check ", "--seed"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain(view.data.map((cell) => cell.text[0]).find((one) => one !== null) ?? "");
  });

  it("takes nothing for a verdict that is none", () => {
    expect(issueText(handmade("unconfirmed"))).toContain("not confirmed by a run");
  });
});

describe("what is computed of the outputs", () => {
  const { outputs } = JSON.parse(readFileSync(join(DATA, "computed_histogram.json"), "utf8")) as { outputs: Outputs };

  it("is what runs come near to", () => {
    expect(outputs.computed?.bars.length).toBe(outputs.bars.length);
    for (const bar of outputs.bars) {
      const both = sharesOf(outputs, bar);
      for (const side of [0, 1] as const) {
        // Six standard errors of 20,000 runs.
        expect(Math.abs(bar.counts[side] / 20_000 - (both?.[side] ?? NaN))).toBeLessThan(6 * Math.sqrt(0.25 / 20_000));
      }
    }
  });

  it("has the heights of the bars as a line", () => {
    const highest = Math.max(...(outputs.bars).map((bar) => bar.counts[0] / 20_000));
    expect(highestComputed(outputs, 0)).toBeGreaterThan(highest);
  });

  it("is told in words, and nothing is told where nothing was computed", () => {
    expect(computedWords(outputs)).toContain("solid for D1 and dashed for D2: computed without a run");
    expect(computedWords({ ...outputs, computed: null })).toBe("");
  });
});
