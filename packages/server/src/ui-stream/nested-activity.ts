import type { RunEvent } from "@bailiwick/core";
import type { NestedActivity } from "./ui-chunk.ts";

/**
 * Text for a client about an event of an agent inside a tool call.
 *
 * @param event - Any event.
 * @returns `undefined` for events of the run itself, `null` for nested ones without information for a client.
 */
export function nestedActivity(event: RunEvent): NestedActivity | null | undefined {
  if (event.type === "agent.event") return tell(event.event, event.toolCallId, event.agentPath);
  if (!("agentPath" in event) || event.agentPath === undefined || event.agentPath.length === 0) return undefined;
  return event.parentToolCallId === undefined ? null : tell(event, event.parentToolCallId, event.agentPath);
}

function tell(event: RunEvent, toolCallId: string, agentPath: readonly string[]): NestedActivity | null {
  switch (event.type) {
    case "agent.event":
      return tell(event.event, toolCallId, event.agentPath);
    case "text":
      return { toolCallId, agentPath, type: "text", text: event.text };
    case "tool.call":
      return { toolCallId, agentPath, type: "tool-call", toolName: event.toolName };
    case "tool.result":
      return {
        toolCallId,
        agentPath,
        type: "tool-result",
        toolName: event.result.toolName,
        isError: event.result.isError,
      };
    default:
      return null;
  }
}
