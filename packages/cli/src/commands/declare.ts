import type { ToolExplanation } from "@bailiwick/core";
import type { Command } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { oneLine } from "../output/printable.ts";
import { targetAction, withTarget } from "./context.ts";
import { requireConfig } from "./require-config.ts";

/** Adds `bailiwick declare`. */
export function addDeclareCommand(program: Command): void {
  withTarget(program.command("declare"))
    .description("propose the declarations of tools whose effect is guessed; exits with 1 if there are any")
    .action(
      targetAction(async ({ terminal, target }) => {
        requireConfig(target, "declare");
        const rows = (
          await Promise.all(
            target.agents.map(async (agent) =>
              (await agent.explainTools()).filter(isOpen).map((tool) => ({ agent: agent.name, ...tool })),
            ),
          )
        ).flat();
        terminal.result(rows, () =>
          rows.length === 0
            ? "Every tool declares its effect."
            : rows
                .map(({ agent, name, effect, why, declaration }) =>
                  [
                    `${terminal.paint("bold", name)} of agent ${agent} counts as a ${effect}: ${oneLine(why, 300)}`,
                    `  Add: ${declaration ?? ""}`,
                  ].join("\n"),
                )
                .join("\n\n"),
        );
        return rows.length === 0 ? exitCodes.done.code : exitCodes.failed.code;
      }),
    );
}

/** Tests if something about a tool is guessed or taken by default. */
function isOpen({ declaration }: ToolExplanation): boolean {
  return declaration !== undefined;
}
