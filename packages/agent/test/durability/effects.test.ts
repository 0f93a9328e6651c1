import { memoryStore, tool, type HostedTool, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { drivenNow } from "./drive-due.test.helper.ts";
import { add, addCall, counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

const shell: HostedTool = {
  type: "hosted",
  provider: "scripted",
  name: "shell",
  args: {},
  sideEffectClass: "external-stateful",
};
const search: HostedTool = {
  type: "hosted",
  provider: "scripted",
  name: "web_search",
  args: {},
  sideEffectClass: "read-only",
};

/** A store that counts its commits. */
function countingStore(): { readonly store: RunStore; readonly commits: string[][] } {
  const store = memoryStore();
  const commits: string[][] = [];
  return {
    commits,
    store: {
      ...store,
      async append(lease, events, attachments) {
        commits.push(events.map(({ key }) => key));
        return store.append(lease, events, attachments);
      },
    },
  };
}

test("a turn takes 2 commits with readers, 3 with a writer [journal.commits-per-turn] [seams.store.shared-commit]", async () => {
  const readers = countingStore();
  const both = {
    toolCalls: [
      { name: "add", arguments: { a: 1, b: 2 } },
      { name: "add", arguments: { a: 2, b: 2 } },
    ],
  };
  await new Agent({ ...base, model: scriptedModel([both, "Done."]), tools: [add], store: readers.store }).run("go");
  // The start with the first intent; the answer with all results; the next intent; the answer with the end.
  expect(readers.commits.length).toBeLessThanOrEqual(4);
  expect(readers.commits[1]).toContain("t1/model");
  expect(readers.commits[1]).toContain("t1/c1/result");
  const writer = countingStore();
  await new Agent({
    ...base,
    model: scriptedModel([writeCall(), "Done."]),
    tools: [counter().write],
    store: writer.store,
  }).run("go");
  expect(writer.commits.length).toBeLessThanOrEqual(5);
  const intent = writer.commits.find((keys) => keys.includes("t1/c0/intent")) ?? [];
  expect(intent).toContain("t1/model");
  expect(intent).not.toContain("t1/c0/outcome");
});

/** The journal has the only run's request. */
async function isAsked(store: RunStore): Promise<void> {
  const types = async () => {
    const [run] = await store.listRuns({});
    return run === undefined ? [] : (await store.load(run.id)).map(({ type }) => type);
  };
  await expect.poll(types).toContain("model.intent");
}

test("a model call without a result is repeated on resume, as the next attempt [effects.model-call-journaled]", async () => {
  let now = 0;
  const store = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  void new Agent({ ...base, model: scriptedModel([{ faults: { hangAfterEvents: 0 } }]), store })
    .run("go", {
      idempotencyKey: "k",
    })
    .catch(() => undefined);
  await isAsked(store);
  now += 60_000;
  const agent = new Agent({ ...base, model: scriptedModel(["Hello."]), store });
  const [result] = await drivenNow(agent);
  expect(result).toMatchObject({ text: "Hello.", metrics: { modelCalls: 2 } });
  const keys = (await agent.inspect(result?.runId ?? "")).events.map(({ key }) => key);
  expect(keys).toContain("t1/model/intent/a2");
});

test("the question about an interrupted writer shows the source of each value", async () => {
  let now = 0;
  const store = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const agentOn = (execute: () => Promise<string>): Agent =>
    new Agent({
      name: "clerk",
      model: scriptedModel(() => ({ toolCalls: [{ name: "publish", arguments: { month: "May", year: 2031 } }] })),
      tools: [
        tool({
          name: "publish",
          description: "Publishes the prices of a month.",
          inputSchema: z.object({ month: z.string(), year: z.number() }),
          sideEffectClass: "external-stateful",
          execute,
        }),
      ],
      store,
      logger: quiet,
    });
  await new Promise<void>((started) => {
    void agentOn(() => {
      started();
      return new Promise(() => undefined);
    })
      .run("Publish the prices of May.")
      .catch(() => undefined);
  });
  now += 60_000;
  const [run] = await store.listRuns({});
  const { stopReason, interruptions } = await agentOn(async () => "published").resume(run?.id ?? "");
  expect(stopReason).toBe("awaiting_outcome");
  expect(interruptions[0]?.question.values).toMatchObject([
    { name: "month", shown: "May", origin: { from: "user", text: "typed by you", trusted: true } },
    { name: "year", shown: "2031", origin: { from: "model", text: "written by the model" } },
  ]);
});

test("a failed model call that offered a hosted writer asks a person instead of retrying [effects.hosted-writer] [run.stop.awaiting-resolution]", async () => {
  const model = scriptedModel([{ faults: { error: { status: 503 } } }, "Done."]);
  const fallback = scriptedModel(["other"], { provider: "other" });
  const agent = new Agent({ ...base, model, hostedTools: [shell, search], fallback: [fallback], store: memoryStore() });
  const first = await agent.run("go");
  expect(first).toMatchObject({ status: "suspended", stopReason: "awaiting_outcome" });
  expect(first.interruptions).toMatchObject([{ kind: "unknown_outcome", toolName: "shell" }]);
  expect([model.requests.length, fallback.requests.length]).toEqual([1, 0]);
  expect(
    await failureOf(
      agent.resume(
        first.runId,
        first.interruptions.map((one) => one.approve()),
      ),
    ),
  ).toMatchObject({ code: "DECISION_KIND" });
  const second = await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.itDidNotHappen()),
  );
  expect(second.text).toBe("Done.");
});

