/** The page of a view: one script, one style sheet, both from the extension, and nothing else. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export function html(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64");
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", name)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>dplint</title>
<link rel="stylesheet" href="${file("webview.css")}">
</head>
<body>
<main id="root"></main>
<script nonce="${nonce}" src="${file("webview.js")}"></script>
</body>
</html>`;
}
