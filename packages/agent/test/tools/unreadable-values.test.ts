import { memorySessions, memoryStore, tool, toolReturn, type ToolExecutionContext } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent, type AgentOptions } from "../../src/index.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => void process.off("unhandledRejection", keep));

const boom = (): never => {
  throw new TypeError("boom");
};

/** Values that throw when they are read. */
const values: Readonly<Record<string, () => unknown>> = {
  "a getter": () => Object.defineProperty({}, "bad", { enumerable: true, get: boom }),
  "a getter beside good members": () => ({
    good: 1,
    deep: [Object.defineProperty({}, "bad", { enumerable: true, get: boom })],
  }),
  "a proxy whose members throw": () => new Proxy({ bad: 1 }, { get: boom }),
  "a proxy whose keys throw": () => new Proxy({ bad: 1 }, { ownKeys: boom }),
  "a proxy whose prototype throws": () => new Proxy({ bad: 1 }, { getPrototypeOf: boom }),
  "a list whose item throws": () => Object.defineProperty([1, 2], 1, { enumerable: true, get: boom }),
  "a then that throws": () => Object.defineProperty({}, ["then"].join(), { enumerable: true, get: boom }),
};

interface Outcome {
  readonly code?: string | undefined;
  readonly message: string;
}

const outcomeOf = (error: unknown): Outcome => error as Outcome;

type Work = (ctx: ToolExecutionContext) => unknown;

/** An agent whose only call runs a function. */
const working = (work: Work, options: Partial<AgentOptions>): Agent =>
  new Agent({
    name: "agent",
    logger: quiet,
    flow: "off",
    model: scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: "work", arguments: { given: 1 } }] } : "Done.",
    ),
    tools: [
      tool({
        name: "work",
        description: "Works.",
        inputSchema: z.object({ given: z.unknown() }),
        sideEffectClass: "external-stateful",
        execute: (_input, ctx) => work(ctx as never),
      }),
    ],
    ...options,
  });

/** The failure of the only call of a run. */
async function inTool(work: Work, options: Partial<AgentOptions> = {}): Promise<Outcome> {
  const output = await working(work, options).run("Go.", { sessionId: "s" });
  const [call] = output.toolCalls;
  return call?.error ?? { code: undefined, message: `no error: ${JSON.stringify(call)}` };
}

/** The failure of a waiting run that continues with a decision. */
async function decided(
  decide: (asked: { readonly id: string }) => object,
  work: Work = () => 1,
  options: Partial<AgentOptions> = { approval: { policy: "all" } },
): Promise<Outcome> {
  const agent = working(work, options);
  const { runId, interruptions } = await agent.run("Go.");
  const [asked] = interruptions;
  if (asked === undefined) throw new Error("The run does not wait.");
  return outcomeOf(await failureOf(agent.resume(runId, [decide(asked) as never])));
}

const talker = (options: Partial<AgentOptions> = {}): Agent =>
  new Agent({ name: "agent", logger: quiet, model: scriptedModel(() => "Done."), ...options });

const session = (): Partial<AgentOptions> => ({ session: memorySessions() });

/** Each place where a value of the user is stored, with the code of the refusal. */
const places: Readonly<
  Record<string, { readonly code: string | undefined; readonly use: (value: unknown) => Promise<Outcome> }>
> = {
  metadata: {
    code: "INVALID_OPTION",
    use: async (value) => outcomeOf(await failureOf(talker().run("Go.", { metadata: { value } }))),
  },
  "metadata of a queued run": {
    code: "INVALID_OPTION",
    use: async (value) =>
      outcomeOf(await failureOf(talker({ store: memoryStore() }).enqueue("Go.", { metadata: { value } }))),
  },
  "an input part": {
    code: "INVALID_INPUT",
    use: async (value) =>
      outcomeOf(await failureOf(talker().run([{ type: "text", text: "Go.", extra: value } as never]))),
  },
  "given messages": {
    code: "INVALID_MESSAGE",
    use: async (value) =>
      outcomeOf(
        await failureOf(
          talker().run("Go.", {
            messages: [{ id: "a", role: "user", content: [{ type: "text", text: "Hi.", extra: value } as never] }],
          }),
        ),
      ),
  },
  "messages of a session": {
    code: "INVALID_MESSAGE",
    use: async (value) =>
      outcomeOf(
        await failureOf(
          memorySessions().append(
            "s",
            [{ id: "a", role: "user", content: [{ type: "text", text: "Hi.", extra: value } as never] }],
            { runId: "r", seq: 1 },
          ),
        ),
      ),
  },
  setState: { code: "NOT_JSON", use: (value) => inTool((ctx) => ctx.setState("key", value), session()) },
  updateState: { code: "NOT_JSON", use: (value) => inTool((ctx) => ctx.updateState("key", () => value), session()) },
  "updateState without a session": {
    code: "NOT_JSON",
    use: (value) => inTool((ctx) => ctx.updateState("key", () => value)),
  },
  "a result": { code: "OUTPUT_NOT_JSON", use: (value) => inTool(() => ({ value })) },
  "details of a result": {
    code: "OUTPUT_NOT_JSON",
    use: (value) => inTool(() => toolReturn({ output: 1, details: { value } })),
  },
  "content parts of a result": {
    code: "OUTPUT_NOT_JSON",
    use: (value) =>
      inTool(() => toolReturn({ output: 1, contentParts: [{ type: "text", text: "a", extra: value } as never] })),
  },
  "arguments of beforeToolExec": {
    code: "HOOK_FAILED",
    use: (value) => inTool(() => 1, { loopHooks: { beforeToolExec: () => ({ args: { given: value } }) } }),
  },
  "arguments of an extension": {
    code: "EXTENSION_REFUSED",
    use: (value) => inTool(() => 1, { extensions: [{ name: "guard", gate: () => ({ args: { given: value } }) }] }),
  },
  "arguments that a person edits": {
    code: "DECISION_INVALID",
    use: (value) => decided(({ id }) => ({ id, type: "approve", args: { given: value } })),
  },
  "an answer of a person": {
    code: "DECISION_INVALID",
    use: (value) =>
      decided(
        ({ id }) => ({ id, type: "answer", value: { value } }),
        (ctx) => ctx.ask({ question: "Which?", schema: z.unknown() }),
        {},
      ),
  },
  "arguments of an approver": {
    code: undefined,
    use: (value) =>
      inTool(() => 1, {
        approval: { policy: "all", onApproval: () => ({ approved: true, args: { given: value } }) },
      }),
  },
  "arguments of a guardrail": {
    code: "GUARDRAIL_FAILED",
    use: (value) =>
      inTool(() => 1, {
        guardrails: { toolInput: [{ name: "guard", validate: () => ({ pass: true, replace: { given: value } }) }] },
      }),
  },
};

describe.each(Object.entries(places))("%s", (_place, { code, use }) => {
  test.each(Object.entries(values))(
    "%s that throws is refused with a code [state.json.unreadable]",
    async (_kind, make) => {
      const { code: given, message } = await use(make());
      expect([given, message]).toEqual([code, expect.stringMatching(/boom/u)]);
      for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled.splice(0)).toEqual([]);
    },
  );
});
