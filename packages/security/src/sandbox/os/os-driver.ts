import { registerModule } from "../channel/registered-module.ts";
import { unchangedModule } from "../read-module.ts";
import { runCall } from "../channel/run-call.ts";
import type { SandboxDriver } from "../driver.ts";
import type { SandboxRights } from "../rights.ts";
import { SandboxUnavailableError } from "../sandbox-errors.ts";
import { hostEntryProblem } from "../../net/index.ts";
import { userOf } from "./sandbox-user.ts";
import { sandboxPool } from "./sandbox-pool.ts";
import type { SandboxPool } from "./sandbox-pool.ts";
import { grantedMounts } from "./granted-paths.ts";
import { machine } from "./machine.ts";
import { startProgram } from "./program-sandbox.ts";
import { kindOf } from "./tool-sandbox.ts";

/**
 * The tier for third-party code on Linux: bubblewrap, a filter of system calls, and limits that the kernel enforces.
 *
 * @param pool - Pool of its sandboxes.
 */
export function osDriver(pool: SandboxPool = sandboxPool()): SandboxDriver {
  return {
    tier: "os",
    async check(rights) {
      demandHosts(rights);
      const { users } = await machine();
      if (rights.files !== "all") userOf(users, grantedMounts(rights.files));
    },
    register: async (entry) => ({ moduleHash: await registerModule(entry) }),
    async run(job) {
      job.signal.throwIfAborted();
      await unchangedModule(job.entry, job.moduleHash);
      return runCall("os", await pool.take(kindOf(job)), job);
    },
    spawn: startProgram,
  };
}

/** A name that no host can have would silently grant nothing. */
function demandHosts({ network }: SandboxRights): void {
  if (network === "none" || network === "all") return;
  for (const name of network) {
    const problem = hostEntryProblem(name);
    if (problem === undefined) continue;
    throw new SandboxUnavailableError(
      "os",
      `its allowNetwork names "${name}", which ${problem}`,
      "Name hosts, not URLs.",
    );
  }
}
