import type { Mechanism } from "./types";

/** The innermost mechanism whose claim or body holds a line, counted from 0. */
export function mechanismAt(mechanisms: readonly Mechanism[], line: number): Mechanism | undefined {
  const holding = mechanisms.filter((one) => one.first <= line && line <= one.last);
  return holding.sort((one, other) => other.first - one.first)[0];
}
