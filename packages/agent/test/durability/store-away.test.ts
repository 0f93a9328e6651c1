import { memoryStore, StoreError, type RunOutput, type RunStore } from "@bailiwick/core";
import { errorCodes, errorFacts } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { failureOf, movedClock, quiet } from "../fixtures.test.helper.ts";
import { Agent, tool, type Tool } from "../../src/index.ts";
import { metStore, type PassingCall } from "./store-away.test.helper.ts";

type Clock = ReturnType<typeof movedClock>;

const awayMs = 30_000;
const texted = z.object({ text: z.string() });

/** Codes of stores that may recover. */
const kinds = Object.keys(errorCodes).filter((code) => {
  const { origin, retryable } = errorFacts(new StoreError(code, "It is away."));
  return code.startsWith("STORE_") && origin === "host" && retryable;
});

function toolsOf(effects: string[]): readonly Tool[] {
  const writer = (name: string, more: object = {}): Tool =>
    tool({
      name,
      description: `Writes as ${name}.`,
      inputSchema: texted,
      sideEffectClass: "external-stateful",
      execute: ({ text }: { readonly text: string }) => {
        effects.push(`${name}:${text}`);
        return `wrote ${text}`;
      },
      ...more,
    }) as Tool;
  return [
    writer("plain"),
    writer("keyed", { idempotencyKey: ({ text }: { readonly text: string }) => text }),
    tool({
      name: "long",
      description: "Reads much, and keeps a note.",
      inputSchema: texted,
      sideEffectClass: "read-only",
      maxResultTokens: 100,
      execute: (_input, ctx) => {
        ctx.setState("note", "a note");
        return Array.from({ length: 2_000 }, (_, line) => `line ${line}`);
      },
    }) as Tool,
  ];
}

const call = (name: string): object => ({ name, arguments: { text: name } });

function agentOn(store: RunStore, clock: Clock, effects: string[], storeMs?: number): Agent {
  return new Agent({
    name: "clerk",
    logger: quiet,
    flow: "off",
    clock,
    store,
    session: store.sessions,
    tools: [...toolsOf(effects)],
    ...(storeMs !== undefined && { timeouts: { storeMs } }),
    model: scriptedModel(({ toolResults }) => {
      if (toolResults.length === 0) return { toolCalls: [call("plain"), call("long")] as never };
      return toolResults.length === 2 ? { toolCalls: [call("keyed")] as never } : "Done.";
    }),
  });
}

/** Ways to drive a run to its end; each returns its output. */
const ways = {
  run: (agent: Agent) => agent.run("Go.", { sessionId: "s" }),
  stream: (agent: Agent) => agent.stream("Go.", { sessionId: "s" }).result,
  "resume of a stored run": async (agent: Agent, stored: string) => agent.resume(stored),
} satisfies Readonly<Record<string, (agent: Agent, stored: string) => Promise<RunOutput>>>;
type Way = keyof typeof ways;

const faults = ["lost", "late", "away"] as const;

