import {
  eventBus,
  handoff,
  memoryStore,
  ModelConnectionError,
  tool,
  type AgentOptions,
  type Clock,
  type EventBus,
  type Extension,
  type FlowOptions,
  type Guardrails,
  type OutputGuardrail,
  type RunOptions,
  type RunOutput,
  type RunStore,
  type Schema,
  type Telemetry,
  type Tool,
  type ToolExecutionContext,
} from "@bailiwick/core";
import type { TelemetrySpan } from "@bailiwick/core/extension";
import { codeMode } from "@bailiwick/compose/code-mode";
import {
  loop,
  map,
  parallel,
  route,
  type GivenItems,
  type LoopOptions,
  type MergeOptions,
  type PipelineOptions,
  type RouteOptions,
} from "../../src/compose.ts";
import { scriptedModel } from "@bailiwick/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { failureOf, listeningLogger, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => void process.off("unhandledRejection", keep));

/** Lets unhandled rejections surface, and catches them. */
async function unhandledRejections(): Promise<readonly unknown[]> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return unhandled.splice(0);
}

/** Time runs 500 times as fast: ten seconds of waiting are 20 ms. */
const fast: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs / 500);
    return () => clearTimeout(timer);
  },
};

/** An object whose every member throws when it is read. */
const trap = (...names: readonly string[]): object => {
  const made = {};
  for (const name of names)
    Object.defineProperty(made, name, {
      enumerable: true,
      get: () => {
        throw new Error("boom");
      },
    });
  return made;
};

/** A value that throws at everything that is done with it. */
const unreadable = (of: object): object =>
  new Proxy(
    of,
    new Proxy(
      {},
      {
        get: () => () => {
          throw new Error("boom");
        },
      },
    ),
  );

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error("boom");
  },
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "throws a value that cannot be read": () => {
    throw unreadable({});
  },
  "rejects with an error that cannot be read": () => Promise.reject(unreadable(new Error("boom"))),
  "rejects with an error whose members throw": () =>
    Promise.reject(
      Object.defineProperties(new Error("boom"), Object.getOwnPropertyDescriptors(trap("message", "name", "cause"))),
    ),
  "never settles": () => new Promise(() => undefined),
  "returns nonsense": () => 7,
  "returns a getter that throws": () =>
    trap("pass", "skip", "stop", "args", "model", "approved", "isFinalOutput", "type", "status", "role"),
  "returns a then that throws": () => trap("then"),
};

/** Effect of a failure on the run. */
type Effect =
  /** No effect: the run completes, and the writer has run. */
  | "none"
  /** The writer does not run. */
  | "closed"
  /** The writer has run; its result or the rest of the run is withheld. */
  | "after"
  /** The run fails with its own error. */
  | "failed";

interface Row {
  readonly effect: Effect;
  /** The framework does not await the promise, so one that never settles is not a failure. */
  readonly unawaited?: true;
  /** The guard accepts every JSON value as an answer, so a number is valid here. */
  readonly anyAnswer?: true;
  readonly agent?: (bad: never, bus: EventBus) => Partial<AgentOptions>;
  readonly run?: (bad: never, bus: EventBus) => RunOptions;
  readonly tool?: (bad: never) => Partial<Tool>;
  /** Runs the agent in another way: inside a composition, or after a crash. */
  readonly start?: (bad: never, agent: Agent, store: RunStore) => Promise<RunOutput>;
}

/** A schema of another library. */
const checkedBy = (validate: never): Schema => ({
  "~standard": {
    version: 1,
    vendor: "test",
    validate,
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  } as Schema["~standard"],
});

/** Runs an agent, and a fork of its run from the point at which the writer had begun and had no result. */
async function crashedAndResumed(agent: Agent, store: RunStore): Promise<RunOutput> {
  const { runId } = await agent.run("go");
  const atSeq = (await store.load(runId)).find(({ type }) => type === "tool.intent")?.seq ?? 0;
  return agent.resume((await agent.fork(runId, { atSeq })).runId);
}

/** An agent that immediately hands over. */
const desk = (agent: Agent, inputFilter: never): Agent =>
  new Agent({
    name: "desk",
    logger: quiet,
    clock: fast,
    flow: "off",
    model: scriptedModel([{ toolCalls: [{ name: "transfer_to_agent", arguments: {} }] }, "Done."]),
    handoffs: [handoff(agent, { inputFilter })],
  });
