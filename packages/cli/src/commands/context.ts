import type { Command } from "commander";
import { openTarget, type Target } from "../entry/target.ts";
import { createTerminal, type Terminal } from "../output/terminal.ts";
import type { OwnerOptions } from "../entry/owner.ts";

/** Options that the commands about runs share. */
export interface SharedOptions extends OwnerOptions {
  readonly entry?: string | undefined;
  readonly store?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A command that is being run. */
export interface Context<Options> {
  readonly terminal: Terminal;
  readonly options: Options & SharedOptions;
}

/** Result of a command: the exit code of the process. */
export type ExitCode = number;

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option("--json", "print the result as JSON on standard output");
}

/** Adds the options that name the store or entry. */
export function withTarget(command: Command): Command {
  return withJson(
    command
      .option("--entry <path>", "module that exports the agents (default: bailiwick.config.ts)")
      .option("--store <address>", "look at a store without code: sqlite:runs.db or postgres://user@host/database"),
  );
}

/** Adds the options that name the store or entry, and the owner. */
export function withOwner(command: Command): Command {
  return withTarget(command)
    .option("--tenant <id>", "runs of this tenant (default: runs without a tenant)")
    .option("--user <id>", "runs of this user (default: of all users)");
}

/** Runs a command with its output, and sets the exit code of the process. */
export function action<Options>(
  run: (context: Context<Options>, ...args: string[]) => Promise<ExitCode>,
): (this: Command, ...args: unknown[]) => Promise<void> {
  return async function runCommand(...given) {
    const command = given.at(-1) as Command;
    const options = command.opts<Options & SharedOptions>();
    const args = given.slice(0, -2).filter((arg): arg is string => typeof arg === "string");
    process.exitCode = await run({ terminal: createTerminal(options.json === true), options }, ...args);
  };
}

/** Runs a command that reads runs: opens the stores before, and closes them after it. */
export function targetAction<Options>(
  run: (context: Context<Options> & { readonly target: Target }, ...args: string[]) => Promise<ExitCode>,
): (this: Command, ...args: unknown[]) => Promise<void> {
  return action<Options>(async (context, ...args) => {
    const target = await openTarget(context.options);
    try {
      return await run({ ...context, target }, ...args);
    } finally {
      await target.close();
    }
  });
}
