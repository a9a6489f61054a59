// The end-to-end tests, in a real VS Code with a real server: node test/e2e/run.mjs [--record] [--keep-python] [SUITE ...]
//
// Everything that they need is installed first, into .vscode-test. --record: the pictures of the README, and the results in
// TESTING.md, are written anew. --keep-python: the dplint that was installed last is tested, not that of this checkout.
import fs from "node:fs";
import path from "node:path";
import { runInHost } from "./hosts.mjs";
import { missing } from "./missing.mjs";
import { profile } from "./profile.mjs";
import { record } from "./record.mjs";
import { PYTHON, PYTHON_STUB, setUp, VSIX } from "./setup.mjs";
import { trust } from "./trust.mjs";
import { views } from "./views.mjs";
import * as workspaces from "./workspaces.mjs";

const SUITES = {
  profile,
  views: () => views(),
  trust,
  missing,
  editing: () => host("editing", workspaces.editing(), { machine: { "dplint.interpreter": PYTHON } }),
  life: () => host("life", workspaces.sample(), { machine: { "dplint.interpreter": PYTHON } }),
  folders: () => host("folders", workspaces.folders(PYTHON), { machine: { "dplint.interpreter": PYTHON } }),
  environments: () => host("environments", withEnvironment(workspaces.sample()), { extensions: [PYTHON_STUB] }),
};

async function host(suite, folder, options) {
  try {
    return await runInHost(suite, { folder, ...options });
  } finally {
    workspaces.removeWorkspace(folder);
  }
}

function withEnvironment(folder) {
  fs.symlinkSync(path.dirname(path.dirname(PYTHON)), path.join(folder, ".venv"));
  return folder;
}

const asked = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const unknown = asked.filter((one) => !(one in SUITES));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(", ")}: there are ${Object.keys(SUITES).join(", ")}.`);
  process.exit(2);
}
setUp();
const start = Date.now();
const results = {};
for (const name of asked.length > 0 ? asked : Object.keys(SUITES)) {
  console.log(`\n${name}`);
  results[name] = await SUITES[name]();
  for (const { name: step, ms, note, error } of results[name]) {
    const told = note === undefined ? "" : ` (${note})`;
    console.log(`  ${error === undefined ? "passed" : "FAILED"}  ${(ms / 1000).toFixed(1).padStart(5)} s  ${step}${told}`);
    if (error !== undefined) {
      console.log(error.replace(/^/gm, "      "));
    }
  }
}
const steps = Object.values(results).flat();
const failed = steps.filter((one) => one.error !== undefined).length;
const summary = { passed: steps.length - failed, failed, seconds: Math.round((Date.now() - start) / 1000) };
console.log(`\n${summary.passed} passed, ${failed} failed, in ${summary.seconds} s`);
if (process.argv.includes("--record")) {
  record(results, { ...summary, vsix: fs.statSync(VSIX).size });
}
process.exit(failed > 0 ? 1 : 0);