/** Calls the writer, and then has no further answers. */
const breaking = (): Partial<AgentOptions> => ({
  retry: { maxRetries: 0 },
  model: scriptedModel(({ toolResults }) => {
    if (toolResults.length === 0) return writeCall();
    throw new Error("down");
  }),
});

/** An agent that uses another one as a tool. */
const caller = (agent: Agent, mapping: Parameters<Agent["asTool"]>[0]): Promise<RunOutput> =>
  new Agent({
    name: "caller",
    logger: quiet,
    clock: fast,
    flow: "off",
    model: scriptedModel(({ toolResults }) =>
      toolResults.length === 0
        ? { toolCalls: [{ name: "agent", arguments: { input: "go" } }] }
        : toolResults.map(({ text }) => text).join(),
    ),
    tools: [agent.asTool(mapping)],
  }).run("go");

/** Options of a composition, whose log is that of the agent. */
const own = { clock: fast, logger: quiet };

const extension = (points: Omit<Extension, "name">): Partial<AgentOptions> => ({
  extensions: [{ name: "bad", ...points }],
});

const span: TelemetrySpan<never> = { within: (work) => work(), end: () => undefined };

/** Telemetry of which some functions are replaced. */
const traced = (replaced: Partial<Telemetry>): Partial<AgentOptions> => ({
  telemetry: {
    inputs: true,
    outputs: true,
    startRun: () => span,
    startModelCall: () => span,
    startToolCall: () => span,
    ...replaced,
  },
});

/** Spans of which one function is replaced. */
function spans(replaced: Partial<TelemetrySpan<never>>): Partial<Telemetry> {
  const start = (): TelemetrySpan<never> => ({ ...span, ...replaced });
  return { startRun: start, startModelCall: start, startToolCall: start };
}

/** Names of the functions in an interface. */
type FunctionsOf<Options> = {
  [Name in keyof Options]-?: [Extract<NonNullable<Options[Name]>, (...given: never[]) => unknown>] extends [never]
    ? never
    : Name;
}[keyof Options] &
  string;

/** Groups of options: those without a function add no row, until they get one. */
interface Groups {
  readonly loop: LoopOptions<unknown>;
  readonly map: GivenItems<unknown, unknown, unknown> & MergeOptions<unknown, unknown>;
  readonly parallel: MergeOptions<unknown, unknown>;
  readonly route: RouteOptions<unknown, string>;
  readonly pipeline: PipelineOptions;
  readonly flow: FlowOptions;
  readonly contextCompactor: NonNullable<AgentOptions["contextCompactor"]>;
  readonly toolResultLimit: NonNullable<AgentOptions["toolResultLimit"]>;
  readonly modelTiers: NonNullable<AgentOptions["modelTiers"]>;
  readonly timeouts: NonNullable<AgentOptions["timeouts"]>;
}

/**
 * Every callback of the developer, derived from the types, so that a callback without a test case
 * does not compile.
 */
type Callback =
  | FunctionsOf<Omit<RunOptions, "stopWhen">>
  | FunctionsOf<Omit<AgentOptions, "model" | "output" | "ids" | "clock">>
  | `tool.${Exclude<FunctionsOf<Tool>, "execute">}`
  | `hooks.${FunctionsOf<NonNullable<AgentOptions["hooks"]>>}`
  | `loopHooks.${FunctionsOf<NonNullable<AgentOptions["loopHooks"]>>}`
  | `nodeHooks.${FunctionsOf<NonNullable<RunOptions["hooks"]>>}`
  | `approval.${FunctionsOf<NonNullable<AgentOptions["approval"]>>}`
  | `retry.${FunctionsOf<NonNullable<AgentOptions["retry"]>>}`
  | `extensions.${FunctionsOf<Extension>}`
  | `telemetry.${FunctionsOf<Telemetry>}`
  | `span.${FunctionsOf<TelemetrySpan<never>>}`
  | `guardrails.output.${FunctionsOf<OutputGuardrail>}`
  | `guardrails.${Exclude<keyof Guardrails, "output">}`
  | { [Name in keyof Groups]: `${Name}.${FunctionsOf<Groups[Name]>}` }[keyof Groups]
  | `handoff.${FunctionsOf<NonNullable<Parameters<typeof handoff>[1]>>}`
  | `asTool.${FunctionsOf<NonNullable<Parameters<Agent["asTool"]>[0]>>}`;

