import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, tool, type Logger, type RunStore, type TelemetrySpan, type Tool } from "@bailiwick/core";
import { env } from "@bailiwick/security";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { collect } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** Every output is searched for this value and its forms. */
const canary = "canary/7f3a+Q=wide";
const forms = {
  raw: canary,
  url: encodeURIComponent(canary),
  base64: Buffer.from(canary).toString("base64"),
  hex: Buffer.from(canary).toString("hex"),
} as const;

function expectClean(what: string, value: unknown): void {
  const text =
    typeof value === "string"
      ? value
      : (JSON.stringify(value, (_key, item: unknown) =>
          item instanceof Error
            ? { name: item.name, message: item.message, stack: item.stack, cause: item.cause }
            : item,
        ) ?? "");
  for (const [form, secret] of Object.entries(forms))
    expect(
      text.includes(secret),
      `${what} holds the secret (${form}): ${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 60)}`,
    ).toBe(false);
}

function listener(): Logger & { readonly lines: unknown[] } {
  const lines: unknown[] = [];
  const keep = (...said: unknown[]): void => void lines.push(said);
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

/** A tool that leaks the secret in every possible way. */
function leak(secret: string, options: { readonly throws?: boolean } = {}): Tool {
  return tool({
    name: "leak",
    description: "Leaks.",
    inputSchema: z.looseObject({}),
    sideEffectClass: "read-only",
    secretsAllowed: ["KEY"],
    streamingHint: true,
    execute: (_input, ctx) => {
      ctx.logger.warn(`log ${secret}`, { with: [secret] });
      ctx.reportProgress({ message: `progress ${secret}` });
      for (const piece of cut(`partial ${secret}`)) ctx.streamContent(piece);
      if (options.throws === true) throw new Error(`failed with ${secret}`, { cause: new Error(`because ${secret}`) });
      return { text: `result ${secret}`, [secret]: [secret] };
    },
  }) as Tool;
}

/** Everything that an agent shows of one run: returned, logged, stored and streamed data. */
async function outlets(options: {
  readonly tools: readonly Tool[];
  readonly script: readonly (ScriptStep | string)[];
  readonly store?: RunStore;
  readonly keys?: { readonly seal: string };
}): Promise<Readonly<Record<string, unknown>>> {
  const store = options.store ?? memoryStore();
  const logger = listener();
  const model = scriptedModel(options.script);
  const agent = new Agent({
    name: "agent",
    model,
    tools: options.tools,
    logger,
    store,
    keys: options.keys,
    secrets: env({ from: { KEY: canary } }),
  });
  const handle = agent.stream("go", { verbose: true });
  const { events, error } = await collect(handle);
  const output = await handle.result.catch((failure: unknown) => failure);
  const runId = handle.runId;
  const text = (type: string): string =>
    events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : [])).join("");
  return {
    events,
    "streamed text": text("text"),
    "streamed thinking": text("thinking"),
    "a tool's partial output": events.flatMap((event) => (event.type === "tool.partial" ? [event.text] : [])).join(""),
    "streamed arguments": events
      .flatMap((event) => (event.type === "tool_call_delta" ? [event.argumentsDelta] : []))
      .join(""),
    "what the iterator threw": error,
    "the output": output,
    logs: logger.lines,
    "the journal": await store.load(runId),
    inspection: await agent.inspect(runId),
    interruptions: await agent.interruptions(runId),
    "what the model was sent": model.requests.map(({ messages }) => messages),
  };
}

const cut = (text: string): string[] => text.match(/.{1,3}/gsu) ?? [];

for (const [form, secret] of Object.entries(forms)) {
  test(`a ${form} secret in a result, a log line or progress is not emitted anywhere [secrets.scrub] [secrets.scrub.encodings]`, async () => {
    const seen = await outlets({
      tools: [leak(secret)],
      script: [{ toolCalls: [{ name: "leak", arguments: {} }] }, "Done."],
    });
    for (const [what, value] of Object.entries(seen)) expectClean(what, value);
    expect(JSON.stringify(seen["the journal"])).toContain("[secret KEY]");
  });

  test(`a ${form} secret in a tool's error or its cause is not emitted anywhere [secrets.scrub]`, async () => {
    const seen = await outlets({
      tools: [leak(secret, { throws: true })],
      script: [{ toolCalls: [{ name: "leak", arguments: {} }] }, "Done."],
    });
    for (const [what, value] of Object.entries(seen)) expectClean(what, value);
    expect(JSON.stringify(seen["the journal"])).toContain("[secret KEY]");
  });

  test(`a ${form} secret in the model's text, reasoning or split arguments is not emitted anywhere [secrets.scrub.streaming]`, async () => {
    const seen = await outlets({
      tools: [leak("nothing")],
      script: [
        {
          reasoning: `I think ${secret}.`,
          deltas: cut(`I say ${secret}.`),
          toolCalls: [{ name: "leak", arguments: { q: secret } }],
        },
        { deltas: cut(`Done: ${secret}`) },
      ],
    });
    for (const [what, value] of Object.entries(seen)) expectClean(what, value);
    expect(seen["streamed text"]).toContain("Done: [secret KEY]");
  });
}

