import {
  eventBus,
  memoryStore,
  readJournal,
  tool,
  toolReturn,
  type AgentOptions,
  type BusEventName,
  type Clock,
  type ContentPart,
  type Extension,
  type ExtensionContext,
  type JournalEventType,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
  type Ids,
  type RunOptions,
  eventTable,
} from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** Overwrites everything that can be reached in a value, including bytes and dates; named live objects stay. */
function scribble(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Uint8Array) {
    value.fill(88);
    return;
  }
  if (value instanceof Date) {
    value.setTime(1);
    return;
  }
  if (value instanceof Map || value instanceof Set) {
    value.clear();
    return;
  }
  if (Array.isArray(value))
    Reflect.apply(Array.prototype.forEach, [...(value as unknown[])], [(one: unknown) => scribble(one, seen)]);
  for (const key of Reflect.ownKeys(value)) {
    if (key === "signal" || key === "eventBus" || key === "tool" || key === "cause") continue;
    let member: unknown;
    try {
      member = Reflect.get(value, key);
    } catch {
      continue;
    }
    if (typeof member === "string") Reflect.set(value, key, "scribbled");
    else if (typeof member === "number") Reflect.set(value, key, 4711);
    else if (typeof member !== "function") scribble(member, seen);
    if (Array.isArray(value)) continue;
    Reflect.deleteProperty(value, key);
  }
  if (Array.isArray(value)) Reflect.set(value, "length", 0);
}

const hostile = (...given: readonly unknown[]): undefined => {
  for (const one of given) scribble(one);
  return undefined;
};

function stillClock(): Clock {
  return {
    now: () => 1_000,
    setTimer(callback, _delayMs, options) {
      if (options?.keepAlive === true) queueMicrotask(callback);
      return () => undefined;
    },
  };
}

function countingIds(): Ids {
  let count = 0;
  return { next: (kind) => `${kind}-${(count += 1)}` };
}

const busNames: readonly BusEventName[] = [
  ...new Set<BusEventName>([
    ...Object.values(eventTable).map(({ bus }) => bus),
    "run.complete",
    "run.error",
    "cost.tracked",
  ]),
];

type Point = Exclude<keyof Extension, "name" | "initialState" | "tools" | "options">;

/** An extension with a function at every point; the compiler reports a missing point. */
function extensionOf(observe: (...given: readonly unknown[]) => undefined): Extension {
  const at = (given: unknown, { state, run }: ExtensionContext): undefined => {
    const { metadata, extraVars, sessionState } = run;
    return observe(given, state, metadata, extraVars, sessionState);
  };
  const points: Required<Pick<Extension, Point>> = {
    gate: at,
    beforeModel: at,
    result: at,
    afterTurn: at,
    beforeEnd: at,
    onRecord: {
      types: Object.entries(eventTable).flatMap(([type, { kind }]) =>
        kind === "journal" ? [type as JournalEventType] : [],
      ),
      hear: observe,
    },
  };
  return { name: "watching", initialState: { kept: { list: [1, 2] } }, ...points };
}

/** Every way to observe a run, with code that overwrites everything that it gets. */
function hostileSettings(): { readonly agent: Partial<AgentOptions>; readonly run: RunOptions } {
  const bus = eventBus({ logger: quiet });
  for (const name of busNames) bus.on(name, hostile);
  const pass = (...given: readonly unknown[]): { readonly pass: true } => {
    hostile(...given);
    return { pass: true };
  };
  return {
    agent: {
      eventBus: bus,
      extensions: [extensionOf(hostile)],
      hooks: { beforeRun: hostile, afterRun: hostile, onToolCall: hostile, onError: hostile },
      loopHooks: {
        beforeLLMCall: hostile,
        afterLLMCall: hostile,
        beforeToolExec: hostile,
        afterToolExec: hostile,
        onRoundtripComplete: hostile,
      },
      prepareStep: hostile,
      instructions: (ctx) => {
        hostile({ ...ctx }, ctx.sessionState, ctx.metadata, ctx.extraVars, ctx.getState("k"));
        return "Use the tools.";
      },
      stopWhen: (view) => hostile(view) ?? false,
      toolUseBehavior: (results) => hostile(results) ?? { isFinalOutput: false },
      guardrails: {
        input: [{ name: "input", validate: pass }],
        output: [{ name: "output", validate: pass }],
        toolInput: [{ name: "toolInput", validate: pass }],
        toolOutput: [{ name: "toolOutput", validate: pass }],
      },
      approval: {
        policy: (call, ctx) => {
          const { name } = call;
          hostile(call, ctx.metadata);
          return name === "gated";
        },
        onApproval: (request) => {
          hostile(request);
          return { approved: true };
        },
      },
      telemetry: {
        inputs: true,
        outputs: true,
        startRun: (given) => span(given),
        startModelCall: (given) => span(given),
        startToolCall: (given) => span(given),
      },
    },
    run: {
      onToken: hostile,
      onStart: hostile,
      onComplete: hostile,
      onError: hostile,
      hooks: { onNodeStart: hostile, onNodeEnd: hostile, onNodeError: hostile },
    },
  };
}

