import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import { memoryStore, tool, type EventBus, type Logger, type MemoryPort, type Tool } from "@bailiwick/core";
import { env } from "@bailiwick/security";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { collect, failureOf } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** Contains characters that each encoding changes: quotes, backslashes, lines, percent signs, letters beyond ASCII. */
const canary = 'c4n"ary\\7f/3a+Q=%\n~ widé';
const bytes = Buffer.from(canary);
const padded = (before: string): string => Buffer.from(`${before}${canary}!`).toString("base64");

/** The secret in each form that is searched for. */
const forms: Readonly<Record<string, string>> = {
  raw: canary,
  JSON: JSON.stringify(canary).slice(1, -1),
  URL: encodeURIComponent(canary),
  "URL form": new URLSearchParams({ q: canary }).toString().slice(2),
  "URL in lower case": encodeURIComponent(canary).replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()),
  base64: bytes.toString("base64"),
  base64url: bytes.toString("base64url"),
  "base64 at offset 1": padded("a"),
  "base64 at offset 2": padded("ab"),
  "base64 at offset 3": padded("abc"),
  hex: bytes.toString("hex"),
  "hex in upper case": bytes.toString("hex").toUpperCase(),
};

/** Texts that must not appear in any output: of base64 only the middle, because its edges depend on neighbouring text. */
function traces(): readonly string[] {
  return Object.entries(forms).flatMap(([name, form]) => {
    const trace = name.startsWith("base64 at") ? form.slice(8, -8) : form;
    return [trace, JSON.stringify(trace).slice(1, -1)];
  });
}

function expectClean(what: string, value: unknown): void {
  const text =
    typeof value === "string" ? value : inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null });
  const json = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  for (const trace of traces()) {
    for (const shown of [text, json])
      expect(
        shown.includes(trace),
        `${what} holds ${trace}: ${shown.slice(Math.max(0, shown.indexOf(trace) - 200))}`,
      ).toBe(false);
  }
}

type ListeningBus = EventBus & { readonly heard: [string, unknown][] };

/** A bus with a listener for every event. */
function everyEvent(): ListeningBus {
  const heard: [string, unknown][] = [];
  const bus = {
    heard,
    on: () => bus,
    once: () => bus,
    off: () => bus,
    emit: (name: string, data: unknown) => heard.push([name, data]) > 0,
    removeAllListeners: () => bus,
    hasListeners: () => true,
  };
  return bus as never;
}

