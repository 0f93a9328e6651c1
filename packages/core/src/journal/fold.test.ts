import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JournalEvent, JournalEventInput } from "../contracts/journal-event.ts";
import { bareQuestion } from "./bare-question.ts";
import type { InterruptionData } from "../contracts/interruption.ts";
import { systemClock } from "./default-ports.ts";
import { JournalWriter } from "./journal-writer.ts";
import { emptyRunState, fold, foldJournal } from "./fold.ts";
import { answered, anyInput, intended, outcome, resulted, started } from "./journal.fixture.ts";
import { memoryStore } from "./memory-store.ts";
import type { RunState } from "./run-state.ts";

const lease = { runId: "r1", owner: "me", epoch: 1, head: { seq: 0, hash: "" }, expiresAt: 0 };

/** Records inputs through a real journal; its live state and its records. */
function record(...inputs: readonly JournalEventInput[]): {
  readonly state: RunState;
  readonly events: JournalEvent[];
} {
  const journal = new JournalWriter({ store: memoryStore(), lease, clock: systemClock });
  const events = inputs.map((input) => journal.record(input));
  return { state: journal.state, events };
}

test.each([
  ["no names of writers", undefined, true],
  ["the tool among its writers", ["act"], undefined],
  ["the tool among its readers", [], true],
] as const)(
  "an open call may have run without an intent if the journal has %s [effects.resume.former-reader]",
  (_what, writers, formerReader) => {
    const { state } = record({ ...started, writers } as JournalEventInput, answered(1, ["c1"]), {
      type: "run.definition_changed",
      from: "d1",
      to: "d1",
      tools: [],
      writers: ["act"],
    });
    expect(state.calls.get("t1/c0")?.formerReader).toBe(formerReader);
  },
);

test("tools that became writers in several versions stay in doubt until the model answers [effects.resume.former-reader]", () => {
  const changed = (writers: readonly string[]): JournalEventInput => ({
    type: "run.definition_changed",
    from: "d1",
    to: "d1",
    tools: [],
    writers,
  });
  const asked: JournalEventInput = {
    type: "model.intent",
    turn: 1,
    attempt: 1,
    model: "m",
    modelProvider: "p",
    requestHash: "h",
    hostedWriters: [],
    tools: ["act", "look"],
  };
  const begun = [{ ...started, writers: [] } as JournalEventInput, asked, changed(["act"]), changed(["act", "look"])];
  expect(record(...begun).state.formerReaders).toEqual(["act", "look"]);
  const { state } = record(...begun, answered(1, ["c1"]));
  expect(state.calls.get("t1/c0")?.formerReader).toBe(true);
  expect(state.formerReaders).toEqual([]);
});

describe("laws", () => {
  test("folding the records gives the live state [journal.fold]", () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
        const { state, events } = record(started, ...inputs);
        expect(foldJournal(events)).toEqual(state);
        expect(foldJournal(events).keyCounts).toEqual(state.keyCounts);
      }),
    );
  });

  test("a journal cut at any record folds to the state of its records, and resuming gives the same state [journal.fold]", () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 20 }), fc.nat(20), (inputs, cut) => {
        const { state, events } = record(started, ...inputs);
        const rest = foldJournal(events.slice(0, cut));
        for (const event of events.slice(cut)) fold(rest, event);
        expect(rest).toEqual(state);
      }),
    );
  });

  test("if a model repeats ids, no two calls of a conversation have the same id [tool.result.duplicate-ids]", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom("", "c1", "c2", "c1_t2c0"), { maxLength: 4 }), { maxLength: 5 }),
        (turns) => {
          const { state } = record(started, ...turns.map((calls, index) => answered(index + 1, calls)));
          const ids = [...state.calls.values()].map(({ toolCallId }) => toolCallId);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids).not.toContain("");
          const answers = state.messages.filter((message) => message.role === "assistant");
          for (const message of answers) {
            const markers = message.content.flatMap((part) => (part.type === "tool_call" ? [part.toolCallId] : []));
            expect(markers).toEqual(message.toolCalls.map(({ id }) => id));
          }
          expect(answers.flatMap((message) => message.toolCalls.map(({ id }) => id))).toEqual(ids);
        },
      ),
    );
  });
});

