// A workspace that the user does not trust: rules speak, nothing of it is run. Then it is trusted.
import { PYTHON, VSIX } from "./setup.mjs";
import { check, Steps } from "./steps.mjs";
import { Workbench } from "./workbench.mjs";
import { removeWorkspace, stranger } from "./workspaces.mjs";

export async function trust() {
  const steps = new Steps("trust");
  const { folder, marked } = stranger(PYTHON);
  const machine = { "dplint.interpreter": PYTHON };
  const settings = { "workbench.colorTheme": "Default Light Modern", "dplint.deepen": false };
  const bench = await Workbench.start("trust", { folder, settings, machine, extensions: [VSIX], trust: true });
  steps.bench = bench;
  try {
    await steps.step("in a workspace that is not trusted, the rules speak", async () => {
      await bench.open({ width: 1200, height: 600, scale: 1.5 });
      await bench.see(".monaco-dialog-box", { text: "trust" });
      await bench.page.locator(".monaco-dialog-box .monaco-button", { hasText: "No" }).click();
      await bench.page.keyboard.press("Control+KeyB");
      await bench.openFile("survey.py", "5:6");
      await bench.see(".squiggly-error");
    });
    await steps.step("the status bar and the lenses say so", async () => {
      await bench.see(".statusbar-item", { text: "dplint: rules only" });
      await bench.see(".codelens-decoration", { text: "not tested: the workspace is not trusted" });
      await bench.calm();
      await bench.picture("untrusted");
    });
    await steps.step("a test that is asked for is refused", async () => {
      await bench.command("dplint: Test This Mechanism");
      await bench.see(".notification-toast", { text: "not trusted" });
      await bench.command("dplint: Test All Mechanisms in the Workspace");
      await bench.see(".notification-toast", { text: "no code of a workspace that is not trusted is run" });
      await bench.command("Notifications: Clear All Notifications");
    });
    await steps.step("nothing that the workspace names was run", async () => {
      await bench.page.waitForTimeout(2000);
      check(!marked(), "the interpreter of the workspace was run");
    });
    await steps.step("once it is trusted, its interpreter is used, and its code is tested", async () => {
      await bench.command("Workspaces: Manage Workspace Trust");
      await bench.page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first().click();
      await bench.page.locator(".tab", { hasText: "survey.py" }).click();
      await bench.see(".codelens-decoration", { text: "violated" });
      check(marked(), "the trap was not used, so the test before could not fail");
    });
  } finally {
    await bench.end();
    removeWorkspace(folder);
  }
  return steps.results;
}
