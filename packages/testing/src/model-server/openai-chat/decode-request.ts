import type { ScriptRequest, ScriptRequestTool } from "../../script/script-request.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { finishRequest, joinText, message, type DecodedMessage } from "../neutral-request.ts";

/** Reads a Chat Completions body into the neutral form. */
export function decodeChatRequest(body: JsonObject): ScriptRequest {
  const schema = objectOf(objectOf(body["response_format"])["json_schema"])["schema"];
  return finishRequest({
    wire: "openai-chat",
    model: textOf(body["model"]),
    system: "",
    messages: objectsOf(body["messages"]).map(decodeMessage),
    tools: objectsOf(body["tools"]).map(decodeTool),
    toolChoice: decodeToolChoice(body["tool_choice"]),
    outputSchema: isObject(schema) ? schema : undefined,
    stream: body["stream"] === true,
    maxTokens: numberOf(body["max_completion_tokens"] ?? body["max_tokens"]),
    temperature: numberOf(body["temperature"]),
    raw: body,
  });
}

function decodeMessage(item: JsonObject): DecodedMessage {
  const content = contentOf(item["content"]);
  switch (item["role"]) {
    case "system":
    case "developer":
      return { ...message("system"), ...content };
    case "assistant": {
      const toolCalls = objectsOf(item["tool_calls"]).map((call) => {
        const called = objectOf(call["function"] ?? call["custom"]);
        return {
          id: textOf(call["id"]),
          name: textOf(called["name"]),
          arguments: textOf(called["arguments"] ?? called["input"]),
        };
      });
      const reasoning = textOf(item["reasoning_content"] ?? item["reasoning"]);
      return { ...message("assistant"), ...content, toolCalls, reasoning: reasoning === "" ? undefined : reasoning };
    }
    case "tool":
      return {
        ...message("tool"),
        ...content,
        toolResult: { toolCallId: textOf(item["tool_call_id"]), toolName: "", text: content.text, isError: false },
      };
    default:
      return { ...message("user"), ...content };
  }
}

function contentOf(content: unknown): { text: string; images: number; files: number } {
  if (typeof content === "string") return { text: content, images: 0, files: 0 };
  const parts = objectsOf(content);
  return {
    text: joinText(parts.map((part) => textOf(part["text"] ?? part["refusal"]))),
    images: parts.filter((part) => part["type"] === "image_url").length,
    files: parts.filter((part) => part["type"] === "file" || part["type"] === "input_audio").length,
  };
}

function decodeTool(tool: JsonObject): ScriptRequestTool {
  const declared = objectOf(tool["function"] ?? tool["custom"]);
  return {
    name: textOf(declared["name"]),
    description: typeof declared["description"] === "string" ? declared["description"] : undefined,
    schema: isObject(declared["parameters"]) ? declared["parameters"] : undefined,
    strict: typeof declared["strict"] === "boolean" ? declared["strict"] : undefined,
    type: textOf(tool["type"]),
  };
}

function decodeToolChoice(choice: unknown): ScriptRequest["toolChoice"] {
  if (choice === "none" || choice === "required") return choice;
  const name = objectOf(objectOf(choice)["function"])["name"];
  return typeof name === "string" ? { toolName: name } : "auto";
}
