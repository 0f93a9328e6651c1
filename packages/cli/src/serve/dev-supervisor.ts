import cluster, { type Worker } from "node:cluster";
import { dirname, relative } from "node:path";
import { watch } from "chokidar";
import type { Terminal } from "../output/terminal.ts";
import type { DevReport } from "./dev-process.ts";
import { tokenVariable } from "./dev-process.ts";
import { untilStopped } from "./until-stopped.ts";

/** Delay after a change before the process is replaced, in milliseconds: editors write several files. */
const settleMs = 100;
/** Delay before a crashed process is restarted, in milliseconds. */
const restartMs = 1_000;
/** Folders without sources of the project. */
const ignoredFolder = /(?:^|[/\\])(?:node_modules|\.git|dist|\.cache|\.next|coverage)(?:[/\\]|$)/;
/** Files that are part of the agents' source; files that tools write do not count. */
const source = /(?:\.[mc]?[jt]sx?|(?:^|[/\\])(?:package|tsconfig)\.json|\.env(?:\.\w+)?)$/;

/**
 * Watches the files of the entry module, and replaces the process of the agents when they change. The new process
 * serves before the old one ends; if the new one does not load, the old one stays.
 *
 * @param entry - Absolute path of the entry module.
 */
export async function superviseDev(terminal: Terminal, entry: string): Promise<void> {
  const folder = dirname(entry);
  process.env[tokenVariable] ??= crypto.randomUUID();
  cluster.setupPrimary({ exec: process.argv[1] ?? "", args: process.argv.slice(2) });
  let serving: Worker | undefined;
  let loading: Worker | undefined;
  let announced = false;
  let stopping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const start = (): void => {
    // A newer change makes the loading process obsolete; it serves nothing yet.
    loading?.process.kill("SIGKILL");
    const child = cluster.fork();
    loading = child;
    child.on("message", (message: DevReport | undefined) => {
      if (message?.type !== "ready" || child !== loading) return;
      const former = serving;
      serving = child;
      loading = undefined;
      if (!announced) announce(terminal, message);
      else terminal.note("Reloaded.");
      announced = true;
      former?.send({ type: "retire" });
    });
    child.on("exit", (code) => {
      if (child === loading) {
        loading = undefined;
        if (code !== null && !stopping)
          terminal.note(
            serving === undefined
              ? "The agents did not load. Waiting for a change."
              : "The new agents did not load, so the previous ones continue. Waiting for a change.",
          );
      }
      if (child !== serving) return;
      serving = undefined;
      if (stopping) return;
      terminal.note("The process of the agents ended. It is started again.");
      schedule(restartMs);
    });
  };
  const schedule = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!stopping) start();
    }, ms);
  };

  const watcher = watch(folder, {
    ignored: (path, stats) => {
      const inside = relative(folder, path);
      return ignoredFolder.test(inside) || (stats?.isFile() === true && !source.test(inside));
    },
    ignoreInitial: true,
  });
  watcher.on("all", () => schedule(settleMs));
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  start();
  await untilStopped();
  stopping = true;
  clearTimeout(timer);
  await watcher.close();
  loading?.process.kill("SIGKILL");
  const ended = Object.values(cluster.workers ?? {}).map(
    (child) => new Promise<void>((resolve) => child?.once("exit", () => resolve())),
  );
  for (const child of Object.values(cluster.workers ?? {})) child?.send({ type: "retire" });
  await Promise.all(ended);
}

function announce(terminal: Terminal, { url, paths, links, inMemory }: DevReport): void {
  terminal.result({ url, agents: paths.map((path) => `${url}${path}`), studio: links }, () =>
    [
      `Agents at ${paths.map((path) => `${url}${path}`).join(", ")}`,
      ...links.map((link) => `Studio at ${link}`),
      ...inMemory.map(
        (name) =>
          `The runs of ${name} are kept in memory and end with each reload. Give it a store, such as sqliteStore({ path: "runs.db" }).`,
      ),
    ].join("\n"),
  );
}