test("a request that never reached the vendor, or offered only readers, is retried [effects.hosted-writer]", async () => {
  const retry = { initialDelayMs: 1 };
  const refused = scriptedModel([{ faults: { error: { status: 429 } } }, "Done."]);
  expect((await new Agent({ ...base, model: refused, hostedTools: [shell], retry }).run("go")).text).toBe("Done.");
  const reading = scriptedModel([{ faults: { error: { status: 503 } } }, "Done."]);
  expect((await new Agent({ ...base, model: reading, hostedTools: [search], retry }).run("go")).text).toBe("Done.");
});

test("a resumed run asks again about a hosted writer instead of repeating it", async () => {
  let now = 0;
  const store = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  void new Agent({
    ...base,
    model: scriptedModel([{ faults: { hangAfterEvents: 0 } }]),
    hostedTools: [shell],
    store,
  })
    .run("go")
    .catch(() => undefined);
  await isAsked(store);
  now += 60_000;
  const model = scriptedModel(["Done."]);
  const agent = new Agent({ ...base, model, hostedTools: [shell], store });
  const [result] = await drivenNow(agent);
  expect(result).toMatchObject({ stopReason: "awaiting_outcome" });
  expect(model.requests).toHaveLength(0);
  const [question] = result?.interruptions ?? [];
  const last = await agent.resume(
    result?.runId ?? "",
    question === undefined ? [] : [question.itHappened("it printed 4")],
  );
  expect(last.text).toBe("Done.");
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("it printed 4");
});

test("a store that fails after an effect rejects with an error that names the uncertain call [effects.journal-unavailable]", async () => {
  const { store } = countingStore();
  let broken = false;
  const failing: RunStore = {
    ...store,
    append: async (lease, events, attachments) => {
      if (broken) throw new Error("disk full");
      return store.append(lease, events, attachments);
    },
  };
  const ran: string[] = [];
  const write = tool({
    name: "write",
    description: "Writes.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: ({ line }) => ((broken = true), ran.push(line), "written"),
  });
  const model = scriptedModel([writeCall(), "never"]);
  const error = await failureOf(new Agent({ ...base, model, tools: [write], store: failing }).run("go"));
  expect(error).toMatchObject({
    code: "JOURNAL_UNAVAILABLE",
    uncertainCalls: [{ toolName: "write" }],
    retryable: true,
  });
  expect(error).not.toHaveProperty("output");
  expect(ran).toEqual(["a"]);
  expect(model.requests).toHaveLength(1);
});

test("an abort in a batch starts no further call and no further turn [field-bug:PB-abort-03] [field-bug:PB-abort-04]", async () => {
  const started: number[] = [];
  let active = 0;
  let most = 0;
  const controller = new AbortController();
  const slow = tool({
    name: "slow",
    description: "Slow.",
    inputSchema: z.object({ n: z.number() }),
    sideEffectClass: "read-only",
    executionMode: "sequential",
    execute: async ({ n }) => {
      started.push(n);
      most = Math.max(most, (active += 1));
      // A call that did not wait for this one has begun by now.
      await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
      active -= 1;
      return "x";
    },
  });
  const model = scriptedModel([{ toolCalls: [1, 2, 3].map((n) => ({ name: "slow", arguments: { n } })) }, "never"]);
  const result = await new Agent({ ...base, model, tools: [slow] }).run("go", { signal: controller.signal });
  expect(result.status).toBe("cancelled");
  expect(started).toEqual([1]);
  expect(most).toBe(1);
  expect(model.requests).toHaveLength(1);
  expect(result.toolCalls).toHaveLength(3);
});

