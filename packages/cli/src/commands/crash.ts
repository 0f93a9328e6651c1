import type { Command } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { playInChild } from "../simulate/play-in-child.ts";
import { action, withJson } from "./context.ts";

/** Adds `bailiwick crash`. */
export function addCrashCommand(program: Command): void {
  withJson(program.command("crash"))
    .description("kill a process before and after each of its calls, and count the effects of each tool")
    .argument(
      "<file>",
      "module whose default export is a simulation, or a function of the store that returns { agents }",
    )
    .option("--input <text>", "input of the run, in place of the work of the simulation")
    .action(
      action<{ readonly input?: string }>(async ({ terminal, options }, file = "") => {
        terminal.progress("Killing processes …");
        const { input } = options;
        const report = await playInChild<{ readonly passed: boolean; readonly text: string }>({
          file,
          operation: "crashTest",
          options: input === undefined ? {} : { input },
        });
        terminal.settle();
        terminal.result(report, () => report.text);
        return report.passed ? exitCodes.done.code : exitCodes.failed.code;
      }),
    );
}
