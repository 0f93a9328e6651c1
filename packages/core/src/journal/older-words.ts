import { JOURNAL_VERSION, type JournalEvent } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Words that version 1 of the journal's format used, by the field that holds them. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: { "tool-call": "tool_call", "hosted-tool": "hosted_tool" },
  kind: { input: "question", "tool-input": "tool_input", "tool-output": "tool_output" },
  status: { error: "failed" },
  stopReason: {
    aborted: "cancelled",
    awaiting_input: "awaiting_answer",
    awaiting_resolution: "awaiting_outcome",
  },
};
const reasons = { ...words["stopReason"] };

/** Records of an older format with the words of today. */
export function translatedEvents(events: readonly JournalEvent[]): readonly JournalEvent[] {
  return events.map((event) => translated(event as unknown as Fields) as unknown as JournalEvent);
}

/** A message with the words of today. */
export function translatedMessage(message: Message): Message {
  return withParts(message as unknown as Fields) as unknown as Message;
}

function translated(event: Fields): Fields {
  switch (event["type"]) {
    case "run.end":
      return event["stopReason"] === "sleeping"
        ? { ...event, status: "sleeping" }
        : translate(translate(event, "status"), "stopReason");
    case "run.suspended":
      return { ...event, reason: word(reasons, event["reason"]) };
    case "guardrail.decided":
      return event["kind"] === "input" ? event : translate(event, "kind");
    case "run.start":
      return { ...event, version: JOURNAL_VERSION, history: list(event["history"]).map(withParts) };
    default:
      return renamed(withQuestions(withMessage(event)));
  }
}

const withMessage = (event: Fields): Fields =>
  isObject(event["message"]) ? { ...event, message: withParts(event["message"]) } : event;

const withQuestions = (event: Fields): Fields => ({
  ...event,
  ...(isObject(event["interruption"]) && { interruption: question(event["interruption"]) }),
  ...(Array.isArray(event["interruptions"]) && { interruptions: list(event["interruptions"]).map(question) }),
});

const question = (data: Fields): Fields => translate(renamed(data), "kind");

/** With the key and the schema of an answer under the names of today. */
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
    ? { ...message, content: list(message["content"]).map((part) => translate(part, "type")) }
    : message;

const translate = (data: Fields, field: "kind" | "status" | "stopReason" | "type"): Fields => ({
  ...data,
  [field]: word(words[field]!, data[field]),
});

const word = (among: Readonly<Record<string, string>>, value: unknown): unknown =>
  typeof value === "string" && Object.hasOwn(among, value) ? among[value] : value;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
