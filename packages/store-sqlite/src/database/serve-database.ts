import type { CallName, Opened, Reply, Request, ThreadData } from "../thread/messages.ts";
import { openService } from "./open-service.ts";
import type { OpenService } from "./open-service.ts";
import { toRefused } from "./sqlite-failures.ts";

/** Opens the file, reports the result, and answers calls until it is closed. */
export function serveDatabase({ port, name, path, processes, lockTimeoutMs }: ThreadData): void {
  const warnings: string[] = [];
  let service: OpenService;
  try {
    service = openService({ path, processes, lockTimeoutMs, warn: (text) => warnings.push(text) }, name);
  } catch (error) {
    port.postMessage({ failure: toRefused(error, name).failure } satisfies Opened);
    port.close();
    return;
  }
  let replies: Reply[] = [];
  let bytes: ArrayBuffer[] = [];

  /** The replies of one turn are sent together, before the next transaction begins. */
  function reply(given: Reply): void {
    if (replies.length === 0) setImmediate(flush);
    replies.push(given);
    const [, value] = given;
    if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) bytes.push(value.buffer);
  }

  function flush(): void {
    const [batch, transfer] = [replies, bytes];
    replies = [];
    bytes = [];
    port.postMessage(batch, transfer);
    service.tidy();
  }

  async function answer([id, call, args]: Request): Promise<void> {
    try {
      reply([id, call === "close" ? await service.close() : await ask(call, args)]);
    } catch (error) {
      reply([id, undefined, toRefused(error, name).failure]);
    }
    if (call === "close") setImmediate(() => port.close());
  }

  const ask = (call: CallName, args: readonly unknown[]): Promise<unknown> =>
    (service.calls[call] as (...given: readonly unknown[]) => Promise<unknown>)(...args);

  port.on("message", (batch: readonly Request[]) => {
    for (const request of batch) void answer(request);
  });
  port.postMessage({ warnings } satisfies Opened);
}
