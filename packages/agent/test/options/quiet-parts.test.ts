import { inMemoryMemories, memory } from "@bailiwick/memory";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { codeMode } from "../../src/code-mode.ts";
import { parallel } from "../../src/compose.ts";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, clientTool, handoff, memoryStore, tool, type AgentOptions, type Tool } from "../../src/index.ts";

/** A tool of the developer that declares everything. */
const find = (more: object = {}): Tool =>
  tool({
    name: "find_order",
    description: "Finds an order.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: () => Array.from({ length: 400 }, (_, line) => `line ${line}`),
    ...more,
  }) as Tool;

const inner = (): Agent =>
  new Agent({ name: "helper", description: "Helps.", logger: quiet, model: scriptedModel(() => "Helped.") });

/** A part of the framework in an agent, and a call of it. */
type Part = readonly [options: Partial<AgentOptions>, tool: string, args?: object];

const remembered = (): Partial<AgentOptions> => ({ memory: memory({ store: inMemoryMemories() }) });

const parts: Readonly<Record<string, () => Part>> = {
  "memory, which remembers": () => [remembered(), "remember", { text: "Likes blue.", kind: "semantic" }],
  "memory, which recalls": () => [remembered(), "recall", { query: "blue" }],
  "the search of deferred tools": () => [{ tools: [find({ defer_loading: true })] }, "tool_search", { query: "order" }],
  "the pages of a long result": () => [{ tools: [find({ maxResultTokens: 100 })] }, "find_order"],
  "an agent as a tool": () => [{ tools: [inner().asTool() as Tool] }, "helper", { input: "Go." }],
  "a hand-over": () => [{ handoffs: [handoff(inner())] }, "transfer_to_helper", { input: "Go." }],
  "a composition as a tool": () => [
    { tools: [parallel({ name: "both" }, { one: inner() }).asTool({ description: "Asks both." }) as Tool] },
    "both",
    { input: "Go." },
  ],
  "code that calls tools": () => [
    { tools: [codeMode({ tools: [find()] }) as Tool] },
    "run_code",
    { code: "return 1;" },
  ],
  "a client tool": () => [
    {
      tools: [
        clientTool({
          name: "locate",
          description: "Asks the page where it is.",
          inputSchema: z.object({}),
          outputSchema: z.object({ city: z.string() }),
          sideEffectClass: "read-only",
          output: { integrity: "verified" },
        }) as Tool,
      ],
    },
    "locate",
  ],
  "the extraction from untrusted text": () => [
    {
      flow: { quarantine: { model: scriptedModel(() => "{}") } },
      tools: [find({ output: { integrity: "untrusted" } })],
    },
    "find_order",
  ],
};

test.each(Object.entries(parts))(
  "a part of the framework logs no warning about itself: %s [options.quiet]",
  async (_name, part) => {
    const [options, name, args = {}] = part();
    const lines: string[] = [];
    const keep = (message: string): void => void lines.push(message);
    const call = { toolCalls: [{ name, arguments: args }] };
    const model = scriptedModel(({ messages }) => (messages.at(-1)?.role === "user" ? call : "Done."));
    const store = memoryStore();
    const agent = new Agent({
      name: "desk",
      model,
      store,
      session: store.sessions,
      ...options,
      logger: { ...quiet, warn: keep, error: keep },
    });
    const { status, toolCalls, interruptions, warnings } = await agent.run("Go.", { userId: "ana", sessionId: "s" });
    expect([...toolCalls, ...interruptions].map(({ toolName }) => toolName)).toContain(name);
    expect(status).toMatch(/completed|suspended/u);
    expect([...lines, ...warnings.map(({ message }) => message)]).toEqual([]);
  },
);

test("a failed tool is logged once with its tool, run and stack, whatever it throws [options.quiet]", async () => {
  for (const thrown of [new Error("column amount does not exist"), new TypeError("order is undefined")]) {
    const lines: string[] = [];
    const keep = (...values: readonly unknown[]): void =>
      void lines.push(
        values.map((value) => (value instanceof Error ? String(value.stack) : JSON.stringify(value))).join(" "),
      );
    const failing = find({
      execute: () => {
        throw thrown;
      },
    });
    const model = scriptedModel([{ toolCalls: [{ name: "find_order", arguments: {} }] }, "Sorry."]);
    const logger = { ...quiet, warn: keep, error: keep };
    const { runId } = await new Agent({ name: "desk", model, logger, tools: [failing] }).run("Go.");
    const about = lines.filter((line) => line.includes(thrown.message));
    expect(about).toHaveLength(1);
    for (const fact of ["find_order", runId, "quiet-parts.test.ts"]) expect(about[0]).toContain(fact);
  }
});

test("a verbose line never ends in half a character [options.verbose]", async () => {
  for (const text of ["😀", "👩‍👩‍👧", "é𝒳"])
    for (let lead = 0; lead < 6; lead += 1) {
      const lines: string[] = [];
      const keep = (message: string): void => void lines.push(message);
      const long = "x".repeat(lead) + text.repeat(400);
      const model = scriptedModel([{ toolCalls: [{ name: "find_order", arguments: { long } }] }, long]);
      const tools = [find({ inputSchema: z.object({ long: z.string() }), execute: () => long })];
      await new Agent({ name: "desk", model, tools, logger: { ...quiet, info: keep } }).run(long, { verbose: true });
      expect(lines.filter((line) => line.includes("…")).length).toBeGreaterThan(1);
      expect(lines.filter((line) => !line.isWellFormed() || line.includes("\uFFFD"))).toEqual([]);
    }
});
