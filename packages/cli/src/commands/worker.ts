import type { Command } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { startWorkers } from "../serve/workers.ts";
import { targetAction, withTarget } from "./context.ts";
import { wholeNumber } from "./numbers.ts";
import { requireConfig } from "./require-config.ts";

/** Adds `bailiwick worker`. */
export function addWorkerCommand(program: Command): void {
  withTarget(program.command("worker"))
    .description("drive stored runs and schedules until SIGTERM or Ctrl-C, which give the runs back")
    .option("--concurrency <count>", "runs at a time", wholeNumber)
    .option("--once", "drive what is due now, and end")
    .action(
      targetAction<{ concurrency?: number; once?: boolean }>(async ({ terminal, target, options }) => {
        const config = requireConfig(target, "worker");
        const workers = await startWorkers(terminal, config, { concurrency: options.concurrency });
        const end = (): void => void workers.drain();
        process.once("SIGTERM", end);
        process.once("SIGINT", end);
        terminal.note(`Driving runs of ${target.agents.map(({ name }) => name).join(", ")}.`);
        if (options.once === true) {
          await workers.idle();
          await workers.drain();
        }
        await workers.stopped;
        terminal.note("All runs are given back.");
        return exitCodes.done.code;
      }),
    );
}
