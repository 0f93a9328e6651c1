import type { Interruption, StoredRun } from "@bailiwick/core";
import type { FoundRun, Target } from "../entry/target.ts";
import { ownerFilter, type OwnerOptions } from "../entry/owner.ts";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";

/** An open question with its run. */
export interface OpenQuestion {
  readonly open: Interruption;
  readonly found: FoundRun;
}

/** Maximum number of runs that one listing reads. */
const mostRuns = 1_000;

/** Lists the open questions of a target, oldest first. Runs inside tool calls show theirs on the outer run. */
export async function openQuestions(
  target: Target,
  options: OwnerOptions & { readonly run?: string | undefined },
): Promise<readonly OpenQuestion[]> {
  const runs =
    options.run === undefined
      ? (await Promise.all(target.stores.map((store) => waitingRuns(store, options)))).flat()
      : [(await target.find(options.run, options)).run];
  const found: OpenQuestion[] = [];
  for (const run of runs.toSorted((a, b) => a.createdAt - b.createdAt)) {
    const one = await target.find(run.id);
    for (const open of await one.reader.interruptions(run.id)) found.push({ open, found: one });
  }
  return found;
}

/** The open questions that are on one card with this one, itself included. */
export async function batchOf({ open, found }: OpenQuestion): Promise<readonly Interruption[]> {
  if (open.batch === undefined) return [open];
  return (await found.reader.interruptions(found.run.id)).filter(({ batch }) => batch === open.batch);
}

async function waitingRuns(store: Target["stores"][number], options: OwnerOptions): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = [];
  // A run that is being driven may have open questions too: its other calls continue.
  for (const state of ["suspended", "sleeping", "running", "queued"] as const)
    runs.push(...(await store.listRuns({ ...ownerFilter(options), state, limit: mostRuns })));
  return runs.filter(({ parent }) => parent === undefined);
}

/**
 * Finds one open question by its id, or the beginning of it.
 *
 * @throws CommandError `UNKNOWN_DECISION` if there is none, `CLI_USAGE` if several ids have this beginning.
 */
export async function findQuestion(
  target: Target,
  id: string,
  options: OwnerOptions & { readonly run?: string | undefined },
): Promise<OpenQuestion> {
  const all = await openQuestions(target, options);
  const exact = all.filter(({ open }) => open.id === id);
  const fitting = exact.length > 0 ? exact : all.filter(({ open }) => open.id.startsWith(id));
  const [first] = fitting;
  if (first === undefined)
    throw new CommandError(
      "UNKNOWN_DECISION",
      `No run waits for a decision about "${id}": it was decided, has expired, or belongs to another tenant or user. See: bailiwick inbox list (with --tenant for the runs of a tenant)`,
      exitCodes.notFound.code,
    );
  if (fitting.length > 1)
    throw new CommandError(
      "CLI_USAGE",
      `${fitting.length} questions begin with "${id}". Write more of the id.`,
      exitCodes.usage.code,
    );
  return first;
}
