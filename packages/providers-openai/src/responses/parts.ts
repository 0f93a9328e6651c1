import { filledObject, isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { AssistantPart, ImageMimeType, JsonValue, SourcePart, ToolCall } from "@bailiwick/core/provider";
import type { PreparedTools } from "../prepared-tools.ts";
import { keepState, type ItemState, type OutputItem } from "./items.ts";
import { unwrapCalls } from "./parallel-wrapper.ts";

/** The parts and calls of an answer. */
export interface ReadParts {
  readonly parts: AssistantPart[];
  readonly calls: ToolCall[];
  /** Types of items that this version does not know. */
  readonly unknown: string[];
}

/** The position, distinguished by the adjacent items. */
interface Place {
  /** Id of the last reasoning item before it. */
  readonly after: string | undefined;
  /** Id, else type, of the next item. */
  readonly follower: string | undefined;
}

/**
 * Reads output items.
 *
 * @param items - As the vendor sent them, in order.
 * @param tools - Of the request: names and schemas.
 */
export function readParts(items: readonly OutputItem[], tools: PreparedTools): ReadParts {
  const read: ReadParts = { parts: [], calls: [], unknown: [] };
  let after: string | undefined;
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    readItem(item, { after, follower: next === undefined ? undefined : (next.id ?? next.type) }, tools, read);
    if (item.type === "reasoning" && item.id !== undefined) after = item.id;
  }
  return read;
}

function readItem(item: OutputItem, place: Place, tools: PreparedTools, read: ReadParts): void {
  const { parts, calls } = read;
  const own = { id: item.id, after: place.after };
  switch (item.type) {
    case "message":
      parts.push(...messageParts(item, own));
      return;
    case "reasoning":
      parts.push(reasoningPart(item, place));
      return;
    case "custom_tool_call":
    case "function_call":
      if (isHostedCall(item, tools)) break;
      for (const call of readCalls(item, own, tools)) {
        calls.push(call);
        parts.push({ type: "tool_call", toolCallId: call.id });
      }
      return;
    case "image_generation_call":
      if (typeof item["result"] === "string") {
        parts.push(imagePart(item, own));
        return;
      }
      break;
  }
  if (!hostedItem.test(item.type)) read.unknown.push(item.type);
  parts.push(hostedPart(item, own));
}

/** Items of tools that run at the server, and of its compaction. */
const hostedItem = /_call$|_output$|^mcp_|^compaction/;

/**
 * Distinguishes calls that a server ran itself from those of the request's tools, if both have one type.
 *
 * @param item - An output item, at least with its type and name.
 * @param tools - Of the request.
 */
export function isHostedCall(item: Readonly<Record<string, unknown>>, tools: PreparedTools): boolean {
  return item["type"] === "custom_tool_call" && tools.serverRuns(jsonText(item["name"]));
}

function messageParts(item: OutputItem, own: { id: string | undefined; after: string | undefined }): AssistantPart[] {
  const phase = typeof item["phase"] === "string" ? item["phase"] : undefined;
  const providerState = keepState({ ...own, phase });
  const state = Object.keys(providerState as object).length === 0 ? {} : { providerState };
  return jsonObjects(item["content"]).flatMap((content): AssistantPart[] => {
    if (content["type"] === "refusal") return [{ type: "refusal", text: jsonText(content["refusal"]), ...state }];
    // Some servers have other types of text.
    if (content["type"] !== "output_text" && typeof content["text"] !== "string") return [];
    const sources = jsonObjects(content["annotations"]).flatMap((annotation) => readSource(annotation) ?? []);
    const commentary = phase === "commentary" ? { commentary: true } : {};
    return [{ type: "text", text: jsonText(content["text"]), ...commentary, ...state }, ...sources];
  });
}

/** A citation, if an annotation is one. */
export function readSource(annotation: Readonly<Record<string, unknown>>): SourcePart | undefined {
  const title = jsonText(annotation["title"]) || jsonText(annotation["filename"]);
  const common = { type: "source", ...(title === "" ? {} : { title }) } as const;
  switch (annotation["type"]) {
    case "url_citation":
      return { ...common, url: jsonText(annotation["url"]) };
    case "file_citation":
    case "file_path":
    case "container_file_citation":
      return { ...common, documentId: jsonText(annotation["file_id"]) };
    default:
      return undefined;
  }
}

