/** A workspace of two folders, each with settings of its own. */

import * as assert from "node:assert/strict";
import * as fs from "node:fs";
import * as vscode from "vscode";
import { activated, file, open, see, type Test, until } from "./harness";

export async function folders(test: Test): Promise<void> {
  await test("each folder has its own settings", async () => {
    await open("sample.py", 0);
    const first = await see(file("sample.py", 0), "DP901");
    assert.equal(first.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(fs.existsSync(file("../mark", 1).fsPath), false, "the second Python was run for the first folder");
    await open("sample.py", 1);
    const second = await see(file("sample.py", 1), "DP901");
    assert.equal(second.severity, vscode.DiagnosticSeverity.Warning);
  });
  await test("the code of each folder is run by its own Python", () => {
    assert.ok(fs.existsSync(file("../mark", 1).fsPath), "the second Python was not run");
    return Promise.resolve();
  });
  await test("all folders are tested by one command", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("dplint.testWorkspace");
    await see(file("sample.py", 0), "DP901");
    await see(file("sample.py", 1), "DP901");
  });
  await test("files that are closed are not tested any more", async () => {
    await open("sample.py", 1);
    await see(file("sample.py", 1), "DP901");
    const api = await activated();
    const count = (): number | undefined => api.view.status?.mechanisms;
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("no mechanism is open", count, (mechanisms) => mechanisms === 0);
  });
}
