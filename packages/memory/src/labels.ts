import type { Integrity, MemoryLabel, Readers } from "@bailiwick/core";

/** Best first. */
const order: readonly Integrity[] = ["system", "user", "verified", "untrusted"];

/** Whether one is trusted less than another. */
export function isWorse(one: Integrity, other: Integrity): boolean {
  return order.indexOf(one) > order.indexOf(other);
}

/** [memory.labels.summary] What is made of several is trusted like the worst of them, and read by those who may read all. */
export function joinLabels(labels: readonly [MemoryLabel, ...MemoryLabel[]]): MemoryLabel {
  return labels.reduce((one, other) => ({
    integrity: isWorse(other.integrity, one.integrity) ? other.integrity : one.integrity,
    readers: commonReaders(one.readers, other.readers),
  }));
}

function commonReaders(one: Readers, other: Readers): Readers {
  if (one === "public") return other;
  if (other === "public") return one;
  return one.filter((reader) => other.includes(reader));
}
