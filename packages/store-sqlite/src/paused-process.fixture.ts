import { appendFileSync } from "node:fs";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { sqliteStore } from "./sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * An agent whose tool pays at a service that knows no keys: it adds a line with the number of the process to a file.
 *
 * @param log - The service's file.
 */
export function payingAgent(store: RunStore, log: string): AgentRuntime {
  return createAgentRuntime({
    name: "payer",
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "pay", arguments: {} }] },
    ),
    tools: [
      tool({
        name: "pay",
        description: "Pays.",
        inputSchema: { type: "object", properties: {} },
        sideEffectClass: "external-stateful",
        execute: () => (appendFileSync(log, `${process.pid}\n`), "paid"),
      }),
    ],
    store,
    leaseMs: 1_000,
    logger: quiet,
  });
}

/** A store that stops its process when the record of an intent is committed, before its caller continues. */
function stoppingAtIntent(store: RunStore): RunStore {
  return new Proxy(store, {
    get(target, key: keyof RunStore) {
      const own: unknown = target[key];
      if (typeof own !== "function") return own;
      if (key !== "append") return (own as (...given: unknown[]) => unknown).bind(target);
      return async (...given: readonly unknown[]) => {
        const answer: unknown = await Reflect.apply(own, target, given);
        if (JSON.stringify(given).includes('"tool.intent"')) process.kill(process.pid, "SIGSTOP");
        return answer;
      };
    },
  });
}

const [path, log, runId] = process.argv.slice(2);
if (
  path !== undefined &&
  log !== undefined &&
  runId !== undefined &&
  process.argv[1]?.includes("paused-process.fixture")
)
  await payingAgent(stoppingAtIntent(sqliteStore({ path })), log)
    .resume(runId)
    .then(
      ({ status }) => console.info(status),
      (error: unknown) => console.info(String(error)),
    );
