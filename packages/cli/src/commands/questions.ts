import { resolve } from "node:path";
import type { Command } from "commander";
import { evaluationsIn } from "../evals/eval-files.ts";
import { installedEvals } from "../evals/installed-evals.ts";
import { storedRunsOf, type StoredRunsOptions } from "../evals/stored-runs-of.ts";
import { exitCodes } from "../exit-codes.ts";
import { action, withJson, type ExitCode } from "./context.ts";
import { wholeNumber } from "./numbers.ts";

/** Adds `bailiwick questions`. */
export function addQuestionsCommand(program: Command): void {
  withJson(program.command("questions"))
    .description("count the questions of stored runs, and find declarations that would have made them unnecessary")
    .argument("[module]", "module that exports the agent whose declarations are tried (default: figures alone)")
    .option("--store <address>", "store of the runs (default: that of the agent)")
    .option("--agent <name>", "runs of this agent")
    .option("--since <age>", "age of the oldest run, such as 30d or 12h (default: all runs)")
    .option("--tenant <id>", "runs of this tenant (default: all tenants)")
    .option("--attacks <file>", "evaluation with attacks that each proposal has to withstand (default: none)")
    .option("--limit <number>", "number of runs, the newest (default: all)", wholeNumber)
    .action(
      action<StoredRunsOptions & { readonly attacks?: string | undefined }>(
        async ({ terminal, options }, module): Promise<ExitCode> => {
          const evals = await installedEvals(resolve(module ?? "package.json"));
          const { target, agent, store, runs } = await storedRunsOf(module, options);
          try {
            terminal.progress("Reading runs …");
            const [attacks] = options.attacks === undefined ? [] : await evaluationsIn(resolve(options.attacks));
            const report = await evals.questionStatistics({
              store,
              runs,
              ...(module !== undefined && { with: agent }),
              ...(attacks !== undefined && { attacks }),
            });
            terminal.settle();
            terminal.result(report, () => report.text);
            return exitCodes.done.code;
          } finally {
            await target.close();
          }
        },
      ),
    );
}
