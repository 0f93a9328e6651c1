import type { Integrity, Readers } from "../../contracts/label.ts";
import type { ResultLabel } from "../../contracts/tool-flow.ts";
import type { Run } from "../run.ts";

/** Best first. */
const integrities: readonly Integrity[] = ["system", "user", "verified", "untrusted"];

/** Join of two labels of a result: the lower trust, and the common readers. */
export function joinResultLabels(a: ResultLabel | undefined, b: ResultLabel): ResultLabel {
  if (a === undefined) return { integrity: b.integrity, readers: b.readers };
  return { integrity: worse(a.integrity, b.integrity), readers: common(a.readers, b.readers) };
}

/**
 * Label of the data that a call has read besides its arguments: memories, and declared untrusted input of inner runs.
 */
export function readIn(
  { recalled, readInside }: Pick<Run, "recalled" | "readInside">,
  toolCallId: string,
): ResultLabel | undefined {
  return (readInside.get(toolCallId) ?? [])
    .filter(({ integrity, assumed }) => integrity === "untrusted" && assumed !== true)
    .reduce<ResultLabel | undefined>(joinResultLabels, recalled.get(toolCallId));
}

function worse(a: Integrity | undefined, b: Integrity | undefined): Integrity | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return integrities.indexOf(a) >= integrities.indexOf(b) ? a : b;
}

function common(a: Readers | undefined, b: Readers | undefined): Readers | undefined {
  if (a === undefined || a === "public") return b ?? a;
  if (b === undefined || b === "public") return a;
  return a.filter((reader) => b.includes(reader));
}
