import type { FlowOptions, FlowPort, HostedTool, Warning } from "@bailiwick/core";

import { checkGrant } from "./check-grant.ts";
import { FlowOptionsError, UngovernedHostedToolError } from "./flow-errors.ts";
import { bitsPerRun } from "./bits-per-run.ts";
import { modeOf } from "./sinks.ts";

type CheckedAgent = Parameters<FlowPort["check"]>[0];

/**
 * Checks an agent against its flow options, at construction and with each run's catalogue.
 *
 * @returns Warnings about rules that stop nothing.
 * @throws UngovernedHostedToolError `UNGOVERNED_HOSTED_TOOL`, FlowOptionsError `FLOW_OPTIONS`
 */
export function checkAgent(agent: CheckedAgent): readonly Warning[] {
  const { options, tools, hostedTools } = agent;
  const mode = modeOf(options);
  checkOptions(options);
  if (mode === "off" || mode === "shadow") {
    return [
      {
        code: `flow_${mode}`,
        message:
          mode === "off"
            ? `The information-flow rules are off: whatever the model reads can steer its tools. Use flow: "auto" or "enforce".`
            : `The information-flow rules decide and record, but stop nothing (flow: "shadow"). Use flow: "auto" or "enforce".`,
      },
    ];
  }
  checkHosted(hostedTools, options);
  for (const grant of options.grants ?? []) checkGrant(grant, tools);
  return [];
}

/** Checks values that contradict each other; the core has checked the form of each. */
function checkOptions(options: FlowOptions): void {
  checkQuarantine(options);
  if ((options.undeclared ?? "gate") !== "gate" && modeOf(options) === "enforce") {
    throw new FlowOptionsError(
      `flow.undeclared "${options.undeclared}" contradicts flow.mode "enforce", which gates every writer. Leave one out.`,
    );
  }
  for (const host of options.allowedHosts ?? []) {
    if (!/^(?:\*\.)?[\p{L}\p{N}.-]+(?::\d+)?$/u.test(host)) {
      throw new FlowOptionsError(
        `flow.allowedHosts has ${JSON.stringify(host)}. Write hosts without scheme or path, such as "*.example.com".`,
      );
    }
  }
  if (options.answerLinks === "allowlist" && options.allowedHosts === undefined) {
    throw new FlowOptionsError(`flow.answerLinks "allowlist" needs flow.allowedHosts.`);
  }
}

function checkQuarantine({ quarantine, mode }: FlowOptions): void {
  if (quarantine === undefined || quarantine === false) return;
  if (mode === "off") {
    throw new FlowOptionsError(
      `flow.quarantine needs the flow rules, and flow.mode is "off". Use "auto" or "enforce", or leave it out.`,
    );
  }
  if (quarantine !== true && Number(quarantine.bits) > bitsPerRun) {
    throw new FlowOptionsError(`flow.quarantine.bits is ${quarantine.bits}. Use an integer from 1 to ${bitsPerRun}.`);
  }
}

function checkHosted(hostedTools: readonly HostedTool[], options: FlowOptions): void {
  if (options.allowUngovernedHostedTools === true) return;
  const writers = hostedTools.filter((tool) => isHostedWriter(tool) && tool.asksApproval !== true);
  if (writers.length > 0) throw new UngovernedHostedToolError(writers.map(({ name }) => name));
}

/** An undeclared or unknown class counts as a writer's [hosted.side-effect-class]. */
function isHostedWriter(tool: HostedTool): boolean {
  return tool.sideEffectClass !== "pure" && tool.sideEffectClass !== "read-only";
}
