import type { Client } from "@modelcontextprotocol/client";

/** Identifier of the protocol's extension for tasks. */
export const tasksExtension = "io.modelcontextprotocol/tasks";
/** Member of a result's metadata with the task that the server created in its place. */
const metadataKey = "bailiwick/task";

type Message = Readonly<Record<string, unknown>>;

/**
 * Lets a client read a task that a server of 2026-07-28 creates in place of a result. The protocol's client refuses the
 * type of such a result, so that it gets an empty result that carries the task.
 */
export function readTaskResults(client: Client): void {
  const transport = client.transport as { onmessage?: ((message: Message, ...more: unknown[]) => void) | undefined };
  const deliver = transport?.onmessage;
  if (deliver === undefined) return;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an event target
  transport.onmessage = (message, ...more) => deliver.call(transport, carried(message), ...more);
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
