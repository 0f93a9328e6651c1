import type { ContentPart, Label, RunOutput, ToolMessage } from "@bailiwick/core";
import { labelOfRun } from "@bailiwick/core/extension";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { labelKey, sentLabel } from "../ifc.ts";
import type { SentLabel } from "../ifc.ts";
import { callId } from "./call-once.ts";

/** The result that a client gets: the text that a model would read, after all treatment by the agent. */
export function toolResultOf(output: RunOutput, isStructured: boolean): CallToolResult {
  const message = output.messages.findLast(
    (one): one is ToolMessage => one.role === "tool" && one.toolCallId === callId,
  );
  const _meta = labelled(labelOfRun(output));
  if (message === undefined) return failed(`The call was not made: the run ended as ${output.stopReason}.`);
  const { content, isError = false } = message;
  const blocks = typeof content === "string" ? [text(content)] : content.flatMap(blockOf);
  if (isError) return { isError: true, content: blocks, _meta };
  if (!isStructured) return { content: blocks, _meta };
  const data = dataIn(content);
  if (data === undefined)
    return failed("The tool ran. Its result was hidden or shortened, so it is not sent as structured content.");
  return { content: blocks, structuredContent: data, _meta };
}

/** The agent's answer, as the client gets it. */
export function answerOf(output: RunOutput): CallToolResult {
  if (output.status !== "completed") return failed(`The agent did not finish: ${output.stopReason}.`);
  const structured: unknown = output.structured;
  const isData = typeof structured === "object" && structured !== null && !Array.isArray(structured);
  return {
    content: [text(output.text)],
    ...(isData && { structuredContent: structured }),
    _meta: labelled(labelOfRun(output)),
  };
}

/** A failed call; the client's model reads the reason. */
export function failed(why: string): CallToolResult {
  return { isError: true, content: [text(why)], _meta: labelled(undefined) };
}

/** The metadata of a result with its label: what the run has read decides, also what a server behind it sent. */
function labelled(label: Label | undefined): { readonly [labelKey]: SentLabel } {
  return { [labelKey]: sentLabel(label) };
}

function dataIn(content: ToolMessage["content"]): Record<string, unknown> | undefined {
  if (typeof content !== "string") return undefined;
  try {
    const value = JSON.parse(content) as unknown;
    const isData = typeof value === "object" && value !== null && !Array.isArray(value);
    return isData ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function text(words: string): ContentBlock {
  return { type: "text", text: words };
}

/** Converts a part to the protocol's form; empty for a part without data. */
export function blockOf(part: ContentPart): readonly ContentBlock[] {
  if (part.type === "text") return [text(part.text)];
  if ("url" in part && part.url !== undefined) return [text(part.url)];
  const data = base64Of(part.data);
  if (data === undefined) return [];
  if (part.type === "image") return [{ type: "image", data, mimeType: part.mimeType ?? "image/png" }];
  if (part.type === "audio") return [{ type: "audio", data, mimeType: part.mimeType }];
  const { filename = "file", mimeType } = part;
  const uri = isUri(filename) ? filename : `attachment:${encodeURIComponent(filename)}`;
  const isText = /^text\/|[/+](?:json|xml)$/u.test(mimeType);
  const content = isText ? { text: Buffer.from(data, "base64").toString("utf8") } : { blob: data };
  return [{ type: "resource", resource: { uri, mimeType, ...content } }];
}

/** A name such as `shop://orders/1`, which clients may use as a resource. */
function isUri(name: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//u.test(name) && URL.canParse(name);
}

function base64Of(data: string | Uint8Array | undefined): string | undefined {
  if (data === undefined) return undefined;
  if (typeof data !== "string") return Buffer.from(data).toString("base64");
  return data.startsWith("data:") ? data.slice(data.indexOf(",") + 1) : data;
}
