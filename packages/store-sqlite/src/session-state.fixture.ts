import { spawn } from "node:child_process";
import { createAgentRuntime, tool } from "@bailiwick/core";
import type { AgentRuntime, RunOutput, RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect } from "vitest";
import { z } from "zod";
import type { Ground } from "./crash/ground.fixture.ts";

/** The session that all processes work on. */
const sharedSession = { sessionId: "s", userId: "ada" } as const;

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent whose one tool changes the session: `add` with updateState, `set` with setState. */
function countingAgent(
  store: RunStore,
  name: string,
  meanwhile: () => Promise<void> = async () => undefined,
): AgentRuntime {
  const change = tool({
    name: "change",
    description: "Changes the session.",
    inputSchema: z.object({ how: z.enum(["add", "set"]) }),
    sideEffectClass: "pure",
    execute: async ({ how }, ctx) => {
      if (how === "set") ctx.setState("last", name);
      else await ctx.updateState<readonly string[]>("names", (names = []) => [...names, name]);
      await meanwhile();
      return "changed";
    },
  });
  const model = scriptedModel((request) => {
    if (request.messages.at(-1)?.role === "tool") return "Done.";
    return { toolCalls: [{ name: "change", arguments: { how: request.lastUserText } }] };
  });
  return createAgentRuntime({
    name: "counter",
    model,
    logger: quiet,
    tools: [change],
    store,
    ...(store.sessions !== undefined && { session: store.sessions }),
  });
}

/** The work of another process of a test: `times` runs, each of which adds its name. */
export async function addNames(
  store: RunStore & { close(): Promise<void> },
  name: string,
  times: number,
): Promise<void> {
  for (let n = 0; n < times; n += 1) await countingAgent(store, `${name}-${n}`).run("add", sharedSession);
  await store.close();
}

function otherProcess(program: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, ["--conditions=@bailiwick/source", "--no-warnings", program, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}

const stateOf = async (store: RunStore) => (await store.sessions?.loadState("s", sharedSession)) ?? {};

const warningsOf = ({ warnings }: Pick<RunOutput, "warnings">) =>
  warnings.filter(({ code }) => code === "SESSION_CONFLICT");

/** Runs of several processes that change one session, as cases for a test runner. */
export function sessionStateCases(
  ground: Pick<Ground, "makePlace" | "open">,
  program: string,
): readonly { readonly name: string; readonly run: () => Promise<void> }[] {
  return [
    {
      name: "updateState() of runs in three processes loses no change of one key [state.update]",
      async run() {
        await using place = await ground.makePlace();
        await using store = ground.open(place.place);
        const names = ["one", "two", "three"];
        const codes = await Promise.all(names.map((name) => otherProcess(program, [place.place, name, "5"])));
        expect(codes).toEqual([0, 0, 0]);
        const kept = (await stateOf(store))["names"] as string[];
        const all = names.flatMap((name) => [0, 1, 2, 3, 4].map((n) => `${name}-${n}`));
        expect(kept.toSorted()).toEqual(all.toSorted());
        // The changes of one process are in their order.
        for (const name of names)
          expect(kept.filter((each) => each.startsWith(`${name}-`))).toEqual(
            all.filter((each) => each.startsWith(name)),
          );
      },
    },
    {
      name: "setState() that meets a newer value of another process keeps its own and names the conflict [state.conflict]",
      async run() {
        await using place = await ground.makePlace();
        await using store = ground.open(place.place);
        await using other = ground.open(place.place);
        const slow = countingAgent(store, "slow", async () => {
          // Runs of a session are driven one after the other, so the newer value comes from the application itself.
          const write = { key: "last", value: "fast", expected: undefined };
          const { userId } = sharedSession;
          expect(await other.sessions?.writeState("s", [write], { userId, runId: "application" })).toEqual({
            written: true,
          });
        });
        const output = await slow.run("set", sharedSession);
        expect(warningsOf(output)).toMatchObject([{ code: "SESSION_CONFLICT", subject: "last" }]);
        expect(await stateOf(store)).toEqual({ last: "slow" });
        const { events } = await slow.inspect(output.runId);
        expect(events.filter(({ type }) => type === "state.conflict")).toMatchObject([
          { stateKey: "last", newer: "fast" },
        ]);
        expect(warningsOf((await slow.inspect(output.runId)).progress)).toHaveLength(1);
      },
    },
  ];
}
