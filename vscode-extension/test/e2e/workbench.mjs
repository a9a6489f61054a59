// A VS Code in a browser: code-server with a profile of its own, and a page of headless Chromium that shows it.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { chromium as browsers } from "playwright-core";
import { chromium, HOME, PICTURES, SERVER } from "./setup.mjs";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
export const PATIENCE = 90_000;

/** Settings that keep everything out of the pictures that is not dplint's. */
// What the tests look for is how audits by runs are told; exact losses would come before them.
const QUIET = {
  "dplint.exact": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "window.menuBarVisibility": "classic",
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "editor.minimap.enabled": false,
  "editor.fontSize": 14,
  "editor.codeLensFontSize": 12,
  "editor.lightbulb.enabled": "off",
  "editor.occurrencesHighlight": "off",
  "files.exclude": { "**/.dplint_cache": true, "**/__pycache__": true },
  "security.workspace.trust.untrustedFiles": "open",
  "telemetry.telemetryLevel": "off",
  // Programs of others on this machine are none of its business.
  "remote.autoForwardPorts": false,
};

export class Workbench {
  /**
   * Start code-server. settings: of the user; machine: of the machine, where interpreters belong; extensions: .vsix files
   * and folders to install; trust: whether the window asks for it.
   */
  static async start(name, { folder, settings = {}, machine = {}, extensions = [], trust = false, env = {} }) {
    const profile = fs.mkdtempSync(path.join(HOME, `profile-${name}-`));
    const bench = new Workbench(name, folder, profile, await freePort());
    bench.write("User/settings.json", { ...QUIET, ...settings });
    bench.write("Machine/settings.json", machine);
    const base = ["--user-data-dir", profile, "--extensions-dir", path.join(profile, "extensions")];
    bench.env = { ...cleanEnvironment(), XDG_CONFIG_HOME: profile, ...env };
    for (const extension of extensions) {
      await bench.run([...base, "--install-extension", extension]);
    }
    const quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
    const trusting = trust ? [] : ["--disable-workspace-trust"];
    const where = ["--bind-addr", `127.0.0.1:${bench.port}`];
    bench.process = spawn(SERVER, [...where, ...quiet, ...trusting, ...base, folder], {
      env: bench.env, stdio: ["ignore", "pipe", "pipe"], detached: true,
    });
    const log = fs.createWriteStream(path.join(profile, "code-server.log"));
    bench.process.stdout.pipe(log);
    bench.process.stderr.pipe(log);
    await until("code-server listens", () => answers(bench.port), 30_000);
    return bench;
  }

  constructor(name, folder, profile, port) {
    Object.assign(this, { name, folder, profile, port });
  }

  write(file, content) {
    const target = path.join(this.profile, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, JSON.stringify(content, null, 2));
  }

  run(args) {
    return new Promise((resolve, reject) => {
      const child = spawn(SERVER, args, { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
      let said = "";
      child.stdout.on("data", (data) => (said += data));
      child.stderr.on("data", (data) => (said += data));
      child.on("exit", (code) => (code === 0 ? resolve(said) : reject(new Error(said))));
    });
  }

  /** Open a window. payload: what the address tells the workbench, such as the tests to run in the extension host. */
  async open({ payload, width = 1280, height = 800, scale = 1 } = {}) {
    this.browser ??= await browsers.launch({ executablePath: chromium(), headless: true, args: FLAGS });
    const context = await this.browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale });
    this.page = await context.newPage();
    this.console = [];
    this.page.on("console", (message) => this.console.push(message.text()));
    const asked = payload === undefined ? "" : `&payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const kind = this.folder.endsWith(".code-workspace") ? "workspace" : "folder";
    await this.page.goto(`http://127.0.0.1:${this.port}/?${kind}=${encodeURIComponent(this.folder)}${asked}`);
    await this.page.waitForSelector(".monaco-workbench", { timeout: PATIENCE });
    return this.page;
  }

  /** Close the window, as a user does. */
  async close() {
    const context = this.page.context();
    await this.page.close({ runBeforeUnload: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await context.close();
  }

  async end() {
    await this.browser?.close().catch(() => undefined);
    try {
      process.kill(-this.process.pid, "SIGTERM");
    } catch {
      // It has ended.
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  // What a user does.

  async openFile(name, line) {
    await this.page.keyboard.press("Control+KeyP");
    await this.page.locator(".quick-input-widget input").first().fill(line === undefined ? name : `${name}:${line}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: path.basename(name) }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".tab.active", { hasText: path.basename(name) }).waitFor();
  }

  async command(title) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").first().fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
  }

  see(selector, options = {}) {
    const found = this.page.locator(selector, options.text === undefined ? {} : { hasText: options.text }).first();
    return found.waitFor({ timeout: options.timeout ?? PATIENCE }).then(() => found);
  }

  /** Wait until no test is running, and nothing is left that would not be there tomorrow. */
  async calm() {
    await this.see(".statusbar-item", { text: "dplint" });
    const busy = this.page.locator(".statusbar-item .codicon-loading");
    await until("nothing is running", async () => (await busy.count()) === 0);
    const { width, height } = this.page.viewportSize();
    await this.page.mouse.move(width / 2, height - 8);
    await this.page.waitForTimeout(500);
  }

  /** The frame of the web view in whose text something stands. */
  webview(text) {
    const holds = async (frame) =>
      frame !== this.page.mainFrame() && (await frame.locator("body").innerText().catch(() => "")).includes(text);
    return until(`a web view with ${text}`, async () => {
      for (const frame of this.page.frames()) {
        if (frame.url().includes("fake.html") && (await holds(frame))) {
          return frame;
        }
      }
      return undefined;
    });
  }

  statusBar() {
    return this.page.locator(".statusbar-item", { hasText: "dplint" }).first();
  }

  picture(name) {
    return this.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  }
}

/** Look again and again until something is true. */
export async function until(what, look, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const seen = await look();
    if (seen) {
      return seen;
    }
    if (Date.now() > end) {
      throw new Error(`never seen: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** No environment of Python's, and a path without the virtual environments of who runs the tests. */
function cleanEnvironment() {
  const { VIRTUAL_ENV: _, ...env } = process.env;
  return { ...env, PATH: "/usr/local/bin:/usr/bin:/bin" };
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function answers(port) {
  return fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false);
}
