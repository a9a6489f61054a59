/** When to start a server again that has ended by itself: soon, then later and later, and after some times not at all. */

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
const MOST = 5;
const WINDOW_MS = 180_000;

export class Backoff {
  private ends: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** The server has ended: milliseconds to wait before it is started again, or undefined to leave it. */
  next(): number | undefined {
    const now = this.now();
    this.ends = [...this.ends.filter((end) => now - end < WINDOW_MS), now];
    const count = this.ends.length;
    return count > MOST ? undefined : Math.min(LONGEST_MS, FIRST_MS * 2 ** (count - 1));
  }

  /** The user has asked for a start: what was before does not count. */
  forget(): void {
    this.ends = [];
  }
}
