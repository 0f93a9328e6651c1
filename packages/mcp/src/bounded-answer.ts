/** Maximum size of one message of a server, in bytes; the protocol's client has the same limit over stdio. */
const maxBytes = 10 * 1024 * 1024;

/**
 * The answer of a server with a limit on its size: a whole body, or each event of a stream. A longer one fails where it
 * is read, and the connection ends, so that a server cannot fill this process's memory.
 *
 * @param response - The answer.
 * @param origin - The server, for the error.
 */
export function boundedAnswer(response: Response, origin: string): Response {
  const { body, status, statusText, headers } = response;
  if (!(body instanceof ReadableStream)) return response;
  const isStream = (headers.get("content-type") ?? "").startsWith("text/event-stream");
  const bounded = (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
    bounds(origin, isStream ? afterLastEvent() : undefined),
  );
  return new Response(bounded, { status, statusText, headers: [...headers] });
}

function bounds(
  origin: string,
  openEventOf: ((bytes: Uint8Array) => number | undefined) | undefined,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      length = openEventOf?.(bytes) ?? length + bytes.length;
      if (length <= maxBytes) controller.enqueue(bytes);
      else throw new Error(`${origin} sent a message of more than ${maxBytes / 1024 / 1024} MiB`);
    },
  });
}

/** Returns the number of bytes in a piece after its last complete event; `undefined` if it completes none. */
function afterLastEvent(): (bytes: Uint8Array) => number | undefined {
  /** True if the open line is empty so far: its end completes an event. */
  let isEmpty = false;
  return (bytes) => {
    let after: number | undefined;
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      if (isEmpty && isBlank(bytes.subarray(start, end))) after = bytes.length - end - 1;
      isEmpty = true;
      start = end + 1;
    }
    isEmpty &&= isBlank(bytes.subarray(start));
    return after;
  };
}

/** True for no bytes, and for the first half of a line end. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.length === 0 || (bytes.length === 1 && bytes[0] === 13);
}
