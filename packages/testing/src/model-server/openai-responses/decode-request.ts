import type { ScriptMessage, ScriptRequest, ScriptRequestTool } from "../../script/script-request.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { finishRequest, joinText, message, type DecodedMessage } from "../neutral-request.ts";
import { inputItems } from "./input-items.ts";
import type { IssuedMemory } from "../issued-memory.ts";

/** Reads a Responses body into the neutral form. `memory` resolves `previous_response_id`. */
export function decodeResponsesRequest(body: JsonObject, memory: IssuedMemory): ScriptRequest {
  const decoded: DecodedMessage[] = [];
  for (const item of inputItems(body, memory)) decodeItem(item, decoded);
  const format = objectOf(objectOf(body["text"])["format"]);
  return finishRequest({
    wire: "openai-responses",
    model: textOf(body["model"]),
    system: textOf(body["instructions"]),
    messages: decoded,
    tools: objectsOf(body["tools"]).map(decodeTool),
    toolChoice: decodeToolChoice(body["tool_choice"]),
    outputSchema: isObject(format["schema"]) ? format["schema"] : undefined,
    stream: body["stream"] === true,
    maxTokens: numberOf(body["max_output_tokens"]),
    temperature: numberOf(body["temperature"]),
    raw: body,
  });
}

function decodeItem(item: JsonObject, decoded: DecodedMessage[]): void {
  const last = decoded.at(-1);
  switch (item["type"]) {
    case "reasoning": {
      const text = joinText(objectsOf(item["summary"]).map((part) => textOf(part["text"])));
      decoded.push({ ...message("assistant"), reasoning: text });
      return;
    }
    case "function_call":
    case "custom_tool_call": {
      const call = {
        id: textOf(item["call_id"]),
        name: textOf(item["name"]),
        arguments: textOf(item["arguments"] ?? item["input"]),
      };
      if (last?.role === "assistant") last.toolCalls.push(call);
      else decoded.push({ ...message("assistant"), toolCalls: [call] });
      return;
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const content = contentOf(item["output"]);
      decoded.push({
        ...message("tool"),
        ...content,
        toolResult: { toolCallId: textOf(item["call_id"]), toolName: "", text: content.text, isError: false },
      });
      return;
    }
    case "message":
    case undefined: {
      const content = contentOf(item["content"]);
      if (last?.role === "assistant" && item["role"] === "assistant" && last.text === "" && last.toolCalls.length === 0)
        Object.assign(last, content);
      else decoded.push({ ...message(roleOf(item["role"])), ...content });
    }
  }
}

function roleOf(role: unknown): ScriptMessage["role"] {
  if (role === "developer" || role === "system") return "system";
  return role === "assistant" ? "assistant" : "user";
}

function contentOf(content: unknown): { text: string; images: number; files: number } {
  if (typeof content === "string") return { text: content, images: 0, files: 0 };
  const parts = objectsOf(content);
  return {
    text: joinText(parts.map((part) => textOf(part["text"] ?? part["refusal"]))),
    images: parts.filter((part) => part["type"] === "input_image").length,
    files: parts.filter((part) => part["type"] === "input_file").length,
  };
}

function decodeTool(tool: JsonObject): ScriptRequestTool {
  const type = textOf(tool["type"]);
  return {
    name: textOf(tool["name"]) || type,
    description: typeof tool["description"] === "string" ? tool["description"] : undefined,
    schema: isObject(tool["parameters"]) ? tool["parameters"] : undefined,
    strict: typeof tool["strict"] === "boolean" ? tool["strict"] : undefined,
    type,
  };
}

function decodeToolChoice(choice: unknown): ScriptRequest["toolChoice"] {
  if (choice === "none" || choice === "required") return choice;
  const named = objectOf(choice);
  return typeof named["name"] === "string" ? { toolName: named["name"] } : "auto";
}
