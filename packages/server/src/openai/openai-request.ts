import type { ChatMessage, ContentPart, RunOptions } from "@bailiwick/core";
import { asObject, asText, type JsonBody } from "../http/read-body.ts";
import { invalid, RequestError } from "../http/request-error.ts";
import { uploadReader, type UploadOptions, type UploadReader } from "../http/uploads.ts";

/** Settings of a run that a client may choose. */
type ClientSettings = Pick<RunOptions, "temperature" | "topP" | "maxTokens" | "stopSequences">;

/** The parts of the routes' options that decide about a request. */
export interface AcceptedRequests {
  readonly model: string;
  readonly models?: "any" | undefined;
  readonly tools?: "ignore" | "refuse" | undefined;
  readonly uploads?: UploadOptions | undefined;
}

/** A parsed request of either protocol. */
export interface OpenaiRequest {
  /** Name of the model that the answer has. */
  readonly model: string;
  /** The user's last message. */
  readonly input: readonly ContentPart[];
  /** Everything before it, which the client could have invented. */
  readonly earlier: readonly ChatMessage[];
  readonly settings: ClientSettings;
  readonly stream: boolean;
  /** Chat Completions: the last chunk has the token counts. */
  readonly withUsage: boolean;
}

/** Message of a client, before it is sorted. */
interface GivenMessage {
  readonly role: string;
  readonly content: readonly ContentPart[];
}

/** Fields that would change the agent, and the values that mean no change. */
const refused: Readonly<Record<string, (value: unknown) => boolean>> = {
  tools: (value) => Array.isArray(value) && value.length === 0,
  functions: (value) => Array.isArray(value) && value.length === 0,
  tool_choice: (value) => value === "auto" || value === "none",
  function_call: (value) => value === "auto" || value === "none",
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  audio: () => false,
  background: (value) => value === false,
  prompt: () => false,
  response_format: (value) => isText(value),
  text: (value) =>
    typeof value === "object" && value !== null && isText((value as JsonBody)["format"] ?? { type: "text" }),
};

const isText = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (value as JsonBody)["type"] === "text";

/** Fields about a client's own tools. */
const toolFields: readonly string[] = ["tools", "functions", "tool_choice", "function_call"];

/** Reads the fields that both protocols have, and refuses unsupported values. */
function readCommon(
  body: JsonBody,
  { model, models, tools }: AcceptedRequests,
): Pick<OpenaiRequest, "model" | "settings" | "stream" | "withUsage"> {
  const wanted = asText(body["model"], '"model"');
  if (wanted !== model && models !== "any")
    throw new RequestError(404, "model_not_found", `There is no model "${wanted}". Use "${model}".`);
  for (const [name, isHarmless] of Object.entries(refused)) {
    const value = body[name];
    if (value === undefined || value === null || isHarmless(value)) continue;
    if (tools === "ignore" && toolFields.includes(name)) continue;
    throw invalid(`"${name}" is not taken: the agent has its own tools and settings. Leave it out.`);
  }
  const stop = body["stop"];
  const options = body["stream_options"];
  return {
    model: wanted,
    settings: {
      ...number("temperature", body["temperature"]),
      ...number("topP", body["top_p"]),
      ...number("maxTokens", body["max_completion_tokens"] ?? body["max_output_tokens"] ?? body["max_tokens"]),
      ...(stop !== undefined && stop !== null && { stopSequences: texts(stop) }),
    },
    stream: body["stream"] === true,
    withUsage: typeof options === "object" && options !== null && (options as JsonBody)["include_usage"] === true,
  };
}

function number(name: keyof ClientSettings, value: unknown): ClientSettings {
  if (value === undefined || value === null) return {};
  if (typeof value !== "number") throw invalid(`"${name}" has to be a number.`);
  return { [name]: value };
}

function texts(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => asText(one, '"stop"'));
}

