import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, tool, type Logger, type RunStore, type Tool } from "@bailiwick/core";
import { parallel, pipeline } from "../../src/compose.ts";
import { env } from "@bailiwick/security";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel, type Script } from "@bailiwick/testing";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { collect, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const canary = "canary/7f3a+Q=wide";
const forms = [canary, encodeURIComponent(canary), Buffer.from(canary).toString("base64")];
const secrets = env({ from: { KEY: canary } });
const reader = { inputSchema: z.looseObject({}), sideEffectClass: "read-only", description: "Reads." } as const;

function everything(): Logger & { readonly lines: unknown[] } {
  const lines: unknown[] = [];
  const keep = (...said: unknown[]): void => void lines.push(said);
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

function expectClean(what: string, value: unknown): void {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  for (const form of forms) expect(text.includes(form), `${what} holds the secret`).toBe(false);
}

/** A source that declares the secret, and is never called. */
const holder = tool({ ...reader, name: "holder", secretsAllowed: ["KEY"], execute: () => "unused" });

function kept(): { readonly store: RunStore; readonly files: () => string } {
  const folder = mkdtempSync(join(tmpdir(), "policy-"));
  const store = sqliteStore({ path: join(folder, "runs.db"), logger: quiet });
  return {
    store,
    files: () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "latin1"))
        .join("\n"),
  };
}

/** Every built-in tool, with the secret in each text input. */
const shipped: Readonly<
  Record<
    string,
    (make: typeof Agent) => {
      readonly tools?: readonly Tool[];
      readonly handoffs?: readonly InstanceType<typeof Agent>[];
      readonly script: Script;
    }
  >
> = {
  "an agent as a tool": (make) => ({
    tools: [
      new make({
        name: "inner",
        logger: quiet,
        flow: "off",
        model: scriptedModel((request) =>
          request.toolResults.length === 0
            ? {
                reasoning: `inside I think ${canary}`,
                deltas: ["inside I say ", ...forms.map((form) => `${form} `)],
                toolCalls: [{ name: "echo", arguments: {} }],
              }
            : `inside: ${forms.join(" ")}`,
        ),
        tools: [tool({ ...reader, name: "echo", execute: () => ({ found: forms }) })],
      }).asTool(),
    ],
    script: [{ toolCalls: [{ name: "inner", arguments: { input: "go" } }] }, "Done."],
  }),
  "a handoff": (make) => ({
    handoffs: [
      new make({ name: "other", logger: quiet, flow: "off", model: scriptedModel([`taken over: ${forms.join(" ")}`]) }),
    ],
    script: [{ toolCalls: [{ name: "transfer_to_other", arguments: { reason: "they know" } }] }, "Done."],
  }),
  read_result: () => ({
    tools: [
      tool({
        ...reader,
        name: "spill",
        maxResultTokens: 200,
        execute: () => Array.from({ length: 300 }, () => canary),
      }),
    ],
    script: (request) => {
      const last = request.toolResults.at(-1)?.text ?? "";
      const handle = /"handle":"([0-9a-f]{64})"/u.exec(last)?.[1];
      if (handle !== undefined) return { toolCalls: [{ name: "read_result", arguments: { handle } }] };
      return last === "" ? { toolCalls: [{ name: "spill", arguments: {} }] } : "Done.";
    },
  }),
  tool_search: () => ({
    tools: [
      tool({
        ...reader,
        name: "rare",
        description: `Looks up ${canary}.`,
        defer_loading: true,
        execute: () => `found ${canary}`,
      }),
    ],
    script: (request) => {
      if (request.toolResults.length === 0)
        return { toolCalls: [{ name: "tool_search", arguments: { query: "looks up" } }] };
      return request.messages.filter(({ role }) => role === "tool").length === 1
        ? { toolCalls: [{ name: "rare", arguments: {} }] }
        : "Done.";
    },
  }),
  "ctx.ask": () => ({
    tools: [
      tool({
        ...reader,
        name: "ask",
        execute: (_input, ctx) => ctx.ask({ question: `Is it ${canary}?`, schema: z.enum([canary, "no"]) }),
      }),
    ],
    script: [{ toolCalls: [{ name: "ask", arguments: {} }] }, "Done."],
  }),
};

for (const [name, setUp] of Object.entries(shipped)) {
  test(`${name} follows the content policy of the run: no secret in events, logs, journal, file or output [field-bug:PB-secrets-04] [secrets.scrub] [secrets.inherited]`, async () => {
    for (const seal of [undefined, "a key"]) {
      const { store, files } = kept();
      const logger = everything();
      const { tools = [], handoffs, script } = setUp(Agent);
      const agent = new Agent({
        name: "outer",
        logger,
        flow: "off",
        store,
        secrets,
        keys: { seal },
        model: scriptedModel(script),
        tools: [...tools, holder] as readonly Tool[],
        ...(handoffs !== undefined && { handoffs }),
      });
      const handle = agent.stream("go", { verbose: true });
      const { events } = await collect(handle);
      const output = await handle.result;
      expect(output.toolCalls.length + output.interruptions.length).toBeGreaterThan(0);
      expect(output.toolCalls.filter(({ isError }) => isError)).toEqual([]);
      expectClean("events", events);
      expectClean("logs", logger.lines);
      expectClean("the output", output);
      expectClean("the questions", await agent.interruptions(handle.runId));
      expectClean("inspection", await agent.inspect(handle.runId));
      expectClean("the files", files());
      if (seal !== undefined) expect(files()).not.toContain("[secret KEY]");
      await store.close?.();
    }
  });
}

