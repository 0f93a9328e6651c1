import { memoryStore, type RunOutput, type RunStore } from "@bailiwick/core";
import { faultyStore, type StoreCall } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { asking, clerkOf, deskOf, holders } from "../inside.test.helper.ts";
import type { Agent } from "../../src/index.ts";

const fail = { planner: false, unattended: "fail" } as const;

/** The same run after its process died at one call of its store. */
async function afterDeath(dies: (call: StoreCall) => boolean, desk: (store: RunStore) => Agent): Promise<RunOutput> {
  let now = 1_000;
  const inner = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const store = faultyStore(inner, (call) => (dies(call) ? { crash: true, written: true } : undefined));
  void desk(store)
    .run("Go.", { flow: fail })
    .catch(() => undefined);
  await store.crashed;
  now += 60_000;
  const [run] = (await inner.listRuns({})).filter(({ agentId }) => agentId === "desk");
  return desk(inner).resume(run?.id ?? "");
}

/** True for a write that has a record of a type, unless it is about the clerk's own call. */
const writes =
  (type: string) =>
  ({ args }: StoreCall): boolean =>
    args.some(
      (given) =>
        Array.isArray(given) &&
        (given as { readonly type?: string; readonly toolName?: string }[]).some(
          (event) => event.type === type && event.toolName !== "act",
        ),
    );

describe.each(Object.entries(holders))("a clerk behind %s", (_how, hold) => {
  describe.each(Object.entries(asking))("that needs %s", (_what, act) => {
    const ended = { status: "stopped", stopReason: "unattended", interruptions: [] };

    test("ends each run around it whose setting is fail [flow.unattended.inside]", async () => {
      const output = await deskOf(hold(clerkOf(act())), { flow: fail }).run("Go.");
      expect(output).toMatchObject(ended);
      expect(output.text).not.toContain("continues");
      const byRun = await deskOf(hold(clerkOf(act(), { flow: { unattended: "pend" } }))).run("Go.", { flow: fail });
      expect(byRun).toMatchObject(ended);
    });

    test("ends them also if the process dies before or after the outcome of the outer call [flow.unattended.inside]", async () => {
      const desk = (store: RunStore): Agent => deskOf(hold(clerkOf(act())), { store });
      for (const type of ["run.end", "tool.outcome"]) {
        const output = await afterDeath(writes(type), desk);
        expect([type, output]).toEqual([type, expect.objectContaining(ended)]);
      }
    });

    test("is a failed call of an outer run that waits for people [flow.unattended.inside]", async () => {
      const output = await deskOf(hold(clerkOf(act(), { flow: fail })), { flow: { planner: false } }).run("Go.");
      expect(output).toMatchObject({ status: "completed", text: "The desk continues." });
    });
  });
});
