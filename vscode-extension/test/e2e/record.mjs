// Writes the results of a run into TESTING.md, between two marks.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { chromium, ROOT, SERVER } from "./setup.mjs";

const BEGIN = "<!-- last run -->";
const END = "<!-- end of last run -->";

export function record(results, { passed, failed, seconds, vsix }) {
  const file = path.join(ROOT, "TESTING.md");
  const text = fs.readFileSync(file, "utf8");
  const [before, rest] = text.split(BEGIN);
  const after = rest.split(END)[1];
  const date = new Date().toISOString().slice(0, 10);
  const versions = [said(SERVER, "--version").replace(/^([\d.]+) \w+ with Code ([\d.]+)$/, "VS Code $2 (code-server $1)"),
    said(chromium(), "--version").split(" ").slice(0, 2).join(" "), `Node ${process.versions.node}`];
  const lines = [
    `${date}, at commit ${said("git", "rev-parse", "--short", "HEAD")}: **${passed} passed, ${failed} failed**, in ${seconds} s.`,
    `${versions.join(", ")}. The .vsix has ${Math.round(vsix / 1024)} KiB.`,
    "",
    "| suite | step | seconds |",
    "|---|---|---|",
    ...Object.entries(results).flatMap(([suite, steps]) => steps.map((step) => row(suite, step))),
  ];
  fs.writeFileSync(file, `${before}${BEGIN}\n${lines.join("\n")}\n${END}${after}`);
}

function row(suite, { name, ms, note, error }) {
  const told = note === undefined ? "" : ` (${note})`;
  return `| ${suite} | ${name}${told}${error === undefined ? "" : ": **failed**"} | ${(ms / 1000).toFixed(1)} |`;
}

function said(command, ...args) {
  return execFileSync(command, args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim().split("\n").at(-1);
}
