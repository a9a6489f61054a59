// The two views in use: their links and buttons, the bound that grows, a source that changes, a window that is loaded again.
import fs from "node:fs";
import path from "node:path";
import { PYTHON, VSIX } from "./setup.mjs";
import { check, Steps } from "./steps.mjs";
import { until, Workbench } from "./workbench.mjs";
import { removeWorkspace, sample } from "./workspaces.mjs";

const HEADLINE = "-private: ";

export async function views({ python = PYTHON, vsix = VSIX } = {}) {
  const steps = new Steps("views");
  const folder = sample();
  fs.writeFileSync(path.join(folder, "pyproject.toml"), "");
  const settings = { "dplint.deepen": false };
  const machine = { "dplint.interpreter": python };
  const bench = await Workbench.start("views", { folder, settings, machine, extensions: [vsix] });
  steps.bench = bench;
  try {
    await bench.open({ width: 1500, height: 1000 });
    await bench.openFile("sample.py");
    await bench.see(".codelens-decoration", { text: "violated" });
    await bench.page.locator(".codelens-decoration a", { hasText: "show counterexample" }).first().click();
    await counterexample(steps, bench, folder);
    await curve(steps, bench, folder);
    await changes(steps, bench, folder);
  } finally {
    await bench.end();
    removeWorkspace(folder);
  }
  return steps.results;
}

async function counterexample(steps, bench, folder) {
  await steps.step("the view explains the violation and draws the outputs", async () => {
    const frame = await bench.webview(HEADLINE);
    await until("the outputs", async () => (await frame.locator("figure .picture svg").count()) >= 4);
    check((await frame.locator("h2").count()) >= 6, "sections are missing");
  });
  await steps.step("the line at fault is a link into the editor", async () => {
    const frame = await bench.webview(HEADLINE);
    const link = frame.locator("header a").first();
    const line = /line (\d+)/i.exec(await link.innerText())[1];
    await link.click();
    await bench.see(".statusbar-item", { text: new RegExp(`Ln ${line},`) });
    return `line ${line}`;
  });
  await steps.step("the test is copied, and written into the project", async () => {
    const frame = await bench.webview(HEADLINE);
    await unfold(frame);
    await frame.locator("#copy").click();
    await until("that it was copied", async () => (await frame.locator(".said").first().innerText()) === "Copied.");
    const shown = await frame.locator("pre code").innerText();
    const name = /[\w]+\.py/.exec(await frame.locator("#write").innerText())[0];
    await frame.locator("#write").click();
    const file = path.join(folder, "tests", name);
    await until(file, () => fs.existsSync(file) && fs.readFileSync(file, "utf8").trim() === shown.trim());
    await bench.see(".tab", { text: name });
    await bench.page.locator(".tab", { hasText: "sample.py" }).click();
  });
  await steps.step("a deeper test makes the bound grow while runs come in", async () => {
    const frame = await bench.webview(HEADLINE);
    await unfold(frame);
    const bound = async () => Number(/at least ([\d.]+)/.exec(await frame.locator("#growth figcaption").innerText())[1]);
    const before = await bound();
    await frame.locator("#deeper").click();
    await frame.locator("#stop").waitFor();
    await until("a higher bound", async () => (await bound()) > before);
    const runs = await frame.locator("#growth").innerText();
    check(/Testing: [\d,]+ runs/.test(runs), "it does not say how many runs were made");
    const during = await bound();
    await frame.locator("#stop").click();
    await frame.locator("#deeper").waitFor();
    return `epsilon at least ${before}, then ${during}`;
  });
}

/** What the view shows on demand. */
function unfold(frame) {
  return frame.evaluate(() => document.querySelectorAll("details.part").forEach((one) => (one.open = true)));
}

async function curve(steps, bench, folder) {
  await steps.step("the curve is drawn, and saved as SVG", async () => {
    const first = await bench.webview(HEADLINE);
    await unfold(first);
    await first.locator("#curve").click();
    const frame = await bench.webview("p-value by tested epsilon");
    await until("a curve", async () => (await frame.locator(".picture svg").count()) > 0);
    await frame.locator("#axis-evidence").check();
    await until("the other axis", async () => (await frame.locator("h2").first().innerText()).startsWith("Evidence"));
    await frame.locator("#save").click();
    await bench.see(".quick-input-widget", { text: /Save|svg/ });
    await bench.page.keyboard.press("Enter");
    const saved = () => fs.readdirSync(folder).find((name) => name.endsWith("-curve.svg"));
    await until("the file", saved);
    const svg = fs.readFileSync(path.join(folder, saved()), "utf8");
    check(svg.startsWith("<?xml") && svg.includes("<path") && !svg.includes("var(--"), "it is no picture by itself");
  });
}

async function changes(steps, bench, folder) {
  await steps.step("after the window was loaded again, the view is there and fills by itself", async () => {
    await bench.page.locator(".tab", { hasText: "Curve" }).locator(".codicon-close").click();
    await bench.page.reload();
    await bench.page.waitForSelector(".monaco-workbench");
    await bench.page.locator(".tab", { hasText: "Counterexample" }).first().click();
    const frame = await bench.webview(HEADLINE);
    await until("the outputs", async () => (await frame.locator("figure .picture svg").count()) >= 4);
  });
  await steps.step("when the source changes, the view says that it is about what was there before", async () => {
    await bench.page.locator(".tab", { hasText: "Counterexample" }).first().click();
    const frame = await bench.webview(HEADLINE);
    await frame.locator("header a").first().click();
    await bench.see(".statusbar-item", { text: /Ln \d+,/ });
    await bench.page.keyboard.press("Home");
    await bench.page.keyboard.type("likes = likes[:1]\n    ");
    await frame.locator(".stale").waitFor();
  });
  await steps.step("a fix is applied from the view, and the verdict of the mended function stands beside what was found", async () => {
    const frame = await bench.webview(HEADLINE);
    await until("the text as it was", async () => {
      await bench.page.keyboard.press("Control+KeyZ");
      await bench.page.waitForTimeout(1500);
      return (await frame.locator("#mend").count()) > 0;
    });
    await frame.locator("#mend").click();
    const both = frame.locator("section", { hasText: "Before and after" });
    await until("the verdict", async () => (await both.count()) > 0 && (await both.innerText()).includes("proved for every length"));
    check((await both.innerText()).includes("violated: ε ≥"), "it does not say what was found before");
    const source = fs.readFileSync(path.join(folder, "sample.py"), "utf8");
    check(source.trimEnd().endsWith("return noisy.index(max(noisy))"), "the file is not mended");
    await bench.picture("mended");
  });
}
