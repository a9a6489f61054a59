/** What the server answers to a view, and what a view and the extension say to each other. Plain data. */

/** A position as LSP has it: lines and characters count from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** JSON has no infinity: "inf" stands for it. */
export type Numeral = number | "inf" | "-inf" | null;

/** An entry of the data with its counterpart; null where one side has none. before, after: brackets, keys, commas. */
export interface Cell {
  readonly before: string;
  readonly text: readonly [string | null, string | null];
  readonly after: string;
  readonly differs: boolean;
}

/** Both sides in one table. side: "both", or which one has the row; differs: for each cell, null where none does. */
export interface TableRow {
  readonly side: string;
  readonly cells: readonly string[];
  readonly differs: readonly boolean[] | null;
  readonly times: number;
}

/** more: rows that are left out. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly more: number;
}

export interface Argument {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/**
 * The probability of the event on one side, or its density there: as estimated, with its interval; or as computed, between
 * ends that nobody can tell apart, and count and runs are null.
 */
export interface Probability {
  readonly value: number;
  readonly interval: readonly [number, number];
  readonly text: string;
  readonly between: string;
  readonly count: number | null;
  readonly runs: number | null;
}

/** What the claim allows and what was found. atLeast: the event was never seen on D2, and `found` is a bound. */
export interface Limit {
  readonly of: "ratio" | "probability";
  readonly allowed: Numeral;
  readonly found: Numeral;
  readonly atLeast: boolean;
}

/** The bound for epsilon, `lower`, where `claimed` was promised. text: as it is to be written. certain: it was computed. */
export interface Bound {
  readonly claimed: number;
  readonly lower: Numeral;
  readonly text: string;
  readonly confidence: string;
  readonly certain: boolean;
  readonly title: string;
  readonly runs: number;
}

/** A place in the source that has to do with the violation; the first one is to blame most. line counts from 1. */
export interface Place {
  readonly line: number;
  readonly text: string;
  readonly message: string;
  readonly code: string | null;
  readonly range: Range;
  readonly fix?: Mend | null;
}

/** Edits that mend what is wrong at a place, for that version of the text alone. */
export interface Mend {
  readonly title: string;
  readonly version: number | null;
  readonly edits: readonly { readonly range: Range; readonly newText: string }[];
}

/** uri: where the server would put it in the project; null if it cannot. exists: there is such a file already. */
export interface TestFile {
  readonly fileName: string;
  readonly text: string;
  readonly uri: string | null;
  readonly exists: boolean;
}

export interface Counterexample {
  readonly function: string;
  readonly uri: string;
  readonly headline: string;
  /** What it is not, in words: it was computed from the source, and no run has confirmed it. null for a violation. */
  readonly unconfirmed: string | null;
  readonly claim: string;
  readonly claimed: string;
  readonly promise: string;
  readonly seen: string;
  /** A proof of the very claim that is refuted, and what that means; null where there is none. */
  readonly proof: { readonly text: string; readonly lines: readonly string[] } | null;
  readonly event: string;
  readonly data: readonly Cell[];
  /** The same where the data is a table; absent from older servers. */
  readonly table?: Table | null;
  readonly arguments: readonly Argument[];
  /** What `probabilities` are: of a single value of a continuous output there are only densities. */
  readonly measure: "probability" | "density";
  readonly probabilities: readonly [Probability, Probability];
  readonly limit: Limit;
  readonly bound: Bound;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly notes: readonly string[];
  readonly test: TestFile | null;
  readonly places: readonly Place[];
  readonly source: { readonly firstLine: number; readonly lines: readonly string[]; readonly fault: number } | null;
  /** Pairs of runs and the bound after so many, as far as the server has seen it grow. */
  readonly growth: readonly (readonly [number, Numeral])[];
}

/** A bar of a picture: a category by its label, or a bin with low <= value < high. Pairs are of D1 and D2. */
export interface Bar {
  readonly label: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly counts: readonly [number, number];
  readonly inside: readonly [number, number];
}

/**
 * The same bars from the program alone, without a run: probabilities on D1 and D2, null where nothing is known. line: a
 * place of a histogram and the densities there; empty where numbers are whole.
 */
export interface Computed {
  readonly bars: readonly (readonly [number, number] | null)[];
  readonly others: readonly (readonly [number, number] | null)[];
  readonly line: readonly (readonly [number, number, number])[];
  readonly certifiedBy: string;
}

