import {
  memoryStore,
  stepCountIs,
  tool,
  type KeptOptions,
  type RunOptions,
  type RunOutput,
  type RunStore,
} from "@bailiwick/core";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent, type AgentOptions } from "../../src/index.ts";

type Start = Awaited<ReturnType<Agent["inspect"]>>["events"][number] & {
  readonly type: "run.start";
  readonly options?: KeptOptions;
};

/** An option that is stored in full, or without its code. */
class Stored {
  readonly given: unknown;
  readonly expected: unknown;
  constructor(given: unknown, expected: unknown = given) {
    this.given = given;
    this.expected = expected;
  }
}

/** Functions without which the run is not continued. */
class Again {
  readonly given: RunOptions;
  readonly empty: RunOptions;
  constructor(given: RunOptions, empty: RunOptions) {
    this.given = given;
    this.empty = empty;
  }
}

/** How a run keeps an option: the given value and where to find it in the first record, or why it is not kept. */
type Kept =
  | readonly [given: unknown, read: (start: Start) => unknown, expected?: unknown]
  | Stored
  | Again
  | "code"
  | "handle";

const page = { name: "scroll", description: "Scrolls.", inputSchema: { type: "object" }, sideEffectClass: "pure" };
const earlier = [{ role: "user", content: "An earlier question." }];
const historyTexts = ({ history }: Start): unknown => history.map(({ content }) => content);
const allow = { name: "allow", validate: () => ({ pass: true as const }) };
const approves = (): { approved: boolean } => ({ approved: true });
const other = scriptedModel(() => "Other.");
const grant = { tool: "write", args: { to: { eq: "ann" } } } as const;

/**
 * Each option of a run. The compiler checks that none is missing. Data of the caller is stored. Code comes from the
 * agent in the process that drives the run. A handle belongs to the caller's process.
 */
