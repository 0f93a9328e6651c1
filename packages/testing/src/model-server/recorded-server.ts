import { checkArgument, ConfigurationError } from "@bailiwick/core";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { frameEvent, streamType } from "./frames.ts";
import { parseJson, parseObject, textOf } from "./json.ts";
import { listen } from "./listen.ts";
import type { ModelServerVendor } from "./model-server.ts";
import { flatHeaders, readBody } from "./read-request.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { openSending, type Sending } from "./send-answer.ts";
import type { ModelServerWire } from "./wire-name.ts";

/** A vendor's recorded answer, and the way to send it. */
export interface Recording {
  /** Wire format of the recorded answer. */
  readonly wire: ModelServerWire;
  /** A recorded stream: one JSON event per line. Sent as the wire frames its events. */
  readonly chunks?: string | undefined;
  /** A recorded JSON body, as text. */
  readonly json?: string | undefined;
  /** HTTP status. Default: 200. */
  readonly status?: number | undefined;
  /** Further response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Offsets in bytes at which the body is split into separate writes. */
  readonly splitAt?: readonly number[] | undefined;
  /** Break the connection after this many events. */
  readonly cutAfterEvent?: number | undefined;
  /** Leave Chat Completions' closing `[DONE]` out, as some servers do. */
  readonly omitDone?: boolean | undefined;
}

/** A running server of recordings. */
export interface RecordedServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Every request that arrived. */
  readonly requests: readonly RecordedRequest[];
  /**
   * The base URL for the vendor's SDK.
   *
   * @param vendor - The vendor whose protocol the SDK speaks.
   */
  baseURL(vendor: ModelServerVendor): string;
  /** Closes the server. */
  close(): Promise<void>;
}

/**
 * The frames of a recorded stream as sent, for counting events and bytes.
 *
 * @param recording - A recording with `chunks`.
 * @throws ConfigurationError `INVALID_OPTION` if it has none, or a line is not JSON.
 * @example
 * ```ts
 * import { recordedFrames } from "@bailiwick/testing/model-server";
 *
 * const frames = recordedFrames({ wire: "anthropic-messages", chunks: '{"type":"ping"}\n' });
 * console.log(frames.length, Buffer.byteLength(frames.join("")));
 * ```
 */
export function recordedFrames(recording: Recording): readonly string[] {
  checkArgument(recording, "object", "recordedFrames({ wire, chunks })");
  const { wire, chunks, omitDone } = recording;
  if (chunks === undefined)
    throw new ConfigurationError(
      "INVALID_OPTION",
      "recordedFrames: the recording has no chunks: give it the text of a recorded stream.",
    );
  const lines = chunks.split("\n").filter((line) => line.trim() !== "");
  const frames = lines.map((line, index) => {
    const event = parseObject(line);
    if (event === undefined)
      throw new ConfigurationError(
        "INVALID_OPTION",
        `recordedFrames: line ${index + 1} is not a JSON object: ${line.slice(0, 80)}`,
      );
    return frameEvent(wire, { event: textOf(event["type"]) || undefined, data: line });
  });
  return wire === "openai-chat" && omitDone !== true ? [...frames, frameEvent(wire, { data: "[DONE]" })] : frames;
}

/**
 * Sends a vendor's recorded answer, byte for byte, to any request.
 *
 * @param recording - The answer to every request, or a function that picks one by the request's index.
 * @throws ConfigurationError `INVALID_OPTION` if a fixed recording has neither chunks nor json, or both.
 * @example
 * ```ts
 * import { recordedServer } from "@bailiwick/testing/model-server";
 *
 * await using server = await recordedServer({ wire: "openai-chat", chunks: '{"choices":[]}\n', splitAt: [3], cutAfterEvent: 1 });
 * console.log(server.baseURL("openai"));
 * ```
 */
export async function recordedServer(recording: Recording | ((index: number) => Recording)): Promise<RecordedServer> {
  if (typeof recording !== "function") {
    checkArgument(recording, "object", "recordedServer({ wire, chunks })");
    bodyOf(recording);
  }
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  const listener = await listen(async (request, response) => {
    const text = await readBody(request);
    const chosen = typeof recording === "function" ? recording(requests.length) : recording;
    const seen = {
      wire: chosen.wire,
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: flatHeaders(request),
      body: parseJson(text),
      text,
      aborted: false,
      refusedBy: undefined,
      failure: undefined,
    };
    requests.push(seen);
    const sending = openSending(response, closing.signal, () => {
      seen.aborted = true;
    });
    await send(sending, response, chosen);
  }, 0);
  const close = async (): Promise<void> => {
    closing.abort();
    await listener.close();
  };
  return {
    url: listener.url,
    requests,
    baseURL: (vendor) => (vendor === "openai" ? `${listener.url}/v1` : listener.url),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function bodyOf(recording: Recording): { readonly text: string; readonly cut: boolean } {
  if ((recording.chunks === undefined) === (recording.json === undefined))
    throw new ConfigurationError("INVALID_OPTION", "recordedServer: a recording has either chunks or json.");
  if (recording.json !== undefined) {
    if (recording.cutAfterEvent !== undefined)
      throw new ConfigurationError(
        "INVALID_OPTION",
        "recordedServer: cutAfterEvent needs chunks: a JSON body has no events.",
      );
    return { text: recording.json, cut: false };
  }
  const frames = recordedFrames(recording);
  return { text: frames.slice(0, recording.cutAfterEvent).join(""), cut: recording.cutAfterEvent !== undefined };
}

async function send(sending: Sending, response: ServerResponse, recording: Recording): Promise<void> {
  const { text, cut } = bodyOf(recording);
  const bytes = Buffer.from(text, "utf8");
  const type = recording.chunks === undefined ? "application/json" : streamType(recording.wire);
  response.writeHead(recording.status ?? 200, { "content-type": type, ...recording.headers });
  response.flushHeaders();
  const offsets = [0, ...(recording.splitAt ?? []), bytes.length];
  for (const [index, from] of offsets.entries()) {
    const to = offsets[index + 1];
    if (to === undefined || sending.gone.aborted) break;
    response.write(bytes.subarray(from, to));
    await nextTurn();
  }
  if (cut) {
    await sending.wait(5);
    sending.cut();
  } else {
    response.end();
  }
}
