import type { Sealer } from "../contracts/ports/security.ts";
import { SealKeyMissingError } from "../errors/configuration-errors.ts";
import { readPlain, writePlain } from "./plain-values.ts";

/** A value that only the holder of the key can read. */
export interface SealedValue {
  readonly $sealed: string;
}

/** The place that a sealed value belongs to, such as a record of a run: moved elsewhere it does not open. */
export type Place = readonly [kind: string, ...identity: readonly (string | number | null)[]];

/** True if a value is sealed. */
export function isSealed(value: unknown): value is SealedValue {
  if (typeof value !== "object" || value === null) return false;
  const { $sealed } = value as Partial<SealedValue>;
  return typeof $sealed === "string" && Object.keys(value).length === 1;
}

/** Seals any value that a store may be given; without a sealer it is given back as it is. */
export async function sealValue(value: unknown, sealer: Sealer | undefined, place: Place): Promise<unknown> {
  return sealer === undefined ? value : sealer.seal(writePlain(value), JSON.stringify(place));
}

/**
 * Opens what `sealValue` made; a value from before there was a key is given back as it is.
 *
 * @param place - What it was sealed for.
 * @param what - What it is, as the first words of the error.
 * @throws SealKeyMissingError when it is sealed and there is no key; what `open` throws when the key is another one.
 */
export async function openValue(
  value: unknown,
  sealer: Sealer | undefined,
  place: Place,
  what: string,
): Promise<unknown> {
  if (!isSealed(value)) return value;
  if (sealer === undefined) throw noKeyFor(what);
  return readPlain(await sealer.open(value, JSON.stringify(place)));
}

/** The error of whoever meets a sealed value without a key. Nothing was changed: with the key it can be read. */
export function noKeyFor(what: string, runId?: string): SealKeyMissingError {
  return new SealKeyMissingError(
    `${what} is sealed, and this agent has no key to open it. Give Agent({ keys: { seal } }) the key that it was sealed with. Nothing was changed.`,
    { runId },
  );
}
