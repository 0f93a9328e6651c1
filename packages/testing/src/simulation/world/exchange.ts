import { inProcess } from "../routing/routed-process.ts";
import type { Component } from "./component.ts";
import type { FaultParts } from "./fault.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

/** One request to a component, and its answer. */
export interface Request<Answer> {
  readonly operation: string;
  readonly detail?: string | undefined;
  /** The work of the other side. */
  readonly work: () => Promise<Answer>;
  /** Makes the error of a connection that failed. */
  readonly refuse: (reason: string) => Error;
  /** Aborts the wait for the answer. */
  readonly signal?: AbortSignal | undefined;
  /** The request in words, for a report: `commits tool.intent of "pay 7"`. */
  readonly story?: (() => string | undefined) | undefined;
  /** Called when the caller gets an error of the connection. */
  readonly onRefused?: (() => void) | undefined;
  /** Makes the error of a full store. */
  readonly full?: (() => Error) | undefined;
}

/** Time after which a lost answer becomes an error of the connection, in milliseconds. */
const lostMs = 5_000;

/**
 * Sends a request from a process to a component. It is a choice point: a fault of the history can hit the request, the
 * answer, or the process.
 */
export function exchange<Answer>(
  world: World,
  from: SimulatedProcess,
  component: Component,
  request: Request<Answer>,
): Promise<Answer> {
  const { operation, detail } = request;
  world.noteCall(`${component.name}.${operation}`);
  if (from.isDead || world.isOver) return new Promise(() => undefined);
  const base = [`${from.name}/${component.name}.${operation}`, ...(detail === undefined ? [] : [detail])].join(" ");
  const point = `${base}#${world.count(base)}`;
  const fault = from.isReliable ? undefined : world.faultAt(point, component.kinds);
  world.log(from.name, fault === undefined ? point : `${point}=${fault.kind}:${fault.ms}`);
  if (fault !== undefined) {
    const story = request.story?.() ?? `calls ${base.slice(from.name.length + 1)}`;
    world.tell(from.name, faultSentence(fault, story, world.leaseMs));
  }
  if (fault?.kind === "die" || fault?.kind === "upgrade") {
    from.onDeath?.(fault.kind);
    return new Promise(() => undefined);
  }
  if (fault?.kind === "clock") from.offsetMs += fault.ms;
  if (fault?.kind === "away") component.awayUntil = Math.max(component.awayUntil, world.time + world.bounded(fault.ms));

  const settled = answered(world, from, component, request, point, fault);
  return request.signal === undefined ? settled : unlessAborted(settled, request.signal);
}

function answered<Answer>(
  world: World,
  from: SimulatedProcess,
  component: Component,
  request: Request<Answer>,
  point: string,
  fault: FaultParts | undefined,
): Promise<Answer> {
  const { side } = component;
  const pending = { process: from, isOut: false };
  // Calls of a store are many and short: the end of a play does not wait for those without a fault.
  if (fault !== undefined || !component.isOrdered) world.pending.add(pending);
  return new Promise<Answer>((resolve, reject) => {
    /** Delivers the answer as an event of the process. */
    const back = (delayMs: number, label: string, settle: () => void): void => {
      world.schedule(from, delayMs, "answer", `${point} ${label}`, () => {
        world.pending.delete(pending);
        settle();
      });
    };
    const refuse = (delayMs: number, reason: string): void =>
      back(delayMs, "refused", () => {
        request.onRefused?.();
        reject(request.refuse(reason));
      });
    const deliver = (label: string, settle: () => void): void => {
      if (fault?.kind === "dieAfter") {
        from.onDeath?.("die");
        return;
      }
      if (fault?.kind === "lost") return refuse(lostMs, "lost");
      const lateMs = fault?.kind === "late" ? world.bounded(fault.ms) : 0;
      back(world.way(point, "back") + lateMs, label, settle);
    };
    const arrive = (): void => {
      pending.isOut = false;
      if (!from.isReliable && component.awayUntil > world.time) return refuse(world.way(point, "back"), "away");
      const full = fault?.kind === "full" ? request.full : undefined;
      if (full !== undefined) return back(world.way(point, "back"), "full", () => reject(full()));
      const working = inProcess(side, request.work);
      if (fault?.kind === "pauseAfter") from.pause(fault.ms);
      working.then(
        (value) => deliver("answers", () => resolve(value)),
        (error: unknown) => deliver("fails", () => reject(error)),
      );
    };
    const leave = (): void => {
      let arrival = world.time + world.way(point, "out");
      if (component.isOrdered) {
        arrival = Math.max(arrival, component.lastArrival.get(from.name) ?? 0);
        component.lastArrival.set(from.name, arrival);
      }
      pending.isOut = true;
      world.schedule(undefined, arrival - world.time, "world", `${point} arrives`, arrive);
    };
    if (fault?.kind === "pause") from.pause(fault.ms);
    // Requests that a process sends in the same turn as a request that waits leave after it.
    if (from.isPaused) world.schedule(from, 0, "request", `${point} leaves`, leave);
    else leave();
  });
}

/** Rejects with the reason of a signal as soon as it aborts. */
function unlessAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) {
      answer.catch(() => undefined);
      return abort();
    }
    signal.addEventListener("abort", abort, { once: true });
    const forget = (): void => signal.removeEventListener("abort", abort);
    answer.then(
      (value) => {
        forget();
        resolve(value);
      },
      (error: unknown) => {
        forget();
        reject(error);
      },
    );
  });
}

/** Tells a fault in a sentence without its subject. */
function faultSentence({ kind, ms }: FaultParts, story: string, leaseMs: number): string {
  const time = seconds(ms);
  switch (kind) {
    case "die":
      return `dies before it ${story}.`;
    case "upgrade":
      return `restarts with other code before it ${story}.`;
    case "dieAfter":
      return `${story}, and dies before the answer arrives.`;
    case "pause":
      return `is paused for ${time} before it ${story} (the lease is ${seconds(leaseMs)}).`;
    case "pauseAfter":
      return `${story}, then is paused for ${time} (the lease is ${seconds(leaseMs)}).`;
    case "late":
      return `${story}, and the answer comes ${time} late (the lease is ${seconds(leaseMs)}).`;
    case "lost":
      return `${story}, and the answer is lost.`;
    case "away":
      return `${story}: no answer, and everything is refused for ${time}.`;
    case "lostWakeUp":
      return `${story}, and the notification is lost.`;
    case "clock":
      return `${story}, and its clock jumps by ${time}.`;
    case "full":
      return `${story}, and the store is full.`;
    default:
      return `${kind}s.`;
  }
}

/** Writes a duration. */
function seconds(ms: number): string {
  const text = (ms / 1_000).toFixed(2).replace(/\.?0+$/, "");
  return `${text} s`;
}
