/** The server's life: found, started, started again when it fails, and ended with the window. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type Environment, findEnvironment } from "../environment/find";
import type { Server, Status } from "../types";
import { Backoff } from "./backoff";

/**
 * starting: being found or started. running. again: it has ended by itself and will be started again. failed: it has ended
 * too often, or cannot be started. missing: dplint is installed nowhere. stopped: nobody has asked for it yet.
 */
export type Phase = "stopped" | "starting" | "running" | "again" | "failed" | "missing";

/** What is known of the server at a moment. */
export interface View {
  readonly phase: Phase;
  readonly status: Status | undefined;
  readonly environment: Environment | undefined;
}

const STOP_MS = 2_000;

export class Session implements Server, vscode.Disposable {
  private phase: Phase = "stopped";
  private status: Status | undefined;
  private environment: Environment | undefined;
  private client: LanguageClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();
  /** One start or stop after the other. */
  private queue: Promise<void> = Promise.resolve();
  private waiting: Promise<void> | undefined;
  private readonly viewed = new vscode.EventEmitter<View>();
  private readonly told = new vscode.EventEmitter<Status>();

  readonly onView = this.viewed.event;

  /** home: a folder of ours that the server is started in. */
  constructor(
    private readonly home: string,
    private readonly output: vscode.LogOutputChannel,
  ) {}

  get view(): View {
    return { phase: this.phase, status: this.status, environment: this.environment };
  }

  onStatus(listener: (status: Status) => void): vscode.Disposable {
    return this.told.event(listener);
  }

  /** Start it, or start it anew: everything is looked for again. */
  start(): Promise<void> {
    this.backoff.forget();
    return this.restart();
  }

  stop(): Promise<void> {
    return this.enqueue(async () => {
      await this.end();
      this.show("stopped");
    });
  }

  async request<T>(command: string, ...args: unknown[]): Promise<T> {
    await this.queue;
    if (this.client === undefined || this.phase !== "running") {
      throw new Error("The server of dplint is not running. The command “dplint: Restart Server” starts it.");
    }
    return this.client.sendRequest("workspace/executeCommand", { command, arguments: args });
  }

  /** Settings were changed: the server asks for what it wants of them. */
  async settingsChanged(): Promise<void> {
    await this.queue;
    if (this.phase === "running") {
      await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: null });
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.viewed.dispose();
    this.told.dispose();
  }

  /** Of several restarts that wait for their turn, one is enough. */
  private restart(): Promise<void> {
    clearTimeout(this.timer);
    this.waiting ??= this.enqueue(async () => {
      this.waiting = undefined;
      this.show("starting");
      await this.end();
      await this.begin();
    });
    return this.waiting;
  }

  private enqueue(job: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(job).catch((error: unknown) => this.output.error(String(error)));
    return this.queue;
  }

  private async begin(): Promise<void> {
    this.environment = await findEnvironment(this.home, (text) => this.output.warn(text));
    const { launch } = this.environment;
    if (launch === undefined) {
      this.output.warn("dplint is not installed in the chosen environment.");
      this.show("missing");
      return;
    }
    // The library takes most of the time that loading the extension would take: not before the editor has gone on.
    const { makeClient } = await import("./client");
    this.output.info(`starting ${[launch.command, ...launch.args].join(" ")}`);
    // A client that fails while it starts says so twice: by its promise, and by its handler of errors.
    let over = false;
    const ended = (): void => {
      if (!over && this.client === client) {
        over = true;
        this.lost();
      }
    };
    const client = makeClient(launch, this.home, this.output, ended);
    this.client = client;
    client.onNotification("dplint/status", (status: Status) => {
      this.status = status;
      this.told.fire(status);
      this.viewed.fire(this.view);
    });
    try {
      await client.start();
      this.show("running");
    } catch (error) {
      this.output.error(`the server did not start: ${String(error)}`);
      ended();
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.status = undefined;
    if (client === undefined) {
      return;
    }
    try {
      if (client.isRunning()) {
        await client.stop(STOP_MS);
      }
      await client.dispose(STOP_MS);
    } catch (error) {
      this.output.debug(`the server did not say goodbye: ${String(error)}`);
    }
  }

  /** The server has ended by itself. */
  private lost(): void {
    const wait = this.backoff.next();
    if (wait === undefined) {
      this.output.error("the server has ended too often; it is not started again by itself");
      this.show("failed");
      return;
    }
    this.output.warn(`the server has ended; it is started again in ${wait / 1000} s`);
    this.show("again");
    this.timer = setTimeout(() => void this.restart(), wait);
  }

  private show(phase: Phase): void {
    this.phase = phase;
    this.viewed.fire(this.view);
  }
}
