import type { ScriptStep } from "@bailiwick/testing";
import { findOrderNumbers } from "./amounts.ts";
import { ordersFound, type Progress } from "./progress.ts";
import { readResult } from "./tool-results.ts";

/**
 * Acts as the specialist for lost parcels: looks the order up, files a claim for one that was shipped, and reports it.
 *
 * @param progress - The question and what was done since.
 */
export function findParcel(progress: Progress): ScriptStep {
  const [orderId] = findOrderNumbers(progress.task);
  if (orderId === undefined) return { text: "Which order? I need its number." };
  const call = (name: string) => progress.calls.find((made) => made.name === name);
  if (call("find_order") === undefined) return { toolCalls: [{ name: "find_order", arguments: { orderId } }] };
  const order = ordersFound(progress).get(orderId);
  if (order === undefined || order === null) return { text: `There is no order ${orderId}.` };
  if (order.status !== "shipped" && order.status !== "delivered") {
    return { text: `${orderId} was not shipped: there is nothing to claim.` };
  }
  const claim = call("file_claim");
  if (claim === undefined) {
    const statement = `The parcel ${order.tracking ?? ""} did not reach the customer.`.replace("  ", " ");
    return { text: "I'll file a claim.", toolCalls: [{ name: "file_claim", arguments: { orderId, statement } }] };
  }
  const filed = claim.result === undefined ? null : readResult(claim.result);
  if (typeof filed?.claimId !== "number") return { text: `No claim was filed for ${orderId}.` };
  return { text: `Claim ${filed.claimId} is filed with ${order.carrier ?? "the carrier"} for ${orderId}.` };
}
