import { memoryStore, StoreError, type RunStore } from "@bailiwick/core";
import { openai } from "@bailiwick/providers-openai";
import { faultyStore, scriptedModel, type StoreFaultPlan } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, collect, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent, tool, type Tool } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;

/** A store whose clock a test moves, so that the lease of a dead process ends. */
function storeWithClock(): { readonly inner: ReturnType<typeof memoryStore>; readonly later: () => void } {
  let now = 1_000;
  const inner = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  return { inner, later: () => void (now += 60_000) };
}

/** A writer without deduplication: only the journal or a person can tell if the effect happened. */
function payer(): { readonly pay: Tool; readonly ran: string[] } {
  const ran: string[] = [];
  const pay = tool({
    name: "write",
    description: "Pays.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    execute: ({ line }) => {
      ran.push(line);
      return `wrote ${line}`;
    },
  });
  return { pay, ran };
}

/**
 * The same agent in another process: its model answers from the conversation, its writer appends to
 * the same list.
 */
const agentOn = (store: RunStore, write: Tool) =>
  new Agent({
    ...base,
    model: scriptedModel(({ toolResults }) => (toolResults.length === 0 ? writeCall("paid") : "Done.")),
    tools: [write],
    store,
    session: store.sessions,
    flow: "off",
    timeouts: { storeMs: 0 },
  });

describe("fault injection [feature:X107]", () => {
  test("a crash at any call of the store: another process continues, and no effect is repeated without a question", async () => {
    const whole = faultyStore(memoryStore(), () => undefined);
    await agentOn(whole, payer().pay).run("Pay.", { sessionId: "s" });
    const asked: string[] = [];
    for (const { index, operation } of whole.calls) {
      for (const written of [false, true]) {
        const { inner, later } = storeWithClock();
        const plan: StoreFaultPlan = (call) => (call.index === index ? { crash: true, written } : undefined);
        const store = faultyStore(inner, plan);
        const { pay, ran } = payer();
        void agentOn(store, pay)
          .run("Pay.", { sessionId: "s" })
          .catch(() => undefined);
        expect((await store.crashed).operation).toBe(operation);
        later();
        const second = agentOn(inner, pay);
        const [run] = await inner.listRuns({});
        if (run === undefined) {
          expect([index, ran]).toEqual([index, []]);
          continue;
        }
        let result = await second.resume(run.id);
        if (result.status === "suspended") {
          asked.push(`${operation} ${written ? "answered" : "lost"}`);
          // The state that the person finds at the receiver.
          const decisions = result.interruptions.map((question) =>
            ran.length > 0 ? question.itHappened("wrote paid") : question.itDidNotHappen(),
          );
          result = await second.resume(run.id, decisions);
        }
        expect([index, written, result.status, result.text]).toEqual([index, written, "completed", "Done."]);
        expect([index, written, ran]).toEqual([index, written, ["paid"]]);
      }
    }
    expect(asked).not.toEqual([]);
  });

  test.each([
    ["crash", true],
    ["crash", false],
    ["full-disk", true],
    ["full-disk", false],
  ] as const)("%s with written: %s: the store has the call only if it was written", async (fault, written) => {
    const { inner } = storeWithClock();
    const store = faultyStore(inner, ({ operation }) =>
      operation === "append" ? { written, ...(fault === "crash" ? { crash: true } : { error: fault }) } : undefined,
    );
    const agent = agentOn(inner, payer().pay);
    const { runId } = await agent.enqueue("Pay.");
    const lease = await inner.acquire(runId, "owner", 60_000);
    if (lease === null) throw new Error("The run is driven.");
    const before = await inner.load(runId);
    const record = { v: 1, type: "run.resumed", runId, at: 1_000, seq: lease.head.seq + 1, by: "test" };
    const answer = store.append(lease, [record as never]).then(
      () => "answered",
      (error: unknown) => (error as { code?: string }).code,
    );
    if (fault === "full-disk") expect(await answer).toBe("STORE_FULL");
    else expect((await store.crashed).operation).toBe("append");
    expect((await inner.load(runId)).length - before.length).toBe(written ? 1 : 0);
    // A dead process can no longer reach its store.
    const calls = store.calls.length;
    void store.load(runId);
    expect(store.calls.length - calls).toBe(fault === "crash" ? 0 : 1);
  });

  test("a full disk fails the run with its own error, loses nothing, and the run resumes when there is free space", async () => {
    let full = false;
    const { inner, later } = storeWithClock();
    const store = faultyStore(inner, ({ operation }) =>
      full && operation === "append" ? { error: "full-disk" } : undefined,
    );
    const { pay, ran } = payer();
    const agent = agentOn(store, pay);
    const handle = agent.stream("Pay.");
    for await (const event of handle) {
      if (event.type !== "model.intent") continue;
      full = true;
      break;
    }
    const error = (await failureOf(handle.result)) as StoreError;
    expect(error).toMatchObject({ code: "JOURNAL_UNAVAILABLE", cause: { code: "STORE_FULL" } });
    full = false;
    later();
    expect((await agent.resume(handle.runId)).text).toBe("Done.");
    expect(ran).toEqual(["paid"]);
  });

  test("a slow store only delays the run, and any store error can be injected", async () => {
    const slow = faultyStore(memoryStore(), () => ({ delayMs: 1 }));
    const { pay, ran } = payer();
    expect((await agentOn(slow, pay).run("Pay.")).text).toBe("Done.");
    expect(ran).toEqual(["paid"]);
    const down = faultyStore(memoryStore(), () => ({ error: new StoreError("STORE_CONNECTION", "It is down.") }));
    expect(await failureOf(agentOn(down, pay).run("Pay."))).toMatchObject({ code: "STORE_CONNECTION" });
  });

  test("a stream that breaks is requested again, before and after its first text; without a retry left the run fails, and can be resumed", async () => {
    await using server = await modelServer([
      { text: "It is 3.", faults: { cutAfterEvents: 1 } },
      addCall(1, 2),
      { text: "It is certainly 3.", faults: { cutAfterEvents: 6, delayMs: 1 } },
      { text: "It is certainly 3.", faults: { cutAfterEvents: 6, delayMs: 1 } },
      "It is 3.",
    ]);
    const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
    const agent = new Agent({ ...base, model, tools: [add], retry: { initialDelayMs: 1, maxRetries: 1 } });
    const handle = agent.stream("1 + 2?");
    const { error } = await collect(handle);
    expect(error).toMatchObject({ code: "MODEL_CONNECTION_ERROR" });
    expect(server.requests).toHaveLength(4);
    expect((await agent.resume(handle.runId)).text).toBe("It is 3.");
  });
});
