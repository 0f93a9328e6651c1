import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import type { LocalAnswer } from "./local-server.fixture.ts";

/**
 * Binary frames of an AWS event stream, as Amazon Bedrock answers `converse-stream`
 * (https://smithy.io/2.0/aws/amazon-eventstream.html).
 *
 * @param events - Kind and payload of each frame; a kind that ends in `Exception` is an exception frame.
 */
export function eventStream(...events: readonly (readonly [kind: string, payload: unknown])[]): LocalAnswer {
  return { headers: { "content-type": "application/vnd.amazon.eventstream" }, body: events.map(frame) };
}

function frame([kind, payload]: readonly [string, unknown]): Uint8Array {
  const exception = kind.endsWith("Exception");
  const headers = Buffer.concat([
    header(exception ? ":exception-type" : ":event-type", kind),
    header(":content-type", "application/json"),
    header(":message-type", exception ? "exception" : "event"),
  ]);
  const body = Buffer.from(JSON.stringify(payload), "utf8");
  const prelude = Buffer.concat([uint32(16 + headers.length + body.length), uint32(headers.length)]);
  const message = Buffer.concat([prelude, uint32(crc32(prelude)), headers, body]);
  return Buffer.concat([message, uint32(crc32(message))]);
}

/** A header whose value is a string, which is type 7. */
function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
