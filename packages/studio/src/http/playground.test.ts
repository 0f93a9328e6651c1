import { Agent, memoryStore, tool } from "@bailiwick/agent";
import type { Message } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio, type StudioModelRequest, type StudioRunDetail } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { client } from "./client.fixture.ts";

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const refundCall = { toolCalls: [{ name: "refund", arguments: { order: "A-1", amount: 20 } }] };

function world() {
  const store = memoryStore();
  const effects: string[] = [];
  const read = tool({
    name: "read_order",
    description: "Reads an order.",
    inputSchema: z.object({ order: z.string() }),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: ({ order }) => {
      effects.push(`read ${order}`);
      return { order, total: 20 };
    },
  });
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ order: z.string(), amount: z.number() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: ({ amount }) => {
      effects.push(`refund ${amount}`);
      return `Refunded ${amount}.`;
    },
  });
  const model = scriptedModel(({ toolResults, lastUserText }) =>
    toolResults.length === 0
      ? { toolCalls: [{ name: "read_order", arguments: { order: "A-1" } }] }
      : toolResults.at(-1)?.toolName === "read_order"
        ? refundCall
        : `Done: ${lastUserText}`,
  );
  const other = scriptedModel(["Ask a colleague, please."], { modelId: "scripted-2" });
  const agent = new Agent({
    name: "shop",
    instructions: "Be brief.",
    model,
    tools: [read, refund],
    flow: "off",
    store,
    logger,
  });
  return { store, effects, agent, model, other, ...client(studio({ store, agents: [agent], models: [other] })) };
}