const options: Readonly<Record<keyof RunOptions, Kept>> = {
  sessionId: ["s-1", (start) => start.sessionId],
  tenantId: ["t-1", (start) => start.tenantId],
  userId: ["u-1", (start) => start.userId],
  metadata: [{ ticket: "T-1" }, (start) => start.metadata],
  extraVars: [{ region: "eu" }, (start) => start.extraVars],
  messages: [earlier, historyTexts, ["An earlier question."]],
  conversationHistory: [earlier, historyTexts, ["An earlier question."]],
  clientTools: [[page], (start) => start.clientTools],
  deadlineAt: [9_000_000_000_000, (start) => start.deadlineAt],
  dependencies: [{ shop: "live" }, (start) => start.withDependencies, true],
  // The row of the run has the key: the same key finds the run.
  idempotencyKey: "handle",
  // The outer run recovers the runs inside its calls.
  parent: "handle",
  signal: "handle",
  apiKey: "handle",
  onToken: "handle",
  onStart: "handle",
  onComplete: "handle",
  onError: "handle",
  onApprovalRequired: [() => true, (start) => start.options?.person, ["onApprovalRequired"]],
  includeRawEvents: "handle",
  verbose: "handle",
  grants: new Stored([grant]),
  enableCaching: new Stored(true),
  hooks: "code",
  output: "code",
  model: new Stored("test/other"),
  instructions: new Stored("Be brief."),
  maxTurns: new Stored(3),
  toolChoice: new Stored("none"),
  toolUseBehavior: new Stored({ stopAtToolNames: ["write"] }),
  reasoning: new Stored({ effort: "low" }),
  temperature: new Stored(0.5),
  topP: new Stored(0.5),
  stopSequences: new Stored(["END"]),
  parallelToolCalls: new Stored(false),
  maxTokens: new Stored(100),
  providerOptions: new Stored({ openai: { store: false, fetch } }, { openai: { store: false } }),
  modelTiers: new Stored({ fast: "test/other", smart: other }, { fast: "test/other" }),
  fallback: new Stored([other, "test/other"], ["test/other"]),
  retry: new Stored({ maxRetries: 1, retryableErrors: () => false }, { maxRetries: 1 }),
  timeouts: new Stored({ totalMs: 60_000 }),
  toolConcurrency: new Stored(1),
  toolTimeoutMs: new Stored(1_000),
  stopWhen: new Again({ stopWhen: stepCountIs(9) }, { stopWhen: [] }),
  prepareStep: new Again({ prepareStep: () => undefined }, { prepareStep: () => undefined }),
  loopHooks: new Again({ loopHooks: { beforeToolExec: () => undefined } }, { loopHooks: {} }),
  extensions: new Again({ extensions: [{ name: "watch", gate: () => undefined }] }, { extensions: [] }),
  hooksAreFatal: new Stored(true),
  guardrails: new Again({ guardrails: { input: [allow] } }, { guardrails: {} }),
  fakes: new Again({ fakes: { answer: () => ({ output: "faked" }) } }, { fakes: { answer: () => undefined } }),
  outputGuardrails: new Stored("hold"),
  approval: new Stored(
    { policy: ["write"], expiresAfterMs: 1_000, onApproval: approves },
    {
      policy: ["write"],
      expiresAfterMs: 1_000,
    },
  ),
  flow: new Stored(
    { mode: "enforce", undeclared: "gate", planner: other, quarantine: { bits: 8, model: other }, grants: [grant] },
    { mode: "enforce", undeclared: "gate", quarantine: { bits: 8 }, grants: [grant] },
  ),
  contextCompactor: new Stored(
    { maxContextTokens: 90_000, strategy: "trim", countTokens: () => 1 },
    { maxContextTokens: 90_000, strategy: "trim" },
  ),
  toolResultLimit: new Stored({ maxTokens: 100 }),
  memory: "code",
  session: "code",
  generateFollowups: new Stored(false),
  sandbox: new Stored({ tier: "os", timeout: 5_000, env: { A: "1" } }, { tier: "os", timeout: 5_000 }),
  budget: new Stored({ tokens: 9_000 }),
  eventBus: "code",
  logger: "code",
  clock: "code",
  ids: "code",
  maxDepth: new Stored(2),
  onUnknownOutcome: new Stored("suspend"),
  detached: "code",
  resumable: new Stored(true),
  concurrentRuns: "code",
  loopDetection: new Stored(2),
};

const write = tool({
  name: "write",
  description: "Writes.",
  inputSchema: z.object({ to: z.string() }),
  sideEffectClass: "external-stateful",
  execute: ({ to }) => `written to ${to}`,
});

const kept = Object.entries(options).flatMap(([name, how]) =>
  typeof how === "string" || how instanceof Again ? [] : [[name, how] as const],
);
const again = Object.entries(options).flatMap(([name, how]) => (how instanceof Again ? [[name, how] as const] : []));

/** A process that dies once the store has the row of the run, or the intent of the first model call. */
const deaths = ["create", "append"] as const;

/** Begins a run in a process that dies; returns its id. */
async function begunIn(
  store: RunStore,
  at: (typeof deaths)[number],
  agentOn: (store: RunStore) => Agent,
  given: object,
): Promise<string> {
  const dying = faultyStore(store, ({ operation }) => (operation === at ? { crash: true, written: true } : undefined));
  void agentOn(dying)
    .run("go", given)
    .catch(() => undefined);
  await dying.crashed;
  return (await store.listRuns({ allTenants: true }))[0]?.id ?? "";
}

