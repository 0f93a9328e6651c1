import type { SandboxConfig, SandboxedToolContext, SandboxPort } from "@bailiwick/core";

import type { DrivenTier } from "../driver.ts";
import { fs, os, path, url } from "../node.ts";
import { SandboxSpawnFailedError, SandboxUnavailableError } from "../sandbox-errors.ts";
import { probeSource } from "./probe-source.ts";
import { probeMemoryMB, probes } from "./probes.ts";
import type { ProbeOutcome } from "./probes.ts";
import type { ProbeWorld } from "./probe-world.ts";
import type { ProbeReport, TierReport } from "./report.ts";

/** The most restrictive configuration of each tier. */
const configs: Readonly<Record<DrivenTier, SandboxConfig>> = {
  wasm: { tier: "wasm" },
  process: { tier: "process", allowNetwork: true, allowFS: true },
  os: { tier: "os" },
  remote: { tier: "remote" },
};
const defaultTimeoutMs = 60_000;
const rounds = 5;

const context: SandboxedToolContext = {
  toolCallId: "probe",
  toolName: "probe",
  runId: "probe",
  step: 1,
  attempt: 1,
  metadata: {},
  log: () => undefined,
  reportProgress: () => undefined,
  fetch: globalThis.fetch,
  secretHeader: () => Promise.reject(new Error("Probes have no secrets.")),
};

/**
 * Runs every probe in one tier.
 *
 * @param sandbox - The sandbox, with or without the tier.
 * @param tier - The tier.
 * @param world - The targets.
 */
export async function measureTier(sandbox: SandboxPort, tier: DrivenTier, world: ProbeWorld): Promise<TierReport> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bailiwick-doctor-"));
  fs.chmodSync(folder, 0o755);
  const file = path.join(folder, "probes.mjs");
  fs.writeFileSync(file, `${probeSource}\nexport const nothing = () => null;\n`);
  const call = caller(sandbox, tier, url.pathToFileURL(file));
  try {
    const callMs = await timeOf(() => call("nothing", {}, defaultTimeoutMs));
    const reports: ProbeReport[] = [];
    for (const { name, export: exported, timeoutMs, judge } of probes) {
      const outcome = await call(exported, world.targets, timeoutMs ?? defaultTimeoutMs).then(
        (value): ProbeOutcome => ({ value }),
        (error: { readonly code?: string; readonly message: string }): ProbeOutcome => ({
          code: error.code ?? "",
          message: error.message,
        }),
      );
      const reached = await judge(outcome, world);
      reports.push({ probe: name, held: reached.length === 0, reached });
    }
    return { tier, available: true, callMs, probes: reports };
  } catch (error) {
    if (error instanceof SandboxUnavailableError)
      return { tier, available: false, reason: error.reason, fix: error.fix, probes: [] };
    if (!(error instanceof SandboxSpawnFailedError)) throw error;
    const reason = `it could not be started: ${error.reason}`;
    const fix = "Check that the machine has free memory and may start processes, and measure again.";
    return { tier, available: false, reason, fix, probes: [] };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function caller(
  sandbox: SandboxPort,
  tier: DrivenTier,
  module: URL,
): (exported: string, input: unknown, timeoutMs: number) => Promise<unknown> {
  return async (exported, input, timeout) => {
    const terms = {
      entry: { module, export: exported },
      config: { ...configs[tier], timeout, maxMemoryMB: probeMemoryMB },
      trustClass: "first-party-user-defined",
      saidBy: "operator",
    } as const;
    const { moduleHash } = await sandbox.resolve({ ...terms, name: "probe", policy: tier });
    return sandbox.execute({
      ...terms,
      moduleHash,
      input,
      context,
      signal: new AbortController().signal,
      timeoutMs: 0,
    });
  };
}

/** The best of several rounds: the others include other load of the machine. */
async function timeOf(call: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    await call();
    best = Math.min(best, performance.now() - before);
  }
  return best;
}
