import { readJournal, verifyJournal, type AgentRuntime, type JournalEvent, type RunStore } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { JournalTamperedError } from "@bailiwick/core";
import type { Command } from "commander";
import { usageError } from "../command-error.ts";
import { action } from "./context.ts";
import { findEntry, loadEntry, agentOf } from "../entry/load-entry.ts";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { readGiven } from "../output/files.ts";
import { exitCodes } from "../exit-codes.ts";

/** Reads a run's records unchanged. */
export function rawJournal(
  store: RunStore,
  { definition }: AgentRuntime,
  runId: string,
): Promise<readonly JournalEvent[]> {
  const { hasher, sealer, options } = definition;
  return readJournal(store, runId, { hasher, sealer, signKey: options.keys?.sign });
}

type Action = (this: Command, ...args: unknown[]) => Promise<void>;

/** Checks an exported file if `--file` is given, else what `stored` checks. */
export function verifyFile(stored: Action): Action {
  return async function verify(...args) {
    const command = args.at(-1) as Command;
    const { file } = command.opts<{ file?: string }>();
    const runId = typeof args[0] === "string" ? args[0] : undefined;
    if ((file === undefined) === (runId === undefined))
      throw usageError("Pass the id of a run, or --file with an export.");
    return file === undefined ? stored.apply(this, args) : verifyExport.apply(this, args);
  };
}

const verifyExport: Action = action<{ file: string }>(async ({ terminal, options }) => {
  const text = await readGiven(options.file);
  const entry = findEntry(options.entry);
  const agents = entry === undefined ? [] : (await loadEntry(entry)).config.agents;
  const keys = agents
    .map((configured) => agentRuntimeOf(agentOf(configured))?.definition.options.keys?.sign)
    .find((key) => key !== undefined);
  try {
    const { runId, events, trust } = verifyJournal(text, { hasher: defaultHasher(), signKey: keys });
    const verdict = trust === "signed" ? "valid" : "unsigned";
    terminal.result(
      { runId, verdict, records: events.length },
      () => `${terminal.paint("green", verdict)}  run ${runId}, ${events.length} records`,
    );
    return exitCodes.done.code;
  } catch (error) {
    if (!JournalTamperedError.isInstance(error)) throw error;
    terminal.result(
      { verdict: "broken", reason: error.message },
      () => `${terminal.paint("red", "broken")}  ${error.message}`,
    );
    return exitCodes.failed.code;
  }
});
