/** What an editor shows of a file, and what its commands do. */

import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import {
  activated,
  codeOf,
  extension,
  file,
  goTo,
  lenses,
  open,
  problems,
  replace,
  see,
  seeLens,
  type Test,
  until,
  withSetting,
} from "./harness";

const SAMPLE = "sample.py";

export async function editing(test: Test): Promise<void> {
  await test("activation", async () => {
    assert.equal(extension().isActive, false, "the extension is active before it is asked");
    const start = performance.now();
    await extension().activate();
    return `${Math.round(performance.now() - start)} ms`;
  });
  await shown(test);
  await mended(test);
  await commands(test);
  await configured(test);
}

async function shown(test: Test): Promise<void> {
  await test("a violation is a problem with a linked code and related places", async () => {
    await open(SAMPLE);
    const found = await see(file(SAMPLE), "DP901");
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.match(found.message, /`most_likes` is not \S+-private: /);
    assert.ok(typeof found.code === "object" && found.code.target.path.endsWith(".md"), "the code has no link");
    const related = found.relatedInformation?.map((one) => one.message) ?? [];
    assert.ok(related.includes("the claim that is broken"), related.join());
    assert.ok(related.length >= 2, "no draw is named");
    assert.equal(vscode.window.activeTextEditor?.document.getText(found.range), "most_likes");
    assert.match(found.message, /; line 21: the value of the largest noisy answer/);
    assert.equal((await see(file(SAMPLE), "DP207")).severity, vscode.DiagnosticSeverity.Hint);
  });
  await test("the right mechanism has no problem, and is not called private", async () => {
    const title = (await seeLens(file(SAMPLE), "proved")).title;
    assert.equal(title, "claims ε = 1 · ✓ proved for every length");
    assert.ok(problems(file(SAMPLE)).every((one) => !one.message.includes("favourite")));
  });
  await test("lenses name the state, and their commands are there", async () => {
    assert.match((await seeLens(file(SAMPLE), "violated")).title, /^claims ε = \S+ · violated: ε ≥ [\d.]+ at 99\.9%$/);
    const known = new Set(await vscode.commands.getCommands(true));
    const called = (await lenses(file(SAMPLE))).map((one) => one.command).filter((name) => name !== "");
    assert.ok(called.includes("dplint.showCounterexample") && called.includes("dplint.testDeeper"), called.join());
    assert.deepEqual(called.filter((name) => !known.has(name)), []);
  });
  await test("draws have hints with their share of the budget", async () => {
    const everything = new vscode.Range(0, 0, 100, 0);
    const uri = file(SAMPLE);
    const found = await vscode.commands.executeCommand<vscode.InlayHint[]>("vscode.executeInlayHintProvider", uri, everything);
    assert.deepEqual(found.map((one) => one.label), ["ε = 0.5 ✓", "ε = 0.5?"]);
  });
  await test("the hover has the counterexample as a table", async () => {
    const at = goTo(await open(SAMPLE), "most_likes");
    const found = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", file(SAMPLE), at);
    const text = found.flatMap((one) => one.contents as vscode.MarkdownString[]).map((part) => part.value).join();
    assert.match(text, /\|\s*D1\s*\|/);
    assert.match(text, /99\.9/);
  });
}

async function mended(test: Test): Promise<void> {
  const actions = async (uri: vscode.Uri, range: vscode.Range): Promise<vscode.CodeAction[]> =>
    vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range);
  await test("a misspelt word of a claim is found while one types, and its fix mends it", async () => {
    const editor = await open("misspelt.py");
    const found = await see(editor.document.uri, "DP001");
    const [fix] = (await actions(editor.document.uri, found.range)).filter((one) => one.title.startsWith("Replace"));
    assert.ok(fix?.edit, "there is no fix");
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.match(editor.document.getText(), /neighbors=/);
    await until("no finding", () => problems(editor.document.uri).map(codeOf), (codes) => !codes.includes("DP001"));
    await vscode.commands.executeCommand("undo");
    await see(editor.document.uri, "DP001");
  });
  await test("a code can be ignored in its line", async () => {
    const editor = await open("misspelt.py");
    const found = await see(editor.document.uri, "DP001");
    const ignore = (await actions(editor.document.uri, found.range)).find((one) => one.title === "Ignore DP001 here");
    assert.ok(ignore?.edit && (await vscode.workspace.applyEdit(ignore.edit)));
    assert.match(editor.document.getText(), /# dplint: ignore\[DP001\]/);
    await until("silence", () => problems(editor.document.uri).map(codeOf), (codes) => !codes.includes("DP001"));
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });
  await test("the counterexample is copied as a test for pytest", async () => {
    const editor = await open(SAMPLE);
    const found = await see(editor.document.uri, "DP901");
    const copy = (await actions(editor.document.uri, found.range)).find((one) => one.title.startsWith("Copy the counter"));
    assert.ok(copy?.command, "there is no such action");
    await vscode.commands.executeCommand(copy.command.command, ...((copy.command.arguments ?? []) as unknown[]));
    assert.match(await vscode.env.clipboard.readText(), /def test_/);
  });
  await test("a mended mechanism loses its squiggle when it is saved", async () => {
    const editor = await open("mend.py");
    await see(editor.document.uri, "DP901");
    await replace(editor, "return max(noisy)", "return noisy.index(max(noisy))");
    await editor.document.save();
    await seeLens(editor.document.uri, "proved");
    await until("no problem", () => problems(editor.document.uri).map(codeOf), (codes) => codes.length === 0);
  });
}