test("an approval shows no secret, and the suspended run stores none [secrets.scrub]", async () => {
  const write = tool({
    name: "write",
    description: "Writes.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    secretsAllowed: ["KEY"],
    execute: () => "ok",
  }) as Tool;
  for (const secret of Object.values(forms)) {
    const seen = await outlets({
      tools: [write],
      script: [{ toolCalls: [{ name: "write", arguments: { line: secret } }] }, "Done."],
    });
    for (const [what, value] of Object.entries(seen)) expectClean(what, value);
    expect(seen["the output"]).toMatchObject({ status: "completed", toolCalls: [{ isError: true }] });
    const sealed = await outlets({
      keys: { seal: "a key" },
      tools: [write],
      script: [{ toolCalls: [{ name: "write", arguments: { line: secret } }] }, "Done."],
    });
    expectClean("the sealed journal", sealed["the journal"]);
    expectClean("the question to a person", sealed["interruptions"]);
  }
});

test("no file of a SQLite store holds the secret [secrets.scrub]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "canary-"));
  const store = sqliteStore({ path: join(folder, "runs.db"), processes: "one" });
  for (const secret of Object.values(forms)) {
    await outlets({
      store,
      tools: [leak(secret)],
      script: [
        { deltas: cut(`I say ${secret}.`), toolCalls: [{ name: "leak", arguments: { q: secret } }] },
        `Done: ${secret}`,
      ],
    });
    await outlets({
      store,
      tools: [leak(secret, { throws: true })],
      script: [{ toolCalls: [{ name: "leak", arguments: {} }] }, "Done."],
    });
  }
  expect(JSON.stringify(await store.listRuns({}))).toContain("completed");
  await store.close?.();
  const files = readdirSync(folder);
  expect(files).toContain("runs.db");
  for (const name of files) expectClean(name, readFileSync(join(folder, name), "latin1"));
});

test("a model failure that quotes a secret is in no log, span, event or record; the caller still gets the original [secrets.scrub] [field-bug:PB-secrets-02]", async () => {
  const failure = Object.assign(new Error(`bad key ${canary}`, { cause: new Error(`sent ${canary}`) }), {
    request: { body: forms.base64 },
  });
  const fail = (): never => {
    throw failure;
  };
  for (const content of [false, true]) {
    const logger = listener();
    const store = memoryStore();
    const seen: unknown[] = [];
    const span = <End>(start: unknown): TelemetrySpan<End> => {
      seen.push(start);
      return {
        within: (work) => work(),
        end: (end) => {
          seen.push(end);
          // Errors of telemetry are logged.
          throw new Error(`cannot send ${canary}`);
        },
      };
    };
    const agent = new Agent({
      name: "agent",
      model: { ...scriptedModel(["Never."]), generate: fail, stream: fail },
      tools: [leak("nothing")],
      logger,
      store,
      secrets: env({ from: { KEY: canary } }),
      telemetry: { inputs: content, outputs: content, startRun: span, startModelCall: span, startToolCall: span },
      hooks: { onError: (_ctx, error) => void seen.push(error) },
    });
    const handle = agent.stream("go", { verbose: true, onError: (_name, error) => void seen.push(error) });
    const { events, error } = await collect(handle);
    expect(error).toMatchObject({ message: expect.stringContaining(canary) as string });
    expectClean("events", events);
    expect(JSON.stringify(logger.lines)).toContain("cannot send");
    expectClean("logs", logger.lines);
    expect(seen.length).toBeGreaterThan(4);
    for (const one of seen) expectClean("what watches", one);
    expect(JSON.stringify(seen)).toContain("bad key");
    expectClean("the journal", await store.load(handle.runId));
    expectClean("inspection", await agent.inspect(handle.runId));
  }
});
