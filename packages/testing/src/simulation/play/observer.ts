import type { JournalEvent, StoredRun } from "@bailiwick/core";
import type { OpenCall } from "../components/effects.ts";
import type { StoreCallDone } from "../components/store-component.ts";
import type { FormerWrite, TakenLease } from "../checker/recorded-history.ts";
import type { World } from "../world/world.ts";
import { observeLeases } from "./lease-observer.ts";

/** Facts that the simulator learns from the calls that a store executed. */
export interface Observer {
  readonly onDone: (call: StoreCallDone) => void;
  /** Calls that a process has begun, without an outcome that this process stored. */
  readonly openCalls: (process: string) => readonly OpenCall[];
  /** Tells a batch of records in words. */
  readonly storyOf: (events: readonly JournalEvent[]) => string;
  readonly takenLeases: readonly TakenLease[];
  readonly formerWrites: readonly FormerWrite[];
  /** The run that has this one inside a call. */
  readonly parentOf: (runId: string) => string | undefined;
}

const isFailing: ReadonlySet<string> = new Set(["failed", "stopped", "cancelled"]);

/** Observes the store of a world. */
export function observe(world: World): Observer {
  const parents = new Map<string, string>();
  const inputs = new Map<string, string>();
  const calls = new Map<string, OpenCall>();
  const open = new Map<string, Map<string, OpenCall>>();

  const nameOf = (runId: string): string => {
    const input = inputs.get(runId);
    return input === undefined ? `run ${runId.slice(0, 8)}` : `the run of ${JSON.stringify(input)}`;
  };

  const leases = observeLeases(world, nameOf, (runId) => parents.has(runId));

  const record = (process: string, event: JournalEvent): void => {
    if (event.type === "run.start" && event.parent !== undefined) parents.set(event.runId, event.parent.runId);
    if (event.type === "tool.call")
      calls.set(`${event.runId} ${event.toolCallId}`, {
        runId: event.runId,
        toolCallId: event.toolCallId,
        toolName: event.toolName,
        args: event.args,
      });
    if (event.type === "tool.intent") {
      const key = `${event.runId} ${event.toolCallId}`;
      const { runId, toolCallId, toolName } = event;
      const own = open.get(process) ?? new Map<string, OpenCall>();
      open.set(process, own.set(key, calls.get(key) ?? { runId, toolCallId, toolName, args: undefined }));
    }
    if (event.type === "tool.outcome") open.get(process)?.delete(`${event.runId} ${event.toolCallId}`);
    if (event.type === "run.end" && isFailing.has(event.status) && !parents.has(event.runId))
      world.tell(
        process,
        `ends ${nameOf(event.runId)} as ${event.status}${event.error === undefined ? "" : `: ${event.error.code}`}.`,
      );
  };

  const onDone = (call: StoreCallDone): void => {
    const { process, operation, args, answer } = call;
    if (operation === "create") {
      const { run, created } = answer as { readonly run: StoredRun; readonly created: boolean };
      if (run.parent !== undefined) parents.set(run.id, run.parent.runId);
      if (created) inputs.set(run.id, inputText(run.input));
    }
    leases.onDone(call);
    if (operation === "append") for (const event of args[1] as readonly JournalEvent[]) record(process, event);
  };

  return {
    onDone,
    openCalls: (process) => [...(open.get(process)?.values() ?? [])],
    takenLeases: leases.takenLeases,
    formerWrites: leases.formerWrites,
    parentOf: (runId) => parents.get(runId),
    storyOf: (events) => {
      const intent = events.findLast((event) => event.type === "tool.intent");
      if (intent === undefined) return events.map(({ type }) => type).join(", ");
      const call = calls.get(`${intent.runId} ${intent.toolCallId}`);
      const args = events.find((event) => event.type === "tool.call" && event.toolCallId === intent.toolCallId);
      const given = call?.args ?? (args?.type === "tool.call" ? args.args : undefined);
      return `tool.intent of "${[intent.toolName, ...leavesOf(given)].join(" ")}"`;
    },
  };
}

/** The texts and numbers in a value. */
export function leavesOf(value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** The text of a run's input. */
export function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.map((one) => inputText(one)).join(" ");
  if (typeof input !== "object" || input === null) return "";
  const { text, content, input: inner, messages } = input as Readonly<Record<string, unknown>>;
  return inputText(text ?? content ?? inner ?? messages ?? "");
}
