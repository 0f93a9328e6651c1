import type { Integrity, MemoryLabel, Readers } from "@bailiwick/core";

/** Best first. */
const order: readonly Integrity[] = ["system", "user", "verified", "untrusted"];

/** True if `one` is untrusted and `other` is not. */
export function isDoubted(one: Integrity, other: Integrity): boolean {
  return one === "untrusted" && other !== "untrusted";
}

/**
 * [memory.labels.summary] A summary has the lowest integrity of its sources, and is visible to people who may see all of
 * them.
 */
export function joinLabels(labels: readonly [MemoryLabel, ...MemoryLabel[]]): MemoryLabel {
  return labels.reduce((one, other) => ({
    integrity: order.indexOf(other.integrity) > order.indexOf(one.integrity) ? other.integrity : one.integrity,
    readers: commonReaders(one.readers, other.readers),
  }));
}

function commonReaders(one: Readers, other: Readers): Readers {
  if (one === "public") return other;
  if (other === "public") return one;
  return one.filter((reader) => other.includes(reader));
}
