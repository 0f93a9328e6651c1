import type { AssistantPart, ContentPart, TextPart } from "../contracts/content-part.ts";
import type { SystemMessage, ToolMessage, UserMessage } from "../contracts/message.ts";
import type { ModelCapabilities } from "../contracts/model-provider.ts";
import type { Warning } from "../contracts/model-response.ts";
import { plainMedia } from "./plain-media.ts";
import { judgeMedia, type MediaPlace } from "./media-rules.ts";
import { wellFormed } from "../json/well-formed.ts";

/** Receives the warnings. */
export type Warn = (warning: Warning) => void;

type MediaPart = Exclude<ContentPart, TextPart>;

/** The text of a user message without content; several vendors refuse an empty one. */
const emptyUserText = "(empty message)";

/**
 * A placeholder for media that the target does not accept; it never contains the data.
 *
 * @param why - Why it is missing, as a note to the model.
 */
export function mediaPlaceholder(part: MediaPart, why: string): TextPart {
  const name = part.type === "file" && part.filename !== undefined ? ` "${wellFormed(part.filename)}"` : "";
  const kind = part.mimeType === undefined ? part.type : `${part.type} (${part.mimeType})`;
  const at = "url" in part && part.url !== undefined && /^https?:/i.test(part.url) ? ` at ${wellFormed(part.url)}` : "";
  return { type: "text", text: `[${kind}${name}${at} omitted: ${why}]` };
}

/**
 * A system message in a place that the target accepts: later ones become a user message if system messages have to be
 * first.
 */
export function repairSystem(
  message: SystemMessage,
  mayStandHere: boolean,
  capabilities: ModelCapabilities,
): SystemMessage | UserMessage {
  const content = wellFormed(message.content);
  if (!mayStandHere && !capabilities.systemAnywhere) {
    const { role: _role, ...rest } = message;
    return { ...rest, role: "user", content: `<system-note>\n${content}\n</system-note>` };
  }
  return content === message.content ? message : { ...message, content };
}

/** A user message that the target accepts: no empty text, and only supported media. */
export function repairUser(message: UserMessage, capabilities: ModelCapabilities, warn: Warn): UserMessage {
  if (typeof message.content === "string") {
    const content = wellFormed(message.content) || emptyUserText;
    return content === message.content ? message : { ...message, content };
  }
  const content = repairParts(message.content, capabilities, "user", warn);
  if (content.length === 0) return { ...message, content: emptyUserText };
  return content === message.content ? message : { ...message, content };
}

/** The parts of a user message or a tool result that the target accepts. The same array if nothing changed. */
function repairParts(
  parts: readonly ContentPart[],
  capabilities: ModelCapabilities,
  place: MediaPlace,
  warn: Warn,
): readonly ContentPart[] {
  const repaired: ContentPart[] = [];
  let changed = false;
  for (const part of parts) {
    const fixed = repairPart(part, capabilities, place, warn);
    changed ||= fixed !== part;
    if (fixed !== undefined) repaired.push(fixed);
  }
  return changed ? repaired : parts;
}

function repairPart(
  part: ContentPart,
  capabilities: ModelCapabilities,
  place: MediaPlace,
  warn: Warn,
): ContentPart | undefined {
  if (part.type === "text") {
    const text = wellFormed(part.text);
    if (text === "") return undefined;
    return text === part.text ? part : { ...part, text };
  }
  const verdict = judgeMedia(plainMedia(part), capabilities, place);
  if (verdict.part !== undefined) return verdict.part;
  const type = part.mimeType ?? part.type;
  warn({
    code: "media_omitted",
    message: `Input of type ${type} was replaced by a text that names it: ${verdict.why}. Convert it, or use a model that takes it.`,
    subject: part.type,
  });
  return mediaPlaceholder(part, verdict.why);
}

/**
 * A tool result for the target. If media cannot be in results they are returned as `media`, for a user message after
 * the results.
 */
export function repairToolResult(
  message: ToolMessage,
  wireId: string,
  capabilities: ModelCapabilities,
  warn: Warn,
): { readonly message: ToolMessage; readonly media: readonly ContentPart[] } {
  const withId = wireId === message.toolCallId ? message : { ...message, toolCallId: wireId };
  if (typeof message.content === "string") {
    const content = wellFormed(message.content);
    return { message: content === message.content ? withId : { ...withId, content }, media: [] };
  }
  // Media that move to a user message follow the rules of that place.
  const place = capabilities.toolResultMedia === "native" ? "toolResult" : "user";
  const parts = repairParts(message.content, capabilities, place, warn);
  if (capabilities.toolResultMedia === "native" || parts.every((part) => part.type === "text")) {
    return { message: parts === message.content ? withId : { ...withId, content: parts }, media: [] };
  }
  const moves = capabilities.toolResultMedia === "following-user-message";
  const media: ContentPart[] = [];
  const content = parts.map((part): ContentPart => {
    if (part.type === "text") return part;
    if (moves) {
      media.push(part);
      return {
        type: "text",
        text: `[${part.type} ${media.length} of this result is in the message after the results]`,
      };
    }
    warn({
      code: "media_omitted",
      message: `The model takes no ${part.type} in tool results: a placeholder was sent. Use a model that does.`,
      subject: part.type,
    });
    return mediaPlaceholder(part, "this model takes no media in tool results");
  });
  return { message: { ...withId, content }, media };
}

/** True if a part of an answer has no text and no data that its vendor needs back. */
export function isEmptyPart(part: AssistantPart): boolean {
  return (
    (part.type === "text" || part.type === "refusal" || part.type === "reasoning") &&
    part.text === "" &&
    part.providerState === undefined
  );
}
