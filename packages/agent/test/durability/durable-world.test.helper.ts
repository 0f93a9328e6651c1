import {
  handoff,
  type Decision,
  type Keys,
  type MemoryStoreOptions,
  type RunOutput,
  type RunStore,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, clientTool, tool } from "../../src/index.ts";

const hour = 3_600_000;

/** A clock that the test moves; its timers never fire. */
export type HandClock = NonNullable<MemoryStoreOptions["clock"]> & { pass(ms: number): void };

export function handClock(): HandClock {
  let now = 1_000;
  return { now: () => now, setTimer: () => () => undefined, pass: (ms) => void (now += ms) };
}

/** Effects of tools in order, one line each: `tool:text`, with the key if there is one. */
export type Effects = string[];

/** Calls of the outer agent's model, turn by turn. */
export const plans = {
  writers: [["plain", "keyed", "lookup"]],
  approvals: [["approved", "plain", "approved"], ["keyed"]],
  question: [["ask", "plain"], ["keyed"]],
  "client tools": [["page", "plain", "page"], ["paging"]],
  sleep: [["nap", "plain"], ["approved"]],
  "an agent that is a tool": [["inner", "plain"], ["keyed"]],
  "two agents that are tools": [["inner", "inner"]],
  handoff: [["plain"], ["transfer_to_mate"]],
  "long results and state": [["long", "note"], ["plain"]],
  everything: [
    ["long", "plain", "keyed", "approved", "ask", "nap", "inner", "note"],
    ["lookup", "approved"],
  ],
} as const;

/** Name of a plan. */
export type Plan = keyof typeof plans;

const texted = z.object({ text: z.string() });

function writer(effects: Effects, name: string, more: object = {}): Tool {
  return tool({
    name,
    description: `Writes as ${name}.`,
    inputSchema: texted,
    sideEffectClass: "external-stateful",
    execute: ({ text }: { readonly text: string }, ctx) => {
      effects.push([name, text, ...(ctx.idempotencyKey === undefined ? [] : [ctx.idempotencyKey])].join(":"));
      return `${name} ${text}`;
    },
    ...more,
  }) as Tool;
}

function toolsOf(effects: Effects): readonly Tool[] {
  const reader = { inputSchema: z.looseObject({}), sideEffectClass: "read-only" } as const;
  return [
    writer(effects, "plain"),
    writer(effects, "keyed", { idempotencyKey: "call" }),
    writer(effects, "lookup", {
      idempotencyKey: ({ text }: { readonly text: string }) => `key-${text}`,
      lookup: (key: string) => {
        const done = effects.find((line) => line.startsWith("lookup:") && line.endsWith(key));
        return done === undefined ? { status: "absent" } : { status: "done", output: `lookup ${done.split(":")[1]}` };
      },
    }),
    writer(effects, "approved", { needsApproval: true }),
    tool({
      ...reader,
      name: "long",
      description: "Reads much.",
      maxResultTokens: 100,
      execute: () => Array.from({ length: 4_000 }, (_, line) => `line ${line}`),
    }),
    tool({
      ...reader,
      name: "note",
      description: "Notes.",
      execute: (_input, ctx) => {
        ctx.setState("note", "a note");
        return "noted";
      },
    }),
    tool({
      ...reader,
      name: "ask",
      description: "Asks.",
      execute: (_input, ctx) => ctx.ask({ question: "Which?", schema: z.string() }),
    }),
    clientTool({
      name: "page",
      description: "Writes in the page.",
      inputSchema: texted,
      outputSchema: z.string(),
      sideEffectClass: "external-stateful",
    }),
    writer(effects, "nap", {
      execute: async ({ text }: { readonly text: string }, ctx: { sleep(wait: { ms: number }): Promise<void> }) => {
        await ctx.sleep({ ms: hour });
        effects.push(`nap:${text}`);
        return `nap ${text}`;
      },
    }),
  ] as readonly Tool[];
}