/** Readable reasoning: the summary if there is one, else the text that open models show. */
function reasoningPart(item: OutputItem, { follower }: Place): AssistantPart {
  const summary = jsonObjects(item["summary"]);
  const content = jsonObjects(item["content"]);
  const shown = summary.length > 0 ? summary : content;
  const encrypted = typeof item["encrypted_content"] === "string" ? item["encrypted_content"] : undefined;
  return {
    type: "reasoning",
    text: shown.map(({ text }) => jsonText(text)).join("\n\n"),
    providerState: keepState({
      id: item.id,
      summary: summary as readonly JsonValue[],
      content: content.length === 0 ? undefined : (content as readonly JsonValue[]),
      encrypted,
      follower,
    }),
  };
}

function readCalls(
  item: OutputItem,
  own: { id: string | undefined; after: string | undefined },
  tools: PreparedTools,
): readonly ToolCall[] {
  const id = jsonText(item["call_id"]) || item.id || "";
  if (item.type === "custom_tool_call") {
    const text = JSON.stringify({ input: jsonText(item["input"]) });
    const name = tools.readName(jsonText(item["name"]));
    return [
      {
        id,
        name,
        arguments: text,
        input: { input: jsonText(item["input"]) },
        providerState: keepState({ ...own, ...origin(item), custom: true }),
      },
    ];
  }
  const wrapped = unwrapCalls(item, tools.declares);
  if (wrapped !== undefined) {
    return wrapped.map((call, index) => {
      const name = tools.readName(call.name);
      return { id: `${id}_${index}`, name, arguments: call.arguments, ...tools.readInput(name, call.arguments) };
    });
  }
  const name = tools.readName(jsonText(item["name"]));
  const text = jsonText(item["arguments"]);
  const state = keepState({ ...own, ...origin(item) });
  return [
    {
      id,
      name,
      arguments: text,
      ...tools.readInput(name, text),
      ...(Object.keys(state as object).length === 0 ? {} : { providerState: state }),
    },
  ];
}

/** Fields of a call that are sent back; a direct call is the default and has no mark. */
function origin({ namespace, caller }: OutputItem): Pick<ItemState, "namespace" | "caller"> {
  return {
    namespace: jsonText(namespace) || undefined,
    caller: isJsonObject(caller) && caller["type"] !== "direct" ? (caller as JsonValue) : undefined,
  };
}

/** A picture that the vendor made; its data is stored once, in the part. */
export function imagePart(
  item: OutputItem,
  own: { id: string | undefined; after?: string | undefined },
): Extract<AssistantPart, { type: "image" }> {
  const { result, ...rest } = item;
  return {
    type: "image",
    data: jsonText(result),
    mimeType: `image/${jsonText(item["output_format"]) || "png"}` as ImageMimeType,
    providerState: keepState({ ...own, item: rest as { readonly [key: string]: JsonValue } }),
  };
}

function hasFailed({ status, error }: OutputItem): boolean {
  return status === "failed" || filledObject(error) !== undefined || jsonText(error) !== "";
}

/** A call that the vendor ran itself, or an unknown item: it is sent back unchanged. */
function hostedPart(item: OutputItem, own: { id: string | undefined; after: string | undefined }): AssistantPart {
  const input = item["action"] ?? item["arguments"] ?? item["input"] ?? item["code"] ?? item["queries"];
  const output = item["output"] ?? item["outputs"] ?? item["results"] ?? item["error"];
  const isApproval = item.type === "mcp_approval_request";
  const named = typeof item["name"] === "string" ? item["name"] : undefined;
  const kind = item.type === "custom_tool_call" ? named : undefined;
  const name =
    item.type.startsWith("mcp_") && named !== undefined ? `mcp:${named}` : (kind ?? item.type.replace(/_call$/, ""));
  return {
    type: "hosted_tool",
    toolCallId: item.id ?? item.type,
    toolName: name,
    ...(input == null ? {} : { input: input as JsonValue }),
    ...(output == null ? {} : { output: output as JsonValue }),
    ...(hasFailed(item) ? { isError: true } : {}),
    ...(isApproval && item.id !== undefined ? { approvalRequestId: item.id } : {}),
    providerState: keepState({ ...own, item: item as { readonly [key: string]: JsonValue } }),
  };
}
