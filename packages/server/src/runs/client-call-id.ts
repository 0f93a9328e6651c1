import type { InterruptionData } from "@bailiwick/core";

/** The id by which a client knows the call: a call of an inner agent has an id that only its own run knows. */
export function clientCallId({ id, toolCallId, agentPath }: InterruptionData): string {
  return agentPath.length > 1 ? id : toolCallId;
}
