import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type {
  AssistantPart,
  FilePart,
  HostedToolPart,
  JsonValue,
  SourcePart,
  ToolCall,
} from "@bailiwick/core/provider";
import type { Block } from "../cache-breakpoints.ts";
import { storedFile } from "../files.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { isHostedCall, isHostedResult, keepState, stateOf, type AnswerBlock } from "./blocks.ts";

/** The parts and calls of an answer. */
export interface ReadParts {
  readonly parts: AssistantPart[];
  readonly calls: ToolCall[];
  /** Names of calls that were written before another model took over, and that do not run. */
  readonly dropped: string[];
  /** Types of blocks that this version does not know. */
  readonly unknown: string[];
}

/**
 * Reads content blocks.
 *
 * @param blocks - As the vendor sent them, in order.
 * @param tools - Of the request: names.
 */
export function readParts(blocks: readonly AnswerBlock[], tools: PreparedTools): ReadParts {
  const read: ReadParts = { parts: [], calls: [], dropped: [], unknown: [] };
  const takenOver = blocks.findLastIndex(({ block }) => block["type"] === "fallback");
  const answered = new Set(blocks.map(({ block }) => block["tool_use_id"]));
  for (const [index, answer] of blocks.entries()) {
    if (index < takenOver && !outlives(answer.block, answered)) readDeclined(answer, tools, read);
    else readBlock(answer, tools, read);
  }
  return read;
}

/**
 * True if a block from before a fallback belongs to the conversation: thinking, calls, and hosted calls without a
 * result are left out of it (https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback).
 */
function outlives(block: Block, answered: ReadonlySet<unknown>): boolean {
  if (isHostedCall(block)) return answered.has(block["id"]);
  return !["thinking", "redacted_thinking", "connector_text", "tool_use"].includes(jsonText(block["type"]));
}

/** Reads a block of a model that declined: it is shown, but neither runs nor is sent back. */
function readDeclined({ block }: AnswerBlock, tools: PreparedTools, { parts, dropped }: ReadParts): void {
  const text = jsonText(block["thinking"]) || jsonText(block["text"]);
  if (text !== "") parts.push({ type: "reasoning", text, ...keepState({ shown: true }) });
  if (block["type"] === "tool_use" || isHostedCall(block)) dropped.push(tools.readName(jsonText(block["name"])));
}

function readBlock(answer: AnswerBlock, tools: PreparedTools, { parts, calls, unknown }: ReadParts): void {
  const { block } = answer;
  switch (block["type"]) {
    case "text": {
      const citations = jsonObjects(block["citations"]);
      const text = jsonText(block["text"]);
      if (text === "" && citations.length === 0) return;
      const state = keepState({ citations: citations.length === 0 ? undefined : (citations as readonly JsonValue[]) });
      parts.push({ type: "text", text, ...state }, ...citations.map(readSource));
      return;
    }
    case "thinking": {
      const signature = jsonText(block["signature"]) || undefined;
      parts.push({ type: "reasoning", text: jsonText(block["thinking"]), ...keepState({ signature }) });
      return;
    }
    case "redacted_thinking":
      parts.push({ type: "reasoning", text: "", ...keepState({ redacted: jsonText(block["data"]) }) });
      return;
    case "tool_use": {
      const call = readCall(answer, tools);
      calls.push(call);
      parts.push({ type: "tool_call", toolCallId: call.id });
      return;
    }
  }
  if (!isHostedCall(block) && !isHostedResult(block) && !otherBlocks.has(jsonText(block["type"])))
    unknown.push(jsonText(block["type"]));
  readHosted(block, parts);
}

/** Blocks without text and calls that are sent back unchanged. */
const otherBlocks: ReadonlySet<string> = new Set(["compaction", "connector_text", "container_upload", "fallback"]);

