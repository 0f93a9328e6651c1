import type { ScriptRequest, ScriptRequestTool } from "../../script/script-request.ts";
import { isObject, numberOf, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { finishRequest, joinText, message, type DecodedMessage } from "../neutral-request.ts";
import type { WireRoute } from "../wire.ts";

/** Reads a generateContent body into the neutral form. Calls without an id get one by position. */
export function decodeGenerateRequest(body: JsonObject, route: WireRoute): ScriptRequest {
  const config = objectOf(body["generationConfig"]);
  const schema = config["responseJsonSchema"] ?? config["responseSchema"];
  const pending: PendingCall[] = [];
  return finishRequest({
    wire: "google-generate",
    model: route.model ?? "",
    system: joinText(objectsOf(objectOf(body["systemInstruction"])["parts"]).map((part) => textOf(part["text"]))),
    messages: objectsOf(body["contents"]).flatMap((content) => decodeContent(content, pending)),
    tools: objectsOf(body["tools"]).flatMap(decodeTools),
    toolChoice: decodeToolChoice(objectOf(objectOf(body["toolConfig"])["functionCallingConfig"])),
    outputSchema: isObject(schema) ? schema : undefined,
    stream: route.stream === true,
    maxTokens: numberOf(config["maxOutputTokens"]),
    temperature: numberOf(config["temperature"]),
    raw: body,
  });
}

interface PendingCall {
  readonly id: string;
  readonly name: string;
  answered: boolean;
}

function decodeContent(content: JsonObject, pending: PendingCall[]): readonly DecodedMessage[] {
  const parts = objectsOf(content["parts"]);
  const results = parts
    .filter((part) => isObject(part["functionResponse"]))
    .map((part) => decodeResult(objectOf(part["functionResponse"]), pending));
  const rest = parts.filter((part) => !isObject(part["functionResponse"]));
  if (rest.length === 0 && results.length > 0) return results;
  const media = rest
    .map((part) => objectOf(part["inlineData"] ?? part["fileData"]))
    .filter((data) => "mimeType" in data);
  const thought = joinText(rest.filter((part) => part["thought"] === true).map((part) => textOf(part["text"])));
  const calls = rest
    .filter((part) => isObject(part["functionCall"]))
    .map((part) => {
      const call = objectOf(part["functionCall"]);
      const id = textOf(call["id"]) || `call_${pending.length}`;
      pending.push({ id, name: textOf(call["name"]), answered: false });
      return { id, name: textOf(call["name"]), arguments: JSON.stringify(call["args"] ?? {}) };
    });
  const images = media.filter((data) => textOf(data["mimeType"]).startsWith("image/")).length;
  const decoded: DecodedMessage = {
    ...message(content["role"] === "model" ? "assistant" : "user"),
    text: joinText(rest.filter((part) => part["thought"] !== true).map((part) => textOf(part["text"]))),
    images,
    files: media.length - images,
    reasoning: thought === "" ? undefined : thought,
    toolCalls: calls,
  };
  return [...results, decoded];
}

function decodeResult(response: JsonObject, pending: PendingCall[]): DecodedMessage {
  const toolName = textOf(response["name"]);
  const call = pending.find(
    (item) =>
      !item.answered && (typeof response["id"] === "string" ? item.id === response["id"] : item.name === toolName),
  );
  if (call !== undefined) call.answered = true;
  const answer = objectOf(response["response"]);
  const value = answer["output"] ?? answer["error"] ?? answer["result"] ?? answer;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const isError = "error" in answer && !("output" in answer);
  return {
    ...message("tool"),
    text,
    toolResult: { toolCallId: textOf(response["id"]) || (call?.id ?? ""), toolName, text, isError },
  };
}

function decodeTools(tool: JsonObject): readonly ScriptRequestTool[] {
  const declared = objectsOf(tool["functionDeclarations"]).map((declaration): ScriptRequestTool => {
    const schema = declaration["parametersJsonSchema"] ?? declaration["parameters"];
    return {
      name: textOf(declaration["name"]),
      description: typeof declaration["description"] === "string" ? declaration["description"] : undefined,
      schema: isObject(schema) ? schema : undefined,
      type: "function",
    };
  });
  const hosted = Object.keys(tool).filter((name) => name !== "functionDeclarations");
  return [...declared, ...hosted.map((name) => ({ name, type: name }))];
}

function decodeToolChoice(config: JsonObject): ScriptRequest["toolChoice"] {
  const names = Array.isArray(config["allowedFunctionNames"]) ? config["allowedFunctionNames"] : [];
  if (config["mode"] === "NONE") return "none";
  if (config["mode"] !== "ANY") return "auto";
  return names.length === 1 ? { toolName: textOf(names[0]) } : "required";
}
