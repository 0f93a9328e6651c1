import type { Decision, DecisionOrigin, Interruption, InterruptionData } from "../contracts/interruption.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { checkKnownNames } from "../errors/value-checks.ts";

/**
 * Restores the methods of an interruption that was sent as JSON. The methods are not enumerable: the result serialises
 * to the same data again.
 *
 * @param data - An entry of `RunOutput.interruptions`, also after `JSON.parse`.
 * @returns The same fields, with the methods that make decisions.
 * @throws ConfigurationError `INVALID_INTERRUPTION` if the value is not an interruption.
 * @example
 * ```ts
 * import { interruption } from "@bailiwick/core";
 * import type { Decision, InterruptionData } from "@bailiwick/core";
 *
 * export function approveAll(stored: string): Decision[] {
 *   return (JSON.parse(stored) as InterruptionData[]).map((data) => interruption(data).approve({ decidedBy: "ana" }));
 * }
 * ```
 */
export function interruption(data: InterruptionData): Interruption {
  if (typeof data !== "object" || data === null || typeof data.id !== "string" || typeof data.kind !== "string") {
    throw new ConfigurationError(
      "INVALID_INTERRUPTION",
      "This value is not an interruption: it has no id or kind. Pass an entry of result.interruptions, or its JSON.",
    );
  }
  return Object.defineProperties({ ...data }, methods(data)) as Interruption;
}

function methods(data: InterruptionData): PropertyDescriptorMap {
  const from = (
    origin: DecisionOrigin | undefined,
    what: string,
    ...own: readonly string[]
  ): Pick<Decision, "id" | "decidedBy" | "channel" | "token"> => {
    // A misspelt "args" would approve arguments that the person did not see.
    checkKnownNames(origin, [...own, "decidedBy", "channel"], what);
    return {
      id: data.id,
      ...(data.token !== undefined && { token: data.token }),
      ...(origin?.decidedBy !== undefined && { decidedBy: origin.decidedBy }),
      ...(origin?.channel !== undefined && { channel: origin.channel }),
    };
  };
  const table: Omit<Interruption, keyof InterruptionData> = {
    approve: (options) => ({
      ...from(options, "approve()", "args", "remember"),
      type: "approve",
      ...(options?.args !== undefined && { args: options.args }),
      ...(options?.remember !== undefined && { remember: options.remember }),
    }),
    reject: (reason, options) => ({
      ...from(options, "reject()", "remember"),
      type: "reject",
      ...(reason !== undefined && { reason }),
      ...(options?.remember !== undefined && { remember: options.remember }),
    }),
    answer: (value, options) => ({ ...from(options, "answer()"), type: "answer", value }),
    fail: (reason, options) => ({ ...from(options, "fail()"), type: "fail", reason }),
    itHappened: (output, options) => ({
      ...from(options, "itHappened()"),
      type: "it_happened",
      ...(output !== undefined && { output }),
    }),
    itDidNotHappen: (options) => ({ ...from(options, "itDidNotHappen()"), type: "it_did_not_happen" }),
    giveUp: (reason, options) => ({
      ...from(options, "giveUp()"),
      type: "give_up",
      ...(reason !== undefined && { reason }),
    }),
  };
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, { value, enumerable: false }]));
}
