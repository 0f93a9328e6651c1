import { setTimeout } from "node:timers/promises";
import type { Desk } from "../desk.ts";
import { oneLine } from "../one-line.ts";

/** How often runs are looked for that nobody drives, in milliseconds. */
const everyMs = 2_000;

/**
 * Goes on with runs whose process died, and with those that became ready while nobody looked, until it is stopped. A run
 * is free once its dead process' lease has expired, half a minute after its last sign of life.
 *
 * @param desk - Open.
 * @param signal - Stops it; a run in hand is finished first.
 */
export async function keepRecovering({ agent }: Pick<Desk, "agent">, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await agent.recover({ signal });
    } catch (error) {
      console.error(`Recovery failed: ${oneLine(error)}`);
    }
    await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