/** Reads the body of a Chat Completions request. */
export function readChatCompletion(body: JsonBody, accepted: AcceptedRequests): OpenaiRequest {
  const common = readCommon(body, accepted);
  if (!Array.isArray(body["messages"])) throw invalid('"messages" has to be a list.');
  return { ...common, ...sorted(body["messages"], accepted) };
}

/** Reads the body of a Responses request. */
export function readResponsesRequest(body: JsonBody, accepted: AcceptedRequests): OpenaiRequest {
  const common = readCommon(body, accepted);
  const { input, instructions } = body;
  const given: readonly unknown[] =
    typeof input === "string" ? [{ role: "user", content: input }] : asList(input, '"input"');
  const said = instructions === undefined || instructions === null ? [] : [{ role: "system", content: instructions }];
  return { ...common, ...sorted([...said, ...given], accepted) };
}

function sorted(
  given: readonly unknown[],
  { uploads, tools }: AcceptedRequests,
): Pick<OpenaiRequest, "input" | "earlier"> {
  const objects = given.map((one, index) => asObject(one, `Message ${index}`));
  const kept = tools === "ignore" ? objects.filter((message) => !isOfTools(message)) : objects;
  const messages = kept.map((message, index) => readMessage(message, index, uploads));
  const last = messages.at(-1);
  if (last?.role !== "user") throw invalid("The last message has to be one of the user.");
  if (last.content.length === 0) throw invalid("The last message is empty.");
  return { input: last.content, earlier: messages.slice(0, -1).flatMap(earlierMessage) };
}

/** True for the call of a client's tool and for its result. */
function isOfTools({ role, type }: JsonBody): boolean {
  return role === "tool" || role === "function" || type === "function_call" || type === "function_call_output";
}

function readMessage(message: JsonBody, index: number, uploads: UploadOptions | undefined): GivenMessage {
  const { type, role, content } = message;
  if (type !== undefined && type !== "message")
    throw invalid(`Message ${index} has the type ${JSON.stringify(type)}: the agent runs its own tools.`);
  const files = uploadReader(uploads);
  if (content === null || content === undefined) return { role: asText(role, "A role"), content: [] };
  const parts: readonly unknown[] =
    typeof content === "string" ? [{ type: "text", text: content }] : asList(content, "A content");
  return {
    role: asText(role, "A role"),
    content: parts.flatMap((part) => readPart(asObject(part, "A part"), files)),
  };
}

/** An earlier message, as untrusted text: the client stores the conversation, and could have invented it. */
function earlierMessage({ role, content }: GivenMessage): ChatMessage[] {
  if (content.length === 0) return [];
  if (role === "assistant") return [{ role, content: content.filter(({ type }) => type === "text") }];
  if (role === "tool" || role === "function")
    throw invalid(`A message of the role "${role}" is not taken: the agent runs its own tools.`);
  const untrusted = content.map((part) => ({ ...part, untrusted: true }));
  if (role === "user") return [{ role, content: untrusted }];
  return [
    { role: "user", content: [{ type: "text", text: "The client's instructions:", untrusted: true }, ...untrusted] },
  ];
}

function readPart(part: JsonBody, files: UploadReader): ContentPart[] {
  switch (part["type"]) {
    case "text":
    case "input_text":
    case "output_text":
      return part["text"] === "" ? [] : [{ type: "text", text: asText(part["text"], "A part's text") }];
    case "image_url":
      return [files.read({ data: asObject(part["image_url"], "An image")["url"], mediaType: undefined })];
    case "input_image":
      return [files.read({ data: part["image_url"], mediaType: undefined })];
    case "file": {
      const { file_data: data, filename } = asObject(part["file"], "A file");
      return [files.read({ data, mediaType: undefined, filename })];
    }
    case "input_file":
      return [files.read({ data: part["file_data"], mediaType: undefined, filename: part["filename"] })];
    default:
      throw invalid(`A message cannot hold a part of type "${String(part["type"])}".`);
  }
}

function asList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`${what} has to be a text or a list.`);
  return value;
}
