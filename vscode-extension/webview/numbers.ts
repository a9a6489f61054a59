/** Numbers and what pictures say, in words. */

import type { Bar, Counterexample, CurveLine, Numeral, Outputs } from "../src/panels/messages";

/** A number that a picture can hold. */
export function finite(value: Numeral): number {
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : (value ?? NaN);
}

/** Three digits that count, without an exponent where that is readable: 0.0123, 41.5, 1,200. */
export function short(value: number): string {
  if (!Number.isFinite(value)) {
    return value > 0 ? "∞" : value < 0 ? "−∞" : "unknown";
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
    return value.toExponential(1).replace("-", "−");
  }
  if (size >= 1000) {
    return Math.round(value).toLocaleString("en").replace("-", "−");
  }
  return String(Number(value.toPrecision(3))).replace("-", "−");
}

/** The same for a lower bound, which is never rounded up. */
export function atLeast(value: number): string {
  if (!Number.isFinite(value) || value <= 0) {
    return short(value);
  }
  const unit = 10 ** (Math.floor(Math.log10(value)) - 2);
  return short(Math.floor(value / unit + 1e-9) * unit);
}

/** How often something came, as a percentage. */
export function percent(share: number): string {
  if (share > 0 && share < 0.001) {
    return "below 0.1 %";
  }
  const digits = share >= 0.1 || share === 0 ? 0 : 1;
  return `${(100 * share).toFixed(digits)} %`;
}