function everyLine(): Logger & { readonly lines: unknown[] } {
  const lines: unknown[] = [];
  const keep = (...said: unknown[]): void => void lines.push(said);
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

const reader = { description: "Reads.", inputSchema: z.looseObject({}), sideEffectClass: "read-only" } as const;

/** Tools that leak a text in every possible way. */
function leaking(secret: string): readonly Tool[] {
  const failure = (): Error =>
    Object.assign(
      new Error(`failed with ${secret}`, { cause: new AggregateError([new Error(secret)], `because ${secret}`) }),
      {
        response: { body: secret },
      },
    );
  return [
    tool({
      ...reader,
      name: "leak",
      secretsAllowed: ["KEY"],
      streamingHint: true,
      execute: (_input, ctx) => {
        ctx.logger.error(`log ${secret}`, { error: failure(), [secret]: new Map([["k", secret]]).get("k") });
        ctx.reportProgress({ message: `progress ${secret}`, data: { at: secret } });
        for (const piece of secret.match(/.{1,3}/gsu) ?? []) ctx.streamContent(piece);
        ctx.setState("kept", { value: secret });
        return { text: `result ${secret}`, [secret]: [secret] };
      },
    }),
    tool({ ...reader, name: "fail", execute: () => Promise.reject(failure()) }),
    tool({
      ...reader,
      name: "media",
      execute: () => [{ type: "file", data: Buffer.from(`file ${secret}`), mediaType: "text/plain" }],
    }),
    tool({ ...reader, name: "guarded", execute: () => "guarded" }),
    tool({ ...reader, name: "hooked", execute: () => "hooked" }),
  ] as readonly Tool[];
}

for (const [form, secret] of Object.entries(forms)) {
  test(`a secret (${form}) is not emitted: bus, tokens, callbacks, hooks, logs, journal, output, questions [secrets.scrub] [secrets.scrub.encodings] [secrets.scrub.streaming]`, async () => {
    const bus = everyEvent();
    const logger = everyLine();
    const store = memoryStore();
    const seen: unknown[] = [];
    const watch =
      (name: string) =>
      (...given: unknown[]) =>
        void seen.push([name, given]);
    const step: ScriptStep = {
      reasoning: `I think ${secret}.`,
      deltas: `I say ${secret}.`.match(/.{1,2}/gsu) ?? [],
      toolCalls: ["leak", "fail", "media", "guarded", "hooked"].map((name) => ({ name, arguments: { q: "plain" } })),
    };
    const agent = new Agent({
      name: "agent",
      model: scriptedModel([step, { deltas: `Done: ${secret}`.match(/.{1,2}/gsu) ?? [] }]),
      tools: leaking(secret),
      logger,
      eventBus: bus,
      store,
      flow: "off",
      secrets: env({ from: { KEY: canary } }),
      guardrails: {
        toolOutput: [{ name: "g", tools: ["guarded"], validate: () => ({ pass: false, reason: `no ${secret}` }) }],
      },
      loopHooks: {
        afterToolExec: (name) => {
          if (name === "hooked") throw new Error(`the hook failed with ${secret}`);
          return undefined;
        },
        afterLLMCall: () => {
          throw new Error(`another hook failed with ${secret}`);
        },
      },
    });
    const handle = agent.stream(`read ${secret}`, {
      verbose: true,
      metadata: { note: secret },
      onToken: watch("tokens"),
      onComplete: watch("complete"),
    });
    const { events } = await collect(handle);
    const output = await handle.result;
    expect(output.status).toBe("completed");
    expect(bus.heard.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "run.start",
        "run.complete",
        "tool.call",
        "tool.result",
        "run.stream.chunk",
        "hook.failed",
        "guardrail.decided",
        "tool.progress",
      ]),
    );
    expect(seen.length).toBeGreaterThan(3);
    const chunks = bus.heard.flatMap(([name, data]) =>
      name === "run.stream.chunk" ? [(data as { readonly chunk: { readonly text?: string } }).chunk.text ?? ""] : [],
    );
    expectClean("the bus", bus.heard);
    expectClean("the chunks of the bus", chunks.join(""));
    expectClean("callbacks", seen);
    expectClean("events", events);
    expectClean("logs", logger.lines);
    expectClean("the output", output);
    expectClean("the journal", await store.load(output.runId));
    expectClean("inspection", await agent.inspect(output.runId));
    expect(inspect(await store.load(output.runId), { depth: 20 })).toContain("[secret KEY]");
  });
}

test("an error that ends a run reaches hooks, callbacks and the bus without the secret, also in cause and fields; the caller gets the original [secrets.scrub]", async () => {
  const bus = everyEvent();
  const seen: unknown[] = [];
  const failure = Object.assign(new Error(`refused: ${canary}`, { cause: new Error(canary) }), {
    request: { key: canary },
  });
  const agent = new Agent({
    name: "agent",
    model: scriptedModel(["Never."]),
    tools: leaking("nothing"),
    logger: everyLine(),
    eventBus: bus,
    secrets: env({ from: { KEY: canary } }),
    hooks: {
      onError: (_ctx, error) => void seen.push(error),
      beforeRun: () => {
        throw failure;
      },
    },
    hooksAreFatal: true,
  });
  const thrown = await failureOf(
    agent.run("go", {
      onError: (_name: string, error: Error) => void seen.push(error),
      hooks: { onNodeError: ({ error }) => void seen.push(error) },
    }),
  );
  expect(inspect(thrown)).toContain("refused: c4n");
  expect(seen).toHaveLength(3);
  for (const error of seen) expect(error).toBeInstanceOf(Error);
  expectClean("hooks and callbacks", seen);
  expect(bus.heard.map(([name]) => name)).toContain("run.error");
  expectClean("the bus", bus.heard);
});

