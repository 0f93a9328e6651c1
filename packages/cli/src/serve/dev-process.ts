import cluster from "node:cluster";
import type { Target } from "../entry/target.ts";
import type { BailiwickConfig } from "../entry/config.ts";
import type { Terminal } from "../output/terminal.ts";
import { agentApp } from "./agent-app.ts";
import { listen } from "./listen.ts";
import { startWorkers } from "./workers.ts";

/** Report of the process of the agents to the process that watches the files. */
export interface DevReport {
  readonly type: "ready";
  readonly url: string;
  readonly paths: readonly string[];
  readonly links: readonly string[];
  /** Agents without a durable store: their runs are lost when the process exits. */
  readonly inMemory: readonly string[];
}

/** Variable with the studio's token: it stays the same when the process is replaced. */
export const tokenVariable = "BAILIWICK_STUDIO_TOKEN";

/** Interval between two checks for runs that are still driven, in milliseconds. */
const lookMs = 50;

/**
 * Serves the agents and drives their runs until the process is retired: then it takes no more requests, gives the runs
 * of its workers back, finishes the runs of its requests, and ends.
 *
 * @param graceMs - How long the runs of requests may take to finish after that, in milliseconds.
 */
export async function serveDev(
  terminal: Terminal,
  target: Target,
  config: BailiwickConfig,
  { port, graceMs }: { readonly port: number; readonly graceMs: number },
): Promise<void> {
  const app = agentApp(config, process.env[tokenVariable] ?? crypto.randomUUID(), target.entry?.path);
  const workers = await startWorkers(terminal, config);
  const listening = await listen(app.fetch, port);
  const report: DevReport = {
    type: "ready",
    url: listening.url,
    paths: app.paths,
    links: app.links(listening.url),
    inMemory: target.agents.filter(({ definition }) => !definition.store.durable).map(({ name }) => name),
  };
  process.send?.(report);
  await retired();
  let isAnswered = false;
  const answered = listening.finish().then(() => (isAnswered = true));
  await workers.drain();
  const until = Date.now() + graceMs;
  const isDone = (): boolean => isAnswered && app.busy() === 0;
  while (!isDone() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, lookMs));
  await listening.close();
  await answered;
}

/** Resolves when the watching process retires this one, or is gone. */
function retired(): Promise<void> {
  return new Promise((resolve) => {
    process.on("message", (message) => {
      if ((message as { readonly type?: string } | null)?.type === "retire") resolve();
    });
    cluster.worker?.once("disconnect", () => resolve());
    // Ctrl-C reaches the whole group: the watching process retires this one.
    process.on("SIGINT", () => undefined);
    process.once("SIGTERM", () => resolve());
  });
}
