import { sealValue } from "../journal/sealed-value.ts";
import { ownCopy } from "../user-code/copies.ts";
import type { AgentShared } from "./start/agent-shared.ts";

/** The input as it stands beside the journal: without known secrets, as in its first record, and sealed where there is a key. */
export async function keptInput(
  { secrets, sealer }: AgentShared["definition"],
  runId: string,
  input: unknown,
): Promise<unknown> {
  await secrets?.ready();
  const own = ownCopy(input);
  return sealValue(secrets?.scrub(own) ?? own, sealer, ["input", runId]);
}
