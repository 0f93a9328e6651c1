import type { Ledger, LedgerKey } from "../../contracts/ports/ledger.ts";
import type { KeptPlans } from "../../contracts/ports/flow-policy.ts";
import type { Run } from "../run.ts";

/** Name under which a ledger stores plans: no tool can have it. */
const keptUnder = "bailiwick:planner";

/**
 * The planner's answers in the ledger of a run, for its owner and the definition of its agent [grants.planner.kept].
 *
 * @param ledger - The run's, sealed where there is a key.
 */
export function keptPlans({ runId, agent, context, clock, logger }: Run, ledger: Ledger): KeptPlans {
  const { hasher, definitionHash } = agent;
  const { tenantId = "", userId } = context;
  const user = userId === undefined ? "" : `/user:${encodeURIComponent(userId)}`;
  const keyOf = (prompt: string): LedgerKey => ({
    kind: "cache",
    scope: `tenant:${encodeURIComponent(tenantId)}${user}`,
    toolName: keptUnder,
    key: hasher.sha256(`${definitionHash}\n${prompt}`),
  });
  const failed = (error: unknown): undefined => {
    logger.warn(`The store of run ${runId} keeps no plan.`, { error });
  };
  return {
    async find(prompt) {
      const row = await ledger.get(keyOf(prompt)).catch(failed);
      if (row?.state !== "done" || row.expiresAt <= clock.now()) return undefined;
      return { answer: row.outcome, runId: row.runId };
    },
    async keep(prompt, outcome, ttlMs) {
      const key = keyOf(prompt);
      const expiresAt = clock.now() + ttlMs;
      const row = { ...key, state: "done" as const, runId, callKey: keptUnder, inputHash: key.key, outcome, expiresAt };
      await ledger.put(row).catch(failed);
    },
  };
}
