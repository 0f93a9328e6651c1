import { expect, test } from "vitest";
import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import { inTodaysWords, messageInTodaysWords } from "./journal-words.ts";

const assistant = (callType: string, hostedType: string) => ({
  id: "m1",
  role: "assistant",
  content: [
    { type: "text", text: "tool-call" },
    { type: callType, toolCallId: "c1" },
    { type: hostedType, toolCallId: "h1", toolName: "web_search" },
  ],
  toolCalls: [{ id: "c1", name: "act", args: { type: "tool-call", status: "error" } }],
});

const question = (kind: string, names: Readonly<Record<string, unknown>>) => ({
  id: "i1",
  kind,
  reason: "Why?",
  ...names,
});

test("a journal of the first format is read with the current names, and arguments are unchanged", async () => {
  const before = [
    { type: "run.start", seq: 1, version: 1, history: [assistant("tool-call", "hosted-tool")], input: [] },
    { type: "model.result", seq: 2, message: assistant("tool-call", "hosted-tool") },
    { type: "input.requested", seq: 3, interruption: question("input", { inputKey: "k", inputJsonSchema: {} }) },
    { type: "input.answered", seq: 4, inputKey: "k", value: { inputKey: "k" } },
    { type: "guardrail.decided", seq: 5, kind: "tool-output" },
    { type: "guardrail.decided", seq: 6, kind: "input" },
    { type: "run.suspended", seq: 7, reason: "awaiting_resolution" },
    { type: "run.end", seq: 8, status: "suspended", stopReason: "sleeping" },
    { type: "run.end", seq: 9, status: "error", stopReason: "failed" },
    { type: "run.end", seq: 10, status: "cancelled", stopReason: "aborted" },
    { type: "model.result", seq: 11, labels: [{ id: "l1", origin: { kind: "hosted-tool", toolName: "web_search" } }] },
    { type: "signal.taken", seq: 12, labels: [{ id: "l2", origin: { kind: "untrusted-part", index: 0 } }] },
  ] as unknown as readonly JournalEvent[];
  const now = [
    {
      type: "run.start",
      seq: 1,
      version: JOURNAL_VERSION,
      history: [assistant("tool_call", "hosted_tool")],
      input: [],
    },
    { type: "model.result", seq: 2, message: assistant("tool_call", "hosted_tool") },
    {
      type: "input.requested",
      seq: 3,
      interruption: {
        id: "i1",
        kind: "question",
        answerKey: "k",
        answerJsonSchema: {},
        question: {
          title: "Why?",
          reason: "Why?",
          level: "normal",
          values: [],
          unusual: [],
          remember: [],
          developer: { rules: [], remedy: "" },
        },
      },
    },
    { type: "input.answered", seq: 4, answerKey: "k", value: { inputKey: "k" } },
    { type: "guardrail.decided", seq: 5, kind: "tool_output" },
    { type: "guardrail.decided", seq: 6, kind: "input" },
    { type: "run.suspended", seq: 7, reason: "awaiting_outcome" },
    { type: "run.end", seq: 8, status: "sleeping", stopReason: "sleeping" },
    { type: "run.end", seq: 9, status: "failed", stopReason: "failed" },
    { type: "run.end", seq: 10, status: "cancelled", stopReason: "cancelled" },
    { type: "model.result", seq: 11, labels: [{ id: "l1", origin: { kind: "hosted_tool", toolName: "web_search" } }] },
    { type: "signal.taken", seq: 12, labels: [{ id: "l2", origin: { kind: "untrusted_part", index: 0 } }] },
  ];
  expect(await inTodaysWords(before)).toEqual(now);
  expect(await inTodaysWords(now as unknown as readonly JournalEvent[])).toBe(now);
  expect(await messageInTodaysWords(assistant("tool-call", "hosted-tool") as never)).toEqual(
    assistant("tool_call", "hosted_tool"),
  );
  const message = assistant("tool_call", "hosted_tool") as never;
  expect(await messageInTodaysWords(message)).toBe(message);
});

test("usage of older journals is read with the names of today, and counts that have them are unchanged [format.journal-words]", async () => {
  const older = { promptTokens: 7, completionTokens: 2, totalTokens: 9, cachedTokens: 3 };
  const usage = { inputTokens: 7, outputTokens: 2, totalTokens: 9, cachedTokens: 3 };
  const journal = (version: number, counts: Readonly<Record<string, number>>) => {
    const message = { ...assistant("tool_call", "hosted_tool"), usage: counts };
    const one = { agentName: "a", usage: counts };
    return [
      { type: "run.start", seq: 1, version, history: [message, { id: "m0", role: "user", content: "Hi." }] },
      { type: "model.result", seq: 2, message, usage: counts },
      { type: "tool.result", seq: 3, inside: [one], childRun: { runId: "r2", usage: counts, byAgent: [one] } },
      { type: "child.suspended", seq: 4, interruptions: [], spent: [{ ...one, runId: "r2" }] },
      { type: "tool.result", seq: 5, output: { usage: older }, childRun: { runId: "r3", usage } },
    ] as unknown as readonly JournalEvent[];
  };
  for (const version of [1, 2])
    expect(await inTodaysWords(journal(version, older))).toEqual(journal(JOURNAL_VERSION, usage));
  const [start] = journal(2, older);
  const said = start?.type === "run.start" ? start.history[0] : undefined;
  expect(await messageInTodaysWords(said as never)).toMatchObject({ id: "m1", usage });
});
