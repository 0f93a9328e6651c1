import { createAgentRuntime, memoryStore, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import type { TimelineRow } from "../inspect/index.ts";
import type { Authorize } from "./authorize.ts";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

async function served(authorize?: Authorize) {
  const { pay, paid } = payTool();
  const find = tool({
    name: "find",
    description: "Finds.",
    inputSchema: z.object({ order: z.string() }),
    sideEffectClass: "read-only",
    execute: ({ order }) => ({ order, amount: 5 }),
  });
  const store = memoryStore();
  const model = scriptedModel(({ messages }) => {
    const results = messages.filter(({ role }) => role === "tool").length;
    if (results === 0) return { toolCalls: [{ name: "find", arguments: { order: "7" } }] };
    return results === 1 ? { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] } : "Paid.";
  });
  const agent = createAgentRuntime({ name: "clerk", model, tools: [find, pay], store, logger: quiet });
  const suspended = await agent.run("Pay order 7.");
  await agent.resume(
    suspended.runId,
    suspended.interruptions.map((one) => one.approve({ decidedBy: "ana" })),
  );
  const app = runRoutes({ agent, store, authorize, onError: () => undefined });
  const path = `http://localhost/runs/${suspended.runId}`;
  const get = async (what: string): Promise<Response> => app.fetch(new Request(`${path}/${what}`));
  const post = async (what: string, body: unknown = {}): Promise<Response> =>
    app.fetch(
      new Request(`${path}/${what}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const rows = async (): Promise<readonly TimelineRow[]> =>
    ((await (await get("timeline")).json()) as { readonly rows: readonly TimelineRow[] }).rows;
  return { get, post, rows, paid, agent, store };
}

test("a run's records are described in words, with tokens and decisions, in their order [feature:X088]", async () => {
  const { rows, get } = await served();
  const told = await rows();
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_row, index) => index + 1));
  const titles = told.map(({ title }) => title);
  const order = [
    "clerk began",
    "The model calls find",
    "find returned",
    "The model calls pay",
    "clerk asks a person about pay",
    "The run waits: awaiting approval",
    "pay was approved by ana (resume)",
    "pay takes effect (external-stateful)",
    "pay returned",
    "The model answered",
    "The run ended: completed",
  ];
  expect(titles.filter((title) => order.includes(title))).toEqual(order);
  expect(told.find(({ title }) => title === "clerk began")?.detail).toBe("Pay order 7.");
  expect(told.filter(({ tokens }) => tokens !== undefined)).toHaveLength(3);
  expect(told.at(-1)).toMatchObject({ tone: "good", detail: "Paid." });
  const { run } = (await (await get("timeline")).json()) as { readonly run: object };
  expect(run).toMatchObject({ status: "completed", text: "Paid." });
});

test("a journal is verified, and played again without asking a model or running a tool", async () => {
  const { get, post, paid } = await served();
  expect(await (await get("audit")).json()).toMatchObject({ verdict: "unsigned" });
  expect(await (await post("replay")).json()).toEqual({
    holds: true,
    status: "completed",
    stopReason: "completed",
    text: "Paid.",
  });
  expect(paid).toEqual([5]);
});

test("a fork continues from a record by itself, and asks again before it acts", async () => {
  const { rows, post, paid, store, agent } = await served();
  const asks = (await rows()).find(({ title }) => title === "The model calls pay");
  const response = await post("fork", { atSeq: asks?.seq });
  expect(response.status).toBe(201);
  const { runId } = (await response.json()) as { readonly runId: string };
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("suspended");
  expect(await agent.interruptions(runId)).toMatchObject([{ toolName: "pay" }]);
  expect(paid).toEqual([5]);
});

test("GET fork lists the user's messages up to a record, and nothing of the model or the tools [server.fork-edits]", async () => {
  const { get, store, agent } = await served();
  const [{ id } = { id: "" }] = await store.listRuns({});
  const { events } = await agent.inspect(id);
  const start = events.find((event) => event.type === "run.start");
  const whole = { messages: [{ id: start?.input[0]?.id, text: "Pay order 7." }] };
  expect(await (await get("fork")).json()).toEqual(whole);
  expect(await (await get("fork?atSeq=1")).json()).toEqual(whole);
  expect(await (await get("fork?atSeq=0")).json()).toEqual({ messages: [] });
  const refused = await get("fork?atSeq=10000");
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("atSeq has to be")]);
});

test("answers of the conversation before a run are not the user's: a fork lists none and edits none [server.fork-edits]", async () => {
  const store = memoryStore();
  const agent = createAgentRuntime({ name: "clerk", model: scriptedModel(["Yes."]), store, logger: quiet });
  const { runId } = await agent.run("Is it paid?", {
    messages: [
      { id: "u1", role: "user", content: "Pay order 7." },
      { id: "a1", role: "assistant", content: [{ type: "text", text: "Paid." }], toolCalls: [], finishReason: "stop" },
    ],
  });
  const app = runRoutes({ agent, store, onError: () => undefined });
  const listed = await app.fetch(new Request(`http://localhost/runs/${runId}/fork`));
  const { messages } = (await listed.json()) as { readonly messages: readonly { readonly text: string }[] };
  expect(messages.map(({ text }) => text)).toEqual(["Pay order 7.", "Is it paid?"]);
  const edit = { atSeq: 1, messages: { a1: "I paid nothing." } };
  const headers = { "content-type": "application/json" };
  const post = { method: "POST", headers, body: JSON.stringify(edit) };
  expect((await app.fetch(new Request(`http://localhost/runs/${runId}/fork`, post))).status).toBe(400);
});

test("a fork has new texts of the user's messages, and of no answer and no result [server.fork-edits]", async () => {
  const { post, store, agent } = await served();
  const [{ id: served1 } = { id: "" }] = await store.listRuns({});
  const { events } = await agent.inspect(served1);
  const atSeq = events.find(({ type }) => type === "tool.result")?.seq ?? 0;
  const ids = events.slice(0, atSeq).flatMap((event): readonly [string, string][] => {
    if (event.type === "run.start") return event.input.map(({ id, role }) => [role, id]);
    return event.type === "model.result" || event.type === "tool.result"
      ? [[event.message.role, event.message.id]]
      : [];
  });
  for (const [role, id] of ids) {
    const response = await post("fork", { atSeq, messages: { [id]: "Pay order 8." } });
    expect([role, response.status]).toEqual([role, role === "user" ? 201 : 400]);
    if (role !== "user") continue;
    const { runId } = (await response.json()) as { readonly runId: string };
    expect((await agent.inspect(runId)).events.find(({ type }) => type === "run.start")).toMatchObject({
      input: [{ id, content: "Pay order 8." }],
    });
  }
  expect(new Set(ids.map(([role]) => role))).toEqual(new Set(["user", "assistant", "tool"]));
});

test.each([
  [{}, "atSeq"],
  [{ atSeq: 0 }, "atSeq"],
  [{ atSeq: 1.5 }, "atSeq"],
  [{ atSeq: 10_000 }, "records"],
  [{ atSeq: 2, message: 7 }, "message"],
  [{ atSeq: 2, messages: "Pay order 8." }, '"messages" has to be an object'],
  [{ atSeq: 2, messages: { m1: 8 } }, '"m1" is none'],
  [{ atSeq: 2, messages: { m1: "Pay order 8." } }, '"m1" is not such a message'],
])("a fork that cannot be meant is refused, and makes no run: %j", async (body, words) => {
  const { post, store } = await served();
  const response = await post("fork", body);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { readonly error: { readonly message: string } }).error.message).toContain(words);
  expect(await store.listRuns({})).toHaveLength(1);
});

test("inspecting a run, and forking it, are separate actions for authorize", async () => {
  const asked: string[] = [];
  const { get, post } = await served((_request, { action }) => {
    asked.push(action);
    return null;
  });
  for (const what of ["journal", "timeline", "audit"]) expect((await get(what)).status).toBe(403);
  expect((await post("replay")).status).toBe(403);
  expect((await post("fork", { atSeq: 1 })).status).toBe(403);
  // A refusal is checked again without the run: it must not tell other users that the run exists.
  expect(asked).toEqual([..."aaaaaaaa"].map(() => "audit").concat("fork", "fork"));
});