/** Lets a promise settle while the clock moves on. */
async function settled<T>(clock: Clock, promise: Promise<T>, mostMs = 3_600_000): Promise<T> {
  let isDone = false;
  const done = promise.finally(() => (isDone = true));
  done.catch(() => undefined);
  const until = clock.now() + mostMs;
  for (;;) {
    for (let turn = 0; turn < 3 && !isDone; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    if (isDone) return done;
    if (clock.now() > until) throw new Error("The run did not settle in time.");
    clock.move(500);
  }
}

async function play(
  way: Way,
  meet: (call: PassingCall, clock: Clock) => Promise<unknown>,
  storeMs?: number,
): Promise<{
  readonly answer: Promise<RunOutput>;
  readonly operations: readonly string[];
  readonly disk: ReturnType<typeof memoryStore>;
  readonly clock: Clock;
  readonly effects: string[];
}> {
  const clock = movedClock();
  const disk = memoryStore({ clock });
  const effects: string[] = [];
  const stored =
    way === "resume of a stored run"
      ? (await agentOn(disk, clock, effects).enqueue("Go.", { sessionId: "s" })).runId
      : "";
  const store = metStore(disk, (passing) => meet(passing, clock));
  const answer = settled(clock, ways[way](agentOn(store, clock, effects, storeMs), stored));
  answer.catch(() => undefined);
  return { answer, operations: store.operations, disk, clock, effects };
}

async function expectDoneOnce(
  { answer, disk, effects }: Awaited<ReturnType<typeof play>>,
  what: string,
): Promise<void> {
  const output = await answer.catch((error: unknown) => error as Error);
  expect(output, what).toMatchObject({ status: "completed", text: "Done." });
  expect(effects.toSorted(), what).toEqual(["keyed:keyed", "plain:plain"]);
  const [run, ...others] = await disk.listRuns({ limit: 10 });
  expect(others, what).toEqual([]);
  expect(run?.state, what).toBe("completed");
  const ends = (await disk.load(run?.id ?? "")).filter(({ type }) => type === "run.end");
  expect(ends, what).toMatchObject([{ status: "completed" }]);
  // The turn joined the conversation once.
  const { messages } = await disk.sessions.load("s");
  expect(messages.filter(({ role }) => role === "user").length, what).toBe(1);
}

/** Loads the parts of the framework that load late, which takes no time by the clock of a test. */
beforeAll(async () => {
  const clock = movedClock();
  const store = memoryStore({ clock });
  const agent = agentOn(store, clock, []);
  await agent.run("Go.", { sessionId: "s" });
  await agent.resume((await agent.enqueue("Go.")).runId);
});

describe.each(Object.keys(ways) as Way[])("a store that fails during %s", (way) => {
  test.each(faults)(
    "any call %s: the run completes with each effect once and one end, which is not the host's [store.away]",
    async (fault) => {
      const whole = await play(way, ({ pass }) => pass());
      await expectDoneOnce(whole, "no fault");
      for (const [index, operation] of whole.operations.entries()) {
        // One way plays each kind of error, the others one kind for each call.
        const played = fault === "late" ? ["late"] : way === "run" ? kinds : [kinds[index % kinds.length] ?? ""];
        for (const code of played) {
          const error = new StoreError(code, "It is away.");
          let since: number | undefined;
          const run = await play(way, async (passing, clock) => {
            if (fault === "away") {
              if (passing.index === index) since = clock.now();
              if (since !== undefined && clock.now() < since + awayMs) throw error;
              return passing.pass();
            }
            const answer = passing.pass();
            if (passing.index !== index) return answer;
            await answer.catch(() => undefined);
            if (fault === "lost") throw error;
            await new Promise<void>((resolve) => void clock.setTimer(resolve, awayMs));
            return answer;
          });
          await expectDoneOnce(run, `${code} in call ${index}, ${operation}`);
        }
      }
    },
  );

  test("the wait ends after timeouts.storeMs with the store's error, and the run stays open for another process [store.away.storeMs]", async () => {
    const whole = await play(way, ({ pass }) => pass());
    await whole.answer;
    for (const [index, operation] of whole.operations.entries()) {
      let isAway = false;
      const { answer, disk, clock, effects } = await play(
        way,
        async (passing) => {
          isAway ||= passing.index === index;
          if (isAway) throw new StoreError("STORE_UNREACHABLE", "It is away.");
          return passing.pass();
        },
        20_000,
      );
      const error = await failureOf(answer);
      expect(error, operation).toMatchObject({ retryable: true });
      expect(errorFacts(error), operation).toMatchObject({ origin: "host", forRun: "giveBack" });
      expect(error, operation).not.toHaveProperty("output");
      const [run] = await disk.listRuns({ limit: 10 });
      if (run === undefined) continue;
      expect(
        (await disk.load(run.id)).some(({ type, ...more }) => type === "run.end" && "error" in more && more.error),
      ).toBe(false);
      // A worker takes it when the lease has expired.
      clock.move(60_000);
      const output = await settled(clock, agentOn(disk, clock, effects).resume(run.id));
      const asked = output.interruptions.map((question) => question.itHappened("wrote plain"));
      const last =
        asked.length === 0 ? output : await settled(clock, agentOn(disk, clock, effects).resume(run.id, asked));
      expect(last.status, operation).toBe("completed");
      // A writer with a key is repeated with its key; the other one is a question.
      expect([...new Set(effects)].toSorted(), operation).toEqual(["keyed:keyed", "plain:plain"]);
      expect(
        effects.filter((effect) => effect === "plain:plain"),
        operation,
      ).toEqual(["plain:plain"]);
    }
  });
});
