import type { ScriptRequest, ScriptRequestTool } from "../../script/script-request.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { finishRequest, message, type DecodedMessage } from "../neutral-request.ts";

/** Reads a body of `/api/chat` into the neutral form. */
export function decodeOllamaRequest(body: JsonObject): ScriptRequest {
  const options = objectOf(body["options"]);
  return finishRequest({
    wire: "ollama-chat",
    model: textOf(body["model"]),
    system: "",
    messages: objectsOf(body["messages"]).map(decodeMessage),
    tools: objectsOf(body["tools"]).map(decodeTool),
    toolChoice: "auto",
    outputSchema: isObject(body["format"]) ? body["format"] : undefined,
    // The vendor streams by default.
    stream: body["stream"] !== false,
    maxTokens: numberOf(options["num_predict"]),
    temperature: numberOf(options["temperature"]),
    raw: body,
  });
}

function decodeMessage(item: JsonObject): DecodedMessage {
  const text = textOf(item["content"]);
  const images = Array.isArray(item["images"]) ? item["images"].length : 0;
  switch (item["role"]) {
    case "system":
      return { ...message("system"), text };
    case "assistant": {
      const toolCalls = objectsOf(item["tool_calls"]).map((call) => {
        const called = objectOf(call["function"]);
        return {
          id: textOf(call["id"]),
          name: textOf(called["name"]),
          arguments: JSON.stringify(called["arguments"] ?? {}),
        };
      });
      const reasoning = textOf(item["thinking"]);
      return { ...message("assistant"), text, images, toolCalls, reasoning: reasoning === "" ? undefined : reasoning };
    }
    case "tool": {
      const { tool_call_id: id, tool_name: name } = item;
      const toolResult = { toolCallId: textOf(id), toolName: textOf(name), text, isError: false };
      return { ...message("tool"), text, toolResult };
    }
    default:
      return { ...message("user"), text, images };
  }
}

function decodeTool(tool: JsonObject): ScriptRequestTool {
  const declared = objectOf(tool["function"]);
  return {
    name: textOf(declared["name"]),
    description: typeof declared["description"] === "string" ? declared["description"] : undefined,
    schema: isObject(declared["parameters"]) ? declared["parameters"] : undefined,
    type: textOf(tool["type"]),
  };
}
