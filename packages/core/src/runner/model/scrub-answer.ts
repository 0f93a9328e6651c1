import type { AssistantMessage } from "../../contracts/message.ts";
import type { SecretsPort } from "../../contracts/ports/security.ts";

/**
 * Takes known secrets out of an answer before it is journaled. A call whose arguments change by that is marked: it must
 * not run with arguments that the model did not write.
 */
export function scrubAnswer(secrets: SecretsPort | undefined, message: AssistantMessage): AssistantMessage {
  if (secrets === undefined) return message;
  const scrubbed = secrets.scrub(message);
  if (scrubbed === message) return message;
  const toolCalls = scrubbed.toolCalls.map((call, index) => {
    const before = message.toolCalls[index];
    const changed = before !== undefined && (before.arguments !== call.arguments || before.input !== call.input);
    return changed && secrets.holdsSecret([before.arguments, before.input]) ? { ...call, redacted: true } : call;
  });
  return { ...scrubbed, toolCalls };
}
