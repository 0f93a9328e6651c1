import type { MessagePort } from "node:worker_threads";

import type { SandboxOutcome, FromSandbox, ToSandbox } from "../messages.ts";
import { freshInstance } from "./instance.ts";
import type { SandboxInstance } from "./instance.ts";
import { runTask } from "./run-task.ts";
import type { TaskHost } from "./run-task.ts";
import { atTime, liveInUtc } from "./still-clock.ts";

/**
 * Runs tasks one after another, each in its own interpreter. The next interpreter is created after a task ends, so that
 * no task waits for it.
 *
 * @param port - To the host, which sends a task when the last one is settled.
 * @param interpreter - The compiled interpreter.
 */
export function serveTasks(port: MessagePort, interpreter: object): void {
  liveInUtc();
  let ready: Promise<SandboxInstance> | undefined;
  const say = (message: FromSandbox): void => port.postMessage(message);

  const instanceFor = async (memoryMB: number): Promise<SandboxInstance> => {
    const made = await ready;
    ready = undefined;
    return made?.memoryMB === memoryMB ? made : freshInstance(interpreter, memoryMB);
  };

  const settle = async ({ nonce, task, bounds }: ToSandbox): Promise<void> => {
    const host: TaskHost = {
      tell: (name, args) => say({ nonce, kind: "tell", name, args }),
      exceeded: () => say({ nonce, kind: "settled", outcome: { kind: "output" } }),
    };
    let outcome: SandboxOutcome;
    try {
      const instance = await instanceFor(bounds.memoryMB);
      outcome =
        task.kind === "program"
          ? atTime(task.now, () => runTask(instance, task, bounds, host))
          : runTask(instance, task, bounds, host);
    } catch (error) {
      outcome = { kind: "ended", how: error instanceof Error ? error.message : String(error) };
    }
    say({ nonce, kind: "settled", outcome });
    ready ??= freshInstance(interpreter, bounds.memoryMB);
    // The task that needs it reports the error.
    ready.catch(() => undefined);
  };

  port.on("message", (message: ToSandbox) => void settle(message));
}
