import { fs } from "../node.ts";
import type { Mount } from "./granted-paths.ts";
import type { Machine } from "./machine-facts.ts";

/** Node, `prlimit` and what they are linked with, each where its own name says, and nothing beside them. */
export function runtimeMounts({ prlimit, libraries }: Pick<Machine, "prlimit" | "libraries">): readonly Mount[] {
  return [process.execPath, prlimit, ...libraries].map((target) => ({
    source: fs.realpathSync(target),
    target,
    writable: false,
  }));
}
