import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, tool, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type Script } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;
const reader = { inputSchema: z.looseObject({}), sideEffectClass: "read-only", description: "Reads." } as const;

for (const [kind, open] of [
  ["memory", (): RunStore => memoryStore()],
  [
    "SQLite",
    (): RunStore => sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "tenants-")), "runs.db"), logger: quiet }),
  ],
] as const) {
  test(`${kind}: two tenants with one session id, one idempotency key and one cache key never see each other [audit.tenant-keys] [field-bug:PB-session-16]`, async () => {
    const store = open();
    const tenants = ["t1", "t2", undefined];
    let ran = 0;
    const model = scriptedModel((request) =>
      request.messages.at(-1)?.role === "user"
        ? {
            toolCalls: [
              { name: "keep", arguments: { bill: 7 } },
              { name: "look", arguments: {} },
            ],
          }
        : "Done.",
    );
    const agent = new Agent({
      ...base,
      model,
      store,
      session: store.sessions,
      tools: [
        tool({
          name: "keep",
          description: "Keeps.",
          inputSchema: z.object({ bill: z.number() }),
          sideEffectClass: "external-stateful",
          idempotencyKey: ({ bill }) => `bill-${bill}`,
          execute: (_input, ctx) => `kept for ${ctx.tenantId} (${(ran += 1)})`,
        }),
        tool({
          ...reader,
          name: "look",
          cache: { ttlMs: 60_000, scope: "tenant", shared: true },
          execute: (_input, ctx) => {
            ctx.setState("seen", ctx.tenantId ?? "nobody");
            return `seen by ${ctx.tenantId}`;
          },
        }),
      ],
    });
    for (const tenantId of tenants) {
      const output = await agent.run(`words of ${tenantId}`, { sessionId: "s", userId: "u", tenantId });
      expect(output.toolCalls).toMatchObject([
        { output: expect.stringContaining(`kept for ${tenantId}`) as string },
        { output: `seen by ${tenantId}` },
      ]);
      expect(output.toolCalls.some(({ deduplicated, cached }) => deduplicated === true || cached === true)).toBe(false);
      const others = tenants.filter((one) => one !== tenantId).map((one) => `words of ${one}`);
      for (const words of others) expect(JSON.stringify(output.messages)).not.toContain(words);
      expect((await store.sessions?.load("s", { tenantId, userId: "u" }))?.state["seen"]).toBe(tenantId ?? "nobody");
    }
    expect(ran).toBe(3);
    // Each finds only its own again.
    const again = await agent.run("again", { sessionId: "s", userId: "u", tenantId: "t1" });
    expect(again.toolCalls).toMatchObject([{ deduplicated: true }, { cached: true }]);
    expect(JSON.stringify(again.messages)).toContain("words of t1");
    // A key of the tenant: the effect happens once, and another user gets no result that its own checks did not see.
    const other = await agent.run("again", { sessionId: "s2", userId: "v", tenantId: "t1" });
    expect(other.toolCalls[0]).toMatchObject({ isError: true, error: { code: "IDEMPOTENCY_OTHER_USER" } });
    expect(JSON.stringify(other)).not.toContain("kept for");
    expect(ran).toBe(3);
    await store.close?.();
  });

  test(`${kind}: idempotency keys, listings and remembered approvals are separate per tenant [audit.tenant-keys]`, async () => {
    const store = open();
    const { write, ran } = counter({ needsApproval: true });
    const script: Script = (request) => (request.toolResults.length === 0 ? writeCall("a") : "Done.");
    const agent = new Agent({ ...base, model: scriptedModel(script), tools: [write], store, session: store.sessions });
    const options = { sessionId: "s", idempotencyKey: "order-7" };
    const mine = await agent.run("go", { ...options, tenantId: "t1" });
    const theirs = await agent.run("go", { ...options, tenantId: "t2" });
    expect(theirs.runId).not.toBe(mine.runId);
    expect((await agent.run("go", { ...options, tenantId: "t1" })).runId).toBe(mine.runId);
    expect((await store.listRuns({ tenantId: "t1", sessionId: "s" })).map(({ id }) => id)).toEqual([mine.runId]);
    expect(await store.listRuns({ sessionId: "s" })).toEqual([]);
    await agent.resume(
      mine.runId,
      mine.interruptions.map((one) => one.approve({ remember: "tool" })),
    );
    expect(ran).toEqual(["a"]);
    expect((await agent.run("more", { sessionId: "s", tenantId: "t2" })).status).toBe("suspended");
    expect((await agent.run("more", { sessionId: "s", tenantId: "t1" })).status).toBe("completed");
    await store.close?.();
  });

  test(`${kind}: a run is not resumed for another tenant, user or session, and stays unchanged [audit.tenant-keys]`, async () => {
    const store = open();
    const { write, ran } = counter({ needsApproval: true });
    const script: Script = (request) => (request.toolResults.length === 0 ? writeCall("a") : "Done.");
    const agent = new Agent({ ...base, model: scriptedModel(script), tools: [write], store });
    const whose = { tenantId: "t1", userId: "u1", sessionId: "s1" };
    const first = await agent.run("go", whose);
    const decisions = first.interruptions.map((one) => one.approve());
    const before = await store.load(first.runId);
    const missing = await failureOf(agent.resume("nobody", decisions, { tenantId: "t2" }));
    for (const [options, code] of [
      [{ tenantId: "t2" }, "RUN_NOT_FOUND"],
      [{ ...whose, tenantId: "t2" }, "RUN_NOT_FOUND"],
      [{ userId: "u2" }, "RUN_NOT_FOUND"],
      [{ tenantId: "t1", sessionId: "s2" }, "INVALID_OPTION"],
      [{ metadata: { a: 1 } }, "INVALID_OPTION"],
      [{ deadlineAt: Number.MAX_SAFE_INTEGER }, "INVALID_OPTION"],
    ] as const) {
      const error = await failureOf(agent.resume(first.runId, decisions, options));
      expect(error, JSON.stringify(options)).toMatchObject({ code });
      if (code === "RUN_NOT_FOUND")
        expect((error as Error).message).toBe((missing as Error).message.replace("nobody", first.runId));
      const handle = agent.resumeStream(first.runId, decisions, options);
      expect(await failureOf(handle.result)).toMatchObject({ code });
    }
    expect(await store.load(first.runId)).toEqual(before);
    expect(ran).toEqual([]);
    const plain = await agent.run("go", { sessionId: "s1" });
    expect(await failureOf(agent.resume(plain.runId, [], { tenantId: "t1" }))).toMatchObject({ code: "RUN_NOT_FOUND" });
    expect((await agent.resume(first.runId, decisions, whose)).status).toBe("completed");
    await store.close?.();
  });

  test(`${kind}: only its tenant can read a spilled result by handle, and no other blob can be read [audit.tenant-keys]`, async () => {
    const store = open();
    const long = Array.from({ length: 400 }, (_, index) => `row ${index}`);
    const handles: string[] = [];
    const script: Script = (request) => {
      const last = request.toolResults.at(-1)?.text ?? "";
      const found = /"handle":"([0-9a-f]{64})"/u.exec(last)?.[1];
      if (found !== undefined) handles.push(found);
      if (request.toolResults.length === 0) return { toolCalls: [{ name: "spill", arguments: {} }] };
      if (found !== undefined)
        return { toolCalls: [handles[0], blob].map((handle) => ({ name: "read_result", arguments: { handle } })) };
      return "Done.";
    };
    const blob = await store.putBlob(new TextEncoder().encode("a blob of the journal"));
    const agent = new Agent({
      ...base,
      model: scriptedModel(script),
      store,
      tools: [tool({ ...reader, name: "spill", maxResultTokens: 200, execute: () => long })],
    });
    const results = async (tenantId: string): Promise<readonly unknown[]> => {
      const output = await agent.run("go", { tenantId });
      return output.toolCalls.slice(1).map(({ isError, output: page }) => (isError ? "refused" : page));
    };
    expect(await results("t1")).toEqual([expect.objectContaining({ total: JSON.stringify(long).length }), "refused"]);
    expect(await results("t2")).toEqual(["refused", "refused"]);
    expect(new Set(handles).size).toBe(2);
    await store.close?.();
  });
}

