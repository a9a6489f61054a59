import { expect, test } from "vitest";
import { Backoff } from "../../src/server/backoff";

class Clock {
  now = 0;
  readonly backoff = new Backoff(() => this.now);
}

test("a server that ends again and again is waited for longer and longer, and then left", () => {
  const { backoff } = new Clock();
  const waits = Array.from({ length: 6 }, () => backoff.next());
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, undefined]);
});

test("what ended long ago does not count", () => {
  const state = new Clock();
  for (let end = 0; end < 20; end += 1) {
    expect(state.backoff.next()).toBe(1_000);
    state.now += 180_000;
  }
});

test("a start that the user has asked for begins anew", () => {
  const { backoff } = new Clock();
  backoff.next();
  backoff.next();
  backoff.forget();
  expect(backoff.next()).toBe(1_000);
});
