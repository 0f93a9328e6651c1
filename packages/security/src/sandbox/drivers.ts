import type { DrivenTier, SandboxDriver } from "./driver.ts";
import { SandboxUnavailable } from "./sandbox-errors.ts";

/** A tier, or the other way in which it can be had. */
type DriverName = DrivenTier | "os on macOS";
type Load = () => Promise<SandboxDriver>;

/** How each tier is loaded; nothing of it before it is first used. */
const loaders: Readonly<Partial<Record<DriverName, Load>>> = {
  wasm: async () => (await import("./wasm/wasm-driver.ts")).wasmDriver,
  process: async () => (await import("#machine-drivers")).processDriver(),
  os: async () => (await import("#machine-drivers")).osDriver(),
  "os on macOS": async () => (await import("#machine-drivers")).macosDriver(),
};

const loaded = new Map<DriverName, Promise<SandboxDriver>>();

/**
 * The driver of a tier.
 *
 * @throws SandboxUnavailable where there is none.
 */
export function driverOf(tier: DriverName): Promise<SandboxDriver> {
  const known = loaded.get(tier);
  if (known !== undefined) return known;
  const load = loaders[tier];
  if (load === undefined) {
    return Promise.reject(
      new SandboxUnavailable(
        tier === "os on macOS" ? "os" : tier,
        "no driver for it was given",
        `Give one with security({ sandbox: { drivers } }).`,
      ),
    );
  }
  const driver = load();
  loaded.set(tier, driver);
  // A part that could not be loaded may load the next time.
  driver.catch(() => loaded.delete(tier));
  return driver;
}
