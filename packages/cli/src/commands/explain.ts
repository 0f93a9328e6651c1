import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { errorCode, exampleOf, nearestCodes } from "../explain/error-codes.ts";
import { action, withJson } from "./context.ts";

/** Adds `bailiwick explain`. */
export function addExplainCommand(program: Command): void {
  withJson(program.command("explain <code>"))
    .description("explain an error code: what happened, why, and what to do, with an example")
    .action(
      action(async ({ terminal }, given = "") => {
        const code = given.trim().toUpperCase().replaceAll("-", "_");
        const found = errorCode(code);
        if (found === undefined) {
          const near = nearestCodes(code);
          throw new CommandError(
            "CLI_UNKNOWN_CODE",
            `There is no error code "${code}".${near.length === 0 ? "" : ` Do you mean ${near.join(" or ")}?`}`,
            exitCodes.notFound.code,
          );
        }
        const example = await exampleOf(code);
        terminal.result({ code, ...found, example }, () =>
          [
            terminal.paint("bold", code),
            found.happened,
            "",
            `Why: ${found.why}`,
            `What to do: ${found.do}`,
            ...(example === undefined ? [] : ["", "Example:", "", example]),
          ].join("\n"),
        );
        return exitCodes.done.code;
      }),
    );
}
