import { hash } from "node:crypto";

/** The head of a chain after one more record, computed like `chainHash` of the core. */
export function chained(previous: string, text: string): string {
  return hash("sha256", `${previous}\n${text}`, "hex");
}
