import { ConversationDeletedError, RunNotFoundError } from "@bailiwick/core/store";
import { toColumn } from "./connection/names.ts";
import type { Ask } from "./connection/statements.ts";
import type { Tables } from "./schema/tables.ts";

/** The error for a run that the store does not have. */
export async function runMissing(
  read: Ask,
  { deletedRuns }: Tables,
  runId: string,
  name: string,
): Promise<ConversationDeletedError | RunNotFoundError> {
  const [row] = await read(`SELECT 1 FROM ${deletedRuns} WHERE id = $1`, [toColumn(runId)]);
  return row === undefined ? new RunNotFoundError(runId, name) : new ConversationDeletedError(runId, name);
}
