import type { ExactArguments } from "../../contracts/journal-event.ts";
import type { AssistantMessage } from "../../contracts/message.ts";
import type { AgentDefinition } from "../active-run.ts";

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly message: AssistantMessage;
  readonly exactArguments?: readonly ExactArguments[];
}

/**
 * Takes known secrets out of an answer before it is journaled. A call whose arguments change by that is marked: it must
 * not run with arguments that the model did not write. A sealed journal keeps what it wrote beside the message, for a
 * person to approve.
 */
export function scrubAnswer(
  { secrets, sealer }: Pick<AgentDefinition, "secrets" | "sealer">,
  message: AssistantMessage,
): KeptAnswer {
  if (secrets === undefined) return { message };
  const scrubbed = secrets.scrub(message);
  if (scrubbed === message) return { message };
  const exactArguments: ExactArguments[] = [];
  const toolCalls = scrubbed.toolCalls.map((call, index) => {
    const before = message.toolCalls[index];
    const changed = before !== undefined && (before.arguments !== call.arguments || before.input !== call.input);
    if (!changed || !secrets.holdsSecret([before.arguments, before.input])) return call;
    const { arguments: text, input } = before;
    exactArguments.push({ index, arguments: text, ...(input !== undefined && { input }) });
    return { ...call, redacted: true };
  });
  const kept = { ...scrubbed, toolCalls };
  return sealer === undefined || exactArguments.length === 0 ? { message: kept } : { message: kept, exactArguments };
}