test("the studio shows the exact request of a model call, and reports if the code has changed since", async () => {
  const { store, agent, read } = world();
  const { runId } = await agent.run("Refund A-1.");
  const { spans } = await read<StudioRunDetail>(`runs/${runId}`);
  const seqs = spans.filter(({ kind }) => kind === "model").map(({ records }) => records[0]);
  const request = await read<StudioModelRequest>(`runs/${runId}/model/${seqs[1]}/request`);
  expect(request).toMatchObject({ exact: true, system: "Be brief.", changed: [] });
  expect(request.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(request.tools.map(({ name }) => name)).toEqual(["read_order", "refund"]);
  const later = new Agent({ name: "shop", instructions: "Be long.", model: scriptedModel([]), store, logger });
  const after = client(studio({ store, agents: [later] }));
  const changed = await after.read<StudioModelRequest>(`runs/${runId}/model/${seqs[1]}/request`);
  expect(changed).toMatchObject({ exact: false, system: "Be long.", changed: ["read_order", "refund"] });
  const without = await client(studio({ store })).ask(`api/runs/${runId}/model/${seqs[1]}/request`);
  expect(await without.json()).toMatchObject({ error: { code: "AGENT_MISSING" } });
});

test("the playground begins with the instructions of the agent; a function shows those of its newest run, to its tenant", async () => {
  const { store, read, ask } = world();
  expect(await read("agents/shop/prompt")).toEqual({ text: "Be brief." });
  expect((await ask("api/agents/none/prompt")).status).toBe(404);
  const dynamic = new Agent({
    name: "dynamic",
    instructions: (ctx) => `Be polite to ${ctx.userId ?? "all"}.`,
    model: scriptedModel([]),
    store,
    logger,
  });
  const plain = new Agent({ name: "plain", model: scriptedModel([]), store, logger });
  const other = client(studio({ store, agents: [dynamic, plain] }));
  expect(await other.read("agents/dynamic/prompt")).toEqual({});
  const ids: string[] = [];
  for (const userId of ["ada", "ben"])
    ids.push((await dynamic.run("Hello.", { userId, tenantId: "t1", model: scriptedModel(["Hi."]) })).runId);
  for (const viewer of [{ allTenants: true }, { tenantId: "t1", userId: "olga" }]) {
    const seen = client(studio({ store, agents: [dynamic], authorize: () => viewer }));
    expect(await seen.read("agents/dynamic/prompt")).toEqual({ newest: { runId: ids[1], text: "Be polite to ben." } });
  }
  const elsewhere = client(studio({ store, agents: [dynamic], authorize: () => ({ tenantId: "t2" }) }));
  expect(await elsewhere.read("agents/dynamic/prompt")).toEqual({});
  expect(await other.read("agents/plain/prompt")).toEqual({ text: "" });
});

test("the playground continues an edited conversation with another prompt and another model", async () => {
  const { store, agent, effects, other, read, post } = world();
  const { runId } = await agent.run("Refund A-1.");
  const { events } = await agent.inspect(runId);
  const results = events.flatMap((event): Message[] => (event.type === "tool.result" ? [event.message] : []));
  const answers = events.flatMap((event): Message[] => (event.type === "model.result" ? [event.message] : []));
  const edited: Message = { ...results[0]!, content: '{"order":"A-1","total":0}' } as Message;
  const messages = [{ id: "u1", role: "user", content: "Refund A-1, if it was paid." }, answers[0], edited];
  effects.length = 0;
  const started = await post("agents/shop/play", {
    messages,
    instructions: "Never refund.",
    model: "scripted/scripted-2",
    effects: "simulate",
    fromRunId: runId,
  });
  expect(started.status).toBe(201);
  const { runId: forked } = (await started.json()) as { readonly runId: string };
  await expect.poll(async () => (await store.getRun(forked))?.state).toBe("completed");
  expect((await read<StudioRunDetail>(`runs/${forked}`)).answer).toBe("Ask a colleague, please.");
  const [sent] = other.requests;
  expect(sent?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  expect(sent?.messages[0]?.content).toBe("Never refund.");
  expect(JSON.stringify(sent?.messages)).toContain('\\"total\\":0');
  expect(effects).toEqual([]);
});

test("a simulated run changes nothing: writers are not run, and known calls have their recorded results [studio.simulated]", async () => {
  const { store, agent, effects, read, post } = world();
  const { runId } = await agent.run("Refund A-1.");
  expect(effects).toEqual(["read A-1", "refund 20"]);
  const play = async (effect: "simulate" | "run", fromRunId?: string): Promise<StudioRunDetail> => {
    const messages = [{ id: "u1", role: "user", content: "Refund A-1." }];
    const answer = await post("agents/shop/play", { messages, effects: effect, fromRunId });
    const { runId: played } = (await answer.json()) as { readonly runId: string };
    await expect.poll(async () => (await store.getRun(played))?.state).toBe("completed");
    return read<StudioRunDetail>(`runs/${played}`);
  };
  effects.length = 0;
  expect((await play("simulate", runId)).answer).toBe("Done: Refund A-1.");
  expect(effects).toEqual([]);
  await play("simulate");
  expect(effects).toEqual(["read A-1"]);
  await play("run");
  expect(effects.at(-1)).toBe("refund 20");
});

test("a simulated run that asked a person stays simulated after the decision, also in another studio [studio.simulated]", async () => {
  const store = memoryStore();
  const effects: string[] = [];
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ order: z.string(), amount: z.number() }),
    sideEffectClass: "external-stateful",
    execute: ({ amount }) => {
      effects.push(`refund ${amount}`);
      return "Refunded.";
    },
  });
  const askClerk = tool({
    name: "ask_clerk",
    description: "Asks a clerk.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => ctx.ask({ question: "Is the parcel back?", schema: z.string() }),
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length === 0
      ? { toolCalls: [{ name: "ask_clerk", arguments: {} }] }
      : toolResults.at(-1)?.toolName === "ask_clerk"
        ? refundCall
        : "Done.",
  );
  const agentOf = (): Agent =>
    new Agent({ name: "shop", model, tools: [askClerk, refund], flow: "off", store, logger });
  const messages = [{ id: "u1", role: "user", content: "Refund A-1." }];
  const agent = agentOf();
  const { post } = client(studio({ store, agents: [agent] }));
  const elsewhere = client(studio({ store, agents: [agentOf()] }));
  for (const there of [post, elsewhere.post]) {
    const { runId } = (await (await post("agents/shop/play", { messages, effects: "simulate" })).json()) as {
      readonly runId: string;
    };
    await expect.poll(async () => (await store.getRun(runId))?.state).toBe("suspended");
    const [question] = await agent.interruptions(runId);
    const decided = await there(`runs/${runId}/decisions`, {
      decisions: [{ id: question?.id, type: "answer", value: "yes" }],
    });
    expect(decided.status).toBe(202);
    await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  }
  expect(effects).toEqual([]);
});

