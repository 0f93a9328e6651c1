import { readFileSync } from "node:fs";

/** How many transactions a write-ahead log holds: the last frame of each says how large the file is after it. */
export function commitsIn(log: string): number {
  const bytes = readFileSync(log);
  const pageSize = bytes.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= bytes.length; frame += 24 + pageSize)
    if (bytes.readUInt32BE(frame + 4) !== 0) commits += 1;
  return commits;
}
