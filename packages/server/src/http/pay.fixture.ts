import { tool, type Tool } from "@bailiwick/core";
import { z } from "zod";

/** A writer that a person has to approve, and what it paid. */
export function payTool(): { readonly pay: Tool; readonly paid: number[] } {
  const paid: number[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ amount: z.number() }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    idempotencyKey: "call",
    execute: ({ amount }) => {
      paid.push(amount);
      return { paid: amount };
    },
  });
  return { pay, paid };
}
