import type { ScriptRequestToolResult } from "@bailiwick/testing";

/** A mail as `read_mail` shows it to a model. */
export interface ReadMail {
  readonly id: string;
  /** `unread`, `read`, `drafted`, `answered` or `closed`, before it was read for this task. */
  readonly status: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly body: string;
  readonly attachments: readonly { readonly filename: string; readonly text: string }[];
}

/** A customer as `find_customer` shows it. */
export interface FoundCustomer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** An order as `find_order` and `list_orders` show it; amounts in euro. */
export interface FoundOrder {
  readonly id: string;
  readonly customerEmail: string;
  readonly status: string;
  readonly shippedAt: string | null;
  readonly deliveredAt: string | null;
  readonly carrier: string | null;
  readonly tracking: string | null;
  readonly lines: readonly { readonly productName: string; readonly quantity: number }[];
  readonly total: number;
  readonly refunded: number;
}

/** A product as `find_product` shows it. */
export interface FoundProduct {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly price: number;
  readonly stock: number;
}

/**
 * The object in a tool's result, or `null` when the result is an error or no JSON. A wrapper around the JSON is skipped.
 *
 * @param result - As the model got it.
 */
export function readResult(result: ScriptRequestToolResult): Record<string, unknown> | null {
  if (result.isError) return null;
  const start = result.text.indexOf("{");
  const end = result.text.lastIndexOf("}");
  if (start < 0 || end < start) return null;
  try {
    const value: unknown = JSON.parse(result.text.slice(start, end + 1));
    if (typeof value !== "object" || value === null || "error" in value) return null;
    return value as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** The mail in a result of `read_mail`, or `null`. */
export function readMailResult(result: ScriptRequestToolResult): ReadMail | null {
  const value = readResult(result);
  if (value === null || typeof value.id !== "string" || typeof value.body !== "string") return null;
  const from = (value.from ?? {}) as Partial<ReadMail["from"]>;
  return {
    id: value.id,
    status: typeof value.status === "string" ? value.status : "read",
    from: { name: from.name ?? "", address: from.address ?? "" },
    subject: typeof value.subject === "string" ? value.subject : "",
    body: value.body,
    attachments: Array.isArray(value.attachments) ? (value.attachments as ReadMail["attachments"]) : [],
  };
}
