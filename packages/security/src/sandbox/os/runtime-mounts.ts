import { fs } from "../node.ts";
import type { Mount } from "./granted-paths.ts";
import type { Machine } from "./machine-facts.ts";

/** Node, `prlimit` and their shared libraries, each at its own path, and no other files. */
export function runtimeMounts({ prlimit, libraries }: Pick<Machine, "prlimit" | "libraries">): readonly Mount[] {
  return [process.execPath, prlimit, ...libraries].map((target) => ({
    source: fs.realpathSync(target),
    target,
    writable: false,
  }));
}
