import { checkArgument } from "@bailiwick/core";
import type { RunFilter, RunStore } from "@bailiwick/core";

/** Results of tools by tool name. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;

/**
 * Maximum number of runs that are read, of results per tool that are kept, and of values of one field that a question
 * shows.
 */
const runsRead = 100;
const resultsKept = 20;
const valuesShown = 3;
const fieldsAsked = 30;

/**
 * Collects results of tools from the journals of earlier runs, as samples for `proposeDeclarations()`.
 *
 * @param store - The store of the runs. Sealed results are left out.
 * @param filter - Runs that are read; default: 100 runs of all users without a tenant.
 * @returns Up to 20 results of each tool.
 * @example
 * ```ts
 * import type { Agent, RunStore } from "@bailiwick/agent";
 * import { proposeDeclarations, samplesFrom, type Declarations } from "@bailiwick/agent/declare";
 *
 * export async function propose(agent: Agent, store: RunStore): Promise<Declarations> {
 *   return proposeDeclarations(agent, { samples: await samplesFrom(store) });
 * }
 * ```
 */
export async function samplesFrom(store: Pick<RunStore, "listRuns" | "load">, filter?: RunFilter): Promise<Samples> {
  checkArgument(store, "listRuns", "samplesFrom(store)");
  const runs = await store.listRuns(filter ?? { allUsers: true, limit: runsRead });
  const found = new Map<string, unknown[]>();
  for (const { id } of runs.slice(0, runsRead)) {
    for (const event of await store.load(id)) {
      if (event.type !== "tool.outcome" || event.output === undefined || event.failure !== undefined) continue;
      const kept = found.get(event.toolName) ?? [];
      if (kept.length < resultsKept) found.set(event.toolName, [...kept, event.output]);
    }
  }
  return Object.fromEntries(found);
}

/** A field of results, with values that it had. */
export interface SampledField {
  readonly path: string;
  readonly values: readonly unknown[];
}

/** The fields of results, with `[]` for the items of arrays. Long texts are left out, because they may quote others. */
export function fieldsOf(results: readonly unknown[]): readonly SampledField[] {
  const found = new Map<string, Set<unknown>>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === "object" && value !== null)
      for (const [key, member] of Object.entries(value)) {
        if (/^\w+$/u.test(key)) visit(member, path === "" ? key : `${path}.${key}`);
      }
    else if (path !== "" && value !== null) found.set(path, (found.get(path) ?? new Set()).add(value));
  };
  for (const result of results) visit(result, "");
  return [...found]
    .filter(([, values]) => [...values].every((value) => typeof value !== "string" || value.length <= longest))
    .slice(0, fieldsAsked)
    .map(([path, values]) => ({ path, values: [...values].slice(0, valuesShown) }));
}

/** Characters of a value that is not free text. */
const longest = 120;
