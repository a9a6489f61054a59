// A user with a clean profile installs the .vsix, opens a file, and sees what dplint has to show. The pictures of the README.
import path from "node:path";
import { processesWith } from "./processes.mjs";
import { PYTHON, VSIX } from "./setup.mjs";
import { check, Steps } from "./steps.mjs";
import { until, Workbench } from "./workbench.mjs";
import { removeWorkspace, sample } from "./workspaces.mjs";


export async function profile() {
  const steps = new Steps("profile");
  const folder = sample();
  const settings = { "workbench.colorTheme": "Default Light Modern", "dplint.deepen": false };
  const machine = { "dplint.interpreter": PYTHON };
  const bench = await Workbench.start("profile", { folder, settings, machine, extensions: [VSIX] });
  steps.bench = bench;
  try {
    await steps.step("the .vsix works in a clean profile: squiggle and lens", async () => {
      await bench.open({ width: 1200, height: 600, scale: 1.5 });
      await bench.page.keyboard.press("Control+KeyB");
      await bench.openFile("sample.py", "18:6");
      await bench.see(".squiggly-error");
      await bench.see(".codelens-decoration", { text: "violated" });
      await bench.see(".codelens-decoration", { text: "proved for every length" });
      await bench.calm();
      await bench.picture("editor");
    });
    await steps.step("the status bar counts violations", () => bench.see(".statusbar-item", { text: /dplint.*1/ }));
    await steps.step("the hover has a table", async () => {
      await bench.openFile("sample.py", "18:6");
      await bench.command("Show or Focus Hover");
      await bench.see(".monaco-hover table");
      await bench.page.keyboard.press("Escape");
    });
    await steps.step("Problems names the code, and the places that belong to it", async () => {
      await bench.page.keyboard.press("Control+Shift+KeyM");
      const row = await bench.see(".markers-panel .monaco-list-row", { text: "DP901" });
      check(/dplint/.test(await row.innerText()), "the problem has no source");
      await bench.see(".markers-panel .monaco-list-row", { text: "the claim that is broken" });
      await bench.page.keyboard.press("Control+Digit1");
      await bench.calm();
      await bench.picture("problems");
      await bench.page.keyboard.press("Control+KeyJ");
    });
    await steps.step("quick fixes are listed at the squiggle", async () => {
      await bench.openFile("sample.py", "18:6");
      await bench.page.keyboard.press("Control+Period");
      await bench.see(".action-widget", { text: "Ignore DP901 here" });
      await bench.page.waitForTimeout(400);
      await bench.picture("quick-fix");
      await bench.page.keyboard.press("Escape");
    });
    await views(steps, bench);
    await steps.step("no process is left when the window closes", async () => {
      const mine = path.dirname(PYTHON);
      check(processesWith(mine).length > 0, "no server was running before");
      const start = Date.now();
      await bench.close();
      await until("no process of dplint", () => processesWith(mine).length === 0);
      return `${((Date.now() - start) / 1000).toFixed(1)} s after it was told to close`;
    });
  } finally {
    await bench.end();
    removeWorkspace(folder);
  }
  return steps.results;
}

async function views(steps, bench) {
  await steps.step("the lens opens the counterexample view", async () => {
    await bench.page.setViewportSize({ width: 1500, height: 1000 });
    await bench.page.locator(".codelens-decoration a", { hasText: "show counterexample" }).first().click();
    const frame = await bench.webview("D1");
    await until("the outputs", async () => (await frame.locator("section .picture svg").count()) > 0);
    await bench.calm();
    await bench.picture("counterexample-light");
  });
  await steps.step("it follows the theme", async () => {
    await bench.command("Toggle between Light/Dark Themes");
    await bench.see(".monaco-workbench.vs-dark");
    await bench.page.waitForTimeout(1500);
    await bench.picture("counterexample-dark");
  });
  await steps.step("the curve view draws the curve", async () => {
    await bench.command("Toggle between Light/Dark Themes");
    await bench.page.locator(".tab", { hasText: "Counterexample" }).locator(".codicon-close").click();
    await bench.openFile("release.py", "5:6");
    await bench.see(".codelens-decoration", { text: "violated" });
    await bench.command("dplint: Show Curve");
    const frame = await bench.webview("claim");
    await until("a curve", async () => (await frame.locator("svg path").count()) > 1);
    await bench.page.waitForTimeout(1000);
    await bench.picture("curve");
  });
}