test("records of unknown types are tolerated: they advance the position and change nothing else [journal.versioned]", () => {
  const { events } = record(started);
  const state = foldJournal(events);
  const before = { ...state, seq: 0, keyCounts: undefined };
  fold(state, { ...events[0], type: "from.the.future", seq: 2, key: "from.the.future#1" } as unknown as JournalEvent);
  expect(state.seq).toBe(2);
  expect({ ...state, seq: 0, keyCounts: undefined }).toEqual(before);
});

test("a model that reuses a call id in two turns gets two calls with two results [field-bug:PB-orphan-history-08]", () => {
  const { state } = record(started, answered(1, ["call_0"]), resulted(1, 0), answered(2, ["call_0"]), resulted(2, 0));
  expect([...state.calls.values()].map(({ toolCallId }) => toolCallId)).toEqual(["call_0", "call_0_t2c0"]);
  expect(state.toolCalls).toHaveLength(2);
  expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
});

test("answers, results and inserted messages form the conversation; discarded answers only add cost", () => {
  const { state } = record(
    started,
    answered(1, ["c1"]),
    resulted(1, 0),
    resulted(1, 0),
    answered(1, [], {
      purpose: "summary",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2, reasoningTokens: 1 },
    }),
    { type: "message.inserted", by: "hook", message: { id: "m", role: "user", content: "x" } },
    answered(2),
  );
  expect(state.messages.map(({ id }) => id)).toEqual(["u1", "a1", "t1-0", "m", "a2"]);
  expect(state.usage).toMatchObject({ inputTokens: 21, outputTokens: 11, totalTokens: 32, reasoningTokens: 1 });
  expect(state).toMatchObject({ turn: 2, modelCalls: 3, costUsd: 1.5, modelMs: 21, turnCalls: [] });
  expect(state.perRequest).toHaveLength(3);
  expect(state.lastAnswer?.id).toBe("a2");
});

test("one unknown price makes the run's cost unknown", () => {
  const { state } = record(started, answered(1, [], { costUsd: undefined }), answered(2));
  expect(state.costUsd).toBeUndefined();
});

test("the received part of an interrupted answer is kept, without its calls [memory.failed-run]", () => {
  const { state } = record(started, answered(1, ["c1"], { error: { name: "E", code: "E", message: "cut" } }));
  expect(state.messages.at(-1)).toMatchObject({
    partial: true,
    toolCalls: [],
    content: [{ type: "text", text: "text" }],
  });
  expect(state.turnCalls).toEqual([]);
});

test("a new attempt has no outcome until its own is recorded [effects.intent-first]", () => {
  const { state } = record(started, answered(1, ["c1"]), intended(1, 0), outcome(1, 0), intended(1, 0, 2));
  expect(state.calls.get("t1/c0")).toMatchObject({ intent: { attempt: 2 }, outcome: undefined });
});

const interruption = (fields: Partial<InterruptionData> = {}): InterruptionData => ({
  kind: "approval",
  id: "i1",
  runId: "r1",
  agentName: "agent",
  agentPath: ["agent"],
  toolCallId: "c1",
  toolName: "act",
  args: { a: 1 },
  question: bareQuestion("Act?", "It acts.", "c1"),
  argsHash: "h1",
  definitionHash: "d",
  requestedAt: 1,
  expiresAt: 2,
  ...fields,
});
const decided = {
  type: "tool.approval.decided",
  turn: 1,
  index: 0,
  toolCallId: "c1",
  toolName: "act",
  via: "resume",
  argsHash: "h1",
  definitionHash: "d",
} as const;

