/** What the server tells and answers, and what the parts of the extension know of each other. */

import type { Disposable } from "vscode";

/** Whether audits may run at all. */
export type Mode = "on" | "paused" | "untrusted";

/** A mechanism whose audit runs; runs: how many single executions it has made so far. */
export interface Running {
  readonly uri: string;
  readonly function: string;
  readonly runs: number;
}

/** The notification `dplint/status`: what the server is doing, and how the open documents stand. */
export interface Status {
  readonly state: Mode;
  readonly running: readonly Running[];
  readonly violations: number;
  readonly mechanisms: number;
  readonly interpreter: string;
  readonly version: string;
}

/** The language server, for those who ask it something. */
export interface Server {
  /** Run a command of the server. Rejects if the server is not there, or fails. */
  request<T>(command: string, ...args: unknown[]): Promise<T>;
  onStatus(listener: (status: Status) => void): Disposable;
}
