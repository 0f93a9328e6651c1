import type { Handoff, HandoffOptions } from "../../contracts/handoff.ts";
import type { Runnable } from "../../contracts/runnable.ts";
import { checkArgument, checkKnownNames } from "../../errors/value-checks.ts";

/**
 * Describes how a conversation is handed to another agent, for `Agent({ handoffs })`.
 *
 * @param agent - Takes over.
 * @param options - Tool name, history that the agent sees, and a filter.
 * @throws ConfigurationError `UNKNOWN_OPTION` for an option of another name.
 *
 * @example
 * ```ts
 * import { handoff } from "@bailiwick/core";
 * import type { Handoff, Runnable } from "@bailiwick/core";
 *
 * export function toRefunds(refunds: Runnable): Handoff {
 *   return handoff(refunds, { description: "Hand over when the customer wants money back.", history: "full" });
 * }
 * ```
 */
export function handoff(agent: Runnable, options: HandoffOptions = {}): Handoff {
  checkArgument(agent, "run", "handoff(agent)");
  checkKnownNames(options, ["toolName", "description", "history", "inputFilter"], "handoff()");
  return { ...options, name: agent.name, agent };
}