test("a secret in a message to a suspended run is not stored, and the model reads the message without it [secrets.scrub]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "outlets-"));
  await using store = sqliteStore({ path: join(folder, "runs.db") });
  const model = scriptedModel([{ toolCalls: [{ name: "ask" }] }, "Done.", "Done again."]);
  const agent = new Agent({
    name: "agent",
    model,
    logger: everyLine(),
    flow: "off",
    store,
    secrets: env({ from: { KEY: canary } }),
    tools: [
      tool({
        ...reader,
        name: "ask",
        secretsAllowed: ["KEY"],
        execute: (_input, ctx) => ctx.ask({ question: `${canary}?`, schema: z.string() }),
      }),
    ],
  });
  const first = await agent.run(`go, ${forms["URL"]}`);
  expectClean("the question", first.interruptions);
  await agent.steer(first.runId, `use ${canary}`);
  await agent.followUp(first.runId, `and ${forms["base64"]}`);
  const files = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "latin1"))
      .join("");
  expectClean("the files of a run that waits", files());
  const done = await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.answer("yes")),
  );
  expect(JSON.stringify(model.requests)).toContain("use [secret KEY]");
  expectClean("what the model is sent", model.requests);
  expectClean("the output", done);
  expectClean("the files of a run that is done", files());
});

test("a tool's memory does not store a secret [secrets.scrub]", async () => {
  const remembered: unknown[] = [];
  const memory: MemoryPort = {
    contextFor: async () => [],
    accessFor: () => ({
      remember: async (...given) => `m${remembered.push(given)}`,
      recall: async () => [],
      forget: async () => undefined,
    }),
  };
  const note = tool({
    name: "note",
    description: "Notes.",
    inputSchema: z.object({}),
    sideEffectClass: "side-effecting",
    idempotencyKey: "call",
    secretsAllowed: ["KEY"],
    execute: (_input, ctx) => ctx.memory?.remember(`the key is ${canary}`, { kind: "semantic", data: { at: canary } }),
  });
  const agent = new Agent({
    name: "agent",
    model: scriptedModel([{ toolCalls: [{ name: "note" }] }, "Done."]),
    logger: everyLine(),
    flow: "off",
    memory,
    tools: [note],
    secrets: env({ from: { KEY: canary } }),
  });
  expect((await agent.run("go")).status).toBe("completed");
  expect(remembered).toEqual([["the key is [secret KEY]", { kind: "semantic", data: { at: "[secret KEY]" } }]]);
});

test("when a tool's error crashes the process, the crash output contains no secret and the exit is unchanged [secrets.scrub]", async () => {
  const file = fileURLToPath(new URL("../durability/crash-output.fixture.ts", import.meta.url));
  const secret = "canary/7f3a+Q=wide";
  const said = async (how: string): Promise<{ readonly code: unknown; readonly text: string }> => {
    const program = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", file, how];
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, program, {
        env: { ...process.env, CANARY: secret },
        timeout: 240_000,
      });
      return { code: 0, text: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
      return { code, text: stdout + stderr };
    }
  };
  const printed = {
    later: "failed with [secret CANARY]",
    text: "[secret CANARY]",
    run: "bad key [secret CANARY]",
  };
  const ended = await Promise.all(Object.keys(printed).map(said));
  for (const [index, [how, expected]] of Object.entries(printed).entries()) {
    const { code, text } = ended[index] ?? {};
    expect(code, text).toBe(1);
    expect(text).toContain(expected);
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex")])
      expect(text?.includes(form), `${how}: ${text}`).toBe(false);
  }
});