test("an approval is used by the next intent; a further decision is unused [people.binding.single-use]", () => {
  const asked = { type: "tool.approval.requested", turn: 1, index: 0, interruption: interruption() } as const;
  const approve = { ...decided, decision: { id: "i1", type: "approve" } } as const;
  const { state } = record(started, answered(1, ["c1"]), asked, approve);
  expect(state.calls.get("t1/c0")?.approval?.used).toBeUndefined();
  const used = record(started, answered(1, ["c1"]), asked, approve, intended(1, 0)).state;
  expect(used.calls.get("t1/c0")?.approval?.used).toBe(true);
  const again = record(started, answered(1, ["c1"]), asked, approve, intended(1, 0), approve).state;
  expect(again.calls.get("t1/c0")?.approval?.used).toBeUndefined();
});

test("a decision is remembered for a tool or these arguments; a remembered decision is not remembered again [people.decisions.remember]", () => {
  const remember = (how: "call" | "tool" | "values", via: string = "inline") =>
    ({ ...decided, via, decision: { id: "i1", type: "approve", remember: how } }) as const;
  const { state } = record(
    started,
    answered(1, ["c1"]),
    remember("tool"),
    remember("call"),
    remember("tool", "remembered"),
  );
  expect(state.remembered).toMatchObject([
    { toolName: "act", definitionHash: "d", approved: true },
    { toolName: "act", definitionHash: "d", approved: true, argsHash: "h1" },
  ]);
  const flow = record(
    started,
    answered(1, ["c1"]),
    { type: "tool.approval.requested", turn: 1, index: 0, interruption: interruption() },
    remember("values"),
  );
  expect(flow.state.remembered[0]?.flowArgs).toEqual({ a: 1 });
});

test("signals wait until they take effect, each once, in any order [store.signal]", () => {
  const steer = (id: string): JournalEventInput => ({
    type: "signal.taken",
    signal: { name: "steer", id, payload: { id: `m-${id}` } },
  });
  const inserted = (id: string): JournalEventInput => ({
    type: "message.inserted",
    by: "steer",
    message: { id, role: "user", content: "x" },
  });
  const { state } = record(started, steer("a"), steer("b"), steer("a"), inserted("m-b"));
  expect(state.pendingSignals.map(({ id }) => id)).toEqual(["a"]);
  expect([...state.takenSignals]).toEqual(["a", "b"]);
  const decision = record(started, answered(1, ["c1"]), {
    type: "signal.taken",
    signal: { name: "decision", id: "x", payload: { id: "i1", type: "approve" } },
  });
  expect(decision.state.pendingDecisions).toHaveLength(1);
  expect(
    record(started, { type: "signal.taken", signal: { name: "cancel", id: "c", payload: { reason: "enough" } } }).state
      .cancelRequested,
  ).toBe("enough");
});

test("a blocked answer leaves a neutral marker, and the model reads a replaced input [guardrails.after]", () => {
  const { state } = record(
    started,
    { type: "guardrail.decided", kind: "input", name: "pii", verdict: { pass: true, replace: "hello [masked]" } },
    answered(1),
    { type: "guardrail.decided", kind: "output", name: "tone", verdict: { pass: false, reason: "rude" } },
  );
  expect(state.messages[0]).toMatchObject({ role: "user", content: "hello [masked]" });
  expect(state.messages[1]).toMatchObject({
    role: "assistant",
    content: [{ type: "text", text: "[This answer was withheld by a guardrail.]" }],
  });
});

test("any state key is set without touching prototypes [memory.session-store.state]", () => {
  const { state } = record(
    started,
    { type: "state.changed", stateKey: "__proto__", value: { polluted: true } },
    { type: "state.changed", stateKey: "a", value: 1 },
    { type: "state.changed", stateKey: "a", value: 2 },
  );
  expect(Object.getPrototypeOf(state.sessionState)).toBe(Object.prototype);
  expect(Object.keys(state.sessionState)).toEqual(["__proto__", "a"]);
  expect(state.sessionState["a"]).toBe(2);
  expect(emptyRunState().sessionState).toEqual({});
});