const rows: Readonly<Record<Callback, Row>> & Readonly<Record<string, Row>> = {
  "contextCompactor.countTokens": {
    effect: "none",
    agent: (countTokens) => ({ contextCompactor: { maxContextTokens: 1_000, strategy: "trim", countTokens } }),
  },
  "hooks.beforeRun": { effect: "none", agent: (beforeRun) => ({ hooks: { beforeRun } }) },
  "hooks.afterRun": { effect: "none", agent: (afterRun) => ({ hooks: { afterRun } }) },
  "hooks.onToolCall": { effect: "none", agent: (onToolCall) => ({ hooks: { onToolCall } }) },
  "loopHooks.afterLLMCall": { effect: "none", agent: (afterLLMCall) => ({ loopHooks: { afterLLMCall } }) },
  "nodeHooks.onNodeStart": { effect: "none", run: (onNodeStart) => ({ hooks: { onNodeStart } }) },
  "nodeHooks.onNodeEnd": { effect: "none", run: (onNodeEnd) => ({ hooks: { onNodeEnd } }) },
  "nodeHooks.onNodeError": {
    effect: "failed",
    agent: breaking,
    run: (onNodeError) => ({ hooks: { onNodeError } }),
  },
  "hooks.onError": { effect: "failed", agent: (onError) => ({ ...breaking(), hooks: { onError } }) },
  onError: { effect: "failed", unawaited: true, agent: breaking, run: (onError) => ({ onError }) },
  onStart: { effect: "none", unawaited: true, run: (onStart) => ({ onStart }) },
  onComplete: { effect: "none", unawaited: true, run: (onComplete) => ({ onComplete }) },
  onToken: { effect: "none", unawaited: true, run: (onToken) => ({ onToken }) },
  "onToken.onDone": { effect: "none", unawaited: true, run: (onDone) => ({ onToken: { onDone } }) },
  "eventBus.on": {
    effect: "none",
    unawaited: true,
    run: (bad, bus) => {
      bus.on("tool.call", bad).once("run.start", bad).on("run.complete", bad);
      return {};
    },
  },
  logger: {
    effect: "none",
    unawaited: true,
    agent: (bad) => ({ logger: { debug: bad, info: bad, warn: bad, error: bad } }),
    run: () => ({ verbose: true }),
  },
  prepareStep: { effect: "closed", agent: (prepareStep) => ({ prepareStep }) },
  instructions: { effect: "closed", agent: (instructions) => ({ instructions }) },
  tools: { effect: "closed", agent: (tools) => ({ tools }) },
  "loopHooks.beforeLLMCall": { effect: "closed", agent: (beforeLLMCall) => ({ loopHooks: { beforeLLMCall } }) },
  "loopHooks.beforeToolExec": { effect: "closed", agent: (beforeToolExec) => ({ loopHooks: { beforeToolExec } }) },
  "guardrails.input": {
    effect: "closed",
    agent: (validate) => ({ guardrails: { input: [{ name: "guard", validate }] } }),
  },
  "guardrails.input, parallel": {
    effect: "closed",
    agent: (validate) => ({ guardrails: { input: [{ name: "guard", validate, parallel: true }] } }),
  },
  "guardrails.toolInput": {
    effect: "closed",
    agent: (validate) => ({ guardrails: { toolInput: [{ name: "guard", validate }] } }),
  },
  "approval.policy": { effect: "closed", agent: (policy) => ({ approval: { policy } }) },
  "approval.onApproval": { effect: "closed", agent: (onApproval) => ({ approval: { policy: "all", onApproval } }) },
  onApprovalRequired: {
    effect: "closed",
    agent: () => ({ approval: { policy: "all" } }),
    run: (onApprovalRequired) => ({ onApprovalRequired }),
  },
  "tool.needsApproval": { effect: "closed", tool: (needsApproval) => ({ needsApproval }) },
  "tool.idempotencyKey": { effect: "closed", tool: (idempotencyKey) => ({ idempotencyKey }) },
  "tool.preview": { effect: "closed", tool: (preview) => ({ preview }) },
  "tool.isEnabled": { effect: "closed", tool: (isEnabled) => ({ isEnabled }) },
  "loopHooks.afterToolExec": { effect: "after", agent: (afterToolExec) => ({ loopHooks: { afterToolExec } }) },
  "guardrails.toolOutput": {
    effect: "after",
    agent: (validate) => ({ guardrails: { toolOutput: [{ name: "guard", validate }] } }),
  },
  "tool.toModelOutput": { effect: "after", tool: (toModelOutput) => ({ toModelOutput }) },
  "loopHooks.onRoundtripComplete": {
    effect: "after",
    agent: (onRoundtripComplete) => ({ loopHooks: { onRoundtripComplete } }),
  },
  stopWhen: { effect: "after", agent: (stopWhen) => ({ stopWhen }) },
  toolUseBehavior: { effect: "after", agent: (toolUseBehavior) => ({ toolUseBehavior }) },
  "tool.lookup": { effect: "after", tool: (lookup) => ({ lookup }), start: (_, ...made) => crashedAndResumed(...made) },
  "retry.retryableErrors": {
    effect: "closed",
    agent: (retryableErrors) => ({
      retry: { maxRetries: 1, retryableErrors },
      model: scriptedModel(({ turn }) => {
        if (turn > 1) return "Done.";
        throw new ModelConnectionError("down", { provider: "scripted", retryable: true });
      }),
    }),
  },
  "handoff.inputFilter": { effect: "closed", start: (bad, agent) => desk(agent, bad).run("go") },
  "loop.until": { effect: "after", start: (until, agent) => loop({ until, ...own }, agent).run("go") },
  "map.items": {
    effect: "closed",
    start: (items, agent) => map({ items: items as () => never, ...own }, agent).run("go"),
  },
  "map.merge": {
    effect: "after",
    anyAnswer: true,
    start: (merge, agent) => map({ items: ["a"], merge, ...own }, agent).run("go"),
  },
  "parallel.merge": {
    effect: "after",
    anyAnswer: true,
    start: (merge, agent) => parallel({ merge, ...own }, { agent }).run("go"),
  },
  "route.choose": { effect: "closed", start: (choose, agent) => route({ choose, ...own }, { agent }).run("go") },
  "extensions.gate": { effect: "closed", agent: (gate) => extension({ gate }) },
  "extensions.beforeModel": { effect: "closed", agent: (beforeModel) => extension({ beforeModel }) },
  "extensions.result": { effect: "after", agent: (result) => extension({ result }) },
  "extensions.afterTurn": { effect: "after", agent: (afterTurn) => extension({ afterTurn }) },
  "extensions.beforeEnd": { effect: "after", agent: (beforeEnd) => extension({ beforeEnd }) },
  "extensions.onRecord": {
    effect: "none",
    unawaited: true,
    agent: (hear) => extension({ onRecord: { types: ["tool.call", "run.end"], hear } }),
  },
  "telemetry.startRun": { effect: "none", unawaited: true, agent: (startRun) => traced({ startRun }) },
  "telemetry.startModelCall": {
    effect: "none",
    unawaited: true,
    agent: (startModelCall) => traced({ startModelCall }),
  },
  "telemetry.startToolCall": { effect: "none", unawaited: true, agent: (startToolCall) => traced({ startToolCall }) },
  "telemetry.noteMoment": {
    effect: "none",
    unawaited: true,
    agent: (noteMoment) => ({
      ...traced({ noteMoment }),
      approval: { policy: "all", onApproval: () => ({ approved: true }) },
    }),
  },
  "span.within": { effect: "none", unawaited: true, agent: (within) => traced(spans({ within })) },
  "span.end": { effect: "none", unawaited: true, agent: (end) => traced(spans({ end })) },
  "guardrails.output.validate": {
    effect: "after",
    agent: (validate) => ({ guardrails: { output: [{ name: "guard", validate }] } }),
  },
  "guardrails.output.validateChunk": {
    effect: "after",
    agent: (validateChunk) => ({
      model: scriptedModel([writeCall(), "A long answer. ".repeat(100)]),
      guardrails: { output: [{ name: "guard", validate: () => ({ pass: true }), validateChunk }] },
    }),
    start: (_bad, agent) => agent.stream("go").result,
  },
  "tool.describeCall": {
    effect: "none",
    agent: () => ({ approval: { policy: "all", onApproval: () => ({ approved: true }) } }),
    tool: (describeCall) => ({ describeCall }),
  },
  "tool.inputSchema": { effect: "closed", tool: (validate) => ({ inputSchema: checkedBy(validate) }) },
  "tool.outputSchema": { effect: "after", tool: (validate) => ({ outputSchema: checkedBy(validate) }) },
  output: {
    effect: "after",
    agent: () => ({ model: scriptedModel([writeCall(), "{}", "{}"]) }),
    run: (validate) => ({ output: checkedBy(validate) }),
  },
  "asTool.needsApproval": { effect: "closed", start: (needsApproval, agent) => caller(agent, { needsApproval }) },
  "asTool.toInput": { effect: "closed", start: (toInput, agent) => caller(agent, { toInput }) },
  "asTool.toOutput": { effect: "after", anyAnswer: true, start: (toOutput, agent) => caller(agent, { toOutput }) },
};

