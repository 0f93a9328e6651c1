import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";

type Fields = Readonly<Record<string, unknown>>;
type Words = Readonly<Record<string, string>>;

/** Words of version 1 of the journal's format, by what they name; version 2 differs in the names of token counts. */
const parts: Words = { "tool-call": "tool_call", "hosted-tool": "hosted_tool" };
const origins: Words = { "hosted-tool": "hosted_tool", "untrusted-part": "untrusted_part" };
const guardrails: Words = { "tool-input": "tool_input", "tool-output": "tool_output" };
const questions: Words = { input: "question" };
const statuses: Words = { error: "failed" };
const stopReasons: Words = {
  aborted: "cancelled",
  awaiting_input: "awaiting_answer",
  awaiting_resolution: "awaiting_outcome",
};

/** Records of an older format with the words of today. */
export function translatedEvents(events: readonly JournalEvent[]): readonly JournalEvent[] {
  return events.map((event) => translated(event as unknown as Fields) as unknown as JournalEvent);
}

/** A message with the words of today. */
export function translatedMessage(message: Message): Message {
  return withAnswer(message as unknown as Fields) as unknown as Message;
}

function translated(given: Fields): Fields {
  const event = withLabels(given);
  switch (event["type"]) {
    case "run.end":
      return event["stopReason"] === "sleeping"
        ? { ...event, status: "sleeping" }
        : translate(translate(event, "status", statuses), "stopReason", stopReasons);
    case "run.suspended":
      return translate(event, "reason", stopReasons);
    case "guardrail.decided":
      return translate(event, "kind", guardrails);
    case "run.start":
      return { ...event, version: JOURNAL_VERSION, history: list(event["history"]).map(withAnswer) };
    default:
      return renamed(withQuestions(withSpent(withMessage(withUsage(event)))));
  }
}

const withMessage = (event: Fields): Fields =>
  isObject(event["message"]) ? { ...event, message: withAnswer(event["message"]) } : event;

const withAnswer = (message: Fields): Fields => withUsage(withParts(message));

/** The usage of runs inside a call. */
const withSpent = (event: Fields): Fields => {
  const { inside, spent, childRun } = event;
  if (inside === undefined && spent === undefined && childRun === undefined) return event;
  return {
    ...event,
    ...(Array.isArray(inside) && { inside: list(inside).map(withUsage) }),
    ...(Array.isArray(spent) && { spent: list(spent).map(withUsage) }),
    ...(isObject(childRun) && {
      childRun: {
        ...withUsage(childRun),
        ...(Array.isArray(childRun["byAgent"]) && { byAgent: list(childRun["byAgent"]).map(withUsage) }),
      },
    }),
  };
};

/** The data with today's names for the counts of its usage. */
const withUsage = (data: Fields): Fields => {
  const usage = data["usage"];
  if (!isObject(usage) || !Object.hasOwn(usage, "promptTokens")) return data;
  const { promptTokens: inputTokens, completionTokens: outputTokens, ...rest } = usage;
  return { ...data, usage: { inputTokens, outputTokens, ...rest } };
};

const withLabels = (event: Fields): Fields =>
  Array.isArray(event["labels"]) ? { ...event, labels: list(event["labels"]).map(withOrigin) } : event;

const withOrigin = (label: Fields): Fields =>
  isObject(label["origin"]) ? { ...label, origin: translate(label["origin"], "kind", origins) } : label;

const withQuestions = (event: Fields): Fields => ({
  ...event,
  ...(isObject(event["interruption"]) && { interruption: question(event["interruption"]) }),
  ...(Array.isArray(event["interruptions"]) && { interruptions: list(event["interruptions"]).map(question) }),
});

const question = (data: Fields): Fields => {
  const { reason, rule, origins: _origins, ...rest } = translate(renamed(data), "kind", questions);
  if (rest["question"] !== undefined) return rest;
  const remember = rest["kind"] !== "approval" ? [] : rule === undefined ? ["call", "tool"] : ["values"];
  const developer = { rules: rule === undefined ? [] : [rule], toolCallId: rest["toolCallId"], remedy: "" };
  return {
    ...rest,
    question: { title: reason, reason, level: "normal", values: [], unusual: [], remember, developer },
  };
};

/** Returns the record with today's names for the key and the schema of an answer. */
function renamed(data: Fields): Fields {
  if (!Object.hasOwn(data, "inputKey") && !Object.hasOwn(data, "inputJsonSchema")) return data;
  const { inputKey: answerKey, inputJsonSchema: answerJsonSchema, ...rest } = data;
  return {
    ...rest,
    ...(answerKey !== undefined && { answerKey }),
    ...(answerJsonSchema !== undefined && { answerJsonSchema }),
  };
}

const withParts = (message: Fields): Fields =>
  Array.isArray(message["content"])
    ? { ...message, content: list(message["content"]).map((part) => translate(part, "type", parts)) }
    : message;

/** The data with the word of today in one field. */
function translate(data: Fields, field: string, words: Words): Fields {
  const value = data[field];
  return typeof value === "string" && Object.hasOwn(words, value) ? { ...data, [field]: words[value] } : data;
}

// This file loads late and alone: a check that it shared with other files would load at the start, in a separate chunk.
const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
