import { bytesBody } from "../streams/bytes-body.ts";
import { CassetteError } from "./cassette-error.ts";
import type { RecordedAnswer, RecordedCall } from "./cassette-file.ts";
import type { Scrubber } from "./scrubber.ts";

/** A request that came to a cassette. */
export interface Call {
  readonly kept: RecordedCall;
  readonly signal: AbortSignal | undefined;
}

/** Statuses whose answers have no body. */
const bodiless = new Set([204, 205, 304]);

/**
 * The recorded form of a request.
 *
 * @param given - Arguments of `fetch`.
 * @param scrubber - Removes secrets, and learns those of this request.
 * @throws CassetteError `CASSETTE_UNSUPPORTED` for a body that is neither text nor bytes.
 */
export function readCall([input, init]: Parameters<typeof globalThis.fetch>, scrubber: Scrubber): Call {
  if (input instanceof Request) {
    throw unsupported("a Request object: give fetch a URL and its options");
  }
  const url = new URL(input);
  const headers = new Headers(init?.headers);
  scrubber.learn(url, headers);
  const body = textOfBody(init?.body);
  return {
    kept: {
      method: init?.method ?? "GET",
      url: scrubber.url(url),
      headers: scrubber.headers(headers),
      ...(body === undefined ? {} : { body: parsed(scrubber.text(body)) }),
    },
    signal: init?.signal ?? undefined,
  };
}

/**
 * The recorded form of an answer.
 *
 * @param answer - Its status and headers.
 * @param bytes - Its whole body.
 * @param scrubber - Removes secrets.
 */
export function keepAnswer(answer: Response, bytes: Uint8Array, scrubber: Scrubber): RecordedAnswer {
  const common = { status: answer.status, headers: scrubber.headers(answer.headers) };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ...common, base64: Buffer.from(bytes).toString("base64") };
  }
  const body = parsed(scrubber.text(text));
  return typeof body === "string" ? { ...common, lines: body.split("\n") } : { ...common, json: body };
}

/**
 * An answer as `fetch` returns it. An event stream arrives event by event.
 *
 * @param kept - The recorded answer.
 * @param bytes - Its original body, if available.
 */
export function playAnswer(kept: RecordedAnswer, bytes: Uint8Array = bytesOf(kept)): Response {
  const { status, headers } = kept;
  const body = bodiless.has(status) ? null : bytesBody(eventsOf(bytes));
  return new Response(body, { status, headers: { ...headers } });
}

function bytesOf({ json, lines, base64 }: RecordedAnswer): Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  return new TextEncoder().encode(lines === undefined ? JSON.stringify(json) : lines.join("\n"));
}

/** The bytes up to each empty line, where an event of a stream ends. */
function eventsOf(bytes: Uint8Array): readonly Uint8Array[] {
  const events: Uint8Array[] = [];
  let from = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    const before = bytes[at - 1] === 13 ? bytes[at - 2] : bytes[at - 1];
    if (bytes[at] !== 10 || before !== 10) continue;
    events.push(bytes.subarray(from, at + 1));
    from = at + 1;
  }
  return [...events, bytes.subarray(from)];
}

function textOfBody(body: NonNullable<Parameters<typeof globalThis.fetch>[1]>["body"]): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  if (body instanceof URLSearchParams) return body.toString();
  throw unsupported(`a request body of the kind ${body.constructor.name}: send text or bytes`);
}

/** JSON as a value, anything else as text. A bare JSON string or number stays text too. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : text;
  } catch {
    return text;
  }
}

function unsupported(what: string): CassetteError {
  return new CassetteError("CASSETTE_UNSUPPORTED", `A cassette cannot keep ${what}.`);
}