/** Failures that the run distinguishes from an answer; an invalid return value of an observer is not one. */
const isFailure = (row: Row, behaviour: string): boolean => {
  if (row.effect !== "none" && row.effect !== "failed") return true;
  if (behaviour === "never settles") return row.unawaited !== true;
  return !["returns nonsense", "returns a getter that throws"].includes(behaviour);
};

/** A writer that notes its lines. */
const writer = (ran: string[], members?: Partial<Tool>) =>
  tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    execute: ({ line }) => void ran.push(line),
    ...(members as object),
  });

const cases = Object.entries(rows).flatMap(([name, row]) =>
  Object.entries(behaviours).map(([behaviour, bad]) => [name, behaviour, row, bad] as const),
);

test.each(cases)(
  "%s that %s does not end the process, hang the run or let a call through [hooks.one-call.unawaited] [hooks.one-call.reason] [hooks.one-call.compositions] [hooks.one-call.telemetry] [hooks.one-call.unreadable] [hooks.one-call.schemas] [hooks.one-call.before-start]",
  async (name, behaviour, row, bad) => {
    const logger = listeningLogger();
    const bus = eventBus({ logger });
    const store = memoryStore();
    const ran: string[] = [];
    const write = writer(ran, { idempotencyKey: "call", ...row.tool?.(bad as never) });
    const agent = new Agent({
      name: "agent",
      logger,
      eventBus: bus,
      store,
      clock: fast,
      flow: "off",
      model: scriptedModel([writeCall(), "Done.", "Done."]),
      tools: [write],
      ...row.agent?.(bad as never, bus),
    });
    let output: RunOutput | undefined;
    let error: unknown;
    const running = row.start?.(bad as never, agent, store) ?? agent.run("go", row.run?.(bad as never, bus));
    try {
      output = await running;
    } catch {
      error = await failureOf(running);
      output = (error as { readonly output?: RunOutput }).output;
    }
    expect(await unhandledRejections()).toEqual([]);
    if (row.effect === "failed") expect([String(error), ran]).toEqual([expect.stringContaining("down"), ["a"]]);
    else if (row.effect === "none" || (row.anyAnswer === true && behaviour === "returns nonsense")) {
      expect([output?.text, ran]).toEqual([row.anyAnswer === true ? "7" : "Done.", ["a"]]);
    } else {
      expect(ran).toEqual(row.effect === "closed" ? [] : ["a"]);
      // The output names the reason.
      const told = JSON.stringify([output, error, String(error)]);
      expect(told).toMatch(
        /boom|settle|has to return|no verdict|neither|verdict|returned|holds|An input is|The approver|No decision|cannot be shown/,
      );
    }
    if (!isFailure(row, behaviour)) return;
    const failures = logger.lines.filter((line) => /failed/.test(line));
    if (
      name !== "logger" &&
      row.start === undefined &&
      !name.startsWith("approval.on") &&
      name !== "onApprovalRequired"
    ) {
      expect(failures.length).toBeGreaterThan(0);
      expect(new Set(failures).size).toBe(failures.length);
    }
    if (/^tool\.(isEnabled|.*Schema)$|^output$/.test(name)) {
      const [run] = await store.listRuns({});
      const records = await store.load(run?.id ?? "");
      expect(records.filter(({ type }) => type === "hook.failed").length).toBeGreaterThan(0);
    }
  },
);

