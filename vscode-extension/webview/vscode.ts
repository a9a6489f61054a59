/** The other side: the extension, which a view can only send messages to. */

import type { FromView, Subject } from "../src/panels/messages";

interface Api {
  postMessage(message: FromView): void;
  setState(state: Subject): void;
}

declare function acquireVsCodeApi(): Api;

let api: Api | undefined;

/** It may be asked for once only. */
function own(): Api {
  api ??= acquireVsCodeApi();
  return api;
}

export function send(message: FromView): void {
  own().postMessage(message);
}

/** What is left of a view when its window is loaded again. */
export function remember(subject: Subject): void {
  own().setState(subject);
}
