import type { QuickJSHandle } from "quickjs-emscripten-core";

import type { SandboxBounds, SandboxOutcome, SandboxTask } from "../messages.ts";
import { callerSource } from "./guest-code.ts";
import { guestError, ofGuestError } from "./guest-error.ts";
import type { GuestError } from "./guest-error.ts";
import type { SandboxInstance } from "./instance.ts";
import { runProgram } from "./run-program.ts";

/** Messages of a running task; it does not wait for an answer. */
export interface TaskHost {
  tell(name: string, args: string): void;
  /** The output is too large: stops waiting for the thread. */
  exceeded(): void;
}

/** The code exceeded its limits and has to be ended. */
class OutputExceeded extends Error {}

/** Size of a message without its text. */
const messageBytes = 1_024;

/**
 * Runs a task to its end. Tasks do no I/O, so a promise that is unsettled when the job queue is empty never settles.
 */
export function runTask(
  instance: SandboxInstance,
  task: SandboxTask,
  bounds: SandboxBounds,
  host: TaskHost,
): SandboxOutcome {
  const meter = outputMeter(bounds.outputBytes, host);
  instance.runtime.setInterruptHandler(() => meter.exceeded);
  try {
    const outcome =
      task.kind === "program" ? runProgram(instance, task, bounds) : runModule(instance, task, meter, host);
    return meter.exceeded ? { kind: "output" } : outcome;
  } catch (error) {
    if (meter.exceeded) return { kind: "output" };
    return ofHostError(instance, error);
  }
}

interface Meter {
  readonly exceeded: boolean;
  /** Throws if this amount exceeds the limit. */
  take(bytes: number): void;
}

function outputMeter(most: number, host: TaskHost): Meter {
  let used = 0;
  return {
    get exceeded() {
      return used > most;
    },
    take(bytes) {
      const before = used;
      used += bytes + messageBytes;
      if (used <= most) return;
      if (before <= most) host.exceeded();
      throw new OutputExceeded();
    },
  };
}

type ModuleTask = Exclude<SandboxTask, { readonly kind: "program" }>;

function runModule(instance: SandboxInstance, task: ModuleTask, meter: Meter, host: TaskHost): SandboxOutcome {
  const { context, runtime } = instance;
  const tell = context.newFunction("tell", (name, args) => {
    meter.take(context.getProp(args, "length").consume((length) => context.getNumber(length)));
    host.tell(context.getString(name), context.getString(args));
  });
  const make = context.unwrapResult(context.evalCode(callerSource, "sandbox"));
  const caller = context.unwrapResult(context.callFunction(make, context.undefined, tell));
  const loaded = context.evalCode(task.source, "tool.js", { type: "module", strict: true });
  if (loaded.error !== undefined) return failed(task, guestError(instance, loaded.error));
  const given = task.kind === "call" ? [task.inputJson, task.contextJson] : [];
  const promise = context.unwrapResult(
    context.callFunction(caller, context.undefined, loaded.value, context.newString(task.export), ...given.map(text)),
  );
  function text(value: string): QuickJSHandle {
    return context.newString(value);
  }
  const jobs = runtime.executePendingJobs();
  if (jobs.error !== undefined) return ofGuestError(guestError(instance, jobs.error));
  const state = context.getPromiseState(promise);
  if (state.type === "pending") return { kind: "ended", how: "it waits for a promise that nothing can settle" };
  if (state.type === "rejected") return ofGuestError(guestError(instance, state.error));
  meter.take(context.getProp(state.value, "length").consume((length) => context.getNumber(length)));
  return ofSaid(task, context.getString(state.value));
}

/** Parses the message of the caller inside. */
function ofSaid(task: ModuleTask, said: string): SandboxOutcome {
  const json = said.slice(1);
  switch (said[0]) {
    case "v":
      return { kind: "value", json, logs: [] };
    case "u":
      return { kind: "value", json: undefined, logs: [] };
    case "m":
      return { kind: "refused", reason: `its export "${task.export}" is not a function but ${json}` };
    default:
      return failed(task, JSON.parse(json) as GuestError);
  }
}

/** A module that fails while it is only examined cannot be registered. */
function failed(task: ModuleTask, error: GuestError): SandboxOutcome {
  const outcome = ofGuestError(error);
  if (task.kind !== "check" || outcome.kind !== "threw") return outcome;
  return { kind: "refused", reason: `${error.name}: ${error.message}` };
}

/** The interpreter itself failed: out of memory, or out of stack. */
function ofHostError({ memory, memoryMB }: SandboxInstance, error: unknown): SandboxOutcome {
  if (memory.buffer.byteLength >= memoryMB * 1024 * 1024 * 0.9) return { kind: "memory" };
  const message = error instanceof Error ? error.message : String(error);
  if (/call stack/u.test(message))
    return { kind: "threw", error: { name: "RangeError", message: "Maximum call stack size exceeded" }, logs: [] };
  return { kind: "ended", how: `its interpreter failed (${message})` };
}
