import { vi } from "vitest";
import type { AgentOptions, RunOptions, RunSettings } from "../../contracts/run-options.ts";
import type { AssistantMessage } from "../../contracts/message.ts";
import type { Decision } from "../../contracts/interruption.ts";
import { JOURNAL_VERSION, type JournalEvent } from "../../contracts/journal-event.ts";
import type { LiveEvent } from "../../contracts/run-event.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import type { SandboxPort } from "../../contracts/ports/sandbox.ts";
import type { SanitizerPort, SecretsPort } from "../../contracts/ports/security.ts";
import type { FlowRun } from "../../contracts/ports/flow-policy.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { RunStore } from "../../contracts/ports/run-store.ts";
import type { Tool } from "../../contracts/tool.ts";
import type { ToolSource } from "../../contracts/vocabularies.ts";
import type { Catalogue } from "../../registry/catalogue.ts";
import { defaultHasher } from "../../journal/default-ports.ts";
import { memoryStore } from "../../journal/memory-store.ts";
import type { MemoryRunStore } from "../../journal/memory-store.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import { UnknownToolNameError } from "../../errors/configuration-errors.ts";
import { resolveTool } from "../../registry/resolve-tool.ts";
import { runToolBatch } from "../turn/tool-batch.ts";
import type { ToolBatchOutcome } from "../turn/tool-batch.ts";
import { newDecisions } from "../inbox/check-decision.ts";
import { SessionState } from "../state/session-state.ts";
import { bindDecision, hasExpired } from "./approval-binding.ts";
import { pointsOfRun } from "../extensions/parts-of-run.ts";
import { withRunApprover } from "../settings/join-approval.ts";
import { RunSink } from "../../events/event-bus.ts";
import { createTimerWheel } from "../limits/timeouts.ts";
import { RunControl } from "../limits/run-control.ts";
import type { Agent, Run } from "../run.ts";

/** One call of the scripted answer. */
interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** Raw text, or a value that is written as JSON. */
  readonly args?: unknown;
  readonly raw?: string;
}

/** Options of a test. */
export interface HarnessOptions {
  readonly tools?: readonly Tool[];
  readonly sources?: Readonly<Record<string, ToolSource>>;
  readonly calls: readonly ScriptedCall[];
  readonly settings?: RunSettings;
  readonly options?: RunOptions;
  readonly agent?: Partial<AgentOptions>;
  readonly secrets?: SecretsPort;
  readonly sanitizer?: SanitizerPort;
  readonly sandbox?: SandboxPort;
  readonly flow?: (journal: JournalWriter) => FlowRun;
  readonly store?: MemoryRunStore | (RunStore & Pick<MemoryRunStore, "ledger">);
  readonly runId?: string;
  readonly clock?: TestClock;
  readonly deferred?: readonly string[];
  readonly finishReason?: AssistantMessage["finishReason"];
  readonly content?: AssistantMessage["content"];
  readonly context?: Partial<RunContext>;
  readonly accepts?: "secret";
}

/** A clock whose time moves when a test says so. */
export interface TestClock extends Clock {
  /** Moves time, and runs everything that is due. */
  advance(ms: number): Promise<void>;
  /** Timers that wait. */
  readonly timers: number;
}

