import { Agent, memoryStore, tool, type Interruption } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import type { Hono } from "hono";
import { expect, test } from "vitest";
import { z } from "zod";
import { runRoutes } from "./run-routes.ts";

const post = (app: Hono, path: string, body: unknown) =>
  app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const ask = (app: Hono, id = "chat") =>
  post(app, "/chat", { id, messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "Begin." }] }] });
const idOf = (text: string): string => /"messageId":"([^"]+)"/.exec(text)?.[1] ?? "";

test("a client that disconnects while the run is driven causes no error in the server", async () => {
  let proceed = (): void => undefined;
  let begun = (): void => undefined;
  const gate = new Promise<void>((resolve) => (proceed = resolve));
  const working = new Promise<void>((resolve) => (begun = resolve));
  const wait = tool({
    name: "wait",
    description: "Waits.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async () => {
      begun();
      await gate;
      return "waited";
    },
  });
  const store = memoryStore();
  const model = scriptedModel([{ toolCalls: [{ name: "wait", arguments: {} }] }, "End."]);
  const agent = new Agent({ name: "clerk", model, tools: [wait], store });
  const failures: unknown[] = [];
  const app = runRoutes({ agent, store, onError: (error) => failures.push(error) });
  const reader = (await ask(app)).body?.getReader();
  let text = "";
  const read = async (): Promise<void> => {
    for (;;) {
      const piece = await reader?.read();
      if (piece?.done !== false) return;
      text += new TextDecoder().decode(piece.value);
    }
  };
  const reading = read();
  await working;
  await expect.poll(() => text).toContain("tool-input-available");
  await reader?.cancel();
  await reading;
  proceed();
  await expect
    .poll(async () => ((await (await app.request(`/runs/${idOf(text)}`)).json()) as { status?: string }).status)
    .toBe("completed");
  expect(failures).toEqual([]);
});

test("inner runs do not count towards a page of the list", async () => {
  const store = memoryStore();
  const base = { name: "clerk", store, flow: "off" } as const;
  const inner = new Agent({ ...base, description: "Helps.", model: scriptedModel(() => "Helped.") });
  const agent = new Agent({
    ...base,
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "user"
        ? { toolCalls: ["a", "b", "c"].map((input) => ({ name: "helper", arguments: { input } })) }
        : { text: "Done." },
    ),
    tools: [inner.asTool({ name: "helper" })],
  });
  const app = runRoutes({ agent, store });
  const begun: string[] = [];
  for (const id of ["one", "two", "three"]) begun.push(idOf(await (await ask(app, id)).text()));
  expect((await store.listRuns({ agentId: "clerk" })).length).toBe(12);
  const listed = async (query: string): Promise<readonly string[]> => {
    const { runs } = (await (await app.request(`/runs${query}`)).json()) as { runs: { runId: string }[] };
    return runs.map(({ runId }) => runId);
  };
  expect(new Set(await listed(""))).toEqual(new Set(begun));
  expect(await listed("?limit=2")).toHaveLength(2);
  expect(await listed("?limit=3")).toHaveLength(3);
  expect(await listed("?limit=0")).toEqual([]);
});

test("an answer that is nested too deep is refused, and the question stays open", async () => {
  const guess = tool({
    name: "guess",
    description: "Asks a person.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => ({ answer: await ctx.ask({ question: "What?", schema: z.json() }) }),
  });
  const store = memoryStore();
  const model = scriptedModel([{ toolCalls: [{ name: "guess", arguments: {} }] }, "End."]);
  const agent = new Agent({ name: "clerk", model, tools: [guess], store });
  const failures: unknown[] = [];
  const app = runRoutes({ agent, store, onError: (error) => failures.push(error) });
  const runId = idOf(await (await ask(app)).text());
  const open = async (): Promise<readonly Interruption[]> =>
    ((await (await app.request(`/runs/${runId}/interruptions`)).json()) as { interruptions: Interruption[] })
      .interruptions;
  const [question] = await open();
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const body = `{"decisions":[{"id":${JSON.stringify(question?.id)},"type":"answer","value":${deep}}]}`;
  const refused = await post(app, `/runs/${runId}/decisions`, body);
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: "INVALID_REQUEST" } }]);
  expect(failures).toEqual([]);
  expect(await open()).toHaveLength(1);
  const answered = await post(app, `/runs/${runId}/decisions`, {
    decisions: [{ id: question?.id, type: "answer", value: [1] }],
  });
  expect(answered.status).toBe(202);
});
