import type { SandboxThread } from "./sandbox-thread.ts";
import { startThread } from "./sandbox-thread.ts";
import { interpreter } from "./interpreter.ts";

/** Maximum number of busy threads; more tasks wait for one. */
const mostAtWork = 16;
/** Threads that are kept for the next task. */
const mostIdle = 4;

const idle: SandboxThread[] = [];
const waiting: (() => void)[] = [];
let atWork = 0;

/**
 * Lends a thread for a task. The thread is kept for the next task, unless `use` reports that it is no longer usable.
 *
 * @param use - Gives the thread back when it settles.
 * @throws SandboxUnavailableError if there are no threads.
 */
export async function withThread<Result>(
  use: (thread: SandboxThread, spend: () => void) => Promise<Result>,
): Promise<Result> {
  while (atWork >= mostAtWork) await new Promise<void>((resolve) => waiting.push(resolve));
  atWork += 1;
  let thread: SandboxThread | undefined;
  let isSpent = false;
  const spend = (): void => {
    if (isSpent) return;
    isSpent = true;
    thread?.kill();
  };
  try {
    thread = idle.pop() ?? startThread(await interpreter());
    return await use(thread, spend);
  } catch (error) {
    // After any error, the next task gets another thread.
    spend();
    throw error;
  } finally {
    atWork -= 1;
    if (!isSpent && thread !== undefined) {
      if (idle.length < mostIdle) idle.push(thread);
      else thread.kill();
    }
    waiting.shift()?.();
  }
}
