import type { SandboxExcess } from "@bailiwick/core/extension";
import { fs } from "../node.ts";

/** Interval at which memory is measured, in milliseconds. */
const intervalMs = 250;
const pageBytes = 4096;

/** Limits of all processes of a sandbox together. */
export interface SandboxBounds {
  readonly bytes: number;
  readonly processes: number;
}

/**
 * Ends a sandbox whose processes together exceed the limits: the kernel limits the memory of each process alone, and
 * its limit on their number does not apply to root. Also makes the kernel end them first if the machine runs out of
 * memory.
 *
 * @param first - The first process inside.
 * @param bounds - Limits of all processes together.
 * @param onExcess - Called once, with the limit that was exceeded.
 * @returns Stops watching.
 */
export function watchSandbox(
  first: number,
  bounds: SandboxBounds,
  onExcess: (kind: SandboxExcess["kind"]) => void,
): () => void {
  const marked = new Set<number>();
  const look = (): void => {
    let bytes = 0;
    const family = familyOf(first);
    for (const process of family) {
      bytes += privateBytes(process);
      if (!marked.has(process)) markExpendable(process);
      marked.add(process);
    }
    if (bytes <= bounds.bytes && family.length <= bounds.processes) return;
    clearInterval(timer);
    onExcess(bytes > bounds.bytes ? "memory" : "processes");
  };
  const timer = setInterval(look, intervalMs);
  timer.unref();
  look();
  return () => clearInterval(timer);
}

/** A process and all its descendants: in a sandbox, an orphan becomes a child of the first process. */
function familyOf(first: number): readonly number[] {
  const family = [first];
  for (const process of family) {
    for (const thread of namesIn(`/proc/${process}/task`)) {
      const children = textOf(`/proc/${process}/task/${thread}/children`);
      for (const child of children.split(" ")) if (child !== "") family.push(Number(child));
    }
  }
  return family;
}

/** Pages without a file. */
function privateBytes(process: number): number {
  const [, resident, shared] = textOf(`/proc/${process}/statm`).split(" ").map(Number);
  return Math.max(0, (resident ?? 0) - (shared ?? 0)) * pageBytes;
}

function markExpendable(process: number): void {
  try {
    fs.writeFileSync(`/proc/${process}/oom_score_adj`, "1000");
  } catch {
    // The process has ended in the meantime, or belongs to another user.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
