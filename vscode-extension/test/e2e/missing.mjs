// A project whose environment has no dplint: the offer says what it will run, and runs it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { BARE_PYTHON, REPOSITORY, VSIX } from "./setup.mjs";
import { check, Steps } from "./steps.mjs";
import { Workbench } from "./workbench.mjs";
import { removeWorkspace, sample } from "./workspaces.mjs";

export async function missing() {
  const steps = new Steps("missing");
  const folder = sample();
  const environment = path.dirname(path.dirname(BARE_PYTHON));
  fs.symlinkSync(environment, path.join(folder, ".venv"));
  const command = `${path.join(folder, ".venv", "bin", "python")} -m pip install ${REPOSITORY}`;
  const settings = { "workbench.colorTheme": "Default Light Modern", "terminal.integrated.enablePersistentSessions": false };
  const machine = { "dplint.package": REPOSITORY };
  const bench = await Workbench.start("missing", { folder, settings, machine, extensions: [VSIX] });
  steps.bench = bench;
  try {
    await steps.step("the status bar says that dplint is not installed", async () => {
      await bench.open({ width: 1200, height: 600 });
      await bench.openFile("sample.py", "18:6");
      await bench.see(".statusbar-item", { text: "dplint: not installed" });
    });
    await steps.step("the offer names the command that it will run", async () => {
      const offer = await bench.see(".notification-toast", { text: "dplint is not installed in" });
      const said = await offer.innerText();
      check(said.includes(command), `not ${command} in ${said}`);
    });
    await steps.step("accepted, it runs in a terminal, and the server starts", async () => {
      await bench.page.locator(".notification-toast .monaco-button", { hasText: "Install" }).click();
      await bench.see(".terminal-wrapper");
      await bench.see(".statusbar-item", { text: "dplint 1" });
      await bench.see(".codelens-decoration", { text: "violated" });
    });
  } finally {
    await bench.end();
    execFileSync(BARE_PYTHON, ["-m", "pip", "uninstall", "-q", "-y", "dplint"]);
    removeWorkspace(folder);
  }
  return steps.results;
}
