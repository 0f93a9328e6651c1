import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import {
  isJsonObject,
  parseArguments,
  unsupportedSetting,
  wellFormedJson,
  wireToolName,
} from "@bailiwick/core/provider";
import type { AssistantMessage, AssistantPart, Message, ToolMessage, Warning } from "@bailiwick/core/provider";
import { filePart, type SupportedUrls } from "./files.ts";
import type { ModelContext } from "./model-context.ts";
import { providerOptionsOf, stateOf } from "./state.ts";
import { resultOutput } from "./tool-results.ts";

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
type AssistantContentPart = AssistantContent[number];
type ToolContent = Extract<LanguageModelV4Message, { role: "tool" }>["content"];

/** The answer between a tool's result and a user message, for vendors that refuse them next to each other. */
const between = "(continued)";
/** The first message of a conversation without a user message: several vendors require one. */
const opening = "(The conversation began before this.)";
/** The request to continue, after an answer: most models refuse a conversation that ends with one. */
const goOn = "Continue.";

/**
 * Messages as the prompt of an AI SDK model.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 * @param urls - Addresses that the model accepts.
 * @param warnings - Gets an entry for each part that is left out.
 */
export function promptOf(
  messages: readonly Message[],
  context: ModelContext,
  urls: SupportedUrls,
  warnings: Warning[],
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    switch (message.role) {
      case "system":
        prompt.push({ role: "system", content: message.content });
        break;
      case "user":
        if (last?.role === "tool" && !context.vendor.userAfterTool)
          prompt.push({ role: "assistant", content: [{ type: "text", text: between }] });
        prompt.push({ role: "user", content: userContent(message.content, context, urls, warnings) });
        break;
      case "assistant": {
        const content = assistantContent(message, context, urls, warnings);
        if (content.length > 0) prompt.push({ role: "assistant", content });
        break;
      }
      case "tool": {
        const content = toolContent(message, context, urls, warnings);
        if (last?.role === "tool") last.content.push(...content);
        else prompt.push({ role: "tool", content });
      }
    }
  }
  const first = prompt.findIndex(({ role }) => role !== "system");
  if (first === -1 || prompt[first]?.role !== "user")
    prompt.splice(first === -1 ? prompt.length : first, 0, {
      role: "user",
      content: [{ type: "text", text: opening }],
    });
  if (prompt.at(-1)?.role === "assistant") {
    warnings.push(unsupportedSetting("prefill", `${context.modelId} was asked to continue instead.`));
    prompt.push({ role: "user", content: [{ type: "text", text: goOn }] });
  }
  return prompt;
}

function userContent(
  content: Extract<Message, { role: "user" }>["content"],
  context: ModelContext,
  urls: SupportedUrls,
  warnings: Warning[],
): Extract<LanguageModelV4Message, { role: "user" }>["content"] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part) =>
    part.type === "text" ? { type: "text", text: part.text } : filePart(part, context, urls, warnings),
  );
}

function assistantContent(
  message: AssistantMessage,
  context: ModelContext,
  urls: SupportedUrls,
  warnings: Warning[],
): AssistantContent {
  const content = message.content.flatMap((part) => assistantParts(part, message, context, urls, warnings));
  // Vendors refuse reasoning at the end of an answer.
  const end = content.findLastIndex(({ type }) => type !== "reasoning" && type !== "reasoning-file");
  return content.slice(0, end + 1);
}

function assistantParts(
  part: AssistantPart,
  message: AssistantMessage,
  context: ModelContext,
  urls: SupportedUrls,
  warnings: Warning[],
): readonly AssistantContentPart[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return [{ type: "text", text: part.text, ...providerOptionsOf(part) }];
    case "reasoning":
      return [reasoningPart(part)];
    case "tool_call": {
      const call = message.toolCalls.find(({ id }) => id === part.toolCallId);
      if (call === undefined) return [];
      const { input } = parseArguments(call.arguments);
      return [
        {
          type: "tool-call",
          toolCallId: call.id,
          toolName: wireToolName(call.name, context.capabilities.toolName),
          // Several vendors accept only an object.
          input: isJsonObject(input) ? wellFormedJson(input) : { invalid_arguments: call.arguments },
          ...providerOptionsOf(call),
        },
      ];
    }
    case "hosted_tool":
      return hostedParts(part);
    case "source":
      return [];
    default: {
      if (!context.vendor.answerFiles) {
        const type = part.mimeType ?? part.type;
        warnings.push({
          code: "media_omitted",
          message: `A file of type ${type} that the model made was left out of the request: ${context.modelId} takes none in answers.`,
          subject: part.type,
        });
        return [{ type: "text", text: `[${part.type} (${type}) of this answer omitted]` }];
      }
      return [{ ...filePart(part, context, urls, warnings), ...providerOptionsOf(part) }];
    }
  }
}

function reasoningPart(part: Extract<AssistantPart, { type: "reasoning" }>): AssistantContentPart {
  const { kind, file } = stateOf(part);
  if (kind !== undefined) return { type: "custom", kind: kind as `${string}.${string}`, ...providerOptionsOf(part) };
  if (file !== undefined)
    return {
      type: "reasoning-file",
      mediaType: file.mediaType,
      data: file.url === undefined ? { type: "data", data: file.data ?? "" } : { type: "url", url: new URL(file.url) },
      ...providerOptionsOf(part),
    };
  return { type: "reasoning", text: part.text, ...providerOptionsOf(part) };
}

/** A call that the vendor ran, with its result; a call without a result did not end and is left out. */
function hostedParts(part: Extract<AssistantPart, { type: "hosted_tool" }>): readonly AssistantContentPart[] {
  const waits = part.approvalRequestId !== undefined;
  if (part.output === undefined && !waits) return [];
  const { toolCallId, toolName } = part;
  const options = providerOptionsOf(part);
  const call: AssistantContentPart = {
    type: "tool-call",
    toolCallId,
    toolName,
    input: part.input ?? {},
    providerExecuted: true,
    ...options,
  };
  if (part.output === undefined) return [call];
  const output = { type: part.isError === true ? "error-json" : "json", value: part.output } as Extract<
    ToolContent[number],
    { type: "tool-result" }
  >["output"];
  return [call, { type: "tool-result", toolCallId, toolName, output, ...options }];
}

function toolContent(
  message: ToolMessage,
  context: ModelContext,
  urls: SupportedUrls,
  warnings: Warning[],
): ToolContent {
  const { hostedApproval, toolCallId, toolName } = message;
  if (hostedApproval !== undefined) {
    const { approved, reason } = hostedApproval;
    return [
      { type: "tool-approval-response", approvalId: toolCallId, approved, ...(reason === undefined ? {} : { reason }) },
    ];
  }
  return [
    {
      type: "tool-result",
      toolCallId,
      toolName: wireToolName(toolName, context.capabilities.toolName),
      output: resultOutput(message, context, urls, warnings),
    },
  ];
}
