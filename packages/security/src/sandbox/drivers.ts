import type * as MachineDrivers from "#machine-drivers";
import { lazyPart } from "@bailiwick/core/extension";
import type { LazyPart } from "@bailiwick/core/extension";

import type { DrivenTier, SandboxDriver } from "./driver.ts";
import { SandboxUnavailableError } from "./sandbox-errors.ts";

/** The drivers of this machine, loaded with their first use. */
export const machine: LazyPart<typeof MachineDrivers> = lazyPart(
  "What runs sandboxes",
  () => import("#machine-drivers"),
);

/** A tier, or its alternative implementation. */
type DriverName = DrivenTier | "os on macOS";
type Load = () => Promise<SandboxDriver>;

/** Loaders of the tiers. */
const loaders: Readonly<Partial<Record<DriverName, Load>>> = {
  wasm: async () => machine(({ wasmDriver }) => wasmDriver()),
  process: async () => machine(({ processDriver }) => processDriver()),
  os: async () => machine(({ osDriver }) => osDriver()),
  "os on macOS": async () => machine(({ macosDriver }) => macosDriver()),
};

const loaded = new Map<DriverName, Promise<SandboxDriver>>();

/**
 * The driver of a tier.
 *
 * @throws SandboxUnavailableError if there is none; PartUnavailableError `PART_UNAVAILABLE` if it cannot be loaded.
 */
export function driverOf(tier: DriverName): Promise<SandboxDriver> {
  const known = loaded.get(tier);
  if (known !== undefined) return known;
  const load = loaders[tier];
  if (load === undefined) {
    return Promise.reject(
      new SandboxUnavailableError(
        tier === "os on macOS" ? "os" : tier,
        "no driver for it was given",
        `Pass one as the agent's second argument: { sandbox: createSandbox({ drivers }) }.`,
      ),
    );
  }
  const driver = load();
  loaded.set(tier, driver);
  // A part that could not be loaded may load the next time.
  driver.catch(() => loaded.delete(tier));
  return driver;
}
