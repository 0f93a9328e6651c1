import { lazyPart, checkKnownNames } from "@bailiwick/core/extension";

import type { DoctorOptions } from "./doctor-options.ts";
import type { DoctorReport } from "./report.ts";

const part = lazyPart("The doctor", () => import("#machine-drivers"));

/**
 * Measures the sandboxes of this machine: runs 25 classes of escapes in each tier, against a file, a folder, sockets,
 * a variable and a process that it creates for that, and reports which ones succeeded. Takes some seconds for each
 * tier; memory, time and processes of the probes are bounded.
 *
 * @param options - Tiers and options to check.
 * @returns The enforcement of each tier on this machine, and the gaps in an agent's configuration.
 * @throws BailiwickError `NODE_ONLY` outside Node.
 * @example
 * ```ts
 * import { doctor } from "@bailiwick/security/sandbox";
 *
 * const report = await doctor({ tiers: ["wasm"], agent: { flow: { mode: "enforce" } } });
 * console.log(report.text);
 * ```
 */
export async function doctor(options: DoctorOptions = {}): Promise<DoctorReport> {
  checkKnownNames(options, ["agent", "tiers", "sandbox"], "doctor()");
  return part(({ examine }) => examine(options));
}
