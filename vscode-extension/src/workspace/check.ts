/** Testing all mechanisms of the workspace: open files by the server, all others by `dplint check`, as problems. */

import * as fs from "node:fs/promises";
import * as vscode from "vscode";
import { runDplint } from "../commandLine";
import { interpreterFor, type Launch } from "../environment/find";
import type { Session } from "../server/session";
import { forCommand } from "../settings";
import { type Place, type Problem, type Report, readSarif, unitColumn } from "./sarif";

const SEVERITY = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};
type Lines = (uri: vscode.Uri) => Promise<readonly string[]>;

export class WorkspaceCheck implements vscode.Disposable {
  private readonly found = vscode.languages.createDiagnosticCollection("dplint workspace");
  private readonly watching: vscode.Disposable;
  private running = false;

  /** home: a folder of ours that dplint is run in. */
  constructor(
    private readonly session: Session,
    private readonly home: string,
    private readonly output: vscode.LogOutputChannel,
  ) {
    // What stands open is the server's; what was changed or deleted is not what was checked.
    const changes = vscode.workspace.createFileSystemWatcher("**/*.py", true);
    this.watching = vscode.Disposable.from(
      changes,
      changes.onDidChange((uri) => this.found.delete(uri)),
      changes.onDidDelete((uri) => this.found.delete(uri)),
      vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        for (const uri of filesIn(opened)) {
          this.found.delete(uri);
        }
      }),
    );
  }

  dispose(): void {
    this.found.dispose();
    this.watching.dispose();
  }

  /** Test everything; a second call while it runs does nothing. */
  async run(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw new Error("no code of a workspace that is not trusted is run.");
    }
    const launch = this.session.view.environment?.launch;
    if (launch === undefined) {
      throw new Error("dplint is not installed in the chosen environment.");
    }
    if (this.running) {
      return;
    }
    this.running = true;
    try {
      await this.session.request("dplint.testAll");
      const options = { location: vscode.ProgressLocation.Notification, title: "dplint", cancellable: true };
      await vscode.window.withProgress(options, (progress, token) => this.checkFolders(launch, progress, token));
    } finally {
      this.running = false;
    }
  }

  private async checkFolders(
    launch: Launch,
    progress: vscode.Progress<{ message: string }>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    this.found.clear();
    const reports: Report[] = [];
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      progress.report({ message: `testing all mechanisms of ${folder.name}` });
      const report = await this.checkFolder(launch, folder, token);
      if (token.isCancellationRequested) {
        return;
      }
      await this.show(report);
      reports.push(report);
    }
    tell(reports);
  }

  private async checkFolder(
    launch: Launch,
    folder: vscode.WorkspaceFolder,
    token: vscode.CancellationToken,
  ): Promise<Report> {
    const values = vscode.workspace.getConfiguration("dplint", folder.uri);
    const section = JSON.parse(JSON.stringify(values)) as unknown;
    const env = forCommand(section, await interpreterFor(folder));
    const args = ["check", folder.uri.fsPath, "--format", "sarif", "--no-progress"];
    const { code, stdout, stderr } = await runDplint(launch, args, { cwd: this.home, env, token });
    this.output.info(`dplint ${args.join(" ")}: exit code ${code}`);
    if (token.isCancellationRequested) {
      return { problems: [], notChecked: [], mechanisms: 0, violations: 0 };
    }
    try {
      return readSarif(stdout);
    } catch {
      throw new Error(`${folder.name} could not be checked: ${stderr.trim() || stdout.trim() || `exit code ${code}`}`);
    }
  }

  private async show(report: Report): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const open = new Set(filesIn(tabs).map(String));
    const lines = lineReader();
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const problem of report.problems) {
      const uri = vscode.Uri.parse(problem.uri).toString();
      if (!open.has(uri)) {
        byFile.set(uri, [...(byFile.get(uri) ?? []), await diagnostic(problem, lines)]);
      }
    }
    for (const [uri, diagnostics] of byFile) {
      this.found.set(vscode.Uri.parse(uri), diagnostics);
    }
    for (const one of report.notChecked) {
      this.output.warn(`not checked: ${one}`);
    }
  }
}

/** The files that tabs show. A document may stay open without one, and then nobody shows its problems. */
function filesIn(tabs: readonly vscode.Tab[]): vscode.Uri[] {
  return tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
}

function tell(reports: readonly Report[]): void {
  const sum = (count: (report: Report) => number): number => reports.reduce((all, report) => all + count(report), 0);
  const mechanisms = sum((report) => report.mechanisms);
  const violations = sum((report) => report.violations);
  const notChecked = sum((report) => report.notChecked.length);
  const words = `dplint: ${mechanisms} mechanisms in the workspace, ${violations} violated.`;
  if (notChecked > 0) {
    const text = `${words} Something could not be checked: the output of dplint says what.`;
    void vscode.window.showWarningMessage(text, "Show Logs").then((chosen) => {
      return chosen && vscode.commands.executeCommand("dplint.showLogs");
    });
  } else {
    void vscode.window.showInformationMessage(words);
  }
}

async function diagnostic(problem: Problem, lines: Lines): Promise<vscode.Diagnostic> {
  const found = new vscode.Diagnostic(await rangeOf(problem, lines), problem.message, SEVERITY[problem.level]);
  found.source = "dplint";
  found.code = problem.code;
  found.relatedInformation = await Promise.all(
    problem.related.map(async (one) => {
      const place = new vscode.Location(vscode.Uri.parse(one.uri), await rangeOf(one, lines));
      return new vscode.DiagnosticRelatedInformation(place, one.message);
    }),
  );
  return found;
}

async function rangeOf(place: Place, lines: Lines): Promise<vscode.Range> {
  const text = await lines(vscode.Uri.parse(place.uri));
  const column = (line: number, codePoints: number): number => unitColumn(text[line - 1] ?? "", codePoints) - 1;
  return new vscode.Range(
    place.line - 1,
    column(place.line, place.column),
    place.endLine - 1,
    column(place.endLine, place.endColumn),
  );
}

/** The lines of files, each of which is read once. */
function lineReader(): Lines {
  const known = new Map<string, Promise<readonly string[]>>();
  return (uri) => {
    const key = uri.toString();
    const read = (): Promise<readonly string[]> =>
      fs.readFile(uri.fsPath, "utf8").then(
        (text) => text.split(/\r\n|\r|\n/),
        () => [],
      );
    const found = known.get(key) ?? read();
    known.set(key, found);
    return found;
  };
}