/** 41k, 2.1M: as the lens above the function has it. */
export function compact(amount: number): string {
  const units: readonly (readonly [number, string])[] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  for (const [size, unit] of units) {
    if (amount >= size) {
      const value = amount / size;
      return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)}${unit}`;
    }
  }
  return String(amount);
}

/** What a bar stands for. The first and the last bin hold what lies beyond them, too. */
export function barName(bar: Bar, place: "first" | "last" | "inner"): string {
  if (bar.low === null || bar.high === null) {
    return bar.label;
  }
  if (place === "first") {
    return `below ${short(bar.high)}`;
  }
  return place === "last" ? `${short(bar.low)} and above` : `${short(bar.low)} to ${short(bar.high)}`;
}

/** The share of the runs of a side, 0 for D1 and 1 for D2, that a bar holds; of these, the share in the event. */
export function share(bar: Bar, outputs: Outputs, side: 0 | 1): { all: number; inside: number } {
  const runs = Math.max(1, outputs.runs[side]);
  return { all: bar.counts[side] / runs, inside: bar.inside[side] / runs };
}

/** Bars of the event that lie beside each other, as ranges of their axis. A bar that holds no runs goes with the one before. */
export function eventBands(bars: readonly Bar[]): { low: number; high: number }[] {
  const held = bars.map((bar) => {
    const count = bar.counts[0] + bar.counts[1];
    return count === 0 ? undefined : bar.inside[0] + bar.inside[1] > count / 2;
  });
  const bands: { low: number; high: number }[] = [];
  let state = held.find((one) => one !== undefined) ?? false;
  let open: { low: number; high: number } | undefined;
  bars.forEach((bar, i) => {
    state = held[i] ?? state;
    if (!state || bar.low === null || bar.high === null) {
      open = undefined;
    } else if (open === undefined) {
      open = { low: bar.low, high: bar.high };
      bands.push(open);
    } else {
      open.high = bar.high;
    }
  });
  return bands;
}

/** The picture of the outputs in words. */
export function outputsWords(outputs: Outputs, event: string | null): string {
  const all = [...outputs.bars, ...outputs.others];
  const [one, two] = ([0, 1] as const).map((side) => all.reduce((sum, bar) => sum + share(bar, outputs, side).inside, 0));
  const peaks = ([0, 1] as const).map((side) => {
    const index = all.reduce((best, bar, i) => (bar.counts[side] > (all[best]?.counts[side] ?? 0) ? i : best), 0);
    const bar = all[index];
    return bar === undefined ? "nothing" : barName(bar, "inner");
  });
  return (
    `${outputs.kind === "numbers" ? "Two histograms" : "Bars for two samples"} of ${outputs.measure}. ` +
    (event === null ? "" : `The event ${event} holds ${percent(one ?? 0)} of the outputs on D1 and ${percent(two ?? 0)} of those on D2. `) +
    `The most frequent value is ${peaks[0]} on D1 and ${peaks[1]} on D2.`
  );
}

/** The ratio at the far ends of the two intervals of the probabilities; undefined where there is no such ratio. */
export function ratioRange(view: Counterexample): readonly [number, number] | undefined {
  const [one, two] = view.probabilities;
  if (view.limit.of !== "ratio" || two.interval[1] <= 0) {
    return undefined;
  }
  const high = two.interval[0] > 0 ? one.interval[1] / two.interval[0] : Infinity;
  return [one.interval[0] / two.interval[1], high];
}

/** The bound for epsilon, which is finite; where it is no more than the claim that it refutes, epsilon is more than that. */
export function boundWords(view: Counterexample): string {
  const more = finite(view.bound.lower) > finite(view.bound.claimed);
  return more ? `at least ${view.bound.text}` : `more than ${short(view.bound.claimed)}`;
}

/** The bound that was computed and not counted, in a sentence. */
export function certainWords(view: Counterexample): string {
  const claimed = short(view.bound.claimed);
  return finite(view.bound.lower) === Infinity
    ? `This was computed, not counted: no finite epsilon holds, and ${claimed} was claimed. No number of runs can change it.`
    : `This was computed, not counted: epsilon is ${boundWords(view)}, where ${claimed} was claimed. No number of runs can change it.`;
}

/** Where the bound is above what the shown outputs tell, for it rests on others as well; empty where it is not. */
export function strongerWords(view: Counterexample): string {
  const [lower, found] = [finite(view.bound.lower), finite(view.limit.found)];
  if (view.limit.of !== "ratio" || !Number.isFinite(lower) || lower <= Math.log(found) + 0.01) {
    return "";
  }
  return `Other outputs tell the two apart even better: epsilon is ${boundWords(view)}.`;
}

/** What the server calls it, in a sentence that nobody takes for a verdict. */
export function unconfirmedWords(words: string): string {
  return `Known ${words}: these are the numbers of the program that dplint reads in the function, which nobody has called.`;
}

/** Counts of one event may leave room for the claim where the verdict, which has weighed more, does not. */
function decides(view: Counterexample): string {
  return ` by these counts; the verdict decides, which has all runs behind it: epsilon is ${boundWords(view)}`;
}

/** The bars of allowed and found in words. */
export function limitWords(view: Counterexample): string {
  const allowed = finite(view.limit.allowed);
  const found = finite(view.limit.found);
  const more = view.limit.atLeast ? "more than " : "";
  const range = ratioRange(view);
  const times = Number.isFinite(found) ? `${more}${short(found)} times` : "no limit at all";
  const between = range === undefined || view.limit.atLeast || view.bound.certain ? "" : `, between ${atLeast(range[0])} and ${short(range[1])}${range[0] > allowed ? "" : decides(view)}`;
  return view.limit.of === "ratio"
    ? `Allowed: at most ${short(allowed)} times as likely on D1 as on D2. Found: ${times}${between}.`
    : `Allowed: a probability of at most ${short(allowed)} on D1. Found: ${short(found)}.`;
}

/** What the counterexample says of a claim of that epsilon: the bound decides, not the ratio that was seen. */
export function epsilonWords(view: Counterexample, epsilon: number): string {
  const times = view.limit.of === "ratio" ? ` (${short(Math.exp(epsilon))} times as likely)` : "";
  const lower = finite(view.bound.lower);
  if (epsilon < lower || epsilon <= view.bound.claimed) {
    const bound = Number.isFinite(lower) ? `epsilon is ${boundWords(view)}` : "no finite epsilon holds";
    return `${short(epsilon)}${times}: this counterexample refutes it, for ${bound}.`;
  }
  return `${short(epsilon)}${times}: this counterexample does not refute it, which says nothing of others.`;
}

/** What was refuted, and what is claimed, in a sentence for the top of a curve. */
export function refutedWords(line: { readonly claimed: number; readonly rejectedUpTo: number | null }): string {
  const refuted = line.rejectedUpTo === null ? "Nothing is refuted" : `Everything up to ${short(line.rejectedUpTo)} is refuted`;
  return `${refuted}; you claim ${short(line.claimed)}.`;
}

/** What was computed of delta, in a sentence for the top of its picture; empty where nothing was. */
export function deltaWords(line: CurveLine): string {
  const claimed = line.exact?.points.find((one) => one.epsilon === line.claimed);
  if (!line.exact || claimed === undefined) {
    return "";
  }
  const { lower, upper } = line.exact;
  const none = typeof upper === "number" ? `, and none from an epsilon of ${short(upper)} on` : "";
  const least = claimed.delta < 1e-12 && typeof lower === "number" && lower <= line.claimed * (1 + 1e-9);
  return least
    ? `At the claimed ${short(line.claimed)} the pair that loses most needs no delta${none === "" ? "" : `; it needs none from an epsilon of ${short(Number(upper))} on`}.`
    : `At the claimed ${short(line.claimed)} the pair that loses most needs a delta of ${short(claimed.delta)}${none}.`;
}
