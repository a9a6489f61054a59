// VS Code's own reader of JSON-RPC, which forgives nothing: opens a file, waits for codes, asks once more, writes down what it saw.
// Arguments: the modules of npm, the file to open, the codes to wait for, the command of the server.
"use strict";
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname } = require("node:path");
const { pathToFileURL } = require("node:url");

const [modules, file, wanted, ...command] = process.argv.slice(2);
const rpc = createRequire(`${modules}/`)("vscode-languageserver-protocol/node");
const PATIENCE = 120_000;
const story = { errors: [], codes: [], lenses: [] };
const uri = pathToFileURL(file).href;

function finish() {
  process.stdout.write(JSON.stringify(story));
  server.kill();
  process.exit(0);
}

const server = spawn(command[0], command.slice(1), { cwd: dirname(file), stdio: ["pipe", "pipe", "inherit"] });
const connection = rpc.createProtocolConnection(
  new rpc.StreamMessageReader(server.stdout),
  new rpc.StreamMessageWriter(server.stdin),
);
connection.onError(([error]) => {
  story.errors.push(String(error.message));
  finish();
});
connection.onClose(() => {
  story.errors.push("the connection was closed");
  finish();
});

const seen = new Promise((resolve) => {
  connection.onNotification("textDocument/publishDiagnostics", (params) => {
    if (params.uri !== uri) return;
    story.codes = params.diagnostics.map((item) => `${item.data.function}: ${item.code}`).sort();
    if (story.codes.join(", ") === wanted) resolve();
  });
});

async function main() {
  setTimeout(() => {
    story.errors.push("the codes that were waited for never came");
    finish();
  }, PATIENCE);
  connection.listen();
  const rootUri = pathToFileURL(dirname(file)).href;
  await connection.sendRequest("initialize", { processId: process.pid, rootUri, capabilities: {} });
  await connection.sendNotification("initialized", {});
  const textDocument = { uri, languageId: "python", version: 1, text: readFileSync(file, "utf8") };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  await seen;
  const lenses = await connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  story.lenses = lenses.map((lens) => lens.command.title);
  await connection.sendRequest("shutdown");
  finish();
}

main().catch((error) => {
  story.errors.push(String(error.message));
  finish();
});
