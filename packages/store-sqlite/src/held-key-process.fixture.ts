import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { sqliteStore } from "./sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The moment at which the process of the first run dies. */
export type Death = "before the effect" | "after the effect";

/** Features of the tool besides its key. */
export interface PayingOptions {
  readonly death?: Death | undefined;
  /** The tool can look up its effect. */
  readonly lookup?: "knows" | "does not know" | undefined;
}

/**
 * An agent whose tool pays a bill at a service that keeps one file for each key and ignores a key that it has seen.
 *
 * @param folder - The service's files.
 */
export function payingAgent(store: RunStore, folder: string, { death, lookup }: PayingOptions = {}): AgentRuntime {
  const fileOf = (key: string | undefined): string => join(folder, `${key ?? "no-key"}.paid`);
  const pay = tool({
    name: "pay",
    description: "Pays a bill.",
    inputSchema: z.object({ bill: z.number() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: ({ bill }) => `bill-${bill}`,
    ...(lookup !== undefined && {
      lookup: async (key: string) => {
        if (lookup === "does not know") return { status: "unknown" as const };
        return existsSync(fileOf(key)) ? { status: "done" as const, output: "paid" } : { status: "absent" as const };
      },
    }),
    timeoutMs: 200,
    execute(_input, ctx) {
      if (death === "before the effect") process.kill(process.pid, "SIGKILL");
      if (!existsSync(fileOf(ctx.idempotencyKey))) writeFileSync(fileOf(ctx.idempotencyKey), `${process.pid}\n`);
      if (death === "after the effect") process.kill(process.pid, "SIGKILL");
      return "paid";
    },
  });
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "pay", arguments: { bill: 7 } }] },
  );
  return createAgentRuntime({ name: "payer", model, tools: [pay], store, leaseMs: 1_000, logger: quiet });
}

const [path, folder, death] = process.argv.slice(2);
if (path !== undefined && folder !== undefined && process.argv[1]?.includes("held-key-process.fixture") === true)
  await payingAgent(sqliteStore({ path }), folder, { death: death as Death }).run("go", { userId: "ana" });
