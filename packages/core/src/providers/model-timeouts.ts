import type { ModelTimeouts } from "../contracts/model-provider.ts";

/** Time limits of a streamed answer whose provider and run set none, in milliseconds. */
export const usualTimeouts: Readonly<Record<keyof ModelTimeouts, number>> = {
  firstChunkMs: 600_000,
  idleChunkMs: 300_000,
};

/** A server on this machine may have to load its model, and computes slowly. */
const ownMachine: Readonly<Record<keyof ModelTimeouts, number>> = { firstChunkMs: 1_800_000, idleChunkMs: 1_800_000 };

/**
 * The time limits of a model behind an address: 10 minutes to the first chunk and 5 minutes between chunks, or 30 minutes
 * for a server on this machine.
 *
 * @param address - Base URL of the server; `undefined` for the vendor's own.
 * @param timeoutMs - The user's limit for the first byte, in milliseconds.
 */
export function modelTimeouts(
  address: string | null | undefined,
  timeoutMs: number | undefined,
): Readonly<Record<keyof ModelTimeouts, number>> {
  const usual = isLoopback(address) ? ownMachine : usualTimeouts;
  return timeoutMs === undefined ? usual : { ...usual, firstChunkMs: timeoutMs };
}

function isLoopback(address: string | null | undefined): boolean {
  if (address === undefined || address === null || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
