import type { ScriptRequest, ScriptRequestToolResult } from "@bailiwick/testing";
import {
  readMailResult,
  readResult,
  type FoundCustomer,
  type FoundOrder,
  type FoundProduct,
  type ReadMail,
} from "./tool-results.ts";

/** A call for the current task, with its result once it has arrived. */
export interface MadeCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ScriptRequestToolResult | undefined;
}

/** The person's last request, and the results since. */
export interface Progress {
  readonly task: string;
  readonly offered: ReadonlySet<string>;
  readonly calls: readonly MadeCall[];
}

/**
 * The calls since the last message of a person.
 *
 * @param request - The whole conversation, as a model gets it.
 */
export function readProgress(request: ScriptRequest): Progress {
  const lastUser = request.messages.findLastIndex((message) => message.role === "user");
  const since = request.messages.slice(lastUser + 1);
  const results = new Map(
    since.flatMap((message) =>
      message.toolResult === undefined ? [] : [[message.toolResult.toolCallId, message.toolResult] as const],
    ),
  );
  return {
    task: request.messages[lastUser]?.text ?? "",
    offered: new Set(request.tools.map((tool) => tool.name)),
    calls: since.flatMap((message) =>
      message.toolCalls.map((call) => ({
        name: call.name,
        input: parseInput(call.arguments),
        result: results.get(call.id),
      })),
    ),
  };
}

/** The mail that was read, if it was. */
export function mailRead(progress: Progress): ReadMail | null {
  return firstOf(progress, "read_mail", readMailResult);
}

/** The customer who was found, if one was. */
export function customerFound(progress: Progress): FoundCustomer | null {
  return firstOf(
    progress,
    "find_customer",
    (result) => (readResult(result)?.customer as FoundCustomer | undefined) ?? null,
  );
}

/** Every order that was looked up, by number; `null` for an unknown number. */
export function ordersFound(progress: Progress): ReadonlyMap<string, FoundOrder | null> {
  const found = new Map<string, FoundOrder | null>();
  for (const call of progress.calls) {
    if (call.name !== "find_order" || call.result === undefined) continue;
    const value = readResult(call.result);
    if (value !== null) found.set(String(call.input.orderId), (value.order as FoundOrder | undefined) ?? null);
  }
  return found;
}

/** The customer's orders, newest first, if they were listed. */
export function ordersListed(progress: Progress): readonly FoundOrder[] {
  return (
    firstOf(progress, "list_orders", (result) => (readResult(result)?.orders as FoundOrder[] | undefined) ?? null) ?? []
  );
}

/** The products that were looked up, each once. */
export function productsFound(progress: Progress): readonly FoundProduct[] {
  const found = progress.calls
    .filter((call) => call.name === "find_product" && call.result !== undefined)
    .flatMap((call) =>
      call.result === undefined ? [] : ((readResult(call.result)?.products as FoundProduct[] | undefined) ?? []),
    );
  return [...new Map(found.map((product) => [product.sku, product])).values()];
}

function firstOf<Found>(
  progress: Progress,
  name: string,
  read: (result: ScriptRequestToolResult) => Found | null,
): Found | null {
  for (const call of progress.calls) {
    if (call.name !== name || call.result === undefined) continue;
    const found = read(call.result);
    if (found !== null) return found;
  }
  return null;
}

function parseInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
