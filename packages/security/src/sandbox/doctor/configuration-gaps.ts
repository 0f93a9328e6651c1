import type { AgentOptions, SandboxConfig, TierlessSandboxConfig, SandboxPolicy, Tool } from "@bailiwick/core";

import type { ConfigurationGap, TierReport } from "./report.ts";

/** The options of an agent that decide the enforcement. */
export type ExaminedAgent = Partial<Pick<AgentOptions, "sandbox" | "flow" | "keys" | "secrets">> & {
  /** The tools that are passed to the agent. */
  readonly tools?: AgentOptions["tools"] | undefined;
};

/**
 * Gaps that a configuration leaves on this machine.
 *
 * @param agent - Options of an agent.
 * @param tiers - The measured tiers.
 */
export function configurationGaps(agent: ExaminedAgent, tiers: readonly TierReport[]): readonly ConfigurationGap[] {
  const { tools = [] } = agent;
  if (typeof tools === "function") {
    return [
      {
        subject: "tools",
        gap: "They are made for each run, so they were not checked.",
        fix: "Give doctor the list that the function returns.",
      },
      ...optionGaps(agent),
    ];
  }
  return [...tools.flatMap((tool) => toolGaps(tool, agent.sandbox, tiers)), ...optionGaps(agent)];
}

function toolGaps(
  tool: Tool,
  agentSandbox: SandboxConfig | TierlessSandboxConfig | undefined,
  tiers: readonly TierReport[],
): readonly ConfigurationGap[] {
  const { name: subject, execute, sideEffectClass } = tool;
  const gaps: ConfigurationGap[] = [];
  if (sideEffectClass === undefined) {
    gaps.push({
      subject,
      gap: "Its effect is not declared, so it counts as a writer.",
      fix: "Declare its effect with sideEffectClass.",
    });
  }
  if (typeof execute === "function") {
    gaps.push({
      subject,
      gap: "Its code runs in this process and has all rights of the process.",
      fix: "Where the code, or what it loads, is not your own: make it a module entry with sandboxedTool().",
    });
    return gaps;
  }
  const config = configOf(tool.sandboxPolicy ?? agentSandbox);
  return config === undefined ? gaps : [...gaps, ...sandboxGaps(subject, config, tiers)];
}

function configOf(
  policy: SandboxPolicy | SandboxConfig | TierlessSandboxConfig | undefined,
): SandboxConfig | undefined {
  if (policy === undefined) return policy;
  if (typeof policy === "object") return policy.tier === undefined ? { ...policy, tier: "os" } : policy;
  return policy === "process" ? { tier: policy, allowNetwork: true, allowFS: true } : { tier: policy };
}

function sandboxGaps(
  subject: string,
  config: SandboxConfig,
  tiers: readonly TierReport[],
): readonly ConfigurationGap[] {
  const { tier } = config;
  const measured = tiers.find((one) => one.tier === tier);
  const gaps: ConfigurationGap[] = [];
  if (tier === "none") gaps.push({ subject, gap: "It has no sandbox.", fix: `Ask for "wasm" or "os".` });
  if (measured?.available === false) {
    gaps.push({
      subject,
      gap: `This machine cannot give "${tier}": ${measured.reason ?? "unknown"}. It will be refused.`,
      fix: measured.fix ?? "",
    });
  }
  const open = measured?.probes.filter(({ held }) => !held) ?? [];
  if (open.length > 0) {
    gaps.push({
      subject,
      gap: `"${tier}" does not prevent on this machine: ${open.map(({ probe }) => probe).join(", ")}.`,
      fix: `Ask for "os" or "wasm" where they hold.`,
    });
  }
  if (tier !== "os" && tier !== "remote") return gaps;
  if (config.allowNetwork === true)
    gaps.push({
      subject,
      gap: "It may reach every host, those of your own network too.",
      fix: "Name the hosts in allowNetwork.",
    });
  if (config.allowFS === true)
    gaps.push({ subject, gap: "It may use every file that this process may.", fix: "Name folders in allowFS." });
  return gaps;
}

function optionGaps({ flow, keys, secrets }: ExaminedAgent): readonly ConfigurationGap[] {
  const gaps: ConfigurationGap[] = [];
  const options = typeof flow === "string" ? { mode: flow } : flow;
  const mode = options?.mode ?? "auto";
  if (mode === "off" || mode === "shadow") {
    gaps.push({
      subject: "flow.mode",
      gap: `"${mode}" decides nothing: an agent that read an order obeys it.`,
      fix: `Use "enforce".`,
    });
  } else if (mode === "auto") {
    gaps.push({
      subject: "flow.mode",
      gap: "Tools that declare no effect are not gated.",
      fix: `Use flow: { mode: "enforce" } in production.`,
    });
  }
  if (options?.allowUngovernedHostedTools === true) {
    gaps.push({
      subject: "flow.allowUngovernedHostedTools",
      gap: "Tools that the vendor runs may write without being asked about.",
      fix: "Remove it, and the tools that need it.",
    });
  }
  if (keys?.sign === undefined) {
    gaps.push({
      subject: "keys.sign",
      gap: "Approvals and journals are not signed: anyone who can write to the store can change them.",
      fix: "Give a key.",
    });
  }
  if (secrets !== undefined && keys?.seal === undefined) {
    gaps.push({
      subject: "keys.seal",
      gap: "What is stored is not sealed, and a call with a known secret in its arguments cannot be approved.",
      fix: "Give a key.",
    });
  }
  return gaps;
}
