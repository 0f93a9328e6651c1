import { readPlain, writePlain } from "@bailiwick/core/store";

/** A value as JSON that keeps bytes and big integers. */
export function toText(value: unknown): string {
  return JSON.stringify(writePlain(value));
}

/** Reads a value that `toText` wrote. */
export function fromText<T>(text: string): T {
  return readPlain(JSON.parse(text)) as T;
}
