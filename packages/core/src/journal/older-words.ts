import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";

type Fields = Readonly<Record<string, unknown>>;
type Words = Readonly<Record<string, string>>;

/** Names in version 1 of the journal's format, by meaning; version 2 differs in the names of token counts. */
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

/** Records of an older format with today's names. */
export function translatedEvents(events: readonly JournalEvent[]): readonly JournalEvent[] {
  return events.map((event) => translated(event as unknown as Fields) as unknown as JournalEvent);
}

/** A message with today's names. */
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
      return each({ ...event, version: JOURNAL_VERSION }, "history", withAnswer);
    default:
      return renamed(withQuestions(withSpent(one(withUsage(event), "message", withAnswer))));
  }
}

const withAnswer = (message: Fields): Fields => withUsage(withParts(message));

/** The usage of runs inside a call. */
const withSpent = (event: Fields): Fields =>
  one(each(each(event, "inside", withUsage), "spent", withUsage), "childRun", (run) =>
    each(withUsage(run), "byAgent", withUsage),
  );

/** The data with today's names for the counts of its usage. */
const withUsage = (data: Fields): Fields =>
  one(data, "usage", (usage) => {
    const { promptTokens, completionTokens, ...rest } = usage;
    return promptTokens === undefined ? usage : { inputTokens: promptTokens, outputTokens: completionTokens, ...rest };
  });

const withLabels = (event: Fields): Fields =>
  each(event, "labels", (label) => one(label, "origin", (origin) => translate(origin, "kind", origins)));

const withQuestions = (event: Fields): Fields => each(one(event, "interruption", question), "interruptions", question);

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

const withParts = (message: Fields): Fields => each(message, "content", (part) => translate(part, "type", parts));

/** The data with today's name for one field. */
function translate(data: Fields, field: string, words: Words): Fields {
  const value = data[field];
  return typeof value === "string" && Object.hasOwn(words, value) ? { ...data, [field]: words[value] } : data;
}

/** The data with a changed object in one field, if it has one. */
const one = (data: Fields, field: string, change: (value: Fields) => Fields): Fields => {
  const value = data[field];
  return typeof value === "object" && value !== null ? { ...data, [field]: change(value as Fields) } : data;
};

/** The data with changed objects in the list of one field, if it has one. */
const each = (data: Fields, field: string, change: (value: Fields) => Fields): Fields => {
  const values = data[field];
  return Array.isArray(values) ? { ...data, [field]: (values as Fields[]).map(change) } : data;
};
