// Folders that the tests open: made anew for each suite, outside of the repository, so that no pyproject.toml is above them.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ROOT } from "./setup.mjs";

const SAMPLE = fs.readFileSync(path.join(ROOT, "walkthrough", "sample.py"), "utf8");
const SLOW = `import time

from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def slow(rng, counts):
    time.sleep(0.01)
    return [count + rng.laplace(scale=1.0) for count in counts]
`;
const MISSPELT = `from dplint import dp


@dp(epsilon=1.0, neigbors="l1")
def histogram(rng, counts):
    return [count + rng.laplace(scale=1.0) for count in counts]
`;
const CLOSED = `from dplint import dp

ASTRAL = "𝔻𝔻"


@dp(epsilon=0.5, neighbors="l1")
def closed_sum(rng, counts):
    return sum(counts) + rng.laplace(scale=0.5)
`;
/** Claims 1 and spends 1 / 0.7 = 1.43. */
const RELEASE = `from dplint import dp


@dp(epsilon=1.0, neighbors="l1")
def total(rng, visits):
    """How many visits there were."""
    return sum(visits) + rng.laplace(scale=0.7)
`;
const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: "python" } },
  cells: [{ cell_type: "code", id: "one", metadata: {}, outputs: [], execution_count: null, source: MISSPELT }],
};

/** A folder with these files, in a folder whose name is the same in every picture. */
export function makeWorkspace(name, files) {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "dplint-e2e-")), name);
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  }
  return folder;
}

export const removeWorkspace = (folder) => fs.rmSync(path.dirname(folder), { recursive: true, force: true });

export const sample = () => makeWorkspace("survey", { "sample.py": SAMPLE, "release.py": RELEASE });

/** Two folders with settings of their own; the second one's Python leaves a mark when it is run. */
export function folders(python) {
  const first = makeWorkspace("first", { "sample.py": SAMPLE });
  const home = path.dirname(first);
  const mark = path.join(home, "mark");
  const marking = path.join(home, "second-python");
  fs.writeFileSync(marking, `#!/bin/sh\necho run >> ${mark}\nexec ${python} "$@"\n`, { mode: 0o755 });
  const settings = { "dplint.interpreter": marking, "dplint.severity": { DP901: "warning" } };
  fs.mkdirSync(path.join(home, "second", ".vscode"), { recursive: true });
  fs.writeFileSync(path.join(home, "second", "sample.py"), SAMPLE);
  fs.writeFileSync(path.join(home, "second", ".vscode", "settings.json"), JSON.stringify(settings));
  const workspace = path.join(home, "both.code-workspace");
  fs.writeFileSync(workspace, JSON.stringify({ folders: [{ path: "first" }, { path: "second" }] }));
  return workspace;
}

/** A workspace of a stranger: its settings and its environment name a Python that leaves a mark when it is run. */
export function stranger(python) {
  const folder = makeWorkspace("downloaded", { "survey.py": `${MISSPELT.replace("@dp", "# dplint: dp")}\n\n${SAMPLE.split("\n").slice(16).join("\n")}` });
  const mark = path.join(path.dirname(folder), "mark");
  const trap = path.join(folder, ".venv", "bin", "python");
  fs.mkdirSync(path.dirname(trap), { recursive: true });
  fs.writeFileSync(trap, `#!/bin/sh\necho run >> ${mark}\nexec ${python} "$@"\n`, { mode: 0o755 });
  fs.mkdirSync(path.join(folder, ".vscode"));
  const settings = { "dplint.interpreter": trap, "dplint.command": [trap, "-m", "dplint", "server"] };
  fs.writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
  return { folder, marked: () => fs.existsSync(mark) };
}

export const editing = () =>
  makeWorkspace("survey", {
    "sample.py": SAMPLE,
    "mend.py": SAMPLE,
    "slow.py": SLOW,
    "misspelt.py": MISSPELT,
    "package/closed.py": CLOSED,
    "pyproject.toml": "[tool.dplint]\n",
    "project/pyproject.toml": '[tool.dplint.severity]\nDP901 = "warning"\n',
    "project/levels.py": CLOSED,
    "notebook.ipynb": JSON.stringify(NOTEBOOK),
  });
