import type { SandboxCall, SandboxConfig, SandboxPolicy } from "@bailiwick/core";

import type { FullSandboxPort, SandboxOptions } from "./sandbox-options.ts";
import { sandboxContext, defaultLimits } from "./driver.ts";
import type { SandboxLimits, DrivenTier, SandboxDriver } from "./driver.ts";
import { driverOf, machine } from "./drivers.ts";
import { contextCalls } from "./host-calls.ts";
import { callInProcess } from "./in-process.ts";
import { readModule } from "./read-module.ts";
import { grantedRights, rightsOf } from "./rights.ts";
import { SandboxUnavailableError } from "./sandbox-errors.ts";

/** Computes the rights of each call, and passes them to the driver of its tier. */
export function sandboxPort(options: SandboxOptions): FullSandboxPort {
  const driver = (tier: SandboxPolicy): Promise<SandboxDriver> => {
    const driven = demandDriven(tier);
    const own = options.drivers?.[driven];
    if (own !== undefined) return Promise.resolve(own);
    return driverOf(driven === "os" && options.experimentalMacos === true ? "os on macOS" : driven);
  };
  /** Tiers of configurations with a fallback, tested once. */
  const chosen = new WeakMap<SandboxConfig, Promise<SandboxConfig>>();
  /** The configuration with the tier that this machine has. */
  const available = (config: SandboxConfig): Promise<SandboxConfig> => {
    if (config.tier !== "os" || config.fallback === undefined) return Promise.resolve(config);
    let known = chosen.get(config);
    if (known === undefined) chosen.set(config, (known = firstAvailable(config)));
    return known;
  };
  const firstAvailable = async (config: SandboxConfig): Promise<SandboxConfig> => {
    try {
      await (await driver(config.tier)).check(rightsOf(config), limitsOf(config, { timeoutMs: 0 }));
      return config;
    } catch (error) {
      if (!(error instanceof SandboxUnavailableError)) throw error;
      const { timeout, maxMemoryMB } = config;
      return { tier: "wasm", timeout, maxMemoryMB };
    }
  };
  return {
    async resolve({ trustClass, entry, config: asked, saidBy }) {
      const config = await available(asked);
      if (config.tier === "none") return { moduleHash: (await readModule(entry)).moduleHash };
      const { rights, notes } = grantedRights(config, trustClass, saidBy);
      const tier = await driver(config.tier);
      const limits = limitsOf(config, { timeoutMs: 0 });
      await tier.check(rights, limits);
      const { moduleHash } = await tier.register(entry, limits);
      return { moduleHash, notes };
    },
    async execute(call) {
      const { entry, moduleHash, input, signal } = call;
      const config = await available(call.config);
      if (config.tier === "none") return callInProcess(call);
      const { rights } = grantedRights(config, call.trustClass, call.saidBy);
      const tier = await driver(config.tier);
      return tier.run({
        entry,
        moduleHash,
        input,
        context: sandboxContext(call),
        hostCalls: contextCalls(call, rights),
        rights,
        limits: limitsOf(config, call),
        signal,
      });
    },
    runProgram: async (request) => machine(({ runProgram }) => runProgram(request)),
    async spawn({ config, trustClass, saidBy, ...program }) {
      const { rights } = grantedRights(config, trustClass, saidBy);
      const tier = await driver(config.tier);
      if (tier.spawn === undefined) {
        throw new SandboxUnavailableError(config.tier, "it runs modules, not programs", `Use "os".`);
      }
      const limits = limitsOf(config, { timeoutMs: 0 });
      await tier.check(rights, limits);
      return tier.spawn({ ...program, rights, limits });
    },
  };
}

/** The limits of a call: its own time, never longer than its sandbox's. */
function limitsOf(config: SandboxConfig, { timeoutMs }: Pick<SandboxCall, "timeoutMs">): SandboxLimits {
  const most = config.timeout ?? defaultLimits.timeoutMs;
  const isolated = config.tier === "os" || config.tier === "remote" ? config : undefined;
  return {
    ...(isolated?.maxProcesses !== undefined && { processes: isolated.maxProcesses }),
    ...(isolated?.maxFileMB !== undefined && { fileMB: isolated.maxFileMB }),
    ...(isolated?.maxTemporaryMB !== undefined && { temporaryMB: isolated.maxTemporaryMB }),
    ...(isolated?.maxDiskMB !== undefined && { diskMB: isolated.maxDiskMB }),
    timeoutMs: timeoutMs === 0 ? most : Math.min(most, timeoutMs),
    memoryMB: config.maxMemoryMB ?? defaultLimits.memoryMB,
    outputBytes: defaultLimits.outputBytes,
  };
}

function demandDriven(tier: SandboxPolicy): DrivenTier {
  if (tier !== "none") return tier;
  throw new SandboxUnavailableError("none", "it is not a sandbox", `Ask for "wasm", "process", "os" or "remote".`);
}
