import type { Client } from "@modelcontextprotocol/client";
import { isRecord } from "./records.ts";
import { withSensitiveHints } from "./sensitive-tools.ts";

/** Identifier of the protocol's extension for tasks. */
export const tasksExtension = "io.modelcontextprotocol/tasks";
/** Member of a result's metadata with the task that the server created in its place. */
const metadataKey = "bailiwick/task";

type Message = Readonly<Record<string, unknown>>;

/**
 * Lets a client read what the protocol's client refuses or drops: a task that a server of 2026-07-28 creates in place of
 * a result, for which it gets an empty result that carries the task, and the `sensitiveHint` of tools.
 */
export function readMoreOfResults(client: Client): void {
  const transport = client.transport as { onmessage?: ((message: Message, ...more: unknown[]) => void) | undefined };
  const deliver = transport?.onmessage;
  if (deliver === undefined) return;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an event target
  transport.onmessage = (message, ...more) => deliver.call(transport, withSensitiveHints(carried(message)), ...more);
}

/** The task that a result carries. */
export function carriedTask(result: object): unknown {
  return (result as { readonly _meta?: Readonly<Record<string, unknown>> })._meta?.[metadataKey];
}

function carried(message: Message): Message {
  const { result } = message;
  if (!isRecord(result)) return message;
  if (result["resultType"] === "task") {
    const { _meta: _, resultType: __, ...task } = result;
    const empty = { resultType: "complete", content: [], structuredContent: {}, _meta: { [metadataKey]: task } };
    return { ...message, result: empty };
  }
  const meta = result["_meta"];
  if (!isRecord(meta) || !(metadataKey in meta)) return message;
  const { [metadataKey]: _, ...rest } = meta;
  return { ...message, result: { ...result, _meta: rest } };
}
