import { memoryStore, tool, toolReturn, type Logger, type Tool } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  add,
  calls,
  collect,
  counter,
  failureOf,
  listeningLogger,
  openAgent,
  plain,
  writeCall,
} from "../fixtures.test.helper.ts";
import { Agent, secrets } from "../../src/index.ts";

test("a spilled result names an available reader tool, also in a later run of the session", async () => {
  const store = memoryStore();
  const big = tool({
    ...plain,
    execute: () => ({ rows: Array.from({ length: 9_000 }, (_, id) => ({ id, text: "x".repeat(20) })) }),
  });
  const handleIn = (text: string): string => /read_result\(\{"handle":"([0-9a-f]{64})"/.exec(text)?.[1] ?? "";
  const model = scriptedModel((request) => {
    if (request.lastUserText === "load" && request.toolResults.length === 0) return { toolCalls: [{ name: "t" }] };
    const handle = handleIn(request.messages.find(({ role }) => role === "tool")?.text ?? "");
    if (request.lastUserText === "read" && request.toolResults.length === 0)
      return { toolCalls: [{ name: "read_result", arguments: { handle, path: "rows[8999]" } }] };
    return request.toolResults[0]?.text.slice(0, 400) ?? "nothing";
  });
  const agent = new Agent({ ...openAgent, model, tools: [big], store, session: store.sessions });
  await agent.run("load", { sessionId: "s" });
  const later = await agent.run("read", { sessionId: "s" });
  expect(later.text).toContain("8999");
  expect(later.toolCalls).toMatchObject([{ toolName: "read_result", isError: false }]);
  const elsewhere = await agent.run("read", { sessionId: "other" });
  expect(elsewhere.toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_tool" } }]);
});

test("with keys.seal a spilled result is encrypted in the store, and the model can read it", async () => {
  const store = memoryStore();
  const big = tool({
    ...plain,
    execute: () => ({ rows: Array.from({ length: 9_000 }, () => "the tulip is in the vault") }),
  });
  let handle = "";
  const model = scriptedModel((request) => {
    const [first, second] = request.messages.filter(({ role }) => role === "tool");
    if (first === undefined) return { toolCalls: [{ name: "t" }] };
    if (second !== undefined) return second.text;
    handle = /read_result\(\{"handle":"([0-9a-f]{64})"/.exec(first.text)?.[1] ?? "";
    return { toolCalls: [{ name: "read_result", arguments: { handle, path: "rows[8999]" } }] };
  });
  const done = await new Agent({ ...openAgent, model, tools: [big], store, keys: { seal: "k".repeat(32) } }).run("go");
  expect(done.text).toContain("the tulip is in the vault");
  expect(new TextDecoder().decode(await store.getBlob(handle))).not.toContain("tulip");
});

test("images of a result reach the model", async () => {
  const model = calls({ name: "t" });
  const camera = tool({
    ...plain,
    execute: () =>
      toolReturn({
        output: "a photo",
        contentParts: [{ type: "image", data: new Uint8Array([1, 2, 3]), mimeType: "image/png" }],
      }),
  });
  await new Agent({ ...openAgent, model, tools: [camera] }).run("go");
  const result = model.requests[1]?.messages.find(({ role }) => role === "tool");
  expect(result?.content).toMatchObject([
    { type: "text", text: "a photo" },
    { type: "image", mimeType: "image/png" },
  ]);
});

test("a callback reads only its own tool's secrets, and they reach no model, journal or person", async () => {
  const value = "s3cr3t-value-123";
  const store = memoryStore();
  const seen: unknown[] = [];
  const peek = async (
    ctx: { readonly secrets: { require(name: string): Promise<{ use<T>(take: (text: string) => T): T }> } },
    name: string,
  ) =>
    ctx.secrets.require(name).then(
      (secret) => secret.use((text) => void seen.push(text)),
      (error: { code?: string }) => void seen.push(error.code),
    );
  const nosy = tool({
    ...plain,
    sideEffectClass: "external-stateful",
    secretsAllowed: ["OWN"],
    needsApproval: async (_input, ctx) => (await peek(ctx, "OTHER"), false),
    idempotencyKey: async (_input, ctx) => (await peek(ctx, "OTHER"), "k"),
    execute: async (_input, ctx) => (await peek(ctx, "OTHER"), await peek(ctx, "OWN"), `I know ${String(seen.at(-1))}`),
  });
  const model = calls({ name: "t" });
  const agent = new Agent({
    ...openAgent,
    model,
    tools: [nosy],
    store,
    secrets: secrets({ OWN: async () => value, OTHER: async () => "another-secret-9" }),
  });
  const result = await agent.run("go");
  expect(seen).toEqual(["SECRET_ACCESS_DENIED", "SECRET_ACCESS_DENIED", "SECRET_ACCESS_DENIED", value]);
  const everything = JSON.stringify([model.requests, result, (await agent.inspect(result.runId)).events]);
  expect(everything).not.toContain(value);
  expect(everything).not.toContain("another-secret-9");
});

test("redaction never changes executed arguments: a call with a secret is refused, or sealed and executed as written, and never shown", async () => {
  const ran: string[] = [];
  const write = tool({
    ...plain,
    name: "write",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    secretsAllowed: ["KEY"],
    execute: ({ line }) => (ran.push(line), "wrote"),
  });
  const source = secrets({ KEY: async () => "hunter2-hunter2" });
  const model = () =>
    calls(
      { name: "write", arguments: { line: "token hunter2-hunter2 is here" } },
      { name: "write", arguments: { line: "plain" } },
    );
  for (const keys of [undefined, { seal: "k".repeat(32) }]) {
    const agent = new Agent({ ...openAgent, model: model(), tools: [write], secrets: source, keys });
    const first = await agent.run("go");
    const asked = first.interruptions.map(({ args }) => args);
    expect(asked).toEqual(
      keys === undefined ? [{ line: "plain" }] : [{ line: "token [secret KEY] is here" }, { line: "plain" }],
    );
    const done = await agent.resume(
      first.runId,
      first.interruptions.map((one) => one.approve()),
    );
    expect(done.toolCalls).toMatchObject([{ isError: keys === undefined }, { isError: false }]);
    expect(JSON.stringify(done)).not.toContain("hunter2");
  }
  expect(ran).toEqual(["plain", "token hunter2-hunter2 is here", "plain"]);
});

test("a call id such as ../../x is only an id: no file is written outside the store", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-agent-"));
  try {
    await using store = sqliteStore({ path: join(folder, "in.db") });
    const big = tool({ ...plain, execute: () => ({ text: "y".repeat(200_000) }) });
    const result = await new Agent({
      ...openAgent,
      model: calls({ id: "../../escaped", name: "t" }),
      tools: [big],
      store,
    }).run("go");
    expect(result.toolCalls).toMatchObject([{ isError: false }]);
    expect(readdirSync(folder).every((name) => name.startsWith("in.db"))).toBe(true);
    expect(existsSync(join(folder, "../../escaped"))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("two calls with one id keep both results, each with its own id", async () => {
  const model = calls(
    { id: "same", name: "add", arguments: { a: 1, b: 1 } },
    { id: "same", name: "add", arguments: { a: 2, b: 2 } },
  );
  const result = await new Agent({ ...openAgent, model, tools: [add] }).run("go");
  expect(result.toolCalls.map(({ output }) => output)).toEqual([2, 4]);
  expect(new Set(result.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
  expect(model.requests[1]?.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
});

test("the model that a tool prefers is called, reported and charged", async () => {
  const smart = scriptedModel(["Done."], { modelId: "smart-1" });
  const hard = tool({ ...plain, preferredModel: "smart", execute: () => "x" });
  const prices = { "scripted/scripted-1": { input: 1, output: 1 }, "scripted/smart-1": { input: 100, output: 100 } };
  const result = await new Agent({
    ...openAgent,
    model: calls({ name: "t" }),
    tools: [hard],
    modelTiers: { smart },
    prices,
  }).run("go");
  expect(smart.requests).toHaveLength(1);
  expect(result.model).toBe("smart-1");
  const [first, second] = result.metrics.perRequest;
  expect(result.costUsd).toBeCloseTo(((first?.totalTokens ?? 0) + 100 * (second?.totalTokens ?? 0)) / 1e6, 12);
});

test("a search returns only matching tools", async () => {
  const deferred = (name: string, description: string) =>
    tool({ ...plain, name, description, defer_loading: true, execute: () => name });
  const tools: Tool[] = [
    deferred("weather_report", "Tells the weather of a city."),
    ...["invoice_print", "mail_archive", "song_player"].map((name) =>
      deferred(name, `Does ${name.replace("_", " ")} work.`),
    ),
  ];
  const model = scriptedModel([
    { toolCalls: [{ name: "tool_search", arguments: { query: "weather in a city", limit: 5 } }] },
    "Done.",
  ]);
  await new Agent({ ...openAgent, model, tools }).run("go");
  const offered = (turn: number) => model.requests[turn]?.tools?.map((one) => ("name" in one ? one.name : ""));
  expect(offered(1)).toEqual([...(offered(0) ?? []), "weather_report"]);
});

test("warnings about tools are emitted once each: in the log, and as events of the first run [flow.guess.warns]", async () => {
  const logger: Logger & { readonly lines: string[] } = listeningLogger();
  const silent = tool({
    name: "silent",
    description: "Declares nothing.",
    inputSchema: z.object({}),
    execute: () => "x",
  });
  const agent = new Agent({ name: "agent", logger, model: scriptedModel(() => "x"), tools: [silent] });
  const { events } = await collect(agent.stream("go"));
  expect(events.flatMap((event) => (event.type === "warning" ? [event.warning.code] : []))).toEqual(["guessed_tools"]);
  expect((await agent.run("go")).warnings).toEqual([]);
  const said = logger.lines.filter((line) => line.includes("The effect of 1 tool is guessed"));
  expect(said).toHaveLength(1);
});

test("needsApproval works without any other option", async () => {
  const { write, ran } = counter({ needsApproval: true });
  for (const approval of [undefined, {}, { policy: "none" as const }, { timeout: 5 }, { policy: [] }]) {
    expect(
      (await new Agent({ ...openAgent, model: scriptedModel([writeCall()]), tools: [write], approval }).run("go"))
        .status,
    ).toBe("suspended");
  }
  const throwing = tool({
    ...plain,
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: () => {
      throw new Error("broken");
    },
    execute: () => ran.push("x"),
  });
  expect((await new Agent({ ...openAgent, model: calls({ name: "t" }), tools: [throwing] }).run("go")).status).toBe(
    "suspended",
  );
  expect(ran).toEqual([]);
});

test("unparsable arguments never run as {}, and calls of a truncated answer never run", async () => {
  const ran: unknown[] = [];
  const any = tool({
    ...plain,
    inputSchema: z.object({ a: z.string().optional() }),
    execute: (input) => ran.push(input),
  });
  for (const raw of ["{", '{"a": ', "nonsense", "[1]", "null", '"text"']) {
    expect(
      (await new Agent({ ...openAgent, model: calls({ name: "t", arguments: raw }), tools: [any] }).run("go"))
        .toolCalls[0]?.error?.kind,
    ).toBe("invalid_input");
  }
  const cut = scriptedModel([{ toolCalls: [{ name: "t", arguments: { a: "x" } }], finish: "length" }, "Done."]);
  const result = await new Agent({ ...openAgent, model: cut, tools: [any] }).run("go");
  expect(result.toolCalls[0]).toMatchObject({ isError: true, error: { kind: "aborted", code: "ANSWER_UNFINISHED" } });
  expect(ran).toEqual([]);
});

test("a cache key sees nested fields, and a key deduplicates across processes on one file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-agent-"));
  try {
    const ran: unknown[] = [];
    const inputSchema = z.object({ filter: z.object({ id: z.number() }) });
    const read = tool({
      ...plain,
      name: "read",
      inputSchema,
      sideEffectClass: "read-only",
      cache: { ttlMs: 60_000 },
      execute: ({ filter }) => (ran.push(filter.id), filter.id),
    });
    const pay = tool({
      ...plain,
      name: "pay",
      inputSchema,
      sideEffectClass: "external-stateful",
      idempotencyKey: ({ filter }) => `pay ${filter.id}`,
      execute: ({ filter }) => (ran.push(`paid ${filter.id}`), filter.id),
    });
    const inProcess = async (id: number) => {
      await using store = sqliteStore({ path: join(folder, "runs.db") });
      const result = await new Agent({
        ...openAgent,
        model: calls({ name: "read", arguments: { filter: { id } } }, { name: "pay", arguments: { filter: { id } } }),
        tools: [read, pay],
        store,
      }).run("go", { userId: "u" });
      return result.toolCalls.map(({ output, cached, deduplicated }) => [
        output,
        cached === true || deduplicated === true,
      ]);
    };
    expect(await inProcess(1)).toEqual([
      [1, false],
      [1, false],
    ]);
    expect(await inProcess(2)).toEqual([
      [2, false],
      [2, false],
    ]);
    expect(await inProcess(1)).toEqual([
      [1, true],
      [1, true],
    ]);
    expect(ran).toEqual([1, "paid 1", 2, "paid 2"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("an idempotency key needs a ledger that lasts as long as the runs", async () => {
  const { ledger: _ledger, ...bare } = memoryStore();
  const { write } = counter();
  expect(() => new Agent({ ...openAgent, model: calls(), tools: [write], store: bare })).toThrow("ledger");
  expect(
    () => new Agent({ ...openAgent, model: calls(), tools: [write], store: bare, ledger: memoryStore().ledger }),
  ).not.toThrow();
  expect(
    await failureOf(
      Promise.resolve().then(() => new Agent({ ...openAgent, model: calls(), tools: [write], store: bare })),
    ),
  ).toMatchObject({ code: "INVALID_TOOL" });
});
