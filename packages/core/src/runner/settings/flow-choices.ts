import type { FlowOptions } from "../../contracts/flow-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";

/** Choices, from the weakest on. */
const choices = {
  answerLinks: ["keep", "verbatim", "allowlist"],
  undeclared: ["shadow", "gate"],
  serverDefinitions: ["scanned", "untrusted"],
} as const;

/**
 * Demands that a run keeps what the agent chose, or chooses more strictly; where the agent chose nothing, a run may.
 *
 * @throws ConfigurationError `WEAKER_POLICY`
 */
export function demandStricterChoices(agent: FlowOptions, run: FlowOptions): void {
  for (const [name, ranked] of Object.entries(choices) as [keyof typeof choices, readonly unknown[]][]) {
    const [before, after] = [agent[name], run[name]];
    if (before === undefined || after === undefined || ranked.indexOf(after) >= ranked.indexOf(before)) continue;
    throw new ConfigurationError(
      "WEAKER_POLICY",
      `A run may only tighten "flow": the agent's "${name}" is "${before}", and "${after}" is weaker.`,
    );
  }
  const { allowedHosts } = agent;
  const more = run.allowedHosts?.find((host) => allowedHosts !== undefined && !allowedHosts.includes(host));
  if (more === undefined) return;
  throw new ConfigurationError(
    "WEAKER_POLICY",
    `A run may only tighten "flow": "${more}" is none of the agent's "allowedHosts". Name some of those, or leave it out.`,
  );
}
