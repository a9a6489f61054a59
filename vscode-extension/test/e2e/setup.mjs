// Provides what the end-to-end tests need, once: a VS Code (code-server), Chromium, two Python environments, and the
// extension as a .vsix. Everything but packages of the system lands in the folder .vscode-test.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const REPOSITORY = path.dirname(ROOT);
export const HOME = path.join(ROOT, ".vscode-test");
/** Where pictures go: into the repository only if they are to be recorded. */
export const PICTURES = process.argv.includes("--record") ? path.join(ROOT, "pictures") : path.join(HOME, "pictures");
export const VSIX = path.join(HOME, "dplint.vsix");
/** Stands for the Python extension, which no registry has that tests may use. */
export const PYTHON_STUB = path.join(HOME, "python-stub.vsix");
/** VS Code 1.100.3; the newest that runs on Node 20. */
const CODE_SERVER = "4.100.3";
/** The archive that the installation of @vscode/ripgrep looks for in its cache before it downloads it. */
const RIPGREP = { cache: "vscode-ripgrep-cache-1.15.11", archive: "ripgrep-v13.0.0-10" };

const bin = (environment) => path.join(HOME, environment, "bin", "python");
export const PYTHON = bin("with-dplint");
export const BARE_PYTHON = bin("without-dplint");
export const SERVER = path.join(HOME, "server", "node_modules", ".bin", "code-server");

/** Make everything ready; fast if it is. */
export function setUp() {
  fs.mkdirSync(PICTURES, { recursive: true });
  fs.mkdirSync(path.join(HOME, "failed"), { recursive: true });
  provideSystemPackages();
  provideCodeServer();
  providePythons();
  provideExtension();
}

export function chromium() {
  const known = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return known.find((file) => file && fs.existsSync(file));
}

function provideSystemPackages() {
  const missing = [
    [chromium() !== undefined, "chromium"],
    [fs.existsSync("/usr/bin/rg"), "ripgrep"],
    [fs.existsSync("/usr/include/gssapi/gssapi.h"), "libkrb5-dev"],
  ]
    .filter(([there]) => !there)
    .map(([, name]) => name);
  if (missing.length === 0 || (fs.existsSync(SERVER) && chromium() !== undefined)) {
    return;
  }
  if (process.getuid?.() !== 0 || !fs.existsSync("/usr/bin/apt-get")) {
    throw new Error(`Install these packages of your system first: ${missing.join(", ")}`);
  }
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-qq", "-y", "--no-install-recommends", ...missing], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

function provideCodeServer() {
  if (fs.existsSync(SERVER)) {
    return;
  }
  const folder = path.join(HOME, "server");
  const temporary = path.join(HOME, "tmp");
  const cache = path.join(temporary, RIPGREP.cache);
  fs.mkdirSync(folder, { recursive: true });
  fs.mkdirSync(cache, { recursive: true });
  const machine = { x64: "x86_64-unknown-linux-musl", arm64: "aarch64-unknown-linux-musl" }[os.arch()];
  run("tar", ["czf", path.join(cache, `${RIPGREP.archive}-${machine}.tar.gz`), "-C", "/usr/bin", "rg"]);
  fs.writeFileSync(path.join(folder, "package.json"), '{"private": true}\n');
  const env = { ...process.env, TMPDIR: temporary, npm_config_yes: "true", npm_config_ignore_scripts: "false" };
  run("npm", ["install", "--unsafe-perm", "--foreground-scripts", `code-server@${CODE_SERVER}`], { cwd: folder, env });
}

/** One environment with the dplint of this checkout, copied as it stands now, and one without. */
function providePythons() {
  for (const python of [PYTHON, BARE_PYTHON]) {
    if (!fs.existsSync(python)) {
      run("python3", ["-m", "venv", path.dirname(path.dirname(python))]);
    }
  }
  const pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check"];
  if (!process.argv.includes("--keep-python")) {
    run(PYTHON, [...pip, REPOSITORY]);
    run(PYTHON, [...pip, "--force-reinstall", "--no-deps", REPOSITORY]);
  }
  // The other one has all that dplint needs, by hard links, and pip finds nothing to download but dplint.
  const [packages, others] = [PYTHON, BARE_PYTHON].map(sitePackages);
  for (const name of fs.readdirSync(packages)) {
    if (!name.startsWith("dplint") && !fs.existsSync(path.join(others, name))) {
      execFileSync("cp", ["-al", path.join(packages, name), others]);
    }
  }
}

function sitePackages(python) {
  const lib = path.join(path.dirname(path.dirname(python)), "lib");
  return path.join(lib, fs.readdirSync(lib).find((name) => name.startsWith("python")), "site-packages");
}

function provideExtension() {
  if (!fs.existsSync(path.join(ROOT, "node_modules"))) {
    run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: ROOT });
  }
  run("npm", ["run", "--silent", "build"], { cwd: ROOT });
  run("npm", ["run", "--silent", "package", "--", "--out", VSIX], { cwd: ROOT });
  run("npx", ["vsce", "package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", PYTHON_STUB],
    { cwd: path.join(ROOT, "test", "host", "python-stub") });
  run("npx", ["esbuild", "test/host/index.ts", "--bundle", "--platform=node", "--external:vscode",
    `--outfile=${path.join(HOME, "host", "index.js")}`, "--log-level=warning"], { cwd: ROOT });
}

function run(command, args, options = {}) {
  console.log("$", [path.basename(command), ...args].join(" "));
  execFileSync(command, args, { stdio: ["ignore", "inherit", "inherit"], ...options });
}
