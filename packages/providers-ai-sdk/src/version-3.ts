import type { LanguageModelV3Message, LanguageModelV3Prompt, LanguageModelV4Prompt } from "@ai-sdk/provider";

type V4Message = LanguageModelV4Prompt[number];
type V4AssistantPart = Extract<V4Message, { role: "assistant" }>["content"][number];
type V4File = Extract<Extract<V4Message, { role: "user" }>["content"][number], { type: "file" }>;
type V4Result = Extract<V4AssistantPart, { type: "tool-result" }>;
type V3AssistantPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];
type V3Result = Extract<V3AssistantPart, { type: "tool-result" }>;
type V3File = Extract<V3AssistantPart, { type: "file" }>;

/**
 * A prompt for a model of version 3 of the specification, which writes files in another way.
 *
 * @param prompt - In the form of version 4.
 */
export function promptForVersion3(prompt: LanguageModelV4Prompt): LanguageModelV3Prompt {
  return prompt.map((message): LanguageModelV3Message => {
    switch (message.role) {
      case "system":
        return message;
      case "user":
        return { ...message, content: message.content.map((part) => (part.type === "file" ? file(part) : part)) };
      case "assistant":
        return { ...message, content: message.content.flatMap(assistantPart) };
      case "tool":
        return {
          ...message,
          content: message.content.map((part) => (part.type === "tool-result" ? result(part) : part)),
        };
    }
  });
}

function assistantPart(part: V4AssistantPart): readonly V3AssistantPart[] {
  switch (part.type) {
    case "custom":
    case "reasoning-file":
      // Version 3 has no such parts, so no model of it made one.
      return [];
    case "file":
      return [file(part)];
    case "tool-result":
      return [result(part)];
    default:
      return [part];
  }
}

function file(part: V4File): V3File {
  const { data } = part;
  if (data.type === "url") return { ...part, data: data.url };
  return { ...part, data: data.type === "data" ? data.data : "" };
}

function result(part: V4Result): V3Result {
  const { output } = part;
  if (output.type !== "content") return { ...part, output };
  const value = output.value.map((one) => {
    if (one.type !== "file") return one;
    const image = one.mediaType.startsWith("image/");
    if (one.data.type === "url")
      return { type: image ? ("image-url" as const) : ("file-url" as const), url: one.data.url.href };
    const data = one.data.type === "data" && typeof one.data.data === "string" ? one.data.data : "";
    return { type: image ? ("image-data" as const) : ("file-data" as const), data, mediaType: one.mediaType };
  });
  return { ...part, output: { ...output, value } };
}
