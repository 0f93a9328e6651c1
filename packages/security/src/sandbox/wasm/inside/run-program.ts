import type { QuickJSHandle } from "quickjs-emscripten-core";
import type { SandboxBounds, SandboxOutcome, SandboxTask, RecordedCall } from "../messages.ts";
import { programSource } from "./guest-code.ts";
import { guestError, ofGuestError } from "./guest-error.ts";
import type { GuestError } from "./guest-error.ts";
import type { SandboxInstance } from "./instance.ts";

type ProgramTask = Extract<SandboxTask, { readonly kind: "program" }>;

/** Progress of a program since the last check. */
interface Progress {
  readonly calls: readonly { readonly name: string; readonly args: string }[];
  readonly outcome?: { readonly ok: boolean; readonly json?: string; readonly error?: GuestError };
  readonly logs: readonly string[];
}

/**
 * Runs a program from its top: earlier calls are answered as before, step by step, until it ends or makes new calls.
 * New calls are made even if the program does not await them.
 */
export function runProgram(instance: SandboxInstance, task: ProgramTask, bounds: SandboxBounds): SandboxOutcome {
  const { context } = instance;
  const names = JSON.stringify(task.tools.map((name) => [name, identifierOf(name)]));
  const make = context.unwrapResult(context.evalCode(`${programSource}(${names}, ${task.seed})`, "sandbox"));
  const compiled = context.evalCode(`(async (tools, console) => {${task.source}\n})`, "program.js", { strict: true });
  if (compiled.error !== undefined) return ofGuestError(guestError(instance, compiled.error));
  const say = (name: string, ...args: QuickJSHandle[]): QuickJSHandle =>
    context.unwrapResult(context.callFunction(context.getProp(make, name), make, ...args));
  say("start", compiled.value);
  for (let at = 0; ; at += 1) {
    const progress = advance(instance, bounds, () => say("take"));
    if ("kind" in progress) return progress;
    const step = task.steps[at];
    if (step === undefined) return ofProgress(progress);
    if (!isSame(progress.calls, step)) {
      return { kind: "ended", how: "run again with the same results, it did something else than before" };
    }
    say("settle", context.newString(JSON.stringify(step.map(({ result }) => result))));
  }
}

/** Runs all pending jobs, and reads the state. */
function advance(
  instance: SandboxInstance,
  bounds: SandboxBounds,
  take: () => QuickJSHandle,
): Progress | SandboxOutcome {
  const { context, runtime } = instance;
  const jobs = runtime.executePendingJobs();
  if (jobs.error !== undefined) return ofGuestError(guestError(instance, jobs.error));
  const said = take();
  const length = context.getProp(said, "length").consume((handle) => context.getNumber(handle));
  if (length > bounds.outputBytes) return { kind: "output" };
  return JSON.parse(context.getString(said)) as Progress;
}

function ofProgress({ calls, outcome, logs }: Progress): SandboxOutcome {
  if (calls.length > 0) return { kind: "calls", calls };
  if (outcome === undefined) return { kind: "ended", how: "it waits for a promise that nothing can settle" };
  if (outcome.ok) return { kind: "value", json: outcome.json, logs };
  const ended = ofGuestError(outcome.error ?? { name: "Error", message: "" });
  return ended.kind === "threw" ? { ...ended, logs } : ended;
}

function isSame(made: Progress["calls"], recorded: readonly RecordedCall[]): boolean {
  return (
    made.length === recorded.length &&
    made.every(({ name, args }, at) => recorded[at]?.name === name && sameJson(args, recorded[at].args))
  );
}

/** The name of a tool, as a program can write it after a dot. */
function identifierOf(name: string): string {
  const written = name.replaceAll(/[^A-Za-z0-9_$]/gu, "_");
  return /^[0-9]/u.test(written) ? `_${written}` : written;
}

/**
 * True if two JSON texts are equal, in any order of their keys. A record has no halves of surrogate pairs, which a
 * program makes if it cuts a text inside an emoji.
 */
function sameJson(left: string, right: string): boolean {
  return left === right || ordered(left) === ordered(right);
}

function ordered(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
    if (typeof value === "string") return value.toWellFormed();
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
      : value;
  });
}