const toolCases = cases.filter(([name]) => name.startsWith("tool.") && name !== "tool.lookup");

test.each(toolCases)(
  "in a program of code mode, %s that %s does not end the process, hang the run or let a call through [hooks.one-call.unawaited] [hooks.one-call.reason]",
  async (name, behaviour, row, bad) => {
    const logger = listeningLogger();
    const store = memoryStore();
    const ran: string[] = [];
    const write = writer(ran, row.tool?.(bad as never));
    const code = 'return await tools.write({ line: "a" })';
    const agent = new Agent({
      name: "agent",
      logger,
      store,
      clock: fast,
      flow: "off",
      model: scriptedModel([{ toolCalls: [{ name: "run_code", arguments: { code } }] }, "Done."]),
      tools: [codeMode({ tools: [write] })],
      ...row.agent?.(bad as never, eventBus({ logger: quiet })),
    });
    const output = await agent.run("go");
    expect(await unhandledRejections()).toEqual([]);
    expect(ran).toEqual(row.effect === "closed" ? [] : ["a"]);
    // A program reads any JSON value of toModelOutput.
    if (row.effect === "none" || (name === "tool.toModelOutput" && behaviour === "returns nonsense")) return;
    const reason = /boom|settle|has to return|no verdict|neither|returned|cannot be shown/;
    expect(JSON.stringify([output, logger.lines])).toMatch(reason);
    if (!/^tool\.(isEnabled|.*Schema)$/.test(name)) return;
    if (name !== "tool.isEnabled") expect(JSON.stringify(output)).toMatch(reason);
    expect(logger.lines.filter((line) => reason.test(line))).toHaveLength(1);
    const runs = await Promise.all((await store.listRuns({})).map(({ id }) => store.load(id)));
    expect(runs.flat().filter(({ type }) => type === "hook.failed")).toHaveLength(1);
  },
);

