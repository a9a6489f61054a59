// Named steps of a suite in the browser: how each one went, and a picture of the window where one failed.
import { HOME } from "./setup.mjs";
import path from "node:path";

export class Steps {
  constructor(suite) {
    this.suite = suite;
    this.results = [];
  }

  /** Run a step; what it returns is told as a note. Later steps run also after a failure. */
  async step(name, body) {
    const start = Date.now();
    const result = { name, ms: 0 };
    try {
      const note = await body();
      if (typeof note === "string") {
        result.note = note;
      }
    } catch (error) {
      result.error = String(error.stack ?? error);
      const file = path.join(HOME, "failed", `${this.suite}-${this.results.length}.png`);
      await this.bench?.page?.screenshot({ path: file }).catch(() => undefined);
    }
    result.ms = Date.now() - start;
    this.results.push(result);
  }
}

export function check(truth, what) {
  if (!truth) {
    throw new Error(what);
  }
}
