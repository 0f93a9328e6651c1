import type { JournalEventInput } from "../contracts/journal-event.ts";
import type { LabelId } from "../contracts/label.ts";
import type { Message } from "../contracts/message.ts";

/**
 * The label of a record where no flow policy gives one: what people said is the user's but for parts that are marked as
 * untrusted, what the framework decided is the system's, and what a model or a tool made is untrusted.
 */
export function defaultLabel(event: JournalEventInput): LabelId {
  switch (event.type) {
    case "run.start":
      return [...event.history, ...event.input].some(hasUntrustedPart) ? "untrusted" : "user";
    case "input.answered":
      return event.by === "client" ? "untrusted" : "user";
    case "signal.taken":
    case "tool.approval.decided":
    case "model.decided":
      return "user";
    case "message.inserted":
      if (event.by === "hook") return "verified";
      if (event.by === "extension") return "untrusted";
      return event.by === "steer" || event.by === "follow_up" || event.by === "input" ? "user" : "system";
    case "model.result":
    case "tool.call":
    case "tool.outcome":
    case "tool.result":
    case "state.changed":
    case "state.conflict":
    case "state.saved":
    case "run.end":
      return "untrusted";
    default:
      return "system";
  }
}

function hasUntrustedPart({ role, content }: Message): boolean {
  return role === "user" && typeof content !== "string" && content.some((part) => part.untrusted === true);
}
