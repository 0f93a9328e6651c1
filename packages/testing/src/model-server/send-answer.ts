import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ScriptFaults } from "../script/script-faults.ts";
import { frameEvent, streamType } from "./frames.ts";
import type { JsonObject } from "./json.ts";
import type { Wire, WireEvent } from "./wire.ts";
import type { WireError } from "./wire-error.ts";

/** An answer on its way to the client. */
export interface Sending {
  readonly response: ServerResponse;
  /** Headers that every answer of the vendor has. */
  headers: Readonly<Record<string, string>>;
  /** Aborted when the client disconnects or the server closes. */
  readonly gone: AbortSignal;
  /** Waits for a number of milliseconds; returns at once if the client disconnects. */
  wait(ms: number | undefined): Promise<void>;
  /** Sends nothing until the client disconnects. */
  hang(): Promise<void>;
  /** Breaks the connection. */
  cut(): void;
}

/**
 * Follows an answer until its connection closes.
 *
 * @param response - The HTTP response.
 * @param closing - Aborted when the server closes.
 * @param onAbort - Called if the client disconnected, not if this side closed the connection.
 */
export function openSending(response: ServerResponse, closing: AbortSignal, onAbort: () => void): Sending {
  const controller = new AbortController();
  let cutHere = false;
  const stop = (): void => controller.abort();
  closing.addEventListener("abort", stop, { once: true });
  response.once("close", () => {
    closing.removeEventListener("abort", stop);
    if (!response.writableFinished && !cutHere && !closing.aborted) onAbort();
    controller.abort();
  });
  const gone = controller.signal;
  return {
    response,
    headers: {},
    gone,
    async wait(ms) {
      if (ms === undefined || gone.aborted) return;
      await delay(ms, undefined, { signal: gone }).catch(() => undefined);
    },
    async hang() {
      if (!gone.aborted) await once(gone, "abort");
    },
    cut() {
      cutHere = true;
      response.destroy();
    },
  };
}

/** Sends an error in the vendor's shape. */
export function sendError(sending: Sending, wire: Wire, error: WireError): void {
  const { status, headers, body } = wire.errorResponse(error);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  sending.response.writeHead(status, {
    "content-type": typeof body !== "string" ? "application/json" : body.startsWith("<") ? "text/html" : "text/plain",
    ...sending.headers,
    ...headers,
  });
  sending.response.end(text);
}

/** Sends a JSON answer, cut short if its faults say so. */
export async function sendJson(sending: Sending, body: JsonObject, faults: ScriptFaults): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body), "utf8");
  sending.response.writeHead(200, {
    "content-type": "application/json",
    "content-length": String(bytes.length),
    ...sending.headers,
  });
  await writeBytes(sending, bytes, faults.cutAfterBytes);
  if (!sending.gone.aborted) sending.response.end();
}

/** Sends a stream, with the waits, cuts and hangs of its faults. */
export async function sendEvents(
  sending: Sending,
  wire: Wire,
  events: readonly WireEvent[],
  faults: ScriptFaults,
): Promise<void> {
  sending.response.writeHead(200, {
    "content-type": streamType(wire.name),
    "cache-control": "no-cache",
    ...sending.headers,
  });
  sending.response.flushHeaders();
  let left = faults.cutAfterBytes;
  for (const [index, event] of events.entries()) {
    if (index === faults.cutAfterEvents) return cutSoon(sending);
    if (index === faults.hangAfterEvents) return sending.hang();
    await sending.wait(faults.delayPerEventMs);
    if (sending.gone.aborted) return;
    const bytes = Buffer.from(frameEvent(wire.name, event), "utf8");
    await writeBytes(sending, bytes, left);
    if (left !== undefined) left -= bytes.length;
    if (sending.gone.aborted || (left !== undefined && left <= 0)) return;
  }
  if (faults.hangAfterEvents !== undefined) return sending.hang();
  if (faults.cutAfterEvents !== undefined) return cutSoon(sending);
  sending.response.end();
}

async function writeBytes(sending: Sending, bytes: Buffer, limit: number | undefined): Promise<void> {
  const cut = limit !== undefined && limit <= bytes.length;
  const more = sending.response.write(cut ? bytes.subarray(0, limit) : bytes);
  if (!more && !sending.gone.aborted)
    await once(sending.response, "drain", { signal: sending.gone }).catch(() => undefined);
  if (cut) await cutSoon(sending);
}

/**
 * Breaks the connection after the written bytes have left, so that the client gets exactly the events before the cut.
 */
async function cutSoon(sending: Sending): Promise<void> {
  const { response, gone } = sending;
  while (!gone.aborted && (response.socket?.writableLength ?? 0) > 0) await sending.wait(1);
  await sending.wait(5);
  sending.cut();
}
