import type { InterruptionPart, RunMetadata, UiChunk } from "../ui-stream/ui-chunk.ts";

/** A decision about a tool call, as the AI SDK stores it with the call. */
export interface UiApproval {
  /** Id of the question. */
  readonly id: string;
  /** The reason why a person is asked. */
  readonly requestReason?: string;
  /** The decision; missing while the question is open. */
  readonly approved?: boolean;
  /** Reason that the person gave. */
  readonly reason?: string;
}

interface UiToolBase {
  readonly type: `tool-${string}`;
  readonly toolCallId: string;
  readonly providerExecuted?: boolean;
}

/** A tool call with its result, or with the approval that it waits for. */
export type UiToolPart = UiToolBase &
  (
    | { readonly state: "input-streaming" | "input-available"; readonly input: unknown }
    | {
        readonly state: "approval-requested";
        readonly input: unknown;
        readonly approval: { readonly id: string; readonly requestReason?: string };
      }
    | {
        readonly state: "approval-responded";
        readonly input: unknown;
        readonly approval: UiApproval & { readonly approved: boolean };
      }
    | {
        readonly state: "output-available";
        readonly input: unknown;
        readonly output: unknown;
        readonly preliminary?: boolean;
        readonly approval?: UiApproval & { readonly approved: true };
      }
    | {
        readonly state: "output-error";
        readonly input: unknown;
        readonly errorText: string;
        readonly approval?: UiApproval & { readonly approved: true };
      }
    | {
        readonly state: "output-denied";
        readonly input: unknown;
        readonly approval: UiApproval & { readonly approved: false };
      }
  );

/** One part of a `UiMessage`. */
export type UiMessagePart =
  | { readonly type: "text"; readonly text: string; readonly state?: "streaming" | "done" }
  | { readonly type: "reasoning"; readonly id?: string; readonly text: string; readonly state?: "streaming" | "done" }
  | { readonly type: "file"; readonly url: string; readonly mediaType: string; readonly filename?: string }
  | { readonly type: "source-url"; readonly sourceId: string; readonly url: string; readonly title?: string }
  | { readonly type: "source-document"; readonly sourceId: string; readonly mediaType: string; readonly title: string }
  | { readonly type: "step-start" }
  | {
      readonly type: "steering-message";
      readonly id: string;
      readonly parts: { readonly type: "text"; readonly text: string }[];
    }
  | { readonly type: "data-interruption"; readonly id: string; readonly data: InterruptionPart }
  | { readonly type: "data-handoff"; readonly id: string; readonly data: { fromAgent: string; toAgent: string } }
  | { readonly type: "data-structured"; readonly id: string; readonly data: unknown }
  | UiToolPart;

/** A message in the form of `useChat` of the AI SDK, assignable to its `UIMessage`. */
export interface UiMessage {
  /** The run's id for an answer, the stored message's id for a user message. */
  readonly id: string;
  /** Author of the message. */
  readonly role: "user" | "assistant";
  /** About the run, for an answer. */
  readonly metadata?: RunMetadata;
  /** Content in order: text, reasoning, tool calls, files. */
  readonly parts: UiMessagePart[];
}

/** A part while it is built. */
type Draft = Record<string, unknown> & { type: string };

/**
 * Builds the message that the AI SDK's client builds from the same chunks.
 *
 * @param chunks - The whole stream of one run.
 * @returns `undefined` if no chunk starts a message.
 */