test("an abort stops the calls that run beside each other, and each call of the batch gets a result [field-bug:PB-abort-03]", async () => {
  const controller = new AbortController();
  const stopped: number[] = [];
  const hang = tool({
    name: "hang",
    description: "Waits until it is stopped.",
    inputSchema: z.object({ n: z.number() }),
    sideEffectClass: "read-only",
    execute: ({ n }, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => (stopped.push(n), reject(signal.reason as Error)));
        if (n === 2) controller.abort();
      }),
  });
  const toolCalls = [1, 2, 3].map((n) => ({ name: "hang", arguments: { n } }));
  const model = scriptedModel([{ toolCalls }, "never"]);
  const agent = new Agent({ ...base, model, tools: [hang], toolConcurrency: 2 });
  const result = await agent.run("go", { signal: controller.signal });
  expect(result).toMatchObject({
    status: "cancelled",
    toolCalls: [{ isError: true }, { isError: true }, { isError: true }],
  });
  expect(stopped).toEqual([1, 2]);
  expect(model.requests).toHaveLength(1);
});

test("without a store, the number of finished runs in memory is bounded", async () => {
  const agent = new Agent({ ...base, model: scriptedModel(() => "x") });
  const { runId } = await agent.run("first");
  expect((await agent.inspect(runId)).output?.text).toBe("x");
  for (let index = 0; index < 1_000; index += 1) await agent.run("next");
  expect(await failureOf(agent.inspect(runId))).toMatchObject({ code: "RUN_NOT_FOUND" });
});

test("an output has every field of its run [messages.run-output] [messages.run-metrics]", async () => {
  const model = scriptedModel([
    { ...addCall(), reasoning: "first" },
    { reasoning: "second", text: "It is 3.", responseId: "r-1" },
  ]);
  const output = await new Agent({ ...base, model, tools: [add], userId: "u1" }).run("go", {
    sessionId: "s1",
    tenantId: "t1",
  });
  const duration = expect.any(Number) as number;
  expect(output).toEqual({
    text: "It is 3.",
    thinking: "first\n\nsecond",
    agentName: "agent",
    sessionId: "s1",
    userId: "u1",
    tenantId: "t1",
    model: "scripted-1",
    modelProvider: "scripted",
    responseId: "r-1",
    status: "completed",
    stopReason: "completed",
    structured: undefined,
    followupSuggestions: undefined,
    costUsd: undefined,
    runId: expect.stringMatching(/./) as string,
    createdAt: expect.any(Number) as number,
    durationMs: duration,
    toolCalls: [expect.objectContaining({ toolName: "add", output: 3 })],
    messages: expect.objectContaining({ length: 4 }) as typeof output.messages,
    usage: output.usage,
    usageByAgent: [{ agentName: "agent", usage: output.usage }],
    warnings: [],
    refusals: [],
    interruptions: [],
    metrics: {
      turns: 2,
      modelCalls: 2,
      modelMs: duration,
      toolMs: duration,
      timeToFirstTokenMs: undefined,
      retries: 0,
      perRequest: output.metrics.perRequest,
    },
  });
  expect(output.metrics.perRequest).toHaveLength(2);
  expect(output.usage.totalTokens).toBe(output.metrics.perRequest.reduce((sum, one) => sum + one.totalTokens, 0));
  expect(output.usage.reasoningTokens).toBeGreaterThan(0);
});

test("with tell-model the model gets the unknown outcome as an error, and the run continues [effects.unknown.tell-model]", async () => {
  const model = scriptedModel([{ faults: { error: { status: 503 } } }, "Then I will look."]);
  const result = await new Agent({ ...base, model, hostedTools: [shell], onUnknownOutcome: "tell-model" }).run("go");
  expect(result).toMatchObject({ status: "completed", text: "Then I will look." });
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("is not known");
});