function span(given: object) {
  hostile(given);
  return { within: <T>(work: () => T): T => work(), end: hostile };
}

/** The same options with code that changes nothing. */
function calmSettings(): ReturnType<typeof hostileSettings> {
  const calm = (): undefined => undefined;
  const pass = () => ({ pass: true as const });
  return {
    agent: {
      extensions: [extensionOf(calm)],
      loopHooks: { beforeLLMCall: calm },
      prepareStep: calm,
      instructions: () => "Use the tools.",
      guardrails: {
        input: [{ name: "input", validate: pass }],
        output: [{ name: "output", validate: pass }],
        toolInput: [{ name: "toolInput", validate: pass }],
        toolOutput: [{ name: "toolOutput", validate: pass }],
      },
      approval: { policy: (call) => call.name === "gated", onApproval: () => ({ approved: true }) },
    },
    run: { onToken: calm },
  };
}

/** A model whose wrapper overwrites its requests, and each answer before the next one. */
function hostileModel(model: ReturnType<typeof scriptedModel>): ModelProvider {
  let last: ModelResponse | undefined;
  const spoil = (request: ModelRequest, answer: ModelResponse): ModelResponse => {
    const { signal: _signal, fetch: _fetch, ...rest } = request;
    scribble(rest);
    scribble({ ...last, raw: undefined });
    return (last = answer);
  };
  return {
    ...model,
    generate: async (request) => spoil(request, structuredClone(await model.generate(request))),
    async *stream(request) {
      for await (const chunk of model.stream(request)) {
        const own = structuredClone(chunk);
        if (own.type === "finish") spoil(request, own.response);
        yield own;
      }
    },
  };
}

async function runWith(steps: readonly ScriptStep[], settings: ReturnType<typeof hostileSettings>, isHostile: boolean) {
  const clock = stillClock();
  const ids = countingIds();
  const store = memoryStore({ clock, ids });
  const executed: unknown[] = [];
  const watch = (given: unknown): void => void (isHostile && scribble(given));
  const kept = { nested: { list: [1, 2, 3] } };
  const line = z.object({ line: z.string(), deep: z.object({ list: z.array(z.number()) }) });
  const tools = (["plain", "gated"] as const).map((name) =>
    tool({
      name,
      description: "Writes.",
      inputSchema: line,
      sideEffectClass: "external-stateful",
      describeCall: (input: unknown) => {
        const sentence = JSON.stringify(input);
        watch(input);
        return `Write ${sentence}?`;
      },
      needsApproval: (input: unknown, ctx) => {
        watch(input);
        watch(ctx.messages);
        return false;
      },
      idempotencyKey: (input: unknown) => {
        const key = JSON.stringify(input);
        watch(input);
        return key;
      },
      toModelOutput: (output, input) => {
        const text = JSON.stringify([output, input]);
        watch(output);
        watch(input);
        return text;
      },
      execute: (input, ctx) => {
        executed.push(structuredClone(input));
        ctx.setState("k", { seen: executed.length });
        watch(input);
        watch(ctx.messages);
        watch(ctx.usage);
        watch(ctx.sessionState);
        watch(ctx.metadata);
        // A tool may keep and change its own result object.
        queueMicrotask(() => watch(kept));
        return toolReturn({ output: isHostile ? structuredClone({ nested: { list: [1, 2, 3] } }) : kept });
      },
    }),
  );
  const model = scriptedModel([...steps, "Done."]);
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    flow: "off",
    clock,
    ids,
    store,
    session: store.sessions,
    keys: { sign: "0123456789abcdef0123456789abcdef" },
    model: isHostile ? hostileModel(model) : model,
    tools,
    retry: { maxRetries: 0 },
    loopDetection: false,
    ...settings.agent,
  });
  const input: ContentPart[] = [
    { type: "text", text: "go" },
    { type: "image", data: new Uint8Array([1, 2, 3]), mimeType: "image/png" },
  ];
  const metadata = { tags: ["a"] };
  const handle = agent.stream(input, { sessionId: "s", metadata, ...settings.run });
  const { runId } = handle;
  let end: unknown;
  try {
    for await (const event of handle) watch(event);
    end = await handle.result;
  } catch (error) {
    end = [String(error), (error as { readonly output?: unknown }).output];
  }
  const frozen = JSON.stringify(end);
  watch(end);
  const read = (): Promise<unknown> =>
    readJournal(store, runId, { hasher: defaultHasher(), sign: undefined } as unknown as Parameters<
      typeof readJournal
    >[2]);
  const session = await store.sessions.load("s");
  const shown = JSON.stringify(session);
  watch(session);
  watch(await agent.inspect(runId));
  watch(await read());
  const audit = await agent.verifyAudit(runId);
  return {
    executed,
    output: frozen,
    session: shown,
    sessionAfter: JSON.stringify(await store.sessions.load("s")),
    journal: JSON.stringify(await read()),
    audit: audit.verdict,
    input: JSON.stringify([input, metadata]),
    isFrozen: Object.isFrozen(input) || Object.isFrozen(input[0]) || Object.isFrozen(metadata),
  };
}