export function testClock(start = 1_000_000): TestClock {
  let now = start;
  const timers = new Set<{ readonly due: number; readonly callback: () => void }>();
  return {
    now: () => now,
    setTimer(callback, delayMs) {
      const timer = { due: now + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    get timers() {
      return timers.size;
    },
    async advance(ms) {
      const until = now + ms;
      for (let round = 0; round < 1_000; round += 1) {
        await settleAll();
        const next = [...timers].sort((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > until) break;
        timers.delete(next);
        now = Math.max(now, next.due);
        next.callback();
      }
      now = until;
      await settleAll();
    },
  };
}

/** Runs everything that only waits for its turn, or for a part of the framework that loads with its first use. */
export async function settleAll(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await vi.dynamicImportSettled();
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}

/** A turn with calls, driven by the real pipeline over a real journal. */
export interface Harness {
  readonly store: RunStore;
  readonly clock: TestClock;
  readonly live: LiveEvent[];
  readonly logs: string[];
  readonly controller: AbortController;
  journal: JournalWriter;
  run: Run;
  events(): Promise<readonly JournalEvent[]>;
  /** Runs the rest of the turn. */
  drive(): Promise<ToolBatchOutcome>;
  /** A new process: the journal is loaded again, with the tools given or the same ones. */
  restart(changes?: Partial<HarnessOptions>): Promise<void>;
  /** Records people's decisions, as resuming does. */
  decide(...decisions: readonly Decision[]): void;
}

export async function harness(given: HarnessOptions): Promise<Harness> {
  let setup = given;
  const clock = given.clock ?? testClock();
  const store = given.store ?? memoryStore({ clock });
  const runId = given.runId ?? "run-1";
  const live: LiveEvent[] = [];
  const logs: string[] = [];
  const controller = new AbortController();
  const { created } = await store.create({
    id: runId,
    agentId: "agent",
    definitionHash: "",
    sessionId: "s1",
    input: "",
  });
  let ids = 0;

  const open = async (): Promise<JournalWriter> => {
    const lease = await store.acquire(runId, "owner", 1_000);
    if (lease === null) throw new Error("The lease is held.");
    return (await openJournal({ store, lease, clock, hasher: defaultHasher() })).journal;
  };

  const makeRun = (journal: JournalWriter): Run => {
    const tools = new Map<string, ResolvedTool>();
    const ports = {
      hasher: defaultHasher(),
      secrets: setup.secrets,
      sanitizer: setup.sanitizer,
      sandbox: setup.sandbox,
    };
    for (const tool of setup.tools ?? [])
      tools.set(tool.name, resolveTool(tool, setup.sources?.[tool.name], { ports }));
    const model = {
      provider: "test",
      api: "test",
      modelId: "m",
      capabilities: { accepts: setup.accepts },
    } as unknown as ModelProvider;
    const { approval, ...others } = setup.settings ?? {};
    const settings = { ...others, approval: withRunApprover(approval, setup.options?.onApprovalRequired) };
    const control = new RunControl();
    controller.signal.addEventListener("abort", () => control.stop({ reason: "cancelled" }), { once: true });
    const sink = new RunSink((_name, error) => {
      throw error;
    });
    sink.add({ name: "test", wants: () => true, take: (event) => void live.push(event as LiveEvent) });
    // The stages of a call use these parts of a run.
    const run = {
      runId,
      sessionState: new SessionState({ runId, journal, place: undefined, secrets: setup.secrets }),
      readInside: new Map(),
      recalled: new Map(),
      spentInside: new Map(),
      unattendedInside: new Set(),
      keyWaits: new Map(),
      agent: {
        name: "agent",
        role: "agent",
        options: { name: "agent", model: "a/b", ...setup.agent },
        model,
        definitionHash: "",
        store,
        ledger: store.ledger,
        hasher: defaultHasher(),
        secrets: setup.secrets,
        sanitizer: setup.sanitizer,
        sandbox: setup.sandbox,
        download: undefined,
        signer: undefined,
        sealer: undefined,
        fetch: undefined,
        keeper: { leaseMs: 30_000, add: () => undefined, remove: () => undefined, prove: () => undefined },
        resolveModel: (spec: unknown) => (typeof spec === "object" ? (spec as ModelProvider) : model),
      },
      settings,
      options: setup.options ?? {},
      journal,
      sink,
      context: contextOf(runId, journal, controller.signal, setup),
      catalogue: catalogueOf(tools, journal, new Set(setup.deferred)) as Catalogue,
      clock,
      timers: createTimerWheel(clock),
      ids: { next: (kind) => `${kind}-${(ids += 1)}` },
      logger: logger(logs),
      warn: () => undefined,
      warnings: [],
      loadInside: () => Promise.reject(new Error("No run is inside.")),
      afterStart: (tell) => tell(),
      waitsInside: () => false,
      control,
      flow: setup.flow?.(journal),
      nonce: "nonce",
      extensions: [],
      points: pointsOfRun({ settings, agentHooks: undefined, nodeHooks: undefined, extensions: [] }),
      depth: 0,
      messages: () => journal.state.messages,
      runOptionsFor: (toolCallId) => ({ parent: { runId, toolCallId, depth: 1 } }),
      nextModel: undefined,
    } satisfies Omit<Partial<Run>, "agent"> & { readonly agent: Partial<Agent> };
    return run as unknown as Run;
  };

  const journal = await open();
  const self: Harness = {
    store,
    clock,
    live,
    logs,
    controller,
    journal,
    run: makeRun(journal),
    events: () => store.load(runId),
    drive: () => runToolBatch(self.run),
    async restart(changes) {
      setup = { ...setup, ...changes };
      await clock.advance(2_000);
      self.journal = await open();
      self.run = makeRun(self.journal);
    },
    decide: (...decisions) => record(self, decisions),
  };
  if (created) answerWithCalls(self, given);
  await journal.commit();
  return self;
}

function answerWithCalls(self: Harness, { calls, finishReason, content }: HarnessOptions): void {
  const { journal } = self;
  journal.record({
    type: "run.start",
    version: JOURNAL_VERSION,
    runId: self.run.runId,
    agentName: "agent",
    sessionId: "s1",
    metadata: {},
    model: "m",
    modelProvider: "test",
    definitionHash: "",
    tools: {},
    history: [],
    input: [{ role: "user", id: "u1", content: "go" }],
    sessionState: {},
  });
  journal.record({
    type: "model.intent",
    turn: 1,
    attempt: 1,
    model: "m",
    modelProvider: "test",
    requestHash: "",
    hostedWriters: [],
    tools: [],
  });
  const toolCalls = calls.map((call, index) => ({
    id: call.id ?? `call-${index}`,
    name: call.name,
    arguments: call.raw ?? JSON.stringify(call.args ?? {}),
  }));
  journal.record({
    type: "model.result",
    turn: 1,
    attempt: 1,
    message: {
      role: "assistant",
      id: "a1",
      content: content ?? toolCalls.map((call) => ({ type: "tool_call" as const, toolCallId: call.id })),
      toolCalls,
      finishReason: finishReason ?? "tool_calls",
      provenance: { provider: "test", api: "test", model: "m" },
    },
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    finishReason: finishReason ?? "tool_calls",
    warnings: [],
    durationMs: 1,
    retries: 0,
  });
}

function record({ journal, run, clock }: Harness, decisions: readonly Decision[]): void {
  const check = { state: journal.state, runId: run.runId, agent: run.agent };
  const bound = newDecisions(check, decisions).map((decision) => bindDecision(check, decision));
  for (const { decision, call, interruption } of bound) {
    const { turn, index, toolCallId, toolName } = call;
    if (decision.type === "answer") {
      journal.record({
        type: "input.answered",
        toolCallId,
        answerKey: interruption.answerKey ?? "",
        value: decision.value,
      });
      continue;
    }
    const late = hasExpired(interruption, clock.now());
    const { argsHash, definitionHash } = interruption;
    journal.record({
      type: "tool.approval.decided",
      turn,
      index,
      toolCallId,
      toolName,
      decision: late ? { id: decision.id, type: "reject" } : decision,
      via: late ? "expired" : "resume",
      argsHash,
      definitionHash,
    });
  }
}

function contextOf(
  runId: string,
  journal: JournalWriter,
  signal: AbortSignal,
  { context }: HarnessOptions,
): RunContext {
  return {
    runId,
    agentName: "agent",
    sessionId: "s1",
    root: { runId, sessionId: "s1" },
    metadata: {},
    eventBus: {} as RunContext["eventBus"],
    sessionState: {},
    signal,
    dependencies: undefined,
    extraVars: {},
    getState: <T>(key: string) => journal.state.sessionState[key] as T | undefined,
    updateState: () => Promise.reject(new Error("No session.")),
    setState: (key, value) => void journal.record({ type: "state.changed", stateKey: key, value: value as null }),
    ...context,
  };
}

function catalogueOf(
  tools: ReadonlyMap<string, ResolvedTool>,
  journal: JournalWriter,
  deferred: ReadonlySet<string>,
): Pick<Catalogue, keyof Catalogue> {
  const promoted = new Set(journal.state.promoted);
  const isCallable = (name: string): boolean => tools.has(name) && (!deferred.has(name) || promoted.has(name));
  return {
    get: (name) => tools.get(name),
    tools: [...tools.values()],
    clientTools: new Set(),
    advertised: () =>
      [...tools.values()]
        .filter((tool) => isCallable(tool.name))
        .map((tool) => ({ type: "function", name: tool.name, description: tool.description, inputSchema: {} })),
    isCallable,
    promote(names) {
      const fresh = names.filter((name) => deferred.has(name) && !promoted.has(name));
      for (const name of fresh) promoted.add(name);
      return fresh;
    },
    resolveName(name) {
      if (!tools.has(name)) throw new UnknownToolNameError(name, `No tool "${name}".`);
      return name;
    },
    nearest: (name, limit = 5) =>
      [...tools.keys()].filter((known) => known.slice(0, 3) === name.slice(0, 3)).slice(0, limit),
    hash: "",
  };
}

function logger(logs: string[]): Run["logger"] {
  const write = (message: string): void => void logs.push(message);
  return { debug: write, info: write, warn: write, error: write };
}

/** The text that the model reads of each call, in the order of the conversation. */
export function toolTexts({ journal }: Harness): string[] {
  return journal.state.messages
    .filter((message) => message.role === "tool")
    .map((message) => (typeof message.content === "string" ? message.content : JSON.stringify(message.content)));
}