function readCall({ block, inputText }: AnswerBlock, tools: PreparedTools): ToolCall {
  const text = inputText ?? JSON.stringify(block["input"] ?? {});
  const { caller } = block;
  // A direct call is the default and has no mark.
  const indirect = isJsonObject(caller) && caller["type"] !== "direct" ? (caller as JsonValue) : undefined;
  const name = tools.readName(jsonText(block["name"]));
  return {
    id: jsonText(block["id"]),
    name,
    arguments: text,
    ...tools.readInput(name, text),
    ...keepState({ caller: indirect }),
  };
}

/** A citation. */
export function readSource(citation: Readonly<Record<string, unknown>>): SourcePart {
  const title = jsonText(citation["title"]) || jsonText(citation["document_title"]);
  const common = { type: "source", ...(title === "" ? {} : { title }) } as const;
  switch (citation["type"]) {
    case "web_search_result_location":
      return { ...common, url: jsonText(citation["url"]) };
    case "search_result_location":
      return { ...common, sourceId: jsonText(citation["source"]) };
    default: {
      const index = citation["document_index"];
      return {
        ...common,
        documentId: jsonText(citation["file_id"]) || (typeof index === "number" ? String(index) : ""),
      };
    }
  }
}

/** Reads blocks that the vendor ran itself, and unknown blocks: they are sent back unchanged. */
function readHosted(block: Block, parts: AssistantPart[]): void {
  const blocks = [block];
  if (isHostedCall(block)) {
    parts.push({
      type: "hosted_tool",
      toolCallId: jsonText(block["id"]),
      toolName: hostedName(block),
      input: (block["input"] ?? {}) as JsonValue,
      ...keepState({ blocks }),
    });
    return;
  }
  if (!isHostedResult(block)) {
    const id = jsonText(block["id"]) || jsonText(block["file_id"]) || jsonText(block["type"]);
    parts.push({ type: "hosted_tool", toolCallId: id, toolName: jsonText(block["type"]), ...keepState({ blocks }) });
    parts.push(...madeFiles(block));
    return;
  }
  const id = jsonText(block["tool_use_id"]);
  const outcome = { output: (block["content"] ?? null) as JsonValue, ...(failed(block) ? { isError: true } : {}) };
  const last = parts.at(-1);
  if (last?.type === "hosted_tool" && last.toolCallId === id && last.output === undefined) {
    // A result usually follows its call directly: then they are one part, and their order is known.
    parts[parts.length - 1] = {
      ...last,
      ...outcome,
      ...keepState({ blocks: [...(stateOf(last).blocks ?? []), block] }),
    };
  } else {
    const call = parts.findLast(
      (part): part is HostedToolPart => part.type === "hosted_tool" && part.toolCallId === id,
    );
    const toolName = call?.toolName ?? jsonText(block["type"]).replace(/_tool_result$/, "");
    parts.push({ type: "hosted_tool", toolCallId: id, toolName, ...outcome, ...keepState({ blocks }) });
  }
  parts.push(...madeFiles(block["content"]));
}

function hostedName(block: Block): string {
  const name = jsonText(block["name"]);
  return block["type"] === "mcp_tool_use" ? `mcp:${jsonText(block["server_name"])}:${name}` : name;
}

function failed(block: Block): boolean {
  const { content } = block;
  return (
    block["is_error"] === true ||
    (isJsonObject(content) && (content["error_code"] !== undefined || jsonText(content["type"]).endsWith("_error")))
  );
}

/** Files that the vendor's code made. */
export function madeFiles(content: unknown): readonly FilePart[] {
  if (!isJsonObject(content)) return [];
  const outputs = [content, ...jsonObjects(content["content"])];
  const ids = outputs
    .filter(({ type }) => /_output$|^container_upload$/.test(jsonText(type)))
    .map((output) => jsonText(output["file_id"]));
  return ids
    .filter((id) => id !== "")
    .map((id) => ({ ...storedFile(id, "application/octet-stream"), ...keepState({ shown: true }) }));
}
