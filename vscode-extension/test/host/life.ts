/** The server's life: that it comes back, that people can restart it, and that nothing is left of one that was killed. */

import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as vscode from "vscode";
import { activated, codeOf, file, open, pause, problems, see, seeLens, type Test, until } from "./harness";

export async function life(test: Test): Promise<void> {
  await test("it starts with the first Python file", async () => {
    await open("sample.py");
    await see(file("sample.py"), "DP901");
    const api = await activated();
    assert.equal(api.view.phase, "running");
    assert.equal(processes().length > 0, true);
  });
  await test("killed, it comes back, and what it showed is shown again", async () => {
    const api = await activated();
    const before = serverProcess();
    process.kill(before, "SIGKILL");
    await until("it is gone", () => api.view.phase, (phase) => phase === "again");
    await until("it is back", () => api.view.phase, (phase) => phase === "running");
    assert.notEqual(serverProcess(), before);
    await seeLens(file("sample.py"), "violated");
    await see(file("sample.py"), "DP901");
    await until("its children are gone", () => processes().length, (count) => count > 0 && allLedBy(serverProcess()));
  });
  await test("restarted by command, there is one server, and problems are not doubled", async () => {
    const api = await activated();
    const before = serverProcess();
    await vscode.commands.executeCommand("dplint.restart");
    assert.equal(api.view.phase, "running");
    assert.notEqual(serverProcess(), before);
    await see(file("sample.py"), "DP901");
    await pause(500);
    assert.deepEqual(problems(file("sample.py")).map(codeOf).sort(), ["DP207", "DP901"]);
  });
  await test("killed again and again, it is left alone, until somebody asks for it", async () => {
    const api = await activated();
    for (let kills = 0; kills < 6; kills += 1) {
      await until("it runs", () => api.view.phase, (phase) => phase === "running");
      process.kill(serverProcess(), "SIGKILL");
      await until("it has ended", () => api.view.phase, (phase) => phase !== "running");
    }
    assert.equal(api.view.phase, "failed");
    await until("no process is left", () => processes().length, (count) => count === 0);
    await assert.rejects(api.request("dplint.mechanisms", file("sample.py").toString()), /not running/);
    await vscode.commands.executeCommand("dplint.restart");
    assert.equal(api.view.phase, "running");
    await see(file("sample.py"), "DP901");
  });
  await test("restarted three times at once, there is one server", async () => {
    await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand("dplint.restart")));
    await until("one server", () => servers().length, (count) => count === 1);
    await see(file("sample.py"), "DP901");
  });
}

interface Process {
  readonly id: number;
  readonly parent: number;
  readonly command: string;
}

/** The processes of dplint below this extension host, the server's first. */
function processes(): Process[] {
  const all = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const found = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
      return found ? [{ id: Number(found[1]), parent: Number(found[2]), command: found[3] ?? "" }] : [];
    });
  const mine = new Set([process.pid]);
  const found: Process[] = [];
  for (let before = -1; before !== mine.size; ) {
    before = mine.size;
    for (const one of all) {
      if (mine.has(one.parent) && !mine.has(one.id)) {
        mine.add(one.id);
        found.push(one);
      }
    }
  }
  return found.filter((one) => one.command.includes("dplint"));
}

function servers(): Process[] {
  return processes().filter((one) => one.parent === process.pid && one.command.includes("-m dplint server"));
}

function serverProcess(): number {
  const [first, ...others] = servers();
  assert.ok(first !== undefined && others.length === 0, `${servers().length} servers`);
  return first.id;
}

/** Whether each process of dplint on this machine, of this suite, is the server or its offspring. */
function allLedBy(server: number): boolean {
  const all = processes();
  const known = new Set([server]);
  for (const one of all) {
    if (known.has(one.parent)) {
      known.add(one.id);
    }
  }
  return all.every((one) => known.has(one.id));
}