const args = fc.record({
  line: fc.constantFrom("card 4711", "x"),
  deep: fc.record({ list: fc.array(fc.nat(3), { maxLength: 3 }) }),
});
const call = fc.record({ name: fc.constantFrom("plain", "gated"), arguments: fc.oneof(args, fc.constant({})) });
const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      text: fc.constantFrom("", "thinking aloud"),
      toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ faults: { error: { status: 500 } } }) },
);

test("a hostile observer on every callback and event changes neither execution, journal, session, output nor audit [events.copies] [events.copies.frozen] [events.copies.own] [events.copies.requests] [events.copies.given]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const calm = await runWith(steps, calmSettings(), false);
      const attacked = await runWith(steps, hostileSettings(), true);
      expect(attacked).toEqual(calm);
      expect([attacked.audit, attacked.isFrozen, attacked.sessionAfter]).toEqual(["valid", false, attacked.session]);
      expect(attacked.journal).not.toContain("scribbled");
    }),
    { numRuns: 60, seed: 7 },
  );
});

test("a caller that overwrites every output that it gets changes neither the stored run nor how it continues [events.copies.own]", async () => {
  const ended = async (isHostile: boolean): Promise<unknown> => {
    const [clock, ids] = [stillClock(), countingIds()];
    const store = memoryStore({ clock, ids });
    const own = (name: string, needsApproval: boolean) =>
      tool({
        name,
        description: "Looks.",
        inputSchema: z.object({}),
        sideEffectClass: "read-only",
        output: { integrity: "untrusted" },
        needsApproval,
        execute: (_input, ctx) => ctx.updateState<number>("n", (n = 0) => n + 1),
      });
    const inner = new Agent({
      name: "inner",
      logger: quiet,
      clock,
      ids,
      store,
      model: scriptedModel([{ toolCalls: [{ name: "look" }, { name: "ask" }] }, "Seen."]),
      tools: [own("look", false), own("ask", true)],
    });
    const agent = new Agent({
      name: "agent",
      logger: quiet,
      clock,
      ids,
      store,
      session: store.sessions,
      keys: { sign: "0123456789abcdef0123456789abcdef" },
      // Calls that share a state would read it in an order that differs while parts load.
      toolConcurrency: 1,
      model: scriptedModel([
        { toolCalls: [{ name: "look" }, { name: "ask" }, { name: "inner", arguments: { input: "go" } }] },
        "Done.",
      ]),
      tools: [own("look", false), own("ask", true), inner.asTool()],
    });
    let output = await agent.run("go", { sessionId: "s" });
    const { runId } = output;
    const shown: unknown[] = [];
    for (let round = 0; round < 3 && output.status === "suspended"; round += 1) {
      shown.push(JSON.stringify(output));
      const decisions = output.interruptions.map((one) => structuredClone(one.approve()));
      if (isHostile) scribble(output);
      output = await agent.resume(runId, decisions);
    }
    shown.push(JSON.stringify(output));
    if (isHostile) scribble(output);
    const { verdict } = await agent.verifyAudit(runId);
    return [shown, verdict, JSON.stringify(await agent.inspect(runId)), await store.sessions.load("s")];
  };
  const calm = await ended(false);
  expect(await ended(true)).toEqual(calm);
  expect(JSON.stringify(calm)).toContain("valid");
});

test("a provider that overwrites its request changes neither the next request nor the options [events.copies.requests]", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "look" }] }, "Done."]);
  const sent: unknown[] = [];
  const spoil = (request: ModelRequest): ModelRequest => {
    const { tools, stopSequences, providerOptions, reasoning } = request;
    const settings = { tools, stopSequences, providerOptions, reasoning };
    sent.push(structuredClone(settings));
    scribble(settings);
    return request;
  };
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: () => "seen",
  });
  const options = {
    stopSequences: ["END"],
    providerOptions: { scripted: { user: "ana", tags: ["a"] } },
    reasoning: { enabled: true, effort: "low" },
  } as const;
  const agent = new Agent({
    name: "desk",
    logger: quiet,
    model: {
      ...model,
      generate: (request) => model.generate(spoil(request)),
      stream: (request) => model.stream(spoil(request)),
    },
    tools: [look],
    ...options,
  });
  expect((await agent.run("go")).text).toBe("Done.");
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]).toMatchObject(options);
});