test("one tenant's run does not delay another tenant's session of the same id [audit.tenant-keys]", async () => {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const store = memoryStore();
  const agent = new Agent({
    ...base,
    model: scriptedModel((request) =>
      request.toolResults.length === 0 ? { toolCalls: [{ name: "wait", arguments: {} }] } : "Done.",
    ),
    store,
    session: store.sessions,
    concurrentRuns: "refuse",
    tools: [
      tool({
        ...reader,
        name: "wait",
        execute: async (_input, ctx) => {
          if (ctx.tenantId === "t1") await done;
          return "ok";
        },
      }),
    ],
  });
  const first = agent.run("go", { sessionId: "s", tenantId: "t1" });
  expect((await agent.run("go", { sessionId: "s", tenantId: "t2" })).status).toBe("completed");
  expect(await failureOf(agent.run("go", { sessionId: "s", tenantId: "t1" }))).toMatchObject({ code: "SESSION_BUSY" });
  finish();
  expect((await first).status).toBe("completed");
});

test("an inner agent without a store can read its spilled results [audit.tenant-keys]", async () => {
  const long = Array.from({ length: 400 }, (_, index) => `row ${index}`);
  const inner = new Agent({
    ...base,
    name: "inner",
    model: scriptedModel((request) => {
      const last = request.toolResults.at(-1)?.text ?? "";
      const handle = /"handle":"([0-9a-f]{64})"/u.exec(last)?.[1];
      if (handle !== undefined) return { toolCalls: [{ name: "read_result", arguments: { handle, path: "[399]" } }] };
      return last === "" ? { toolCalls: [{ name: "spill", arguments: {} }] } : `It ends with ${last}`;
    }),
    tools: [tool({ ...reader, name: "spill", maxResultTokens: 200, execute: () => long })],
  });
  const outer = new Agent({
    ...base,
    name: "outer",
    model: scriptedModel([{ toolCalls: [{ name: "inner", arguments: { input: "go" } }] }, "Done."]),
    store: memoryStore(),
    tools: [inner.asTool()],
  });
  const output = await outer.run("go", { tenantId: "t1" });
  expect(JSON.stringify(output.toolCalls[0]?.output)).toContain("row 399");
});