export function uiMessageOf(chunks: readonly UiChunk[]): UiMessage | undefined {
  let id: string | undefined;
  let metadata: RunMetadata | undefined;
  const parts: Draft[] = [];
  const texts = new Map<string, Draft>();
  const addText = (type: "text" | "reasoning", textId: string): void => {
    const part: Draft = { type, ...(type === "reasoning" && { id: textId }), text: "", state: "streaming" };
    texts.set(textId, part);
    parts.push(part);
  };
  const stepStart = (): number => parts.findLastIndex(({ type }) => type === "step-start") + 1;
  const callOf = (toolCallId: string): Draft | undefined =>
    parts.findLast((part) => part["toolCallId"] === toolCallId && part.type.startsWith("tool-"));
  const addCall = (toolCallId: string, toolName: string, changes: Readonly<Record<string, unknown>>): void => {
    const known = parts
      .slice(stepStart())
      .find((part) => part["toolCallId"] === toolCallId && part.type.startsWith("tool-"));
    const part: Draft = known ?? { type: `tool-${toolName}`, toolCallId };
    if (known === undefined) parts.push(part);
    delete part["output"];
    delete part["errorText"];
    delete part["preliminary"];
    Object.assign(part, { type: `tool-${toolName}` }, changes);
  };
  const settle = (toolCallId: string, changes: Readonly<Record<string, unknown>>): void => {
    const part = callOf(toolCallId);
    if (part === undefined) return;
    delete part["output"];
    delete part["errorText"];
    delete part["preliminary"];
    Object.assign(part, changes);
  };

  const take = (chunk: UiChunk): void => {
    switch (chunk.type) {
      case "start":
        id = chunk.messageId;
        metadata = { ...metadata, ...chunk.messageMetadata };
        return;
      case "message-metadata":
        metadata = { ...metadata, ...chunk.messageMetadata };
        return;
      case "start-step":
        parts.push({ type: "step-start" });
        return;
      case "reset-step":
        parts.splice(stepStart());
        texts.clear();
        return;
      case "text-start":
        return addText("text", chunk.id);
      case "reasoning-start":
        return addText("reasoning", chunk.id);
      case "text-delta":
      case "reasoning-delta": {
        const part = texts.get(chunk.id);
        if (part !== undefined) part["text"] = `${String(part["text"])}${chunk.delta}`;
        return;
      }
      case "text-end":
      case "reasoning-end": {
        const part = texts.get(chunk.id);
        if (part !== undefined) part["state"] = "done";
        return;
      }
      case "tool-input-start":
        return addCall(chunk.toolCallId, chunk.toolName, { state: "input-streaming", input: undefined });
      case "tool-input-available": {
        const { toolCallId, toolName, input, providerExecuted } = chunk;
        return addCall(toolCallId, toolName, {
          state: "input-available",
          input,
          ...(providerExecuted === true && { providerExecuted }),
        });
      }
      case "tool-approval-request":
        return void Object.assign(callOf(chunk.toolCallId) ?? {}, {
          state: "approval-requested",
          approval: { id: chunk.approvalId, requestReason: chunk.reason },
        });
      case "tool-approval-response": {
        const part = parts.find(({ approval }) => (approval as UiApproval | undefined)?.id === chunk.approvalId);
        const { approvalId, approved, reason } = chunk;
        const before = part?.["approval"] as UiApproval | undefined;
        return void Object.assign(part ?? {}, {
          state: "approval-responded",
          approval: { ...before, id: approvalId, approved, ...(reason !== undefined && { reason }) },
        });
      }
      case "tool-output-available": {
        const { toolCallId, output, preliminary } = chunk;
        return settle(toolCallId, { state: "output-available", output, ...(preliminary === true && { preliminary }) });
      }
      case "tool-output-error":
        return settle(chunk.toolCallId, { state: "output-error", errorText: chunk.errorText });
      case "tool-output-denied":
        return void Object.assign(callOf(chunk.toolCallId) ?? {}, { state: "output-denied" });
      case "data-interruption":
      case "data-handoff":
      case "data-structured": {
        const known = parts.find((part) => part.type === chunk.type && part["id"] === chunk.id);
        if (known === undefined) parts.push({ ...chunk });
        else known["data"] = chunk.data;
        return;
      }
      case "file":
      case "source-url":
      case "source-document":
      case "steering-message":
        parts.push({ ...chunk });
        return;
      default:
    }
  };
  for (const chunk of chunks) take(chunk);
  if (id === undefined) return undefined;
  return {
    id,
    role: "assistant",
    ...(metadata !== undefined && { metadata }),
    parts: parts as unknown as UiMessagePart[],
  };
}
