import type { AssistantPart, ContentPart, TextPart } from "../contracts/content-part.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../contracts/message.ts";
import type { ShortenedMessage } from "../contracts/shortened-message.ts";
import type { ToolCall } from "../contracts/tool-call.ts";
import { unknownModel } from "../history/from-chat-message.ts";
import { wellFormed } from "../json/well-formed.ts";
import { textOfContent } from "../tools/content-text.ts";

/** The shown form of a message by the message: the same object each turn, so that it is compiled and counted once. */
const known = new WeakMap<Message, { readonly by: ShortenedMessage; readonly shown: Message | undefined }>();

/**
 * The part of a message that a request shows; `undefined` if nothing of it is shown. Calls keep their ids and names.
 *
 * @param by - The bound of the message; without it the message is returned.
 */
export function shownMessage(message: Message, by: ShortenedMessage | undefined): Message | undefined {
  if (by === undefined) return message;
  const before = known.get(message);
  if (before !== undefined && isSame(before.by, by)) return before.shown;
  const shown = shorten(message, by);
  known.set(message, { by, shown });
  return shown;
}

function isSame(one: ShortenedMessage, other: ShortenedMessage): boolean {
  return one.characters === other.characters && one.handle === other.handle && one.withoutMedia === other.withoutMedia;
}

function shorten(message: Message, by: ShortenedMessage): Message | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user":
      return shortenedUser(message, by);
    case "assistant":
      return shortenedAnswer(message, by);
    case "tool":
      return shortenedResult(message, by);
  }
}

/** The sentence that names the way to the whole text. */
export function wayTo(handle: string | undefined): string {
  return handle === undefined ? "" : ` Read any part of the whole with read_result({"handle":"${handle}","offset":0}).`;
}

/** A person's words are shown as a whole or not at all: half of an instruction may say the opposite. */
function shortenedUser(message: UserMessage, by: ShortenedMessage): UserMessage {
  const { content } = message;
  if (by.characters > 0) {
    if (by.withoutMedia !== true || typeof content === "string") return message;
    return { ...message, content: content.map((part) => (part.type === "text" ? part : placeOf(part))) };
  }
  const { length } = textOfContent(content);
  const note = `[This earlier message of ${length} characters is not shown any more.${wayTo(by.handle)}]`;
  return { ...message, content: note };
}

function shortenedResult(message: ToolMessage, by: ShortenedMessage): ToolMessage {
  const { content } = message;
  const text = shortText(textOfContent(content), by, "result");
  if (typeof content === "string") return { ...message, content: text };
  const media = content.filter(({ type }) => type !== "text");
  if (media.length === 0) return { ...message, content: text };
  const shown = by.withoutMedia === true ? media.map((part) => placeOf(part)) : media;
  return { ...message, content: [...(text === "" ? [] : [{ type: "text", text } as const]), ...shown] };
}

/**
 * An answer with short texts and arguments. Its reasoning and the vendor's data repeat the whole, so it counts as an
 * answer of another model, which does not get them.
 */
function shortenedAnswer(message: AssistantMessage, by: ShortenedMessage): AssistantMessage {
  const content = message.content.flatMap((part): AssistantPart[] => {
    if (part.type === "reasoning") return [];
    if (part.type === "text" || part.type === "refusal") {
      return [{ type: part.type, text: shortText(part.text, by, "answer") }];
    }
    if (part.type === "hosted_tool") {
      const { input, output } = part;
      return [
        {
          ...part,
          providerState: undefined,
          ...(input !== undefined && { input: shortJson(input, by.characters) }),
          ...(output !== undefined && { output: shortJson(output, by.characters) }),
        },
      ];
    }
    const isMedia = part.type === "image" || part.type === "audio" || part.type === "file";
    return [isMedia && by.withoutMedia === true ? { type: "text", text: placeOf(part).text } : part];
  });
  const toolCalls = message.toolCalls.map((call) => shortCall(call, by.characters));
  return { ...message, content, toolCalls, provenance: unknownModel, providerState: undefined };
}

/** A call with the same form of arguments, whose long texts are cut. */
function shortCall(call: ToolCall, characters: number): ToolCall {
  if (call.arguments.length <= characters) return call;
  let given: JsonValue;
  try {
    given = JSON.parse(call.arguments) as JsonValue;
  } catch {
    return { ...call, arguments: "{}" };
  }
  const input = shortJson(given, characters);
  return { ...call, arguments: JSON.stringify(input), input };
}

/** Maximum number of members of a list or an object in a shortened value. */
const mostMembers = 20;

function shortJson(value: JsonValue, characters: number): JsonValue {
  if (typeof value === "string") {
    return value.length <= characters
      ? value
      : `${wellFormed(value.slice(0, characters))}… (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items.slice(0, mostMembers).map((item) => shortJson(item, characters));
  }
  const members = Object.entries(value).slice(0, mostMembers);
  return Object.fromEntries(members.map(([key, item]) => [key, shortJson(item, characters)]));
}

/** Both ends of a text: the end has the closing line of the sanitizer's frame. */
function shortText(text: string, { characters, handle }: ShortenedMessage, what: string): string {
  if (text.length <= characters) return text;
  const end = Math.floor(characters * 0.4);
  const head = wellFormed(text.slice(0, characters - end));
  const tail = wellFormed(text.slice(text.length - end));
  const left = text.length - characters;
  return `${head}\n[… ${left} of the ${text.length} characters of this ${what} are not shown any more.${wayTo(handle)} …]\n${tail}`;
}

function placeOf(part: ContentPart): TextPart {
  const name = part.type === "file" && part.filename !== undefined ? ` "${part.filename}"` : "";
  const untrusted = part.untrusted === undefined ? {} : { untrusted: part.untrusted };
  return { type: "text", text: `[This ${part.type}${name} is not shown any more.]`, ...untrusted };
}