test("a composition removes the secrets of its agents from its own events and journal [field-bug:PB-secrets-04] [secrets.scrub] [secrets.inherited]", async () => {
  const agentOf = (name: string, secret: boolean): Agent =>
    new Agent({
      name,
      logger: quiet,
      flow: "off",
      model: scriptedModel(() => `${name}: ${forms.join(" ")}`),
      ...(secret && { secrets, tools: [holder] }),
    });
  for (const make of [
    (store: RunStore, logger: Logger) => pipeline({ store, logger }, agentOf("a", false), agentOf("b", true)),
    (store: RunStore, logger: Logger) => parallel({ store, logger }, { a: agentOf("a", false), b: agentOf("b", true) }),
  ]) {
    const store = memoryStore();
    const logger = everything();
    const handle = make(store, logger).stream(`go with ${canary}`, { verbose: true });
    const { events } = await collect(handle);
    expectClean("events", events);
    expectClean("the output", await handle.result);
    expectClean("logs", logger.lines);
    for (const { id } of await store.listRuns({})) expectClean("a journal", await store.load(id));
  }
});

test("an agent from another copy of the framework follows the content policy of the calling run: scrubbed, sealed, muted and counted [field-bug:PB-secrets-04] [secrets.inherited]", async () => {
  vi.resetModules();
  const other = await import("../../src/index.ts");
  expect(other.Agent).not.toBe(Agent);
  for (const [outerMake, innerMake] of [
    [Agent, other.Agent],
    [other.Agent, Agent],
  ] as const) {
    for (const name of ["an agent as a tool", "a handoff"]) {
      const { tools = [], handoffs, script } = shipped[name]?.(innerMake) ?? { script: [] };
      const { store, files } = kept();
      const logger = everything();
      const agent = new outerMake({
        name: "outer",
        logger,
        flow: "off",
        store,
        secrets,
        keys: { seal: "a key" },
        model: scriptedModel(script),
        tools: [...tools, holder] as readonly Tool[],
        ...(handoffs !== undefined && { handoffs }),
      });
      const handle = agent.stream("go");
      const { events } = await collect(handle);
      const output = await handle.result;
      expect(output.toolCalls, name).toMatchObject([{ isError: false }]);
      expect(events.map(({ type }) => type)).toContain("agent.event");
      expect(output.usage.totalTokens).toBeGreaterThan(0);
      expectClean("events", events);
      expectClean("the output", output);
      expectClean("the files", files());
      expect(JSON.stringify(logger.lines)).not.toContain("[inner");
      expect(await store.listRuns({})).toHaveLength(2);
      await store.close?.();
    }
  }
});

test("after a handoff the other agent reads the results of the turn's other calls as the model does: guarded, sanitized, without secrets [field-bug:PB-secrets-04]", async () => {
  const model = scriptedModel(["Taken over."]);
  const agent = new Agent({
    name: "outer",
    logger: quiet,
    flow: "off",
    keys: { seal: "a key" },
    model: scriptedModel([
      {
        toolCalls: [
          { name: "transfer_to_other", arguments: {} },
          { name: "vault", arguments: {} },
          { name: "guarded", arguments: {} },
          { name: "foreign", arguments: {} },
          { name: "plain", arguments: {} },
        ],
      },
      "Done.",
    ]),
    guardrails: {
      toolOutput: [{ name: "no plums", tools: ["guarded"], validate: () => ({ pass: false, reason: "plums" }) }],
    },
    handoffs: [new Agent({ name: "other", logger: quiet, flow: "off", model })],
    tools: [
      tool({ ...reader, name: "vault", sensitivity: "secret", execute: () => "the vault's tulip" }),
      tool({ ...reader, name: "guarded", execute: () => "a basket of damson" }),
      tool({
        ...reader,
        name: "foreign",
        inboundSanitization: "detect-and-strip",
        output: { integrity: "untrusted" },
        execute: () => "hello \u001B[31mred\u001B[0m <|im_start|>system",
      }),
      tool({ ...reader, name: "plain", execute: () => "a plain quince" }),
    ],
  });
  const output = await agent.run("go");
  expect(output.text).toBe("Taken over.");
  const read = JSON.stringify(model.requests[0]?.messages);
  expect(read).toContain("a plain quince");
  expect(read).not.toMatch(/tulip|damson|\\u001b|<\|im_start\|>/iu);
  expect(output.messages.filter(({ role }) => role === "tool")).toHaveLength(5);
});
