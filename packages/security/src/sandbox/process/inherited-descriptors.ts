import { fs } from "../node.ts";

const closeOnExec = 0o2000000;
let known: readonly number[] | undefined;

/**
 * Inherited descriptors above the standard ones, which this process would pass to its children: Node only marks those
 * that it opened itself. Looked up once.
 */
function inheritedDescriptors(): readonly number[] {
  known ??= readInherited();
  return known;
}

function readInherited(): readonly number[] {
  try {
    return fs
      .readdirSync("/proc/self/fdinfo")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isHandedOn(descriptor));
  } catch {
    return [];
  }
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/mu.exec(fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

/**
 * Adds `/dev/null` for each descriptor of the child that has no other value, so that none is inherited.
 *
 * @param stdio - The child's descriptors, by number.
 * @returns The completed list, and the descriptor to close after the child was started.
 */
export function coverInherited<Entry>(stdio: readonly Entry[]): {
  readonly stdio: readonly (Entry | number | "ignore")[];
  close(): void;
} {
  const rest = inheritedDescriptors().filter((descriptor) => descriptor >= stdio.length);
  if (rest.length === 0) return { stdio, close: () => undefined };
  const nowhere = fs.openSync("/dev/null", "r");
  const covered: (Entry | number | "ignore")[] = [...stdio];
  for (let number = stdio.length; number <= Math.max(...rest); number += 1) {
    covered.push(rest.includes(number) ? nowhere : "ignore");
  }
  return { stdio: covered, close: () => fs.closeSync(nowhere) };
}