describe.each(deaths)("a run whose process died after %s", (at) => {
  test.each(kept)("keeps `%s` of its caller [run.resume]", async (name, how) => {
    const [given, read, expected] =
      how instanceof Stored
        ? [how.given, (start: Start) => start.options?.values[name], how.expected]
        : [how[0], how[1], how[2] ?? how[0]];
    const store = memoryStore();
    const agentOn = (own: RunStore): Agent => {
      const made: AgentOptions = {
        name: "agent",
        logger: quiet,
        model: scriptedModel(() => "Done."),
        models: { resolve: () => other },
        store: own,
        tools: name === "sandbox" ? [] : [write],
        sandbox: name === "sandbox" ? { tier: "process", allowNetwork: true, allowFS: true } : undefined,
        dependencies: name === "dependencies" ? given : undefined,
      };
      return new Agent(made);
    };
    const id = await begunIn(store, at, agentOn, { [name]: given });
    const agent = agentOn(store);
    const done = await agent.resume(id, [], { formerIsGone: true });
    expect(done.status).toBe("completed");
    if (name === "model") expect(done.text).toBe("Other.");
    const start = (await agent.inspect(id)).events.find(({ type }) => type === "run.start");
    expect(read(start as Start)).toEqual(expected);
  });

  /** A run that writes once, begun with options in a process that dies, and continued in one with the agent's alone. */
  const continued = async (
    given: RunOptions,
    settings: Partial<AgentOptions> = {},
    again: RunOptions = {},
  ): Promise<RunOutput> => {
    const store = memoryStore();
    const agentOn = (own: RunStore): Agent => {
      const made: AgentOptions = {
        name: "agent",
        logger: quiet,
        model: scriptedModel(({ toolResults }) =>
          toolResults.length === 0 ? { toolCalls: [{ name: "write", arguments: { to: "ann" } }] } : "Done.",
        ),
        flow: { planner: false },
        tools: [write],
        store: own,
        ...settings,
      };
      return new Agent(made);
    };
    const id = await begunIn(store, at, agentOn, given);
    return agentOn(store).resume(id, [], { formerIsGone: true, ...again });
  };
  const asks = { status: "suspended", interruptions: [{ toolName: "write" }] };

  test("asks a person in place of approvers and policies that are functions, also where the agent has an approver [run.resume]", async () => {
    const open = { approval: { onApproval: approves } };
    expect(await continued({})).toMatchObject({ status: "completed" });
    expect(await continued({ approval: { policy: ["write"] } })).toMatchObject(asks);
    expect(await continued({ approval: { policy: "all" } })).toMatchObject(asks);
    expect(await continued({ approval: { policy: () => true } })).toMatchObject(asks);
    const policy = { approval: { policy: "all", onApproval: approves } } as const;
    expect(await continued({}, policy)).toMatchObject({ status: "completed" });
    expect(await continued({ approval: { onApproval: approves } }, policy)).toMatchObject(asks);
    expect(await continued({ onApprovalRequired: () => true }, policy)).toMatchObject(asks);
    expect(await continued(open, policy, open)).toMatchObject({ status: "completed" });
    expect(
      await continued({ approval: { policy: () => true } }, {}, { approval: { policy: () => false } }),
    ).toMatchObject({
      status: "completed",
    });
  });

  test("stays within its budget, its turns and its mode of flow, and refuses looser ones [run.resume]", async () => {
    expect(await continued({ budget: { tokens: 1 } })).toMatchObject({ status: "stopped" });
    expect(await continued({ maxTurns: 1 })).toMatchObject({ stopReason: "max_turns" });
    expect(
      await continued({ flow: { mode: "enforce", unattended: "fail" }, approval: { policy: "all" } }),
    ).toMatchObject({
      stopReason: "unattended",
    });
    const looser = continued({ budget: { tokens: 9_000 } }, {}, { budget: { tokens: 10_000 } });
    expect(await failureOf(looser)).toMatchObject({ code: "WEAKER_POLICY" });
  });
});

/** Moments at which another process takes over a run that has functions. */
const moments = [...deaths, "question"] as const;

