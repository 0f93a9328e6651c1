import { createSandbox } from "../create-sandbox.ts";
import type { DrivenTier } from "../driver.ts";
import { configurationGaps } from "./configuration-gaps.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { measureTier } from "./measure-tier.ts";
import { openProbeWorld } from "./probe-world.ts";
import { reportText } from "./report.ts";
import { measurePrograms } from "./measure-programs.ts";
import type { ProbeWorld } from "./probe-world.ts";
import type { FullSandboxPort } from "../sandbox-options.ts";
import type { DoctorReport, TierReport } from "./report.ts";

/** Runs the probes of `doctor`. */
export async function examine({ agent, tiers, sandbox }: DoctorOptions): Promise<DoctorReport> {
  const port = createSandbox(sandbox);
  const asked: readonly DrivenTier[] = tiers ?? [
    "wasm",
    "process",
    "os",
    ...(sandbox?.drivers?.remote === undefined ? [] : (["remote"] as const)),
  ];
  const world = await openProbeWorld();
  const measured: TierReport[] = [];
  try {
    // One after the other, so that the effect of one probe is not attributed to another.
    for (const tier of asked) measured.push(await withPrograms(port, await measureTier(port, tier, world), world));
  } finally {
    await world.close();
  }
  const found = {
    platform: process.platform,
    architecture: process.arch,
    node: process.version,
    tiers: measured,
    gaps: agent === undefined ? [] : configurationGaps(agent, measured),
  };
  return { ...found, text: reportText(found) };
}

/** Programs are only run in the tier `os`, by this machine's own driver. */
async function withPrograms(port: FullSandboxPort, report: TierReport, world: ProbeWorld): Promise<TierReport> {
  if (report.tier !== "os" || !report.available || process.platform !== "linux") return report;
  return { ...report, programs: await measurePrograms(port, world) };
}
