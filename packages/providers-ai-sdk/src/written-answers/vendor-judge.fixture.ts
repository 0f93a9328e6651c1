import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { Fields } from "./written-answer.fixture.ts";

/** A rule of a vendor: the error text for a body that breaks it. */
type Rule = (body: Fields) => readonly string[];

const blocksOf = ({ content }: Fields): readonly Fields[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : jsonObjects(content);
const of = (value: unknown): Fields => (isJsonObject(value) ? value : {});

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls and the guides of its server tools. */
const messagesRules: Rule = (body) => {
  const messages = jsonObjects(body["messages"]);
  const broken: string[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const next = messages[index + 1];
    if (blocks.length === 0) broken.push(`message ${index} is empty`);
    if (blocks.some(({ type, text }) => type === "text" && jsonText(text).trim() === ""))
      broken.push(`message ${index} has a blank text`);
    if (message["role"] !== "assistant") continue;
    const calls = blocks.filter(({ type }) => type === "tool_use");
    const results = next === undefined ? [] : blocksOf(next);
    const first = results.slice(0, calls.length);
    for (const { id } of calls)
      if (!first.some((one) => one["type"] === "tool_result" && one["tool_use_id"] === id))
        broken.push(`tool_use ${String(id)} without its result at the beginning of the next message`);
    if (calls.some(({ input }) => !isJsonObject(input))) broken.push("tool_use with an input that is not an object");
    if (/thinking/.test(jsonText(blocks.at(-1)?.["type"]))) broken.push("an answer that ends in thinking");
    if (blocks.some(({ type, signature }) => type === "thinking" && jsonText(signature) === ""))
      broken.push("thinking without a signature");
    broken.push(...serverTools(messages, index));
  }
  if (messages[0]?.["role"] !== "user") broken.push("the first message is not the user's");
  return broken;
};

/** A call of the vendor's tool has its result; one that a client's call waits for, or that paused, may come later. */
function serverTools(messages: readonly Fields[], index: number): readonly string[] {
  const blocks = blocksOf(messages[index] ?? {});
  const called = blocks.filter(({ type }) => type === "server_tool_use" || type === "mcp_tool_use");
  const later = messages.slice(index).flatMap(blocksOf);
  const earlier = messages.slice(0, index + 1).flatMap(blocksOf);
  const ids = new Set(earlier.flatMap(({ type, id }) => (/^(server|mcp)_tool_use$/.test(jsonText(type)) ? [id] : [])));
  const isLast = index === messages.length - 1;
  const isWaiting = (id: unknown): boolean => blocks.some((block) => of(block["caller"])["tool_id"] === id);
  return [
    ...called.flatMap(({ id, type }) =>
      isLast || isWaiting(id) || later.some((one) => one["tool_use_id"] === id)
        ? []
        : [`${jsonText(type)} ${String(id)} without its result`],
    ),
    ...called.flatMap(({ id, type }) =>
      type === "server_tool_use" && !/^srvtoolu_[a-zA-Z0-9_]+$/.test(jsonText(id)) ? [`the id ${String(id)}`] : [],
    ),
    ...blocks.flatMap(({ type, tool_use_id: id }) =>
      jsonText(type).endsWith("_tool_result") && !ids.has(id)
        ? [`${jsonText(type)} ${String(id)} without its call`]
        : [],
    ),
  ];
}

/** https://developers.openai.com/api/docs/guides/function-calling and `reasoning`. */
const responsesRules: Rule = (body) => {
  const items = jsonObjects(body["input"]);
  const broken: string[] = [];
  const outputs: Readonly<Record<string, string>> = {
    function_call: "function_call_output",
    custom_tool_call: "custom_tool_call_output",
    mcp_approval_request: "mcp_approval_response",
  };
  for (const [index, item] of items.entries()) {
    const type = jsonText(item["type"]);
    const id = item["call_id"] ?? item["id"];
    // xAI runs the calls of its searches itself, and gives no output.
    const answer = jsonText(item["name"]).startsWith("x_") ? undefined : outputs[type];
    if (
      answer !== undefined &&
      !items.slice(index).some((one) => one["type"] === answer && (one["call_id"] ?? one["approval_request_id"]) === id)
    )
      broken.push(`${type} ${String(id)} without its output`);
    if (
      Object.values(outputs).includes(type) &&
      !items.slice(0, index).some((one) => outputs[jsonText(one["type"])] === type)
    )
      broken.push(`${type} without its call`);
    const next = items[index + 1];
    if (
      type === "reasoning" &&
      (next === undefined || next["role"] === "user" || jsonText(next["type"]).endsWith("_output"))
    )
      broken.push("reasoning without its item");
    if (type === "reasoning" && (typeof item["encrypted_content"] !== "string" || !Array.isArray(item["summary"])))
      broken.push("reasoning that only the vendor could have stored");
    if (item["status"] === "in_progress") broken.push(`${type} that is ${jsonText(item["status"])}`);
    if (
      /^(computer_call|local_shell_call|shell_call|apply_patch_call)$/.test(type) &&
      !items.some((one) => one["type"] === `${type}_output`)
    )
      broken.push(`${type} without its output`);
  }
  const ids = items.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  if (new Set(ids).size !== ids.length) broken.push("an id twice");
  return broken;
};

/** https://ai.google.dev/gemini-api/docs/function-calling and `thought-signatures`. */
const generateRules: Rule = (body) => {
  const contents = jsonObjects(body["contents"]);
  const broken: string[] = [];
  for (const [index, content] of contents.entries()) {
    const parts = jsonObjects(content["parts"]);
    if (parts.length === 0) broken.push(`content ${index} is empty`);
    for (const part of parts) {
      const kinds = [
        "text",
        "inlineData",
        "fileData",
        "functionCall",
        "functionResponse",
        "executableCode",
        "codeExecutionResult",
        "toolCall",
        "toolResponse",
      ].filter((kind) => kind in part);
      if (kinds.length > 1 || Object.keys(part).length === 0) broken.push(`a part with ${kinds.join(" and ")}`);
    }
    const names = (list: readonly Fields[], kind: string) =>
      list.flatMap((part) => (kind in part ? [of(part[kind])["name"]] : []));
    const calls = names(parts, "functionCall");
    const results = names(jsonObjects(contents[index + 1]?.["parts"]), "functionResponse");
    if (content["role"] === "model" && JSON.stringify(calls) !== JSON.stringify(results))
      broken.push(`calls ${JSON.stringify(calls)} with responses ${JSON.stringify(results)}`);
  }
  if (contents[0]?.["role"] !== "user") broken.push("the first content is not the user's");
  if (contents.at(-1)?.["role"] !== "user") broken.push("the last content is not the user's");
  return broken;
};

/** https://developers.openai.com/api/docs/guides/function-calling?api-mode=chat, and https://docs.mistral.ai/api for their order. */
const chatRules: Rule = (body) => {
  const messages = jsonObjects(body["messages"]);
  const broken: string[] = [];
  let open = new Set<unknown>();
  for (const message of messages) {
    const { role } = message;
    if (role === "tool") {
      if (!open.delete(message["tool_call_id"])) broken.push("a result without its call");
      continue;
    }
    if (open.size > 0) broken.push("a call without its result");
    open = new Set(jsonObjects(message["tool_calls"]).map(({ id }) => id));
    const calls = jsonObjects(message["tool_calls"]);
    if (calls.length !== open.size) broken.push("a call's id twice");
    if (calls.some((call) => jsonText(of(call["function"])["name"]) === "")) broken.push("a call without a name");
    const content = message["content"];
    const isEmpty = content == null || content === "" || (Array.isArray(content) && content.length === 0);
    if (role === "assistant" && isEmpty && calls.length === 0 && message["refusal"] === undefined)
      broken.push("an answer without content");
  }
  if (open.size > 0) broken.push("a call without its result");
  return broken;
};

const rules: Readonly<Record<"messages" | "responses" | "generate" | "chat", Rule>> = {
  messages: messagesRules,
  responses: responsesRules,
  generate: generateRules,
  chat: chatRules,
};

/** The request bodies that the rules are for. */
export type JudgedWire = keyof typeof rules;

/**
 * Finds parts of a body that the vendor's documentation refuses. Written from the vendor's pages alone, independently
 * of the rules of the model server.
 *
 * @param wire - The body's form.
 * @param text - The body as it is sent.
 */
export function judged(wire: JudgedWire, text: string): readonly string[] {
  const broken = [...rules[wire](JSON.parse(text) as Fields)];
  if (!text.isWellFormed() || /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(text)) broken.push("half of a surrogate pair");
  return broken;
}
