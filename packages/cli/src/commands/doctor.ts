import type { Command } from "commander";
import { checkAgent } from "../doctor/check-agents.ts";
import { checkModel, findModel } from "../doctor/check-model.ts";
import { checkStore } from "../doctor/check-store.ts";
import { failed, type Check } from "../doctor/check.ts";
import { findEntry } from "../entry/load-entry.ts";
import { openTarget, type TargetOptions } from "../entry/target.ts";
import { usageError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { oneLine } from "../output/printable.ts";
import { action, withTarget } from "./context.ts";

/** Adds `bailiwick doctor`. */
export function addDoctorCommand(program: Command): void {
  withTarget(program.command("doctor"))
    .description("check this machine and the agents: Node, sandboxes, keys, stores, clock, tool servers, declarations")
    .argument("[part]", 'only this part: "model", with the id of a model')
    .argument("[id]", "a model of your agents, such as openai/gpt-5.6: each setting of its row is tried with its key")
    .option("--no-sandboxes", "do not measure the sandboxes, which takes some seconds")
    .action(
      action<TargetOptions & { sandboxes: boolean }>(async ({ terminal, options }, part, id) => {
        if (part !== undefined && (part !== "model" || id === undefined))
          throw usageError(`"doctor ${part}" is not a check. Use "doctor model <id>".`);
        terminal.progress(part === undefined ? "Looking at the machine …" : `Asking ${id ?? ""} …`);
        const checks =
          part === undefined || id === undefined ? await checkAll(options) : await checkOneModel(options, id);
        const isHealthy = checks.every(({ status }) => status !== "fail");
        terminal.settle();
        terminal.result({ healthy: isHealthy, checks }, () =>
          checks
            .map(({ name, status, text, fix }) => {
              const tone = { ok: "green", warn: "yellow", fail: "red" } as const;
              const more = fix === undefined ? "" : `\n      ${oneLine(fix, 300)}`;
              return `${terminal.paint(tone[status], status.padEnd(4))}  ${terminal.paint("bold", name)}: ${oneLine(text, 400)}${more}`;
            })
            .join("\n"),
        );
        return isHealthy ? exitCodes.done.code : exitCodes.failed.code;
      }),
    );
}

async function checkAll(options: TargetOptions & { sandboxes: boolean }): Promise<readonly Check[]> {
  return [
    { name: "Node", status: "ok", text: `${process.version} on ${process.platform} ${process.arch}` },
    ...(await checkTarget(options)),
    ...(options.sandboxes ? await checkSandboxes() : []),
  ];
}

async function checkOneModel(options: TargetOptions, id: string): Promise<readonly Check[]> {
  const target = await openTarget(options);
  try {
    const model = findModel(target.agents, id);
    if (model !== undefined) return await checkModel(model, Date.now());
    return [
      {
        name: "model",
        status: "fail",
        text: `No agent of the entry has the model "${id}", or a registry with its provider.`,
        fix: 'Give an agent this model, or "models", and use the id that the agent uses.',
      },
    ];
  } finally {
    await target.close();
  }
}

async function checkTarget(options: TargetOptions): Promise<readonly Check[]> {
  if (options.entry === undefined && options.store === undefined && findEntry(undefined) === undefined)
    return [
      {
        name: "agents",
        status: "warn",
        text: "There is no bailiwick.config.ts here, so only the machine was checked.",
        fix: "Run the command in your project, or pass --entry or --store.",
      },
    ];
  try {
    const target = await openTarget(options);
    try {
      const checks: Check[] = [];
      for (const store of target.stores) checks.push(...(await checkStore(store)));
      for (const agent of target.agents) checks.push(...(await checkAgent(agent)));
      return checks;
    } finally {
      await target.close();
    }
  } catch (error) {
    return [failed("agents", error)];
  }
}

async function checkSandboxes(): Promise<readonly Check[]> {
  const { doctor } = await import("@bailiwick/security/sandbox");
  const { tiers } = await doctor();
  return tiers.map(({ tier, available, reason, fix, probes }): Check => {
    const name = `sandbox ${tier}`;
    if (!available) return { name, status: "warn", text: `Not available: ${reason ?? "unknown reason"}.`, fix };
    const open = probes.filter(({ held }) => !held);
    const text = `${probes.length - open.length} of ${probes.length} classes of escapes were prevented`;
    if (open.length === 0) return { name, status: "ok", text: `${text}.` };
    return { name, status: "warn", text: `${text}; not prevented: ${open.map(({ probe }) => probe).join(", ")}.` };
  });
}
