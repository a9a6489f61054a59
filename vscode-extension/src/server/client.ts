/** The language client: what it tells the server at the start, and where it differs from what the library does. */

import * as vscode from "vscode";
import {
  CloseAction,
  type DynamicFeature,
  ErrorAction,
  type Executable,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type StaticFeature,
} from "vscode-languageclient/node";
import { interpreterFor, type Launch } from "../environment/find";
import { forServer } from "../settings";
import { SELECTOR } from "./selector";

/**
 * A client that leaves the commands of the server alone: the extension registers them itself, so that they are there also
 * before the server is, and mean the same from a lens, a key and the palette.
 */
class DplintClient extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const registration = "registrationType" in feature ? feature.registrationType : undefined;
    if (registration?.method !== ExecuteCommandRequest.method) {
      super.registerFeature(feature);
    }
  }
}

/** home: where the server is started, for Python imports what lies in the working directory. ended: it has, by itself. */
export function makeClient(
  launch: Launch,
  home: string,
  output: vscode.LogOutputChannel,
  ended: () => void,
): LanguageClient {
  const server: Executable = {
    command: launch.command,
    args: [...launch.args],
    options: { cwd: home, env: { ...process.env, PYTHONUNBUFFERED: "1" } },
  };
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    outputChannel: output,
    traceOutputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    diagnosticCollectionName: "dplint",
    diagnosticPullOptions: { onChange: true, onSave: true, onTabs: false },
    initializationOptions: {
      trusted: vscode.workspace.isTrusted,
      clipboard: true,
      panel: true,
      status: true,
      selectInterpreter: true,
    },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        ended();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      workspace: {
        configuration: async (params, token, next) => {
          const answers = await next(params, token);
          if (!Array.isArray(answers)) {
            return answers;
          }
          return Promise.all(
            params.items.map(async (item, index) => {
              const scope = item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
              const folder = scope && vscode.workspace.getWorkspaceFolder(scope);
              return forServer(answers[index], await interpreterFor(folder));
            }),
          );
        },
      },
    },
  };
  return new DplintClient("dplint", "dplint", server, options);
}
