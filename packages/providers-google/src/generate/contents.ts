import { wellFormedJson, wireToolName } from "@bailiwick/core/provider";
import type { Message, SystemMessage, ToolCall, ToolMessage, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import { modelParts } from "./model-parts.ts";
import { userParts } from "./user-parts.ts";
import type { WirePart } from "./wire-part.ts";

/** A content on the wire. */
export interface WireContent {
  readonly role: "user" | "model";
  readonly parts: WirePart[];
}

/** Placeholder if there is nothing to send: a request without content would be refused. */
const nothing: WirePart = { text: "(empty message)" };
/** The user text that is added if a conversation ends with an answer. */
const goOn: WirePart = { text: "Continue." };

/** A message's parts, cached by message: a long conversation is mapped once, not in each turn. */
interface MappedMessage {
  readonly role: "user" | "model";
  readonly parts: readonly WirePart[];
  /** Content after the parts: media that belong to no result. */
  readonly after: readonly WirePart[];
  readonly warnings: readonly Warning[];
}

/**
 * Messages as instructions and contents.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 * @param warnings - Gets an entry for each added part.
 */
export function conversation(
  messages: readonly Message[],
  context: ModelContext,
  warnings: Warning[],
): { readonly system: { readonly parts: readonly WirePart[] } | undefined; readonly contents: readonly WireContent[] } {
  const begin = messages.findIndex(({ role }) => role !== "system");
  const leading = (begin === -1 ? messages : messages.slice(0, begin)) as readonly SystemMessage[];
  const system = leading.filter(({ content }) => content !== "").map(({ content }): WirePart => ({ text: content }));
  const contents: WireContent[] = [];
  if (!context.traits.systemInstruction && system.length > 0) contents.push({ role: "user", parts: system });
  addMessages(begin === -1 ? [] : messages.slice(begin), contents, context, warnings);
  if (contents[0]?.role !== "user") contents.unshift({ role: "user", parts: [nothing] });
  if (contents.at(-1)?.role === "model") contents.push({ role: "user", parts: [goOn] });
  const apart = context.traits.systemInstruction && system.length > 0;
  return { system: apart ? { parts: system } : undefined, contents };
}

function addMessages(
  messages: readonly Message[],
  contents: WireContent[],
  context: ModelContext,
  warnings: Warning[],
): void {
  let calls: readonly ToolCall[] = [];
  let results: WireContent | undefined;
  let after: WirePart[] = [];
  const endResults = (): void => {
    if (after.length > 0) contents.push({ role: "user", parts: after });
    results = undefined;
    after = [];
  };
  for (const message of messages) {
    const mapped = mappedOf(message, calls, context);
    for (const warning of mapped.warnings) {
      if (!warnings.some(({ code }) => code === warning.code)) warnings.push(warning);
    }
    if (mapped.parts.length === 0) continue;
    if (message.role === "tool") {
      // All responses of a turn are in one content.
      if (results === undefined) contents.push((results = { role: "user", parts: [] }));
      results.parts.push(...mapped.parts);
      after.push(...mapped.after);
      continue;
    }
    endResults();
    if (message.role === "assistant") calls = message.toolCalls;
    const last = contents.at(-1);
    // A model's turn is one content: its calls must come directly after the user's.
    if (mapped.role === "model" && last?.role === "model") last.parts.push(...mapped.parts);
    else contents.push({ role: mapped.role, parts: [...mapped.parts] });
  }
  endResults();
}

function mappedOf(message: Message, calls: readonly ToolCall[], context: ModelContext): MappedMessage {
  const known = context.messages.get(message) as MappedMessage | undefined;
  if (known !== undefined) return known;
  const mapped = wellFormedJson(mapMessage(message, calls, context)) as MappedMessage;
  context.messages.set(message, mapped);
  return mapped;
}

function mapMessage(message: Message, calls: readonly ToolCall[], context: ModelContext): MappedMessage {
  const plain = { after: [], warnings: [] };
  switch (message.role) {
    case "system":
      return { ...plain, role: "user", parts: [{ text: message.content }] };
    case "user": {
      const parts = typeof message.content === "string" ? [{ text: message.content }] : userParts(message.content);
      return { ...plain, role: "user", parts };
    }
    case "assistant": {
      const { parts, warning } = modelParts(message, context);
      return { role: "model", parts, after: [], warnings: warning === undefined ? [] : [warning] };
    }
    case "tool":
      return message.hostedApproval === undefined
        ? toolResult(message, calls, context)
        : { ...plain, role: "user", parts: [] };
  }
}

/** Types of media that the vendor accepts in a response. */
const inResponses = new Set(["image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"]);

function toolResult(message: ToolMessage, calls: readonly ToolCall[], context: ModelContext): MappedMessage {
  // A response has its call's name, whatever the result contains.
  const name = calls.find(({ id }) => id === message.toolCallId)?.name ?? message.toolName;
  const { content, isError } = message;
  const texts =
    typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const media = typeof content === "string" ? [] : userParts(content.filter(({ type }) => type !== "text"));
  const inside = media.filter((part) => isInline(part) && inResponses.has(part.inlineData.mimeType));
  const outside = media.filter((part) => !inside.includes(part));
  const response = { [isError === true ? "error" : "output"]: texts.join("\n") };
  const functionResponse = {
    ...(context.traits.thirdGeneration ? { id: message.toolCallId } : {}),
    name: wireToolName(name, context.capabilities.toolName),
    response,
    ...(inside.length === 0 ? {} : { parts: inside }),
  };
  const heading = { text: `Media of the result of ${name || "a tool"}:` };
  return {
    role: "user",
    parts: [{ functionResponse }],
    after: outside.length === 0 ? [] : [heading, ...outside],
    warnings: [],
  };
}

function isInline(part: WirePart): part is { readonly inlineData: { readonly mimeType: string } } {
  return "inlineData" in part;
}