/** How the outputs on both sides are distributed over `measure`, a Python expression over `output`. */
export interface Outputs {
  readonly measure: string;
  readonly kind: "categories" | "numbers";
  readonly bars: readonly Bar[];
  readonly others: readonly Bar[];
  readonly runs: readonly [number, number];
  readonly notes: readonly string[];
  readonly computed?: Computed | null;
}

export interface CurvePoint {
  readonly epsilon: number;
  readonly pValue: number;
  readonly lower: Numeral;
  readonly rejected: boolean;
}

export interface CurveLine {
  readonly name: string;
  readonly claimed: number;
  readonly rejectedUpTo: number | null;
  readonly words: string;
  readonly points: readonly CurvePoint[];
  /** What was computed without a run, of the pair that loses most; null if nothing was, and exactWords says why. */
  readonly exact?: ExactLine | null;
  readonly exactWords?: string;
}

/** lower, upper: hold the loss of the pair. points: the least delta that it keeps at tested epsilons. */
export interface ExactLine {
  readonly lower: number | string;
  readonly upper: number | string;
  readonly points: readonly { readonly epsilon: number; readonly delta: number }[];
}

export interface Curve {
  readonly function: string;
  readonly uri: string;
  readonly claim: string;
  readonly level: number;
  readonly lines: readonly CurveLine[];
  readonly effort: string;
  readonly explanation: string;
  readonly notes: readonly string[];
}

/** Why there is nothing to show. */
export interface Refused {
  readonly error: string;
}

/** By how much the noise of a draw is shifted, so that a run on D2 gives the output of one on D1. line counts from 1. */
export interface Shift {
  readonly line: number;
  readonly range: Range;
  readonly words: string;
  readonly distribution: string;
  readonly scale: string;
  readonly everyTurn: boolean;
  readonly cases: readonly { readonly by: string; readonly when: string }[];
  readonly cost: string;
}

/** A proof. places: the draws in this file. elsewhere: the others, in words. pair: the one that loses most, if known. */
export interface Proof {
  readonly function: string;
  readonly uri: string;
  readonly claim: string;
  readonly title: string;
  readonly full: boolean;
  readonly covers: string;
  readonly words: string;
  readonly method: string;
  readonly cost: string;
  readonly checkedBy: readonly string[];
  readonly places: readonly Shift[];
  readonly elsewhere: readonly string[];
  readonly source: { readonly firstLine: number; readonly lines: readonly string[] } | null;
  readonly arithmetic: string;
  readonly losses: string | null;
  readonly pair: {
    readonly d1: string;
    readonly d2: string;
    readonly arguments: readonly Argument[];
    readonly event: string | null;
  } | null;
}

export type Kind = "counterexample" | "proof" | "curve";

/** What a view is about; kept over a reload of the window. */
export interface Subject {
  readonly kind: Kind;
  readonly uri: string;
  readonly function: string;
}

/** An audit of the view's mechanism that goes on. */
export interface Audit {
  readonly runs: number;
  readonly claimed: number | null;
  readonly epsilonLower: number | null;
}

export type ToView =
  | { readonly type: "subject"; readonly subject: Subject }
  | { readonly type: "counterexample"; readonly view: Counterexample }
  | { readonly type: "proof"; readonly proof: Proof }
  /** There is nothing to show, or nothing that still holds: `text` says why. */
  | { readonly type: "nothing"; readonly text: string }
  /** What is known of the function by now, in the words of its lens, where it is another one than that of the view. */
  | { readonly type: "after"; readonly state: string | null }
  | { readonly type: "outputs"; readonly outputs: Outputs | Refused }
  | { readonly type: "curve"; readonly curve: Curve | Refused }
  | { readonly type: "sweeping" }
  | { readonly type: "audit"; readonly audit: Audit | null; readonly may: boolean }
  | { readonly type: "said"; readonly text: string };

export type FromView =
  | { readonly type: "ready" }
  | { readonly type: "open"; readonly range: Range }
  | { readonly type: "copyTest" }
  | { readonly type: "copyText"; readonly text: string }
  | { readonly type: "applyFix" }
  | { readonly type: "writeTest" }
  | { readonly type: "testDeeper" }
  | { readonly type: "stop" }
  | { readonly type: "drawAgain" }
  | { readonly type: "showCurve" }
  | { readonly type: "saveSvg"; readonly svg: string };
