/** What the server tells and answers, and what the parts of the extension know of each other. */

import type { Disposable } from "vscode";

/** Whether audits may run at all. */
export type Mode = "on" | "paused" | "untrusted";

/**
 * A mechanism whose audit runs. runs: single executions so far. claimed, epsilonLower: the value of the claim that it is at,
 * and the bound there; null as long as nothing is known.
 */
export interface Running {
  readonly uri: string;
  readonly function: string;
  readonly runs: number;
  readonly phase: string;
  readonly claimed: number | null;
  readonly epsilonLower: number | null;
}

/** The notification `dplint/status`: what the server is doing, and how the open documents stand. */
export interface Status {
  readonly state: Mode;
  readonly running: readonly Running[];
  readonly violations: number;
  readonly mechanisms: number;
  readonly proved: number;
  /** By proofs that leave something out: longer data, or one order of the neighbours. */
  readonly provedInPart: number;
  readonly noViolation: number;
  /** Tried too little to tell anything. */
  readonly underpowered: number;
  readonly untestable: number;
  readonly failed: number;
  readonly interpreter: string;
  readonly version: string;
}

/** The language server, for those who ask it something. */
export interface Server {
  /** Run a command of the server. Rejects if the server is not there, or fails. */
  request<T>(command: string, ...args: unknown[]): Promise<T>;
  onStatus(listener: (status: Status) => void): Disposable;
}

/** What the server says of a mechanism of a document; lines count from 0. */
export interface Mechanism {
  readonly function: string;
  readonly first: number;
  readonly last: number;
  /** What its lens says. */
  readonly state: string;
  readonly violated: boolean;
  readonly proved: boolean;
  /** Whether the source alone speaks against its claim. */
  readonly unconfirmed: boolean;
}
