import * as fc from "fast-check";
import type { AssistantMessage } from "../contracts/message.ts";
import { JOURNAL_VERSION, type JournalEventInput } from "../contracts/journal-event.ts";
import type { Lease, RunStore } from "../contracts/ports/run-store.ts";

/** An answer of a model. */
function answer(id: string, callIds: readonly string[] = [], text: string = "text"): AssistantMessage {
  return {
    id,
    role: "assistant",
    content: [{ type: "text", text }, ...callIds.map((toolCallId) => ({ type: "tool_call" as const, toolCallId }))],
    toolCalls: callIds.map((callId) => ({ id: callId, name: "act", arguments: "{}" })),
    finishReason: callIds.length > 0 ? "tool_calls" : "stop",
    provenance: { provider: "p", api: "a", model: "m" },
  };
}

/** The first record of a run. */
export const started: JournalEventInput = {
  type: "run.start",
  version: JOURNAL_VERSION,
  runId: "r1",
  agentName: "agent",
  sessionId: "s1",
  metadata: {},
  model: "m",
  modelProvider: "p",
  definitionHash: "d1",
  tools: {},
  history: [],
  input: [{ id: "u1", role: "user", content: "hello" }],
  sessionState: {},
};

/** An answer of the conversation, as a record. */
export function answered(turn: number, callIds: readonly string[] = [], fields: object = {}): JournalEventInput {
  return {
    type: "model.result",
    turn,
    attempt: 1,
    message: answer(`a${turn}`, callIds),
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    finishReason: "stop",
    warnings: [],
    costUsd: 0.5,
    durationMs: 7,
    retries: 0,
    ...fields,
  };
}

const ids = { toolCallId: "c1", toolName: "act" } as const;

/** A writer's intent. */
export function intended(turn: number, index: number, attempt: number = 1): JournalEventInput {
  return { type: "tool.intent", turn, index, ...ids, argsHash: "h", attempt, sideEffectClass: "external-stateful" };
}

/** The outcome of a call. */
export function outcome(turn: number, index: number, attempt: number = 1, output: unknown = "ok"): JournalEventInput {
  return { type: "tool.outcome", turn, index, ...ids, attempt, output, durationMs: 3 };
}

/** The result of a call. */
export function resulted(turn: number, index: number): JournalEventInput {
  return {
    type: "tool.result",
    turn,
    index,
    message: { id: `t${turn}-${index}`, role: "tool", ...ids, content: "ok" },
    result: { ...ids, input: {}, output: "ok", isError: false, durationMs: 3 },
  };
}

const jsonRecord = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });

/** Records of any kind, in any order: the fold accepts all of them. */
export const anyInput: fc.Arbitrary<JournalEventInput> = fc.oneof(
  fc
    .record({
      turn: fc.integer({ min: 1, max: 4 }),
      calls: fc.array(fc.constantFrom("c1", "c2", ""), { maxLength: 3 }),
    })
    .map(({ turn, calls }) => answered(turn, calls)),
  fc
    .record({ turn: fc.integer({ min: 1, max: 4 }) })
    .map(({ turn }): JournalEventInput => answered(turn, [], { purpose: "summary", costUsd: undefined })),
  fc
    .record({ turn: fc.integer({ min: 1, max: 4 }), index: fc.nat(2), attempt: fc.integer({ min: 1, max: 2 }) })
    .map(({ turn, index, attempt }) => intended(turn, index, attempt)),
  fc
    .record({
      turn: fc.integer({ min: 1, max: 4 }),
      index: fc.nat(2),
      output: fc.oneof(fc.jsonValue(), fc.uint8Array(), fc.bigInt()),
    })
    .map(({ turn, index, output }) => outcome(turn, index, 1, output)),
  fc.record({ turn: fc.integer({ min: 1, max: 4 }), index: fc.nat(2) }).map(({ turn, index }) => resulted(turn, index)),
  fc
    .record({
      id: fc.constantFrom("s1", "s2", "s3"),
      name: fc.constantFrom("steer", "follow_up", "cancel", "decision"),
      payload: jsonRecord,
    })
    .map((signal): JournalEventInput => ({ type: "signal.taken", signal })),
  fc
    .record({ stateKey: fc.oneof(fc.string(), fc.constant("__proto__")), value: jsonRecord })
    .map((change) => ({ type: "state.changed", ...change }) as JournalEventInput),
  fc.constantFrom<JournalEventInput>(
    { type: "run.resumed", owner: "o", epoch: 2 },
    { type: "state.changed", stateKey: "k", value: 1, once: "t1/c0/1" },
    { type: "state.conflict", stateKey: "k", newer: 2 },
    { type: "state.saved", stateKeys: ["k"] },
    { type: "state.saved", stateKeys: ["k"], values: { k: 3 } },
    { type: "catalogue.promoted", toolNames: ["a", "b"], by: "tool_search" },
    { type: "handoff.transfer", fromAgent: "a", toAgent: "b" },
    { type: "run.definition_changed", from: "d1", to: "d2", tools: [] },
    { type: "guardrail.decided", kind: "output", name: "g", verdict: { pass: false, reason: "no" } },
    { type: "guardrail.decided", kind: "input", name: "g", verdict: { pass: true, replace: "masked" } },
    { type: "message.inserted", by: "steer", message: { id: "m", role: "user", content: "also this" } },
    { type: "run.suspended", reason: "sleeping", interruptionIds: [] },
    { type: "run.end", status: "completed", stopReason: "completed", text: "x", durationMs: 1 },
    { type: "hook.failed", hook: "h", error: { name: "E", code: "E", message: "m" } },
  ),
);

/** Creates a run and acquires its lease. */
export async function leased(store: RunStore, runId: string = "r1"): Promise<Lease> {
  await store.create({ id: runId, agentId: "agent", definitionHash: "d", sessionId: "s", input: "hello" });
  const lease = await store.acquire(runId, "me", 60_000);
  if (lease === null) throw new Error("The lease is not free.");
  return lease;
}