/** Tools that check a value in `execute`, with a schema that fails. */
const givenSchemas: Readonly<
  Record<string, (schema: Schema<string>) => (input: unknown, ctx: ToolExecutionContext) => unknown>
> = {
  "ctx.ask": (schema) => (_input, ctx) => ctx.ask({ question: "Which?", schema }),
  "ctx.endorse": (schema) => (_input, ctx) => ctx.endorse("line", { name: "known", schema }, "It is a line."),
};

const givenCases = Object.entries(givenSchemas).flatMap(([where, execute]) =>
  Object.entries(behaviours).flatMap(([behaviour, bad]) =>
    (["off", "enforce"] as const).map((flow) => [where, behaviour, flow, execute, bad] as const),
  ),
);

test.each(givenCases)(
  "the schema of %s that %s accepts nothing, is logged once and journaled (flow %s) [hooks.one-call.schemas]",
  async (where, _behaviour, flow, execute, bad) => {
    const logger = listeningLogger();
    const store = memoryStore();
    const check = tool({
      name: "check",
      description: "Checks a line.",
      inputSchema: z.object({ line: z.string() }),
      sideEffectClass: "read-only",
      execute: execute(checkedBy(bad as never) as Schema<string>),
    });
    const agent = new Agent({
      name: "agent",
      logger,
      store,
      clock: fast,
      flow: { mode: flow, planner: false },
      model: scriptedModel([{ toolCalls: [{ name: "check", arguments: { line: "a" } }] }, "Done."]),
      tools: [check],
    });
    let output = await agent.run("go");
    const [question] = output.interruptions;
    if (question !== undefined)
      output = await agent.resume(output.runId, [{ id: question.id, type: "answer", value: {} }]);
    expect(await unhandledRejections()).toEqual([]);
    expect(output.toolCalls).toMatchObject([{ toolName: "check", isError: true }]);
    expect(logger.lines.filter((line) => line.includes(`${where} of check`))).toHaveLength(1);
    const failed = (await store.load(output.runId)).filter(({ type }) => type === "hook.failed");
    expect(failed).toMatchObject([{ hook: `${where} of check` }]);
  },
);

test.each(["accepted", "refused"] as const)(
  "an isEnabled that fails when a run resumes with a decision that is %s is journaled after the resumption, or not at all [hooks.one-call.before-start]",
  async (how) => {
    const store = memoryStore();
    let isBroken = false;
    const off = tool({
      name: "off",
      description: "Does nothing.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      isEnabled: () => {
        if (isBroken) throw new Error("boom");
        return true;
      },
      execute: () => "done",
    });
    const agent = new Agent({
      name: "agent",
      logger: quiet,
      store,
      flow: "off",
      model: scriptedModel([writeCall(), "Done."]),
      tools: [writer([], { needsApproval: true }), off],
    });
    const { runId, interruptions } = await agent.run("go");
    const before = await store.load(runId);
    isBroken = true;
    const [id = ""] = interruptions.map((asked) => asked.id);
    const resumed = agent.resume(runId, [{ id: how === "accepted" ? id : "another", type: "approve" }]);
    if (how === "refused") await failureOf(resumed);
    else await resumed;
    const added = (await store.load(runId)).slice(before.length).map(({ type }) => type);
    expect(added.slice(0, 2)).toEqual(how === "accepted" ? ["run.resumed", "hook.failed"] : []);
  },
);