describe.each(moments)("a run that another process takes over after %s", (moment) => {
  test.each(again)("is not continued without its `%s` [run.resume.functions]", async (name, { given, empty }) => {
    const store = memoryStore();
    const agentOn = (own: RunStore): Agent =>
      new Agent({
        name: "agent",
        logger: quiet,
        model: scriptedModel(({ toolResults }) =>
          toolResults.length === 0 ? { toolCalls: [{ name: "write", arguments: { to: "ann" } }] } : "Done.",
        ),
        flow: { planner: false },
        approval: { policy: moment === "question" ? "all" : [] },
        tools: [write],
        store: own,
      });
    const startedRun = async (more: RunOptions = {}): Promise<string> =>
      moment === "question"
        ? (await agentOn(store).run("go", { ...given, ...more })).runId
        : begunIn(store, moment, agentOn, { ...given, ...more });
    const id = await startedRun();
    const other = agentOn(store);
    const open = await other.interruptions(id);
    const decisions = open.map((question) => question.approve());
    const { events } = await other.inspect(id);
    const gone = { formerIsGone: true };
    const refused = await failureOf(other.resume(id, decisions, gone));
    expect(refused).toMatchObject({ code: "RUN_OPTIONS_MISSING", runId: id, message: expect.stringContaining(name) });
    expect((await other.inspect(id)).events).toEqual(events);
    expect(await other.resume(id, decisions, { ...gone, ...given })).toMatchObject({ status: "completed" });

    const openly = await startedRun({ sessionId: "s-open" });
    const questions = await other.interruptions(openly);
    const approved = questions.map((question) => question.approve());
    expect(await other.resume(openly, approved, { ...gone, ...empty })).toMatchObject({ status: "completed" });
  });
});

test("a run that waits without its functions can be cancelled by any process, and ends at its deadline [run.resume.functions]", async () => {
  let now = 0;
  const store = memoryStore();
  const agentOn = (): Agent =>
    new Agent({
      name: "agent",
      logger: quiet,
      model: scriptedModel(() => ({ toolCalls: [{ name: "write", arguments: { to: "ann" } }] })),
      flow: { planner: false },
      approval: { policy: "all" },
      clock: { now: () => now, setTimer: () => () => undefined },
      tools: [write],
      store,
    });
  const given = { guardrails: { input: [allow] }, deadlineAt: 1_000 };
  const cancelled = await agentOn().run("go", given);
  const expired = await agentOn().run("go", given);
  await agentOn().cancel(cancelled.runId);
  expect(await store.getRun(cancelled.runId)).toMatchObject({ state: "cancelled" });
  now = 2_000;
  expect(await failureOf(agentOn().resume(expired.runId))).toMatchObject({ code: "RUN_EXPIRED" });
});

test("a run keeps its grants, and a person is asked if a row has grants that the key did not sign [run.resume]", async () => {
  const sign = "k".repeat(32);
  const store = memoryStore();
  const agentOn = (own: RunStore): Agent =>
    new Agent({
      name: "agent",
      logger: quiet,
      model: scriptedModel(({ toolResults }) =>
        toolResults.length === 0 ? { toolCalls: [{ name: "write", arguments: { to: "ann" } }] } : "Done.",
      ),
      flow: { mode: "enforce", planner: false, undeclared: "gate" },
      keys: { sign },
      tools: [write],
      store: own,
    });
  const messages = [{ role: "assistant", content: "Write to ann." }] as const;
  const asks = { status: "suspended", interruptions: [{ toolName: "write" }] };
  expect(await agentOn(memoryStore()).run("go", { messages })).toMatchObject(asks);
  const id = await begunIn(store, "create", agentOn, { messages, grants: [grant] });
  expect(await agentOn(store).resume(id, [], { formerIsGone: true })).toMatchObject({ status: "completed" });
  const { input } = (await store.getRun(id)) as { readonly input: object };
  await store.create({ id: "forged", agentId: "agent", definitionHash: "", sessionId: "s-2", input });
  expect(await agentOn(store).resume("forged")).toMatchObject(asks);
});
