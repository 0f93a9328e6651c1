import type { BoxUser } from "./box-user.ts";
import type { FilteredMachine } from "./seccomp/system-calls.ts";

/** What this machine has for sandboxes; found out by trying it. */
export interface Machine {
  readonly bubblewrap: string;
  readonly prlimit: string;
  readonly architecture: FilteredMachine;
  /** As whom boxes may run, the best first. */
  readonly users: readonly BoxUser[];
  /** True if a sandbox may have a `/proc` of its own; some containers forbid that. */
  readonly hasProc: boolean;
  /** What the programs inside are linked with. */
  readonly libraries: readonly string[];
}
