import type { StudioStore } from "./options.ts";

/** Assignments are stored in the sessions of the store, under a separate tenant. */
const place = { tenantId: "bailiwick:studio" } as const;
const writer = { ...place, runId: "studio" } as const;

/** People to whom the questions of a run are assigned, by the id of the question. */
export type Assignees = Readonly<Record<string, string>>;

/** Reads the assignments of a run's questions; none for a store without sessions. */
export async function assigneesOf({ sessions }: StudioStore, runId: string): Promise<Assignees> {
  const state = (await sessions?.loadState(runId, place)) ?? {};
  return Object.fromEntries(
    Object.entries(state).filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""),
  );
}

/**
 * Assigns a question, or removes the assignment with an empty name.
 *
 * @returns `false` if another viewer assigned it since it was read.
 */
export async function assign(
  { sessions }: StudioStore,
  runId: string,
  questionId: string,
  change: { readonly to: string; readonly from: string },
): Promise<boolean> {
  if (sessions === undefined) return false;
  const state = await sessions.loadState(runId, place);
  const expected = state[questionId];
  if ((typeof expected === "string" ? expected : "") !== change.from) return false;
  const { written } = await sessions.writeState(runId, [{ key: questionId, value: change.to, expected }], writer);
  return written;
}
