import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { installedEvals } from "../evals/installed-evals.ts";
import { storedRunsOf, type StoredRunsOptions } from "../evals/stored-runs-of.ts";
import { exitCodes } from "../exit-codes.ts";
import { action, withJson, type ExitCode } from "./context.ts";
import { wholeNumber } from "./numbers.ts";

/** Counts of a rehearsal that can fail the command. */
const counts = ["letThroughRefused", "letThrough", "askedNow", "refusedNow", "argumentsChanged", "unknown"];

/** Adds `bailiwick rehearse`. */
export function addRehearseCommand(program: Command): void {
  withJson(program.command("rehearse"))
    .description("play stored runs with the rules of an agent: what would be asked, refused and let through")
    .argument("<module>", "module that exports the agent with the new rules")
    .option("--store <address>", "store of the runs (default: that of the agent)")
    .option("--agent <name>", "name of the agent, if the module exports several")
    .option("--since <age>", "age of the oldest run, such as 30d or 12h (default: all runs)")
    .option("--tenant <id>", "runs of this tenant (default: all tenants)")
    .option("--limit <number>", "number of runs, the newest (default: all)", wholeNumber)
    .addOption(
      new Option("--fail-on <count...>", "fail if one of these counts is not 0 (default: letThroughRefused)").choices(
        counts,
      ),
    )
    .action(
      action<StoredRunsOptions & { readonly failOn?: readonly string[] | undefined }>(
        async ({ terminal, options }, module = ""): Promise<ExitCode> => {
          const evals = await installedEvals(resolve(module));
          const { target, agent, store, runs } = await storedRunsOf(module, options);
          try {
            terminal.progress("Rehearsing …");
            const report = await evals.rehearse({ store, runs, with: agent ?? {} });
            terminal.settle();
            terminal.result(report, () => report.text);
            const failed = (options.failOn ?? ["letThroughRefused"]).some((name) => (report.counts[name] ?? 0) > 0);
            return failed ? exitCodes.failed.code : exitCodes.done.code;
          } finally {
            await target.close();
          }
        },
      ),
    );
}
