import type { ScriptRequest, ScriptRequestTool } from "../../script/script-request.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { finishRequest, joinText, message, type DecodedMessage } from "../neutral-request.ts";
import { blocksOf, resultText } from "./blocks.ts";

/** Reads a Messages body into the neutral form. */
export function decodeMessagesRequest(body: JsonObject): ScriptRequest {
  const format = objectOf(objectOf(body["output_config"])["format"] ?? body["output_format"]);
  return finishRequest({
    wire: "anthropic-messages",
    model: textOf(body["model"]),
    system:
      body["system"] === undefined ? "" : joinText(blocksOf(body["system"]).map((block) => textOf(block["text"]))),
    messages: objectsOf(body["messages"]).flatMap(decodeMessage),
    tools: objectsOf(body["tools"]).map(decodeTool),
    toolChoice: decodeToolChoice(objectOf(body["tool_choice"])),
    outputSchema: isObject(format["schema"]) ? format["schema"] : undefined,
    stream: body["stream"] === true,
    maxTokens: numberOf(body["max_tokens"]),
    temperature: numberOf(body["temperature"]),
    raw: body,
  });
}

function decodeMessage(item: JsonObject): readonly DecodedMessage[] {
  const blocks = blocksOf(item["content"]);
  const results = blocks.filter((block) => block["type"] === "tool_result").map(decodeResult);
  const rest = blocks.filter((block) => block["type"] !== "tool_result");
  if (rest.length === 0 && results.length > 0) return results;
  const thought = joinText(rest.map((block) => textOf(block["thinking"])));
  const decoded: DecodedMessage = {
    ...message(item["role"] === "assistant" || item["role"] === "system" ? item["role"] : "user"),
    text: joinText(rest.map((block) => textOf(block["text"]))),
    images: rest.filter((block) => block["type"] === "image").length,
    files: rest.filter((block) => block["type"] === "document").length,
    reasoning: thought === "" ? undefined : thought,
    toolCalls: rest
      .filter((block) => block["type"] === "tool_use")
      .map((block) => ({
        id: textOf(block["id"]),
        name: textOf(block["name"]),
        arguments: JSON.stringify(block["input"] ?? {}),
      })),
  };
  return [...results, decoded];
}

function decodeResult(block: JsonObject): DecodedMessage {
  const text = resultText(block["content"]);
  const toolResult = {
    toolCallId: textOf(block["tool_use_id"]),
    toolName: "",
    text,
    isError: block["is_error"] === true,
  };
  return {
    ...message("tool"),
    text,
    images: blocksOf(block["content"]).filter((part) => part["type"] === "image").length,
    toolResult,
  };
}

function decodeTool(tool: JsonObject): ScriptRequestTool {
  const type = textOf(tool["type"]);
  return {
    name: textOf(tool["name"]),
    description: typeof tool["description"] === "string" ? tool["description"] : undefined,
    schema: isObject(tool["input_schema"]) ? tool["input_schema"] : undefined,
    strict: typeof tool["strict"] === "boolean" ? tool["strict"] : undefined,
    type: type === "" || type === "custom" ? "function" : type,
  };
}

function decodeToolChoice(choice: JsonObject): ScriptRequest["toolChoice"] {
  switch (choice["type"]) {
    case "any":
      return "required";
    case "none":
      return "none";
    case "tool":
      return { toolName: textOf(choice["name"]) };
    default:
      return "auto";
  }
}
