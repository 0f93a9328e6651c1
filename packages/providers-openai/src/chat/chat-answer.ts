import { filledObject, isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { HostedToolPart, ImagePart, JsonValue, SourcePart } from "@bailiwick/core/provider";
import type { WithHeaders } from "../client.ts";
import { embeddedError, errorIn } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import { readCitations, readExecutedTools, readImages, readReferences } from "./gateway-extras.ts";

/** A tool call of a chat answer. */
export interface ChatCall {
  id: string;
  /** Name on the wire. */
  name: string;
  arguments: string;
  /** The vendor's data that must be sent back: Gemini's thought signature. */
  extra?: JsonValue | undefined;
}

/** Spoken output. */
interface ChatAudio {
  id: string;
  /** Base64. */
  data: string;
  transcript: string;
}

/** An answer of Chat Completions with its fields collected, from one body or from many chunks. */
export interface ChatAnswer {
  id: string | undefined;
  model: string | undefined;
  text: string;
  refusal: string;
  reasoning: string;
  /** Field that the reasoning was in. */
  reasoningField: "reasoning_content" | "reasoning" | undefined;
  /** Structured reasoning of OpenRouter, unchanged. */
  reasoningDetails: Readonly<Record<string, unknown>>[];
  calls: ChatCall[];
  annotations: Readonly<Record<string, unknown>>[];
  /** Pictures that the model made, if a gateway returns them next to the text. */
  images: ImagePart[];
  /** Documents of the request that the content cites. */
  references: SourcePart[];
  /** Sources that are next to the choices. */
  citations: SourcePart[];
  /** Calls that the server ran itself. */
  hosted: HostedToolPart[];
  audio: ChatAudio | undefined;
  /** The vendor's data of the message, sent back with it: Gemini's endpoint signs answers without calls. */
  extra: JsonValue | undefined;
  finishReason: string | undefined;
  usage: unknown;
  /** The service tier that answered. */
  tier: unknown;
  /** True if there are further answers, which are ignored. */
  more: boolean;
  /** The server's error after a complete answer. */
  lateError: string | undefined;
}

/** An empty answer, before the first chunk. */
export function emptyAnswer(): ChatAnswer {
  return {
    id: undefined,
    model: undefined,
    text: "",
    refusal: "",
    reasoning: "",
    reasoningField: undefined,
    reasoningDetails: [],
    calls: [],
    annotations: [],
    images: [],
    references: [],
    citations: [],
    hosted: [],
    audio: undefined,
    extra: undefined,
    finishReason: undefined,
    usage: undefined,
    tier: undefined,
    more: false,
    lateError: undefined,
  };
}

/**
 * Reads the body of an answer that was not streamed.
 *
 * @param body - The parsed body.
 * @returns `undefined` if it is not a chat completion.
 * @throws ModelApiError if it is an error in an answer with status 200.
 */
export function answerOfBody(body: unknown, context: ModelContext, sent: WithHeaders): ChatAnswer | undefined {
  if (!isJsonObject(body)) return undefined;
  const error = errorIn(body);
  if (error !== undefined) throw embeddedError(error, context, { headers: sent.headers });
  const choices = jsonObjects(body["choices"]);
  const choice = choices.find(({ index }) => !index) ?? choices[0];
  const broken = choice === undefined ? undefined : errorIn(choice);
  if (broken !== undefined) throw embeddedError(broken, context, { headers: sent.headers });
  const message = choice?.["message"];
  if (!isJsonObject(message)) return undefined;
  const answer = emptyAnswer();
  answer.more = choices.length > 1;
  const content = splitContent(message["content"]);
  const reasoning = readReasoning(message);
  answer.id = jsonText(body["id"]) || undefined;
  answer.model = jsonText(body["model"]) || undefined;
  answer.text = content.text;
  answer.refusal = jsonText(message["refusal"]);
  answer.reasoning = reasoning.text || content.thinking;
  answer.reasoningField = reasoning.field;
  answer.reasoningDetails = [...reasoning.details];
  answer.calls = callsOf(message).map((call, index) => readCall(call, index));
  answer.annotations = [...jsonObjects(message["annotations"])];
  answer.images = [...readImages(message["images"]), ...readImages(message["content"])];
  answer.references = [...readReferences(message["content"])];
  answer.citations = [...readCitations(body)];
  answer.audio = readAudio(message["audio"]);
  answer.extra = extraOf(message);
  answer.finishReason = jsonText(choice?.["finish_reason"]) || undefined;
  answer.hosted = [...readExecutedTools(message["executed_tools"])];
  answer.usage = body["usage"] ?? (isJsonObject(body["x_groq"]) ? body["x_groq"]["usage"] : choice?.["usage"]);
  answer.tier = body["service_tier"];
  return answer;
}

/** Content is a text, or for some servers a list that includes thinking. */
export function splitContent(content: unknown): { readonly text: string; readonly thinking: string } {
  if (typeof content === "string") return { text: content, thinking: "" };
  let text = "";
  let thinking = "";
  for (const part of jsonObjects(content)) {
    if (part["type"] === "thinking")
      thinking += jsonObjects(part["thinking"])
        .map((piece) => jsonText(piece["text"]))
        .join("");
    else text += jsonText(part["text"]);
  }
  return { text, thinking };
}

/** Reasoning of a message or a delta, in any of the fields that servers use. */
export function readReasoning(message: Readonly<Record<string, unknown>>): {
  readonly text: string;
  readonly field: ChatAnswer["reasoningField"];
  readonly details: readonly Readonly<Record<string, unknown>>[];
} {
  const details = jsonObjects(message["reasoning_details"]);
  for (const field of ["reasoning_content", "reasoning"] as const) {
    const text = jsonText(message[field]);
    if (text !== "") return { text, field, details };
  }
  return {
    text: details.map((detail) => jsonText(detail["text"]) || jsonText(detail["summary"])).join(""),
    field: undefined,
    details,
  };
}

/**
 * The calls of a message or a delta; some servers write a single call without a list, or in the older function form.
 */
export function callsOf({
  tool_calls: calls,
  function_call: only,
}: Readonly<Record<string, unknown>>): ReturnType<typeof jsonObjects> {
  const listed = jsonObjects(isJsonObject(calls) ? [filledObject(calls)] : calls);
  const single = filledObject(only);
  return listed.length === 0 && single !== undefined ? [{ function: single }] : listed;
}

function readCall(call: Readonly<Record<string, unknown>>, index: number): ChatCall {
  return { ...writtenCall(call), id: jsonText(call["id"]) || `call_${index}`, extra: extraOf(call) };
}

/** The name and the arguments of a call or of a piece of one; some servers parse the arguments before they answer. */
export function writtenCall(call: Readonly<Record<string, unknown>>): Pick<ChatCall, "name" | "arguments"> {
  const called = filledObject(call["function"]) ?? filledObject(call["custom"]);
  if (called === undefined) return { name: "", arguments: "" };
  const written = called["arguments"] ?? called["input"] ?? "";
  return {
    name: jsonText(called["name"]),
    arguments: typeof written === "string" ? written : JSON.stringify(written),
  };
}

/** The vendor's data of a call or a message, sent back with it. */
export function extraOf(given: Readonly<Record<string, unknown>>): JsonValue | undefined {
  return filledObject(given["extra_content"]) as JsonValue | undefined;
}

function readAudio(given: unknown): ChatAudio | undefined {
  const audio = filledObject(given);
  if (audio === undefined) return undefined;
  return { id: jsonText(audio["id"]), data: jsonText(audio["data"]), transcript: jsonText(audio["transcript"]) };
}