test("a simulated run does not run the writers of agents inside it, of handoffs, and of lists that change [studio.simulated]", async () => {
  const store = memoryStore();
  const effects: string[] = [];
  const wipe = tool({
    name: "wipe",
    description: "Deletes everything.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: () => {
      effects.push("wipe");
      return "Deleted.";
    },
  });
  const harmless = tool({
    name: "wipe",
    description: "Wipes nothing.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => "Nothing.",
  });
  const common = { flow: "off", store, logger } as const;
  const wiping = { toolCalls: [{ name: "wipe", arguments: {} }] };
  const inner = new Agent({ ...common, name: "inner", model: scriptedModel([wiping, "Done."]), tools: [wipe] });
  const helper = inner.asTool({ name: "helper", description: "Helps." });
  let lists = 0;
  const outer = [
    new Agent({
      ...common,
      name: "outer",
      model: scriptedModel([{ toolCalls: [{ name: "helper", arguments: { input: "Go." } }] }, "Done."]),
      tools: [helper, harmless],
    }),
    new Agent({
      ...common,
      name: "changing",
      model: scriptedModel([wiping, "Done."]),
      tools: () => (lists++ === 0 ? [harmless] : [wipe]),
    }),
    new Agent({
      ...common,
      name: "first",
      model: scriptedModel([{ toolCalls: [{ name: "transfer_to_inner", arguments: {} }] }, "Done."]),
      tools: [harmless],
      handoffs: [inner],
    }),
  ];
  const { post } = client(studio({ store, agents: outer }));
  for (const { name } of outer) {
    const messages = [{ id: "u1", role: "user", content: "Clean up." }];
    const answer = await post(`agents/${name}/play`, { messages, effects: "simulate" });
    const { runId } = (await answer.json()) as { readonly runId: string };
    await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  }
  expect(effects).toEqual([]);
});

test("the playground refuses invalid options before a run exists", async () => {
  const { store, post } = world();
  const user = { id: "u1", role: "user", content: "Hello." };
  for (const [body, text] of [
    [{ messages: [], effects: "run" }, /\Wmessages\W/u],
    [{ messages: [{ id: "a", role: "system", content: "x" }], effects: "run" }, /\Wmessages\W/u],
    [{ messages: [user], effects: "maybe" }, /\Weffects\W/u],
    [{ messages: [user], effects: "run", model: "acme/acme-1" }, /acme/u],
    [{ messages: [user], effects: "run", temperature: "hot" }, /\Wtemperature\W/u],
  ] as const) {
    const answer = await post("agents/shop/play", body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toMatch(text);
  }
  expect((await store.searchRuns({ allTenants: true })).runs).toEqual([]);
  expect((await post("agents/none/play", { messages: [user], effects: "run" })).status).toBe(404);
});

test("a question is assigned, and a second viewer does not overwrite the assignment unseen", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const asks = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: () => "Paid.",
  });
  const model = scriptedModel([{ toolCalls: [{ name: "pay", arguments: {} }] }, "Paid."]);
  const agent = new Agent({ name: "payer", model, tools: [asks], store, logger });
  const { runId, interruptions } = await agent.run("Pay.");
  const { post, read } = client(studio({ store, agents: [agent] }));
  const questionId = interruptions[0]?.id ?? "";
  expect((await post(`runs/${runId}/assign`, { questionId, from: "", to: "olga" })).status).toBe(200);
  expect((await post(`runs/${runId}/assign`, { questionId, from: "", to: "ben" })).status).toBe(409);
  expect(await read("inbox")).toMatchObject({ questions: [{ assignee: "olga" }] });
  expect((await post(`runs/${runId}/assign`, { questionId, from: "olga", to: "" })).status).toBe(200);
  expect((await read<{ questions: { assignee?: string }[] }>("inbox")).questions[0]?.assignee).toBeUndefined();
});
