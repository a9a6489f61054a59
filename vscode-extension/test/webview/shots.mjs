// Pictures of the views with recorded answers of a real server, in plain headless Chromium, under the policy of the real
// views. Usage: node test/webview/shots.mjs [OUT] [NAME ...]; fails if a page logs an error or breaks its policy.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { chromium } from "playwright-core";
import { access } from "./access.mjs";
import { THEMES } from "./themes.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const [out = join(root, ".vscode-test", "views"), ...wanted] = process.argv.slice(2);
mkdirSync(out, { recursive: true });

const bundle = await esbuild.build({
  entryPoints: { webview: join(root, "webview/main.ts"), style: join(root, "webview/style.css") },
  bundle: true,
  minify: true,
  write: false,
  outdir: "/",
  format: "iife",
  target: "es2022",
});
const text = (suffix) => bundle.outputFiles.find((file) => file.path.endsWith(suffix)).text;

function html(theme) {
  const { kind } = THEMES[theme];
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>view</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src http://127.0.0.1:*; script-src 'nonce-n'">
<link rel="stylesheet" href="theme-${theme}.css"><link rel="stylesheet" href="style.css"></head>
<body class="${kind} ${theme === "contrast" ? "vscode-dark" : ""}"><main id="root"></main>
<script nonce="n">window.sent = []; window.acquireVsCodeApi = () => ({ postMessage: (m) => window.sent.push(m), setState() {} });</script>
<script nonce="n" src="webview.js"></script></body></html>`;
}

const server = createServer((request, response) => {
  const name = request.url.split("/").at(-1);
  const theme = /(light|dark|contrast|bright)/.exec(name)?.[1];
  const [type, body] =
    name === "webview.js"
      ? ["text/javascript", text("webview.js")]
      : name === "style.css"
        ? ["text/css", text("style.css")]
        : name.startsWith("theme-")
          ? ["text/css", `:root {${Object.entries(THEMES[theme]).map((pair) => pair.join(":")).join(";")}}`]
          : ["text/html", theme === undefined ? "" : html(theme)];
  response.writeHead(200, { "Content-Type": `${type}; charset=utf-8` });
  response.end(body);
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const address = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const complaints = [];
const NARROW = 400;

/** An audit that goes on: the bound grows, and what was focused and opened stays so. */
async function whileTesting(page, view) {
  await page.click("#growth > summary");
  await page.click("#growth details summary");
  await page.focus("#curve");
  await page.evaluate((shown) => {
    for (const share of [0.1, 0.5, 1]) {
      const audit = { runs: shown.bound.runs * share, claimed: shown.bound.claimed, epsilonLower: shown.bound.lower + share };
      window.postMessage({ type: "audit", audit, may: true }, "*");
    }
  }, view);
  await page.waitForSelector("#stop");
  const kept = await page.evaluate(() => document.activeElement.id === "curve" && document.querySelector("#growth details").open);
  if (!kept) {
    complaints.push(`${view.function}: focus or what was opened was lost while the bound grew`);
  }
}

/** A narrow panel, with all that is folded opened: nothing may stand out of it. */
async function narrow(page, name) {
  const size = page.viewportSize();
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await page.setViewportSize({ width: NARROW, height: 900 });
  await page.waitForTimeout(300); // it is drawn anew soon after
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  if (wide > NARROW) {
    complaints.push(`${name}: ${wide} pixels wide in a panel of ${NARROW}`);
  }
  await page.screenshot({ path: join(out, `${name}-narrow.png`), fullPage: true });
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = false)));
  await page.setViewportSize(size);
  await page.waitForTimeout(300);
}

/** Recorded answers; and those about outcomes that are made by hand, which nobody has run. */
const recorded = readdirSync(join(here, "data")).map((file) => [file, JSON.parse(readFileSync(join(here, "data", file), "utf8"))]);
const handmade = readdirSync(join(here, "handmade")).map((file) => [
  `evidence-${file}`,
  { view: JSON.parse(readFileSync(join(here, "handmade", file), "utf8")), outputs: { error: "It was made by hand." } },
]);
const proofs = readdirSync(join(here, "proofs")).map((file) => [
  `proof-${file}`,
  JSON.parse(readFileSync(join(here, "proofs", file), "utf8")),
]);
for (const [file, data] of [...recorded, ...handmade, ...proofs]) {
  const label = file.replace(".json", "");
  for (const theme of Object.keys(THEMES)) {
    const kinds = data.proof !== undefined ? ["proof"] : data.curve === undefined || "error" in data.curve ? ["counterexample"] : ["counterexample", "curve"];
    for (const kind of kinds) {
      const name = kind === "proof" ? `${label}-${theme}` : `${label}-${kind}-${theme}`;
      if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) {
        continue;
      }
      const width = name.includes("vector-") ? 620 : 1060;
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      page.on("console", (message) => message.type() === "error" && complaints.push(`${name}: ${message.text()}`));
      page.on("pageerror", (error) => complaints.push(`${name}: ${error.message}`));
      await page.goto(`${address}/${theme}.html`);
      const { uri, function: named } = data.proof ?? data.view;
      const subject = { kind, uri, function: named };
      const messages =
        kind === "curve"
          ? [{ type: "subject", subject }, { type: "curve", curve: data.curve }]
          : kind === "proof"
          ? [{ type: "subject", subject }, { type: "proof", proof: data.proof }, { type: "outputs", outputs: data.outputs }]
          : [
              { type: "subject", subject },
              { type: "counterexample", view: data.view },
              { type: "outputs", outputs: data.outputs },
            ];
      await page.evaluate((all) => all.forEach((message) => window.postMessage(message, "*")), messages);
      await page.waitForSelector("error" in (data.outputs ?? {}) && kind === "proof" ? ".shift, .source" : ".picture svg", { timeout: 5000, state: "attached" });
      complaints.push(...(await access(page)).map((one) => `${name}: ${one}`));
      await page.screenshot({ path: join(out, `${name}.png`), fullPage: true });
      if (theme === "light") {
        await narrow(page, name);
      }
      if (kind === "curve") {
        await page.check("#axis-evidence");
        await page.screenshot({ path: join(out, `${name}-evidence.png`), fullPage: true });
        await page.click("#save");
        const sent = await page.evaluate(() => window.sent.at(-1));
        writeFileSync(join(out, `${name}.svg`), sent.svg);
      } else if (kind === "counterexample" && !data.view.bound.certain) {
        await whileTesting(page, data.view);
        await page.screenshot({ path: join(out, `${name}-testing.png`), fullPage: true });
        const after = "claims ε = epsilon · nothing found in 293k runs";
        const stale = "The source has changed since, or its file is closed: this is what was found before.";
        await page.evaluate(([text, state]) => [{ type: "nothing", text }, { type: "after", state }].forEach((one) => window.postMessage(one, "*")), [stale, after]);
        await page.getByRole("heading", { name: "Before and after" }).waitFor();
        await page.screenshot({ path: join(out, `${name}-mended.png`), fullPage: true });
      }
      await page.close();
    }
  }
}
await browser.close();
server.close();
if (complaints.length > 0) {
  console.error(complaints.join("\n"));
  process.exitCode = 1;
}
