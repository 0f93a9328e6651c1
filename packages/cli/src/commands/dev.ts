import cluster from "node:cluster";
import { basename } from "node:path";
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { findEntry } from "../entry/load-entry.ts";
import { openTarget, type Target } from "../entry/target.ts";
import { exitCodes } from "../exit-codes.ts";
import { listen, type Fetch } from "../serve/listen.ts";
import { untilStopped } from "../serve/until-stopped.ts";
import { action, targetAction, withJson, withTarget } from "./context.ts";
import { portNumber, wholeNumber } from "./numbers.ts";
import { requireConfig } from "./require-config.ts";

/** Port of `dev` and `studio`. */
const usualPort = 4310;

/** Adds `bailiwick dev` and `bailiwick studio`. */
export function addDevCommands(program: Command): void {
  withJson(program.command("dev"))
    .description("serve the agents' routes and the studio, drive their runs, and reload when files change")
    .option("--entry <path>", "module that exports the agents (default: bailiwick.config.ts)")
    .option("--port <port>", "port on this machine; 0 takes a free one", portNumber, usualPort)
    .option("--grace <seconds>", "how long runs of requests may finish after a reload", wholeNumber, 30)
    .action(
      action<{ entry?: string; port: number; grace: number }>(async ({ terminal, options }) => {
        const { port, grace } = options;
        const path = findEntry(options.entry);
        if (path === undefined)
          throw new CommandError(
            "CLI_CONFIG",
            "There is no bailiwick.config.ts here. Create it, or pass --entry with the module that exports your agents.",
            exitCodes.failed.code,
          );
        if (cluster.isPrimary) {
          const { superviseDev } = await import("../serve/dev-supervisor.ts");
          await superviseDev(terminal, path);
          return exitCodes.done.code;
        }
        const { serveDev } = await import("../serve/dev-process.ts");
        const target = await openTarget({ entry: path });
        try {
          await serveDev(terminal, target, requireConfig(target, "dev"), { port, graceMs: grace * 1_000 });
        } finally {
          await target.close();
        }
        return exitCodes.done.code;
      }),
    );

  withTarget(program.command("studio"))
    .description("open a page to search runs, look into them, and decide their questions")
    .option("--port <port>", "port on this machine; 0 takes a free one", portNumber, usualPort)
    .action(
      targetAction<{ port: number }>(async ({ terminal, target, options }) => {
        const page = await studioOf(target);
        const listening = await listen(page.fetch, options.port);
        const link = page.link(`${listening.url}/`);
        // A signal may follow as soon as the address is printed.
        const stopped = untilStopped();
        terminal.result({ url: listening.url, link }, () => `Studio at ${link}`);
        await stopped;
        await listening.close();
        return exitCodes.done.code;
      }),
    );
}

async function studioOf(target: Target): Promise<{ readonly fetch: Fetch; readonly link: (base: string) => string }> {
  const [store, ...others] = target.stores;
  if (store === undefined || others.length > 0)
    throw new CommandError(
      "CLI_STORE",
      "The agents have several stores, and the studio shows one. Pass --store with its address.",
      exitCodes.failed.code,
    );
  const { studio } = await import("@bailiwick/studio");
  const agents = target.agents.filter(({ definition }) => definition.store === store);
  const { entry } = target;
  return studio({ store, agents, ...(entry !== undefined && { entry: `./${basename(entry.path)}` }) });
}
