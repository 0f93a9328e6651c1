import { CommandError } from "../command-error.ts";
import type { BailiwickConfig } from "../entry/config.ts";
import type { Target } from "../entry/target.ts";
import { exitCodes } from "../exit-codes.ts";

/** The configuration of the entry module, for commands that execute agents. */
export function requireConfig({ entry }: Target, command: string): BailiwickConfig {
  if (entry !== undefined) return entry.config;
  throw new CommandError(
    "CLI_NEEDS_ENTRY",
    `"${command}" runs agents, and --store gives it none. Pass --entry in place of --store, or create bailiwick.config.ts.`,
    exitCodes.failed.code,
  );
}
