import { memoryStore, tool, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { openAgent } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** A signal that a test waits for, or triggers. */
function moment(): { readonly come: Promise<void>; readonly now: () => void } {
  let now = (): void => undefined;
  const come = new Promise<void>((resolve) => (now = resolve));
  return { come, now: () => now() };
}

/** Nesting depth of the agents. */
const depths = [1, 2] as const;
/** The call of the store in which the process pauses while another one acquires the outer run. */
const calls = ["create", "acquire", "append"] as const;

test.each(depths.flatMap((depth) => calls.map((call) => ({ depth, call }))))(
  "a process that was paused in $call of a run $depth deep and lost the outer lease writes nothing below it [store.acquire.inside]",
  async ({ depth, call }) => {
    let time = 1_000;
    const clock = { now: () => time, setTimer: () => () => undefined };
    const whole = memoryStore({ clock });
    const paid: string[] = [];
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval: true,
      execute: () => paid.push("paid"),
    });
    const agentOn = (store: RunStore): Agent => {
      const named = (name: string, toolName: string, tools: readonly ReturnType<typeof tool>[]): Agent =>
        new Agent({
          ...openAgent,
          name,
          store,
          clock,
          model: scriptedModel((request) =>
            request.toolResults.length > 0
              ? `${name} is done.`
              : { toolCalls: [{ name: toolName, arguments: toolName === "pay" ? {} : { input: "go" } }] },
          ),
          tools: tools as never,
        });
      const cashier = named("cashier", "pay", [pay]);
      const clerk = depth === 1 ? cashier : named("clerk", "cashier", [cashier.asTool() as never]);
      return named("desk", clerk.name, [clerk.asTool() as never]);
    };

    // The first process leaves an inner run behind, and dies.
    const died = moment();
    const dying = standsStill(whole, "append", "cashier", died);
    void agentOn(dying)
      .run("go", { idempotencyKey: "once" })
      .catch(() => undefined);
    if (call !== "create") {
      await died.come;
      time += 60_000;
    }
    // The second process resumes it and pauses; a third one takes over the lease.
    const still = moment();
    const later = moment();
    const sleeping = standsStill(whole, call, "cashier", still, later.come);
    const runId = call === "create" ? undefined : await outerOf(whole);
    const sleeper = (
      runId === undefined ? agentOn(sleeping).run("go", { idempotencyKey: "twice" }) : agentOn(sleeping).resume(runId)
    ).then(
      (output) => output.status,
      (error: { readonly code?: string }) => error.code,
    );
    await still.come;
    time += 60_000;
    const taken = agentOn(whole);
    const first = await taken.resume(runId ?? (await outerOf(whole)));
    expect(first.interruptions).toHaveLength(1);
    const before = await everything(whole);
    later.now();
    expect(await sleeper).toBe("FENCED");
    expect(await everything(whole)).toEqual(before);
    const output = await taken.resume(
      first.runId,
      first.interruptions.map((asked) => asked.approve()),
    );
    expect(output).toMatchObject({ status: "completed", text: "desk is done." });
    expect(paid).toEqual(["paid"]);
  },
);

/** The newest run outside of calls. */
async function outerOf(store: RunStore): Promise<string> {
  return (await store.listRuns({})).find(({ parent }) => parent === undefined)?.id ?? "";
}

async function everything(store: RunStore): Promise<unknown> {
  const runs = await store.listRuns({});
  return Promise.all(runs.map(async ({ id, state, epoch }) => ({ id, state, epoch, events: await store.load(id) })));
}

/** A store whose first call of a kind about a run of an agent pauses: until it may continue, or forever. */
function standsStill(
  store: RunStore,
  call: (typeof calls)[number],
  agentId: string,
  still: { readonly now: () => void },
  until: Promise<void> = new Promise(() => undefined),
): RunStore {
  let stood = false;
  const stand = async (isMeant: boolean): Promise<void> => {
    if (stood || !isMeant) return;
    stood = true;
    still.now();
    await until;
  };
  const isOf = async (runId: string): Promise<boolean> => (await store.getRun(runId))?.agentId === agentId;
  return {
    ...store,
    async create(record, holder) {
      await stand(call === "create" && record.agentId === agentId);
      return store.create(record, holder);
    },
    async acquire(runId, owner, ttlMs, under) {
      await stand(call === "acquire" && (await isOf(runId)));
      return store.acquire(runId, owner, ttlMs, under);
    },
    async append(lease, events, attachments) {
      await stand(call === "append" && (await isOf(lease.runId)));
      return store.append(lease, events, attachments);
    },
  };
}
