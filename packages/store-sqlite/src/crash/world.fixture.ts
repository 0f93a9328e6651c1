import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { agentTool, createAgentRuntime, exposeRuntime, tool } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import type {
  AgentRuntime,
  Decision,
  Interruption,
  Keys,
  Logger,
  RunOutput,
  RunStore,
  StoredRun,
  Tool,
} from "@bailiwick/core";
import { approvalSigner, sealer } from "@bailiwick/security";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { upgradedTool, type Upgrade } from "./upgrade.fixture.ts";

/** A logger that drops everything. */
export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The effect of a run's tool on the outside. */
export type EffectClass = "reader" | "idempotent" | "lookup" | "other" | "approved" | "slow";

/**
 * The classes of the matrix. `slow` is a keyed writer that pauses until another process has run it
 * too.
 */
export const effectClasses: readonly EffectClass[] = ["reader", "idempotent", "lookup", "other", "approved"];

/** The moment at which a process is killed: `before` a boundary, while the store works on it, or `after` it. */
export type Failpoint = `${"before" | "during" | "after"} ${string}`;

/** The world outside: a file with one line per execution, written through to disk. */
export function effectsIn(file: string): string[] {
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

function actInWorld(file: string, key: string): void {
  const handle = openSync(file, "a");
  writeSync(handle, `${key}\n`);
  fsyncSync(handle);
  closeSync(handle);
}

/** Kills this process at a failpoint, as a power cut would. */
export function killAt(failpoint: Failpoint | undefined, here: Failpoint): void {
  if (failpoint === here) killHere();
}

export function killHere(): void {
  process.kill(process.pid, "SIGKILL");
}

/** A tool of an effect class, with failpoints around its effect. */
function actingTool(effect: EffectClass, effects: string, failpoint: Failpoint | undefined): Tool {
  const definition = {
    name: "act",
    description: "Acts in the world.",
    inputSchema: z.object({ order: z.string() }),
    execute: async ({ order }: { readonly order: string }) => {
      killAt(failpoint, "before effect");
      actInWorld(effects, `act:${order}`);
      killAt(failpoint, "after effect");
      return `acted on ${order}`;
    },
  } as const;
  const key = ({ order }: { readonly order: string }): string => `act:${order}`;
  switch (effect) {
    case "reader":
      return tool({ ...definition, sideEffectClass: "read-only" });
    case "idempotent":
      return tool({ ...definition, sideEffectClass: "external-stateful", idempotencyKey: key });
    case "lookup":
      return tool({
        ...definition,
        sideEffectClass: "external-stateful",
        idempotencyKey: key,
        lookup: async (wanted) =>
          effectsIn(effects).includes(wanted) ? { status: "done", output: "acted on 1042" } : { status: "absent" },
      });
    case "other":
      return tool({ ...definition, sideEffectClass: "external-stateful" });
    case "approved":
      return tool({ ...definition, sideEffectClass: "external-stateful", needsApproval: true });
    case "slow":
      return tool({
        ...definition,
        sideEffectClass: "external-stateful",
        idempotencyKey: key,
        execute: async (input) => {
          const output = await definition.execute(input);
          // It stops here until another process has acted.
          for (let wait = 0; effectsIn(effects).length === 1 && wait < 6_000; wait += 1)
            await new Promise((resolve) => setTimeout(resolve, 10));
          return output;
        },
      });
    default:
      throw new Error(`There is no effect class ${String(effect)}.`);
  }
}

/** Number of agents around the acting agent: each is a tool of the next. */
export type Depth = 0 | 1 | 2;

/** An agent that calls the tool once and then answers; with an upgrade, in its next version. */
export function actingAgent(
  store: RunStore,
  effect: EffectClass,
  effects: string,
  failpoint?: Failpoint,
  keys?: Keys,
  upgrade: Upgrade = "nothing",
  depth: Depth = 0,
): AgentRuntime {
  const acting = upgradedTool(actingTool(effect, effects, failpoint), upgrade);
  const named = (name: string, called: Tool, given: object): AgentRuntime =>
    createAgentRuntime(
      {
        name,
        model: scriptedModel((request) =>
          request.messages.some((message) => message.role === "tool")
            ? "Done."
            : upgrade === "a model that answers otherwise"
              ? "There is nothing to do."
              : { toolCalls: [{ name: called.name, arguments: given }] },
        ),
        tools: [called],
        store,
        logger: quiet,
        keys,
      },
      { sealer, signer: approvalSigner(defaultHasher()) },
    );
  let agent = named(upgrade === "agent renamed" ? "acted" : "acting", acting, { order: "1042" });
  for (let level = 1; level <= depth; level += 1) {
    exposeRuntime(agent, agent);
    agent = named(`around_${level}`, agentTool(agent, { name: "inside" }), { input: "Act on order 1042." });
  }
  return agent;
}

/** The run without an outer run. */
export async function outerRun(store: RunStore): Promise<StoredRun | undefined> {
  return (await store.listRuns({ limit: 10 })).find(({ parent }) => parent === undefined);
}

/**
 * Drives the only run of a store as far as possible, from any state: waits for the lease of a killed process, approves,
 * and answers truthfully if an uncertain effect happened.
 */
export async function driveToEnd(agent: AgentRuntime, store: RunStore, effects: string): Promise<RunOutput> {
  let decisions: readonly Decision[] = [];
  const until = performance.now() + 200_000;
  while (performance.now() < until) {
    const run = await outerRun(store);
    try {
      const output = run === undefined ? await agent.run("Act on order 1042.") : await agent.resume(run.id, decisions);
      if (output.status !== "suspended") return output;
      decisions = output.interruptions.map((interruption) => decide(interruption, effects));
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "RunBusyError") throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error("The run did not end.");
}

/** A truthful person. */
export function decide(interruption: Interruption, effects: string): Decision {
  if (interruption.kind !== "unknown_outcome") return interruption.approve();
  return effectsIn(effects).length > 0 ? interruption.itHappened("acted on 1042") : interruption.itDidNotHappen();
}
