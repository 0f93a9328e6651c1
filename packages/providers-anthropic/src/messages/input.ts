import { isJsonObject, jsonText, wellFormedJson } from "@bailiwick/core/provider";
import type { AssistantMessage, Message } from "@bailiwick/core/provider";
import type { Block } from "../cache-breakpoints.ts";
import type { ModelContext } from "../model-context.ts";
import { assistantBlocks, isThinking, withoutIdleThinking } from "./assistant-blocks.ts";
import { isHostedCall, isHostedResult, isPause } from "./blocks.ts";
import { textBlocks, toolResult, userBlocks } from "./input-content.ts";

/** One turn of the request. */
interface Turn {
  readonly role: "user" | "assistant";
  readonly content: Block[];
}

/** A conversation in the vendor's form, and the facts that the rest of the request depends on. */
export interface Conversation {
  readonly system: Block[];
  readonly turns: Turn[];
  /** The open calls of tools were made without thinking. */
  readonly loopWithoutThinking: boolean;
  /** The block names files that are stored with the vendor. */
  readonly storesFiles: boolean;
  /** The vendor's code container of the last answer that had one. */
  readonly container: string | undefined;
  /** The last answer paused, and continues when it is sent back. */
  readonly paused: boolean;
}

/** A message's blocks, cached by message: a long conversation is mapped once, not in each turn. */
interface MappedMessage {
  readonly role: "user" | "assistant";
  /** Results of calls, which come first in their turn. */
  readonly results: readonly Block[];
  readonly blocks: readonly Block[];
  readonly hosted: boolean;
  readonly storesFiles: boolean;
}

/** The first message of a conversation that begins with an answer: the vendor requires a user message there. */
const opening = "(The conversation began before this.)";

/**
 * Messages as turns: adjacent messages of one role are one turn, and results come first in it.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 */
export function readConversation(messages: readonly Message[], context: ModelContext): Conversation {
  const end = messages.findIndex(({ role }) => role !== "system");
  const leading = end === -1 ? messages : messages.slice(0, end);
  const rest = end === -1 ? [] : messages.slice(end);
  const mapped = rest.map((message) => mapMessage(message, context));
  const last = rest.findLast((message): message is AssistantMessage => message.role === "assistant");
  const orphans = mapped.some(({ hosted }) => hosted)
    ? hostedOrphans(mapped, last !== undefined && awaitsVendor(last))
    : undefined;
  const turns = mergeTurns(mapped, orphans);
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", content: textBlocks(opening) });
  const answer = turns.findLast(({ role }) => role === "assistant");
  return {
    system: leading.flatMap(({ content }) => textBlocks(jsonText(content))),
    turns,
    loopWithoutThinking:
      answer !== undefined &&
      answer.content.some(({ type }) => type === "tool_use") &&
      !isThinking(answer.content[0] ?? {}),
    storesFiles: mapped.some(({ storesFiles }) => storesFiles),
    container: containerOf(rest),
    paused: rest.at(-1) === last && isPause(last?.rawFinishReason),
  };
}

function mapMessage(message: Message, context: ModelContext): MappedMessage {
  const known = context.messages.get(message) as MappedMessage | undefined;
  if (known !== undefined) return known;
  const mapped = {
    role: "user" as const,
    results: [],
    blocks: [],
    hosted: false,
    storesFiles: false,
    ...(wellFormedJson(blocksOf(message, context)) as Partial<MappedMessage>),
  };
  const all = [
    ...mapped.blocks,
    ...mapped.results.flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : [])),
  ];
  const result = {
    ...mapped,
    storesFiles: all.some(({ source }) => isJsonObject(source) && source["type"] === "file"),
  };
  context.messages.set(message, result);
  return result;
}

function blocksOf(message: Message, context: ModelContext): Partial<MappedMessage> {
  switch (message.role) {
    case "system":
      return { blocks: textBlocks(`<system-note>\n${message.content}\n</system-note>`) };
    case "user":
      return { blocks: userBlocks(message.content) };
    case "tool": {
      // No hosted tool here asks for approval.
      if (message.hostedApproval !== undefined) return {};
      const { result, after } = toolResult(message);
      return { results: [result], blocks: after };
    }
    case "assistant": {
      const blocks = assistantBlocks(message, context);
      return {
        role: "assistant",
        blocks,
        hosted: blocks.some((block) => isHostedCall(block) || isHostedResult(block)),
      };
    }
  }
}

function mergeTurns(mapped: readonly MappedMessage[], orphans: ReadonlySet<Block> | undefined): Turn[] {
  const turns: Turn[] = [];
  let results = 0;
  for (const message of mapped) {
    const blocks =
      orphans === undefined
        ? message.blocks
        : withoutIdleThinking(message.blocks.filter((block) => !orphans.has(block)));
    if (blocks.length === 0 && message.results.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role !== message.role) {
      turns.push({ role: message.role, content: [...message.results, ...blocks] });
      results = message.results.length;
      continue;
    }
    if (message.role === "assistant") {
      // Only the last of two answers in one turn keeps its thinking.
      const kept = last.content.filter((block) => !isThinking(block));
      last.content.splice(0, last.content.length, ...kept, ...blocks);
    } else {
      last.content.splice(results, 0, ...message.results);
      last.content.push(...blocks);
      results += message.results.length;
    }
  }
  return turns.filter(({ content }) => content.length > 0);
}

/** Hosted calls without their results, and results without calls. A call of the last answer may still be waiting. */
function hostedOrphans(mapped: readonly MappedMessage[], mayWait: boolean): ReadonlySet<Block> {
  const calls = new Map<unknown, Block>();
  const orphans = new Set<Block>();
  for (const block of mapped.flatMap(({ hosted, blocks }) => (hosted ? blocks : []))) {
    if (isHostedCall(block)) calls.set(block["id"], block);
    else if (isHostedResult(block) && !calls.delete(block["tool_use_id"])) orphans.add(block);
  }
  const lastAnswer = mayWait ? mapped.findLast(({ role }) => role === "assistant") : undefined;
  for (const call of calls.values()) if (lastAnswer?.blocks.includes(call) !== true) orphans.add(call);
  return orphans;
}

/** True if hosted calls of an answer are completed in the next one. */
function awaitsVendor({ rawFinishReason, partial }: AssistantMessage): boolean {
  return partial !== true && (rawFinishReason === "tool_use" || isPause(rawFinishReason));
}

function containerOf(messages: readonly Message[]): string | undefined {
  const states = messages.map((message) => (message.role === "assistant" ? message.providerState : undefined));
  const state = states.findLast((found) => isJsonObject(found) && isJsonObject(found["container"]));
  const container = isJsonObject(state) && isJsonObject(state["container"]) ? state["container"] : undefined;
  if (container === undefined) return undefined;
  const expires = Date.parse(jsonText(container["expires_at"]));
  return Number.isNaN(expires) || expires > Date.now() ? jsonText(container["id"]) || undefined : undefined;
}
