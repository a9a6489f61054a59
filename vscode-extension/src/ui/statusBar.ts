/** The status bar: what dplint is doing; and, in the language status of Python files, whose Python it uses. */

import * as vscode from "vscode";
import type { Environment } from "../environment/find";
import { environmentName } from "../environment/names";
import { SELECTOR } from "../server/selector";
import type { Session, View } from "../server/session";
import { statusText } from "./statusText";

const BACKGROUND = {
  plain: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
};
const SOURCES = {
  setting: "from the setting dplint.interpreter",
  "python-extension": "selected in the Python extension",
  folder: "of the folder",
  path: "found on the path",
};

export function showStatus(session: Session): vscode.Disposable {
  const bar = vscode.window.createStatusBarItem("dplint.status", vscode.StatusBarAlignment.Left, 0);
  bar.name = "dplint";
  bar.command = "dplint.menu";
  const language = vscode.languages.createLanguageStatusItem("dplint.interpreter", SELECTOR);
  language.name = "dplint";
  language.command = { command: "dplint.selectInterpreter", title: "Select Interpreter" };
  const show = (view: View): void => {
    const told = statusText({ ...view, trusted: vscode.workspace.isTrusted });
    bar.text = told.text;
    bar.tooltip = new vscode.MarkdownString(told.tooltip);
    bar.backgroundColor = BACKGROUND[told.weight];
    bar.accessibilityInformation = { label: told.spoken, role: "button" };
    bar.show();
    showInterpreter(language, view);
    void vscode.commands.executeCommand("setContext", "dplint.mode", view.status?.state ?? "");
  };
  show(session.view);
  return vscode.Disposable.from(bar, language, session.onView(show));
}

function showInterpreter(item: vscode.LanguageStatusItem, { environment, status, phase }: View): void {
  const chosen = environment?.chosen;
  item.busy = phase === "starting";
  item.text = chosen === undefined ? "dplint: no Python" : `Python ${chosen.python} (${environmentName(chosen.path)})`;
  item.detail = environment === undefined ? "looking for Python" : detail(environment, status?.version);
  item.severity =
    phase === "missing" || phase === "failed"
      ? vscode.LanguageStatusSeverity.Warning
      : vscode.LanguageStatusSeverity.Information;
}

function detail({ chosen, launch }: Environment, running: string | undefined): string {
  const version = running ?? launch?.version ?? "";
  const dplint = launch === undefined ? "dplint is not installed there" : `dplint ${version}`.trim();
  const where = launch?.from === "interpreter" || launch === undefined ? "" : ` of ${launch.command}`;
  return chosen === undefined ? dplint : `${dplint}${where}, ${chosen.path} ${SOURCES[chosen.source]}`;
}
