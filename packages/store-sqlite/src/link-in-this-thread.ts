import type { OpenService } from "./database/open-service.ts";
import { toRefused } from "./database/sqlite-failures.ts";
import type { DatabaseLink } from "./thread/link.ts";
import { toError } from "./thread/to-error.ts";

/** Makes a link to a file that is open in this thread: calls copy their values, as they do to another thread. */
export function linkInThisThread(service: OpenService, name: string): DatabaseLink {
  let isTidying = false;
  let closing: Promise<void> | undefined;

  /** Deferred work is done after the answers of a turn. */
  function tidyLater(): void {
    if (isTidying) return;
    isTidying = true;
    setImmediate(() => {
      isTidying = false;
      if (closing === undefined) service.tidy();
    });
  }

  async function ask(call: keyof typeof service.calls, args: readonly unknown[]): Promise<unknown> {
    try {
      const method = service.calls[call] as (...given: readonly unknown[]) => Promise<unknown>;
      return structuredClone(await method(...structuredClone(args)));
    } catch (error) {
      throw toError(toRefused(error, name).failure, name);
    } finally {
      tidyLater();
    }
  }

  return {
    name,
    call: ((call: keyof typeof service.calls, ...args: readonly unknown[]) => ask(call, args)) as DatabaseLink["call"],
    close: () => (closing ??= service.close()),
  };
}