/** The agent of a process, on a store: its model, its tools and the agents that it calls. */
export function agentOf(
  plan: Plan,
  {
    store,
    effects,
    clock,
    keys,
  }: {
    readonly store: RunStore;
    readonly effects: Effects;
    readonly clock: HandClock;
    readonly keys?: Keys | undefined;
  },
): Agent {
  const base = { logger: quiet, clock, flow: "off" as const, keys };
  const calls = (...named: readonly (readonly [name: string, text: string])[]): ScriptStep => ({
    toolCalls: named.map(([name, text]) => ({
      name,
      arguments: name === "inner" || name === "paging" ? { input: text } : name.startsWith("transfer") ? {} : { text },
    })),
  });
  const helper = (name: string): Agent =>
    new Agent({
      ...base,
      name,
      tools: [writer(effects, `${name}_plain`), writer(effects, `${name}_approved`, { needsApproval: true })],
      model: scriptedModel(({ toolResults, messages }) =>
        toolResults.some(({ toolName }) => toolName.startsWith(name))
          ? `${name} is done.`
          : calls([`${name}_plain`, messages.at(-1)?.text ?? ""], [`${name}_approved`, messages.at(-1)?.text ?? ""]),
      ),
    });
  const model = scriptedModel(({ messages }) => {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const names: readonly string[] = plans[plan][turn] ?? [];
    return names.length === 0 ? "Done." : calls(...names.map((name, index) => [name, `${turn}${index}`] as const));
  });
  return new Agent({
    ...base,
    name: "outer",
    model,
    tools: [...toolsOf(effects), helper("inner").asTool(), paging(base).asTool()],
    ...(plan === "handoff" && { handoffs: [handoff(helper("mate"))] }),
    store,
    session: store.sessions,
    // The timers of a hand clock never fire: a run cannot wait for its store.
    timeouts: { storeMs: 0 },
  });
}

/** An agent inside, whose tool the client runs. */
function paging(base: object): Agent {
  const tools = toolsOf([]).filter(({ name }) => name === "page");
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Paged." : { toolCalls: [{ name: "page", arguments: { text: "inside" } }] },
  );
  return new Agent({ ...base, name: "paging", tools, model });
}

/** Decides like a person who checks the effects before reporting that something happened. */
export function truthful(effects: Effects, { interruptions }: Pick<RunOutput, "interruptions">): readonly Decision[] {
  return interruptions.map((asked) => {
    if (asked.kind === "question") return asked.answer("blue");
    if (asked.kind === "approval") return asked.approve();
    const { text } = asked.args as { readonly text: string };
    if (asked.kind === "client_tool") {
      const line = `page:${text}:${asked.id}`;
      // A page runs a question once, however often it arrives.
      if (!effects.includes(line)) effects.push(line);
      return asked.answer(`paged ${text}`);
    }
    return effects.includes(`${asked.toolName}:${text}`)
      ? asked.itHappened(`${asked.toolName} ${text}`)
      : asked.itDidNotHappen();
  });
}

/** Resumes a run until it ends: decides its questions, and waits while it sleeps. */
export async function toEnd(agent: Agent, output: RunOutput, effects: Effects, clock: HandClock): Promise<RunOutput> {
  let last = output;
  for (let step = 0; step < 12 && (last.status === "suspended" || last.status === "sleeping"); step += 1) {
    if (last.interruptions.length === 0) clock.pass(hour);
    last = await agent.resume(last.runId, truthful(effects, last));
  }
  return last;
}

/** The parts of a run that do not depend on interruptions: without ids, which differ. */
export function shapeOf({ messages = [], text, status }: Partial<RunOutput> = {}): unknown {
  const withoutIds = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value).replaceAll(
        /[0-9a-f]{64}|(?<=nonce=\\?")[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu,
        "#",
      ),
    );
  return {
    status,
    text,
    messages: messages.map((message) =>
      message.role === "assistant"
        ? [message.content.filter(({ type }) => type === "text"), message.toolCalls.map(({ name }) => name)]
        : [message.role, withoutIds(message.content)],
    ),
  };
}

/** Effects as a set of lines without keys, and the keys used for each. */
export function effectsOf(effects: Effects): { readonly lines: readonly string[]; readonly keys: number } {
  const keyed = effects.filter((line) => line.split(":").length > 2);
  const plainLines = effects.filter((line) => !keyed.includes(line));
  const distinct = new Set(keyed);
  return {
    lines: [...plainLines, ...[...distinct].map((line) => line.split(":").slice(0, 2).join(":"))].toSorted(),
    keys: distinct.size,
  };
}