async function commands(test: Test): Promise<void> {
  const run = (name: string): Thenable<unknown> => vscode.commands.executeCommand(`dplint.${name}`);
  await test("every command of the manifest is registered", async () => {
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.map((one) => one.command).filter((name) => !known.has(name));
    assert.deepEqual(missing, []);
  });
  await test("a deeper test of the function under the cursor makes more runs, and can be stopped", async () => {
    const editor = await open("slow.py");
    await seeLens(editor.document.uri, "testing");
    goTo(editor, "time.sleep");
    await run("stopHere");
    await seeLens(editor.document.uri, "stopped");
    await run("testHere");
    await seeLens(editor.document.uri, "testing");
    await run("stopHere");
    await seeLens(editor.document.uri, "stopped");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });
  await test("pause and resume change what the status says", async () => {
    const api = await activated();
    await run("pause");
    await until("paused", () => api.view.status?.state, (state) => state === "paused");
    await seeLens(file(SAMPLE), "violated");
    await run("resume");
    await until("on", () => api.view.status?.state, (state) => state === "on");
  });
  await test("the whole workspace is tested, also what is not open", async () => {
    const closed = file("package/closed.py");
    assert.ok(!problems(closed).map(codeOf).includes("DP901"), "it was tested before it was asked for");
    await run("testWorkspace");
    const found = await see(closed, "DP901");
    const text = (await vscode.workspace.fs.readFile(closed)).toString().split("\n");
    const line = text[found.range.start.line] ?? "";
    assert.equal(line.slice(found.range.start.character, found.range.end.character), "closed_sum");
    await open("package/closed.py");
    await see(closed, "DP901");
    const all = problems(closed).filter((one) => codeOf(one) === "DP901");
    assert.equal(all.length, 1, "the server and the workspace both show it");
  });
  await test("the cache is cleared", async () => {
    const cache = file(".dplint_cache");
    await until("a cache", () => exists(cache), (there) => there);
    await run("clearCache");
    assert.equal(await exists(cache), false);
    await see(file(SAMPLE), "DP901");
  });
}

async function configured(test: Test): Promise<void> {
  await test("settings reach the server: lenses off, a code ignored", async () => {
    await open(SAMPLE);
    await seeLens(file(SAMPLE), "violated");
    await withSetting("codeLens", false, async () => {
      await until("no lens", () => lenses(file(SAMPLE)), (all) => all.length === 0);
    });
    await seeLens(file(SAMPLE), "violated");
    await withSetting("ignore", ["DP9"], async () => {
      await until("no problem", () => problems(file(SAMPLE)).map(codeOf), (codes) => !codes.includes("DP901"));
    });
    await see(file(SAMPLE), "DP901");
  });
  await test("what is not set in the editor is left to pyproject.toml", async () => {
    await open("project/levels.py");
    const found = await see(file("project/levels.py"), "DP901");
    assert.equal(found.severity, vscode.DiagnosticSeverity.Warning);
  });
  await test("a cell of a notebook is read", async () => {
    const notebook = await vscode.workspace.openNotebookDocument(file("notebook.ipynb"));
    await vscode.window.showNotebookDocument(notebook);
    const cell = notebook.cellAt(0).document.uri;
    await see(cell, "DP001");
  });
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
}
