import { StoreError, type JournalEvent, type RunStore } from "@bailiwick/core";
import type { Component } from "../world/component.ts";
import { exchange } from "../world/exchange.ts";
import type { SimulatedProcess } from "../world/simulated-process.ts";
import type { World } from "../world/world.ts";

/** A call that a store has executed. */
export interface StoreCallDone {
  readonly process: string;
  readonly operation: string;
  readonly args: readonly unknown[];
  readonly answer: unknown;
}

/** Parts of a store that are stores themselves. */
const parts: ReadonlySet<string> = new Set(["ledger", "sessions", "memories", "outbox"]);
const notifications: ReadonlySet<string> = new Set(["subscribe", "onReady"]);
const writes =
  /^(?:create|append|release|signal|requeue|putBlob|ledger\.(?:reserve|put|release)|outbox\.(?:add|take|settle)|sessions\.(?:append|writeState|branch|edit|import))$/;
/** Types of records, the most telling first: a point is named after the first one that its batch has. */
const telling = [
  "run.end",
  "run.suspended",
  "tool.intent",
  "tool.outcome",
  "tool.approval.decided",
  "tool.result",
  "model.result",
  "tool.approval.requested",
  "signal.taken",
  "model.intent",
  "run.start",
  "run.resumed",
] as const;

/** Values that the views of a store share. */
export interface StoreSide {
  readonly world: World;
  readonly store: RunStore;
  readonly component: Component;
  /** Called when the store has executed a call. */
  readonly onDone: (call: StoreCallDone) => void;
  /** Tells an append in words. */
  readonly storyOf: (events: readonly JournalEvent[]) => string;
}

/**
 * The store as one process sees it: each call is an exchange, and each notification a choice point.
 *
 * @param side - The store.
 * @param process - The process that calls it.
 */
export function storeView(side: StoreSide, process: SimulatedProcess): RunStore {
  const { world, store, component } = side;
  const views = new Map<string, object>();

  const view = (target: object, prefix: string): object => {
    const methods = new Map<string, unknown>();
    return new Proxy(target, {
      get(_, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof property === "symbol") return value;
        if (prefix === "" && parts.has(property) && typeof value === "object" && value !== null) {
          const part = views.get(property) ?? view(value, `${property}.`);
          views.set(property, part);
          return part;
        }
        if (typeof value !== "function") return value;
        const known = methods.get(property);
        if (known !== undefined) return known;
        const method = (...given: readonly unknown[]): unknown => Reflect.apply(value, target, given);
        const made = property === "close" ? () => Promise.resolve() : callOf(`${prefix}${property}`, method);
        methods.set(property, made);
        return made;
      },
    });
  };

  const callOf = (operation: string, method: (...given: readonly unknown[]) => unknown) => {
    if (notifications.has(operation)) return listening(operation, method);
    return (...args: readonly unknown[]): Promise<unknown> => {
      const isWrite = writes.test(operation);
      return exchange(world, process, component, {
        operation,
        detail: detailOf(operation, args),
        work: async () => {
          const answer = await method(...args);
          side.onDone({ process: process.name, operation, args, answer });
          return answer;
        },
        refuse: () =>
          new StoreError(
            "STORE_UNREACHABLE",
            `The store "${store.name}" cannot be reached. Try again when it answers.`,
          ),
        ...(isWrite && {
          full: () =>
            new StoreError("STORE_FULL", `The store "${store.name}" has no free space. Free some, and resume the run.`),
        }),
        story: () =>
          operation === "append" ? `commits ${side.storyOf(args[1] as readonly JournalEvent[])}` : undefined,
      });
    };
  };

  const listening =
    (operation: string, method: (...given: readonly unknown[]) => unknown) =>
    (...given: readonly unknown[]): (() => void) => {
      const callback = given.at(-1) as () => void;
      const base = `${process.name}/${component.name}.${operation}`;
      const notify = (): void => {
        if (process.isDead || world.isOver) return;
        const point = `${base}#${world.count(base)}`;
        const fault = process.isReliable ? undefined : world.faultAt(point, ["lostWakeUp"]);
        if (fault !== undefined) {
          world.log(process.name, `${point}=lostWakeUp`);
          world.tell(process.name, "gets no notification of the store.");
          return;
        }
        world.schedule(process, world.way(point, "back"), "answer", point, callback);
      };
      return method(...given.slice(0, -1), notify) as () => void;
    };

  return view(store, "") as RunStore;
}

/** The detail of a point's name: what a batch of records is about, or the state after a release. */
function detailOf(operation: string, args: readonly unknown[]): string | undefined {
  if (operation === "append") {
    const types = new Set((args[1] as readonly JournalEvent[]).map(({ type }) => type));
    return telling.find((type) => types.has(type)) ?? [...types][0];
  }
  if (operation === "release") return (args[1] as { readonly state?: string } | undefined)?.state;
  if (operation === "signal") return (args[1] as { readonly name?: string } | undefined)?.name;
  return undefined;
}
