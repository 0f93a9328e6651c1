import type { SandboxUser } from "./sandbox-user.ts";
import type { FilteredMachine } from "./seccomp/system-calls.ts";

/** Sandbox features of this machine, found by trying them. */
export interface Machine {
  readonly bubblewrap: string;
  readonly prlimit: string;
  readonly architecture: FilteredMachine;
  /** The users that sandboxes may run as, best first. */
  readonly users: readonly SandboxUser[];
  /** True if a sandbox may have a separate `/proc`; some containers forbid that. */
  readonly hasProc: boolean;
  /** Libraries that the programs inside are linked with. */
  readonly libraries: readonly string[];
}
