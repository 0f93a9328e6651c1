import type { SandboxedChild, SandboxExit } from "@bailiwick/core";
import { ReadBuffer, SdkError, SdkErrorCode, serializeMessage } from "@modelcontextprotocol/client";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { lastWordsOf } from "./last-words.ts";

/** Time for a server to end by itself after its input is closed, in milliseconds. */
const graceMs = 1_000;
/**
 * Time to wait for the rest of its error stream after it has ended, in milliseconds: another process may hold the
 * stream.
 */
const wordsMs = 10_000;

/** A connection to a server in a process, sandboxed or not. */
export interface StdioTransport extends Transport {
  /** The way in which the process ended, with the end of its error stream; settles after its end. */
  readonly ended: Promise<SandboxExit & { readonly lastWords: string }>;
  /** Both names stand for a process; the client negotiates versions accordingly. */
  readonly stderr: null;
  readonly pid: null;
}

/** Speaks the protocol with a process over its standard streams, one message per line. */
export function stdioTransport(child: SandboxedChild): StdioTransport {
  const words = lastWordsOf(child.errors);
  const encoder = new TextEncoder();
  let isClosed = false;
  let closing: Promise<void> | undefined;
  const ended = child.exited.then(async (exit) => {
    await settled(words.done, wordsMs);
    return { ...exit, lastWords: words.text() };
  });
  const close = async (): Promise<void> => {
    child.closeInput();
    if ((await settled(child.exited, graceMs)) === undefined) await child.kill();
    await ended;
    onClosed();
  };
  const onClosed = (): void => {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  };
  const transport: StdioTransport = {
    ended,
    stderr: null,
    pid: null,
    start: async () => {
      void read(child.output, transport).then(onClosed);
      void child.exited.then(onClosed);
    },
    send: (message: JSONRPCMessage) =>
      isClosed
        ? Promise.reject(new SdkError(SdkErrorCode.NotConnected, "The server's process has ended."))
        : child.write(encoder.encode(serializeMessage(message))),
    close: () => (closing ??= close()),
  };
  return transport;
}

async function read(output: AsyncIterable<Uint8Array>, transport: Transport): Promise<void> {
  const buffer = new ReadBuffer();
  try {
    for await (const bytes of output) {
      buffer.append(Buffer.from(bytes));
      takeMessages(buffer, transport);
    }
  } catch (error) {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

/** A line that is not a message is reported and skipped: some servers print log lines to their output. */
function takeMessages(buffer: ReadBuffer, transport: Transport): void {
  for (;;) {
    let message: JSONRPCMessage | null;
    try {
      message = buffer.readMessage();
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      continue;
    }
    if (message === null) return;
    transport.onmessage?.(message);
  }
}

/** The value of a promise, or `undefined` if it takes longer. */
async function settled<T>(promise: Promise<T>, ms: number): Promise<T | true | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise.then((value) => value ?? true), late]);
  } finally {
    clearTimeout(timer);
  }
}
