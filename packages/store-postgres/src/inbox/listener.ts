import type { PostgresConnection, PostgresPool } from "../connection/postgres-pool.ts";
import { asking } from "../connection/statements.ts";

/** The events to listen for. */
export interface ListenerSettings {
  readonly pool: PostgresPool;
  readonly channel: string;
  /** A notice that the listener sends to itself: a listener is only relied on after it receives it. */
  readonly probe: string;
  readonly hear: (notice: string) => void;
  /** Called once notices are received. */
  readonly ready: () => void;
}

/** A connection that receives notices, for its lifetime. */
export interface Listener {
  /** True while notices arrive. */
  readonly hears: boolean;
  /** Begins to listen if nothing listens yet. */
  start(): void;
  /** A connection that is still being made is closed when it is ready. */
  close(): void;
}

const longestMs = 10_000;

interface Notification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

function isNotification(given: unknown): given is Notification {
  return typeof given === "object" && given !== null && "channel" in given;
}

/** Listens on a connection of the pool, which it keeps. */
export function createListener({ pool, channel, probe, hear, ready }: ListenerSettings): Listener {
  let connection: PostgresConnection | undefined;
  let starting: Promise<void> | undefined;
  let hears = false;
  let closed = false;

  function lose(lost: PostgresConnection): void {
    if (connection !== lost) return;
    connection = undefined;
    hears = false;
    lost.removeListener("notification", onNotification);
    // Its state is unknown to the next user.
    lost.release(true);
  }

  function onNotification(given: unknown): void {
    if (!isNotification(given) || given.channel !== channel || given.payload === undefined) return;
    const { payload } = given;
    if (payload !== probe) return hear(payload);
    if (hears) return;
    hears = true;
    ready();
  }

  async function open(): Promise<void> {
    const opened = await pool.connect();
    connection = opened;
    opened.on("error", () => lose(opened));
    opened.on("notification", onNotification);
    try {
      const ask = asking(opened, longestMs);
      await ask(`LISTEN "${channel}"`);
      await ask("SELECT pg_notify($1, $2)", [channel, probe]);
    } catch {
      lose(opened);
    }
    if (closed) lose(opened);
    // It waits forever, and does not keep the process alive.
    else (opened as { readonly unref?: () => void }).unref?.();
  }

  return {
    get hears() {
      return hears;
    },
    start() {
      if (closed || starting !== undefined || connection !== undefined) return;
      starting = open()
        .catch(() => undefined)
        .finally(() => (starting = undefined));
    },
    close() {
      closed = true;
      if (connection !== undefined) lose(connection);
    },
  };
}
