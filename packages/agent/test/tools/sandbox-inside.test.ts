import { attempt, loop, map, parallel, pipeline, route } from "../../src/compose.ts";
import { codeMode } from "@bailiwick/compose/code-mode";
import {
  agentTool,
  classifyTools,
  handoff,
  sandboxedTool,
  tool,
  type Logger,
  type Runnable,
  type SandboxConfig,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { listeningLogger, openAgent, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bailiwick-inside-"));
  await writeFile(join(folder, "tool.mjs"), "export const run = () => typeof process;");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns true if the tool runs in a wasm sandbox, which has no `process`. */
const whereItRuns = (): Tool =>
  sandboxedTool({
    name: "where",
    description: "Tells where it runs.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: { module: pathToFileURL(join(folder, "tool.mjs")), export: "run" },
  });

/** The inner agent, which has the tool. */
function clerkOf(
  sandbox: SandboxConfig,
  tools: readonly Tool[] = [whereItRuns()],
  call: object = {},
  logger: Logger = quiet,
): Agent {
  const name = tools[0]?.name ?? "";
  return new Agent({
    ...openAgent,
    name: "clerk",
    logger,
    sandbox,
    tools,
    model: scriptedModel(({ toolResults }) =>
      toolResults.some(({ toolName }) => toolName === name)
        ? JSON.stringify(toolResults)
        : { toolCalls: [{ name, arguments: call }] },
    ),
  });
}

const named = { name: "office" };
const office = (composition: Runnable): { readonly call: string } & Options => ({
  call: "office",
  tools: [agentTool(composition)],
});

const ways: Readonly<Record<string, (clerk: Agent) => { readonly call: string } & Options>> = {
  "an agent as a tool": (clerk) => ({ call: "clerk", tools: [clerk.asTool()] }),
  "a handoff": (clerk) => ({ call: "transfer_to_clerk", handoffs: [handoff(clerk)] }),
  "a pipeline": (clerk) => office(pipeline(named, clerk)),
  "a parallel composition": (clerk) => office(parallel(named, { clerk })),
  "a map": (clerk) => office(map({ ...named, items: (input) => [input] }, clerk)),
  "a route": (clerk) => office(route({ ...named, choose: () => "clerk" }, { clerk })),
  "a loop": (clerk) => office(loop({ ...named, until: () => true, maxRounds: 2 }, clerk)),
  "an attempt": (clerk) => office(attempt(named, { try: clerk })),
  "an agent as a tool of an agent as a tool": (clerk) => {
    const lead = new Agent({
      ...openAgent,
      name: "office",
      tools: [clerk.asTool()],
      model: scriptedModel(({ toolResults }) =>
        toolResults.length > 0
          ? JSON.stringify(toolResults)
          : { toolCalls: [{ name: "clerk", arguments: { input: "Look." } }] },
      ),
    });
    return { call: "office", tools: [lead.asTool()] };
  },
  "a tool that runs the agent": (clerk) => ({
    call: "ask",
    tools: [
      tool({
        name: "ask",
        description: "Asks the clerk.",
        inputSchema: z.object({}),
        sideEffectClass: "read-only",
        sandboxPolicy: "none",
        execute: async (_input, ctx) => (await clerk.run("Look.", ctx.runOptions)).text,
      }),
    ],
  }),
};

/** The final text of the whole run, in which an inner tool reported where it ran. */
async function told({ call, ...held }: { readonly call: string } & Options, options: Options): Promise<string> {
  const desk = new Agent({
    ...openAgent,
    name: "desk",
    ...held,
    ...options,
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0
        ? JSON.stringify(toolResults)
        : { toolCalls: [{ name: call, arguments: call.startsWith("transfer") ? {} : { input: "Look." } }] },
    ),
  });
  return (await desk.run("Look.")).text;
}

const outer: SandboxConfig = { tier: "wasm" };
const process: SandboxConfig = { tier: "process", allowNetwork: true, allowFS: true };

describe("the sandbox of the outer agent", () => {
  test.each(Object.entries(ways))("applies behind %s, with a warning [sandbox.inside]", async (_way, hold) => {
    for (const sandbox of [{ tier: "none" } as const, { ...outer, enabled: false }, process]) {
      const logger = listeningLogger();
      const clerk = clerkOf(sandbox, undefined, {}, logger);
      expect(await told(hold(clerk), {})).toContain("object");
      expect(logger.lines.join("\n")).not.toContain("sandbox");
      expect(await told(hold(clerk), { sandbox: outer })).toContain("undefined");
      expect(logger.lines.join("\n")).toContain('Agent "clerk" has "sandbox.tier"');
    }
  });

  test("applies to programs of an inner agent and of the agent itself [sandbox.inside]", async () => {
    const code = { code: "return await tools.where({});" };
    const inside = clerkOf({ tier: "none" }, [codeMode({ tools: [whereItRuns()] })], code);
    expect((await inside.run("Look.")).text).toContain("object");
    expect(await told({ call: "clerk", tools: [inside.asTool()] }, { sandbox: outer })).toContain("undefined");
    expect((await inside.run("Look.", { sandbox: outer })).text).toContain("undefined");
  });

  test("a run can tighten the sandbox of its agent; loosening throws [sandbox.inside]", async () => {
    const clerk = clerkOf(process);
    expect((await clerk.run("Look.")).text).toContain("object");
    const output = await clerk.run("Look.", { sandbox: outer });
    expect(output.text).toContain("undefined");
    const strict = clerkOf({ ...outer, timeout: 5_000 });
    for (const sandbox of [process, { tier: "none" }, { ...outer, timeout: 5_001 }] as const)
      await expect(strict.run("Look.", { sandbox })).rejects.toMatchObject({ code: "WEAKER_POLICY" });
    await expect(strict.run("Look.", { sandbox: { ...outer, timeout: -1 } })).rejects.toMatchObject({
      code: "INVALID_OPTION",
    });
  });

  test("an inner closure without a sandboxPolicy is refused [sandbox.inside]", async () => {
    const ran: string[] = [];
    const closure = tool({
      name: "closure",
      description: "Runs.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: () => ran.push("ran"),
    });
    const clerk = clerkOf({ tier: "none" }, [closure]);
    expect(await told({ call: "clerk", tools: [clerk.asTool()] }, { sandbox: outer })).toContain("closure");
    expect(ran).toEqual([]);
    const own = clerkOf({ tier: "none" }, [{ ...closure, sandboxPolicy: "none" }]);
    await told({ call: "clerk", tools: [own.asTool()] }, { sandbox: outer });
    expect(ran).toEqual(["ran"]);
  });

  test.each(Object.entries(ways))(
    "refuses the tool of a server behind %s, unless the operator declares the server as its own sandbox [sandbox.inside]",
    async (_way, hold) => {
      for (const [sandboxPolicy, runs] of [
        [undefined, false],
        ["none", true],
      ] as const) {
        const ran: string[] = [];
        const served = tool({
          name: "lookup",
          description: "Looks up.",
          inputSchema: z.object({}),
          execute: () => ran.push("ran"),
        }) as Tool;
        const { tools } = classifyTools([{ tool: { ...served, ...(sandboxPolicy && { sandboxPolicy }) } }], {
          source: { kind: "mcp", serverIdentity: "tracker" },
          tools: { lookup: { sideEffectClass: "read-only" } },
        });
        await told(hold(clerkOf({ tier: "none" }, tools)), { sandbox: outer });
        expect(ran).toEqual(runs ? ["ran"] : []);
      }
    },
  );
});
