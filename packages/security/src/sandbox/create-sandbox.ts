import type { SandboxCall, SandboxConfig, SandboxPolicy, SandboxPort } from "@bailiwick/core";

import { boxContext, defaultLimits } from "./driver.ts";
import type { BoxLimits, DrivenTier, SandboxDriver } from "./driver.ts";
import { driverOf } from "./drivers.ts";
import { contextCalls } from "./host-calls.ts";
import { grantedRights } from "./rights.ts";
import { SandboxUnavailable } from "./sandbox-errors.ts";

/** What a sandbox is made with. */
export interface SandboxOptions {
  /** Drivers of your own, such as one for `remote`; they go before the framework's. */
  readonly drivers?: Readonly<Partial<Record<DrivenTier, SandboxDriver>>> | undefined;
}

/**
 * Runs sandboxed tools: works out what each may do, and has the driver of its tier do that.
 *
 * @param options - Drivers for tiers that the framework has none for; default none.
 * @example
 * ```ts
 * import { createSandbox, security } from "@bailiwick/security";
 *
 * export const ports = { ...security(), sandbox: createSandbox() };
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): SandboxPort {
  const driver = (tier: SandboxPolicy): Promise<SandboxDriver> => {
    const driven = demandDriven(tier);
    const own = options.drivers?.[driven];
    return own === undefined ? driverOf(driven) : Promise.resolve(own);
  };
  return {
    async resolve({ trustClass, entry, config, saidBy }) {
      const { rights, notes } = grantedRights(config, trustClass, saidBy);
      const tier = await driver(config.tier);
      const limits = limitsOf(config, { timeoutMs: 0 });
      await tier.check(rights, limits);
      const { moduleHash } = await tier.register(entry, limits);
      return { moduleHash, notes };
    },
    async execute(call) {
      const { config, entry, moduleHash, input, signal } = call;
      const { rights } = grantedRights(config, call.trustClass, call.saidBy);
      const tier = await driver(config.tier);
      return tier.run({
        entry,
        moduleHash,
        input,
        context: boxContext(call),
        hostCalls: contextCalls(call, rights),
        rights,
        limits: limitsOf(config, call),
        signal,
      });
    },
    async spawn({ config, trustClass, saidBy, command, args, cwd, signal }) {
      const { rights } = grantedRights(config, trustClass, saidBy);
      const tier = await driver(config.tier);
      if (tier.spawn === undefined) {
        throw new SandboxUnavailable(config.tier, "it runs modules, not programs", `Use "os".`);
      }
      const limits = limitsOf(config, { timeoutMs: 0 });
      await tier.check(rights, limits);
      return tier.spawn({ command, args, cwd, signal, rights, limits });
    },
  };
}

/** The limits of a call: its own time, never longer than its sandbox's. */
export function limitsOf(config: SandboxConfig, { timeoutMs }: Pick<SandboxCall, "timeoutMs">): BoxLimits {
  const most = config.timeout ?? defaultLimits.timeoutMs;
  return {
    timeoutMs: timeoutMs === 0 ? most : Math.min(most, timeoutMs),
    memoryMB: config.maxMemoryMB ?? defaultLimits.memoryMB,
    outputBytes: defaultLimits.outputBytes,
  };
}

function demandDriven(tier: SandboxPolicy): DrivenTier {
  if (tier !== "none") return tier;
  throw new SandboxUnavailable("none", "it is no sandbox", `Ask for "wasm", "process", "os" or "remote".`);
}
