/** Which Python is used, and what happens where dplint is missing. */

import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { activated, file, open, problems, required, see, type Test, until, withSetting } from "./harness";

/** The stub of the Python extension, which this suite loads beside ours: what is selected can be changed. */
interface Stub {
  select(path: string | undefined): void;
}

export async function environments(test: Test): Promise<void> {
  const python = required("DPLINT_PYTHON");
  const bare = required("DPLINT_BARE_PYTHON");
  await test("the folder's own environment is found", async () => {
    await open("sample.py");
    const api = await activated();
    await until("it runs", () => api.view.phase, (phase) => phase === "running");
    const chosen = api.view.environment?.chosen;
    assert.equal(chosen?.path, file(".venv/bin/python").fsPath);
    assert.equal(chosen.source, "folder");
    await see(file("sample.py"), "DP901");
    assert.equal(api.view.status?.interpreter, chosen.path);
  });
  await test("what is selected in the Python extension wins over it, at once", async () => {
    const stub = vscode.extensions.getExtension<Stub>("ms-python.python")?.exports;
    assert.ok(stub !== undefined, "the stub is not there");
    const api = await activated();
    stub.select(python);
    await until("it is used", () => api.view.environment?.chosen?.path, (path) => path === python);
    await until("it runs", () => api.view.phase, (phase) => phase === "running");
    assert.equal(api.view.environment?.chosen?.source, "python-extension");
    await see(file("sample.py"), "DP901");
    stub.select(undefined);
    await until("the folder's again", () => api.view.environment?.chosen?.source, (source) => source === "folder");
  });
  await test("the setting wins over both", async () => {
    const api = await activated();
    await withSetting("interpreter", python, async () => {
      await until("it is used", () => api.view.environment?.chosen?.source, (source) => source === "setting");
      await until("it runs", () => api.view.phase, (phase) => phase === "running");
      assert.equal(api.view.environment?.chosen?.path, python);
    });
    await until("the folder's again", () => api.view.environment?.chosen?.source, (source) => source === "folder");
  });
  await test("where dplint is not installed, there is no server, and problems go", async () => {
    const api = await activated();
    await vscode.workspace.getConfiguration("dplint").update("interpreter", bare, vscode.ConfigurationTarget.Workspace);
    await until("it is missed", () => api.view.phase, (phase) => phase === "missing");
    assert.equal(api.view.environment?.chosen?.dplint, null);
    await until("no problem", () => problems(file("sample.py")).length, (count) => count === 0);
  });
  await test("the user's own command starts it all the same", async () => {
    const api = await activated();
    await withSetting("command", [python, "-m", "dplint", "server"], async () => {
      await until("it runs", () => api.view.phase, (phase) => phase === "running");
      assert.equal(api.view.environment?.launch?.from, "command");
    });
    await until("it is missed", () => api.view.phase, (phase) => phase === "missing");
  });
}
