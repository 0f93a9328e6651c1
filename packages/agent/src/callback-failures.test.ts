import {
  eventBus,
  memoryStore,
  tool,
  type AgentOptions,
  type Clock,
  type EventBus,
  type RunOptions,
  type RunOutput,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { failureOf, listeningLogger, writeCall } from "./fixtures.test.helper.ts";
import { Agent } from "./index.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => void process.off("unhandledRejection", keep));

/** Lets rejections that nothing handles come up, and takes them. */
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

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error("boom");
  },
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "never settles": () => new Promise(() => undefined),
  "returns nonsense": () => 7,
  "returns a getter that throws": () =>
    trap("pass", "skip", "stop", "args", "model", "approved", "isFinalOutput", "type", "status", "role"),
  "returns a then that throws": () => trap("then"),
};

/** Effect of a failure on the run. */
type Effect =
  /** None: the run completes, and the writer has run. */
  | "none"
  /** The writer does not run. */
  | "closed"
  /** The writer has run; its result or the rest of the run is withheld. */
  | "after";

interface Row {
  readonly effect: Effect;
  /** Nothing waits for it, so a promise that never settles is no failure. */
  readonly unawaited?: true;
  readonly agent?: (bad: never, bus: EventBus) => Partial<AgentOptions>;
  readonly run?: (bad: never, bus: EventBus) => RunOptions;
  readonly tool?: (bad: never) => Partial<Tool>;
}

const rows: Readonly<Record<string, Row>> = {
  "hooks.beforeRun": { effect: "none", agent: (beforeRun) => ({ hooks: { beforeRun } }) },
  "hooks.afterRun": { effect: "none", agent: (afterRun) => ({ hooks: { afterRun } }) },
  "hooks.onToolCall": { effect: "none", agent: (onToolCall) => ({ hooks: { onToolCall } }) },
  "loopHooks.afterLLMCall": { effect: "none", agent: (afterLLMCall) => ({ loopHooks: { afterLLMCall } }) },
  onNodeStart: { effect: "none", run: (onNodeStart) => ({ hooks: { onNodeStart } }) },
  onNodeEnd: { effect: "none", run: (onNodeEnd) => ({ hooks: { onNodeEnd } }) },
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
  "guardrails.output": {
    effect: "after",
    agent: (validate) => ({ guardrails: { output: [{ name: "guard", validate }] } }),
  },
};

/** Failures that the run tells apart from an answer; nonsense that an observer returns is none. */
const isFailure = (row: Row, behaviour: string): boolean => {
  if (row.effect !== "none") return true;
  if (behaviour === "never settles") return row.unawaited !== true;
  return !["returns nonsense", "returns a getter that throws"].includes(behaviour);
};

const cases = Object.entries(rows).flatMap(([name, row]) =>
  Object.entries(behaviours).map(([behaviour, bad]) => [name, behaviour, row, bad] as const),
);

test.each(cases)(
  "%s that %s neither ends the process nor hangs the run nor lets a call through [hooks.one-call.unawaited] [hooks.one-call.reason]",
  async (name, behaviour, row, bad) => {
    const logger = listeningLogger();
    const bus = eventBus({ logger });
    const store = memoryStore();
    const ran: string[] = [];
    const write = tool({
      name: "write",
      description: "Writes a line.",
      inputSchema: z.object({ line: z.string() }),
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      execute: ({ line }) => void ran.push(line),
      ...(row.tool?.(bad as never) as object),
    });
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
    const running = agent.run("go", row.run?.(bad as never, bus));
    try {
      output = await running;
    } catch {
      error = await failureOf(running);
      output = (error as { readonly output?: RunOutput }).output;
    }
    expect(await unhandledRejections()).toEqual([]);
    if (row.effect === "none") {
      expect([output?.text, ran]).toEqual(["Done.", ["a"]]);
    } else {
      expect(ran).toEqual(row.effect === "closed" ? [] : ["a"]);
      // The reason is where the person looks who wonders why.
      const told = JSON.stringify([output, error, String(error)]);
      expect(told).toMatch(/boom|settle|has to return|no verdict|neither|verdict|returned|The approver|Nobody decided/);
    }
    if (!isFailure(row, behaviour)) return;
    const failures = logger.lines.filter((line) => /failed/.test(line));
    if (
      name !== "logger" &&
      name !== "tool.isEnabled" &&
      !name.startsWith("approval.on") &&
      name !== "onApprovalRequired"
    ) {
      expect(failures.length).toBeGreaterThan(0);
      expect(new Set(failures).size).toBe(failures.length);
    }
  },
);
