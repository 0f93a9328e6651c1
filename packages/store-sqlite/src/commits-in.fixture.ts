import { readFileSync } from "node:fs";

/** Number of transactions in a write-ahead log: the last frame of each one has the size of the file after it. */
export function commitsIn(log: string): number {
  const bytes = readFileSync(log);
  const pageSize = bytes.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= bytes.length; frame += 24 + pageSize)
    if (bytes.readUInt32BE(frame + 4) !== 0) commits += 1;
  return commits;
}
