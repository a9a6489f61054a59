// Runs a suite inside the extension host: the workbench is told by its address which extensions and tests to load.
import fs from "node:fs";
import path from "node:path";
import { BARE_PYTHON, HOME, PYTHON, ROOT } from "./setup.mjs";
import { until, Workbench } from "./workbench.mjs";

const PATIENCE_MS = 300_000;

/** The steps of a suite, as test/host/harness.ts has them. */
export async function runInHost(suite, { folder, machine, extensions = [] }) {
  const result = path.join(HOME, `result-${suite}.json`);
  fs.rmSync(result, { force: true });
  const env = { DPLINT_SUITE: suite, DPLINT_RESULT: result, DPLINT_PYTHON: PYTHON, DPLINT_BARE_PYTHON: BARE_PYTHON };
  const bench = await Workbench.start(suite, { folder, machine, extensions, env });
  try {
    const host = `vscode-remote://127.0.0.1:${bench.port}`;
    const ours = ["extensionDevelopmentPath", host + ROOT];
    const tests = ["extensionTestsPath", host + path.join(HOME, "host", "index.js")];
    await bench.open({ payload: [ours, tests] });
    await until(`the end of ${suite}`, () => read(result).done, PATIENCE_MS).catch(() => undefined);
    const { done, steps } = read(result);
    if (!done) {
      await bench.picture(`stuck-${suite}`);
      const last = bench.console.slice(-5).join("\n");
      steps.push({ name: "the suite ends", ms: PATIENCE_MS, error: `it did not\n${last}` });
    }
    return steps;
  } finally {
    await bench.end();
  }
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return { done: false, steps: [] };
  }
}
