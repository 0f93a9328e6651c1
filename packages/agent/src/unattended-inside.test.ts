import { codeMode } from "@bailiwick/core/code-mode";
import { attempt, loop, map, parallel, pipeline, route } from "@bailiwick/core/compose";
import { handoff, memoryStore, tool, type RunOutput, type RunStore, type Runnable, type Tool } from "@bailiwick/core";
import { faultyStore, scriptedModel, type StoreCall } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "./fixtures.test.helper.ts";
import { Agent } from "./index.ts";

type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

const fail = { planner: false, unattended: "fail" } as const;

/** Tools that need a person: for an approval, and for an answer. */
const asking: Readonly<Record<string, () => Tool>> = {
  "an approval": () =>
    tool({
      name: "act",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval: true,
      execute: () => {
        throw new Error("It ran.");
      },
    }),
  "an answer": () =>
    tool({
      name: "act",
      description: "Asks.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: (_input, ctx) => ctx.ask({ question: "Which one?", schema: z.string() }),
    }),
};

const clerkOf = (act: Tool, options: Options = {}): Agent =>
  new Agent({
    name: "clerk",
    logger: quiet,
    model: scriptedModel(({ messages }) =>
      messages.some(({ toolResult }) => toolResult?.toolName === "act")
        ? "The clerk continues."
        : { toolCalls: [{ name: "act", arguments: {} }] },
    ),
    tools: [act],
    ...options,
  });

/** The tool or the handoff by which an outer agent reaches the clerk. */
interface Held {
  readonly call: string;
  readonly tools?: readonly Tool[];
  readonly handoffs?: Options["handoffs"];
}

/** A node that would answer after a failure. */
const backup = new Agent({ name: "backup", logger: quiet, model: scriptedModel(() => "The backup answers.") });

const office = { name: "office" } as const;
const compositions: Readonly<Record<string, (clerk: Runnable) => Runnable & { asTool(): Tool }>> = {
  "a pipeline": (clerk) => pipeline([clerk, backup], office),
  "a parallel composition": (clerk) => parallel({ clerk, backup }, office),
  "a route": (clerk) => route({ clerk }, { ...office, choose: () => "clerk" }),
  "a map": (clerk) => map(clerk, { ...office, items: (input) => [input] }),
  "a loop": (clerk) => loop(clerk, { ...office, until: () => true, maxRounds: 2 }),
  "an attempt with a catch": (clerk) => attempt({ try: clerk, catch: backup, finally: backup }, office),
  "a pipeline in an attempt": (clerk) => attempt({ try: pipeline([clerk], { name: "inner" }) }, office),
};

const toolRunning = (run: (...given: Parameters<Agent["run"]>) => Promise<RunOutput>): Tool =>
  tool({
    name: "office",
    description: "Asks the clerk.",
    inputSchema: z.object({ input: z.string() }),
    sideEffectClass: "read-only",
    execute: async ({ input }, ctx) => {
      const { text } = await run(input, ctx.runOptions);
      return text === "" ? "It said nothing." : text;
    },
  });

const holders: Readonly<Record<string, (clerk: Agent) => Held>> = {
  "an agent as a tool": (clerk) => ({ call: "clerk", tools: [clerk.asTool()] }),
  "an agent as a tool with its own output": (clerk) => ({
    call: "clerk",
    tools: [clerk.asTool({ toOutput: ({ status }) => status })],
  }),
  "a handoff": (clerk) => ({ call: "transfer_to_clerk", handoffs: [handoff(clerk)] }),
  "code mode": (clerk) => ({ call: "run_code", tools: [codeMode({ tools: [clerk.asTool()] })] }),
  "a tool that runs it": (clerk) => ({ call: "office", tools: [toolRunning((...given) => clerk.run(...given))] }),
  "a tool that streams it": (clerk) => ({
    call: "office",
    tools: [toolRunning(async (...given) => clerk.stream(...given).result)],
  }),
  ...Object.fromEntries(
    Object.entries(compositions).map(([how, compose]) => [
      how,
      (clerk: Agent): Held => ({ call: "office", tools: [compose(clerk).asTool()] }),
    ]),
  ),
};

function argumentsOf(call: string): object {
  if (call.startsWith("transfer")) return {};
  return call === "run_code"
    ? { code: `try { return await tools.clerk({ input: "Go." }); } catch (error) { return "caught"; }` }
    : { input: "Go." };
}

const deskOf = ({ call, ...held }: Held, options: Options = {}): Agent =>
  new Agent({
    name: "desk",
    logger: quiet,
    model: scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: call, arguments: argumentsOf(call) }] } : "The desk continues.",
    ),
    ...held,
    ...options,
  });

/** The same run after its process died at one call of its store. */
async function afterDeath(dies: (call: StoreCall) => boolean, desk: (store: RunStore) => Agent): Promise<RunOutput> {
  let now = 1_000;
  const inner = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const store = faultyStore(inner, (call) => (dies(call) ? { crash: true, written: true } : undefined));
  void desk(store)
    .run("Go.", { flow: fail })
    .catch(() => undefined);
  await store.crashed;
  now += 60_000;
  const [run] = (await inner.listRuns({})).filter(({ agentId }) => agentId === "desk");
  return desk(inner).resume(run?.id ?? "");
}

/** True for a write that has a record of a type, unless it is about the clerk's own call. */
const writes =
  (type: string) =>
  ({ args }: StoreCall): boolean =>
    args.some(
      (given) =>
        Array.isArray(given) &&
        (given as { readonly type?: string; readonly toolName?: string }[]).some(
          (event) => event.type === type && event.toolName !== "act",
        ),
    );

describe.each(Object.entries(holders))("a clerk behind %s", (_how, hold) => {
  describe.each(Object.entries(asking))("that needs %s", (_what, act) => {
    const ended = { status: "stopped", stopReason: "unattended", interruptions: [] };

    test("ends each run around it whose setting is fail [flow.unattended.inside]", async () => {
      const output = await deskOf(hold(clerkOf(act())), { flow: fail }).run("Go.");
      expect(output).toMatchObject(ended);
      expect(output.text).not.toContain("continues");
      const byRun = await deskOf(hold(clerkOf(act(), { flow: { unattended: "pend" } }))).run("Go.", { flow: fail });
      expect(byRun).toMatchObject(ended);
    });

    test("ends them also if the process dies before or after the outcome of the outer call [flow.unattended.inside]", async () => {
      const desk = (store: RunStore): Agent => deskOf(hold(clerkOf(act())), { store });
      for (const type of ["run.end", "tool.outcome"]) {
        const output = await afterDeath(writes(type), desk);
        expect([type, output]).toEqual([type, expect.objectContaining(ended)]);
      }
    });

    test("is a failed call of an outer run that waits for people [flow.unattended.inside]", async () => {
      const output = await deskOf(hold(clerkOf(act(), { flow: fail })), { flow: { planner: false } }).run("Go.");
      expect(output).toMatchObject({ status: "completed", text: "The desk continues." });
    });
  });
});
