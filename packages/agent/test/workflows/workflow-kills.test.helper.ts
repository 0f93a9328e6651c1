import { tool, type RunStore, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect } from "vitest";
import { z } from "zod";
import { attempt, loop, map, parallel, pipeline, route, type Composition } from "../../src/compose.ts";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";
import { drawn } from "../../../testing/src/drawn-cells.fixture.ts";

const never = new Promise<never>(() => undefined);

/** The receiver of effects: it ignores a key that it has seen. */
type Received = Map<string, string>;

/** A process that may die: nothing that it does afterwards reaches the store or the receiver. */
interface Process {
  isDead: boolean;
  /** Settles when it dies. */
  readonly died: Promise<void>;
  readonly die: () => Promise<never>;
}

function processOf(): Process {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  const made: Process = {
    isDead: false,
    died: promise,
    die: () => {
      made.isDead = true;
      resolve();
      return never;
    },
  };
  return made;
}

/** The store as a process sees it, which dies before or after a record is stored. */
function seenBy(process: Process, store: RunStore, kill: Kill["at"], count: (appends: number) => void): RunStore {
  let appends = 0;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: readonly unknown[]): unknown => {
        if (process.isDead) return never;
        if (name === "append") count((appends += 1));
        const isNow = kill !== undefined && name === "append" && appends === kill.append;
        if (isNow && kill.isBefore) return process.die();
        const result: unknown = Reflect.apply(member, target, given);
        return isNow ? Promise.resolve(result).then(process.die) : result;
      };
    },
  });
}

interface Place {
  readonly store: RunStore;
  readonly process: Process;
  readonly received: Received;
  /** Dies inside a writer: after its effect. */
  readonly inWriter?: boolean | undefined;
  /** Dies inside a function. */
  readonly inFunction?: boolean | undefined;
}

function partsOf({ store, process, received, inWriter, inFunction }: Place) {
  const own = { logger: quiet, store, flow: "off" } as const;
  const writer = (name: string): Tool<{ text: string }, { text: string }> =>
    tool({
      name,
      description: "Writes a text.",
      inputSchema: z.object({ text: z.string() }),
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      execute: ({ text }, { idempotencyKey = "" }) => {
        received.set(idempotencyKey, `${name} ${text}`);
        return inWriter === true ? process.die() : { text: `${text}.` };
      },
    });
  const compute = (given: unknown): { text: string } | Promise<never> =>
    inFunction === true ? process.die() : { text: typeof given === "string" ? given : JSON.stringify(given) };
  const note = writer("note");
  const clerk = new Agent({
    ...own,
    name: "clerk",
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Noted." : { toolCalls: [{ name: "note", arguments: { text: "by the clerk" } }] },
    ),
    tools: [note],
  });
  return { own, save: writer("save"), compute, clerk };
}

const fails = (): never => {
  throw new Error("no");
};
const asText = (value: unknown): { text: string } => ({ text: JSON.stringify(value) });

/** A workflow of each function, with each kind of node. */
const flows: Readonly<Record<string, (place: Place) => Composition>> = {
  pipeline: (place) => {
    const { own, save, compute, clerk } = partsOf(place);
    return pipeline(own, compute, save, clerk, asText, pipeline({ ...own, name: "inner" }, asText, save));
  },
  parallel: (place) => {
    const { own, save, compute, clerk } = partsOf(place);
    return parallel(own, { compute, clerk, saved: pipeline({ ...own, name: "inner" }, compute, save) });
  },
  map: (place) => {
    const { own, save } = partsOf(place);
    return map({ ...own, items: (text) => [{ text: `${text}1` }, { text: `${text}2` }] }, save);
  },
  route: (place) => {
    const { own, save, compute, clerk } = partsOf(place);
    return route(
      { ...own, choose: () => "yes" },
      { yes: pipeline({ ...own, name: "inner" }, compute, save), no: clerk },
    );
  },
  loop: (place) => {
    const { own, save } = partsOf(place);
    const round = pipeline({ ...own, name: "inner" }, asText, save);
    return loop({ ...own, until: () => false, maxRounds: 2 }, round);
  },
  attempt: (place) => {
    const { own, save, clerk } = partsOf(place);
    return attempt(own, { try: fails, catch: pipeline({ ...own, name: "inner" }, asText, save), finally: clerk });
  },
};

/** The moment at which a process dies. */
interface Kill extends Pick<Place, "inWriter" | "inFunction"> {
  readonly at?: { readonly append: number; readonly isBefore: boolean };
}

/** Runs a workflow, kills its process, and continues it in another one. Returns its answer and its effects. */
async function play(make: (place: Place) => Composition, store: RunStore, kill: Kill) {
  const received: Received = new Map();
  const first = processOf();
  let appends = 0;
  const dying = seenBy(first, store, kill.at, (count) => (appends = count));
  const { runId, result } = make({ store: dying, process: first, received, ...kill }).stream("go", { detached: true });
  const effects = (): readonly string[] => [...received.values()].toSorted();
  const ended = await Promise.race([result, first.died]);
  if (ended !== undefined) return { appends, end: { text: ended.text, effects: effects() } };
  const second = make({ store, process: processOf(), received });
  const output =
    (await store.getRun(runId)) === undefined
      ? await second.run("go")
      : await second.resume(runId, [], { formerIsGone: true });
  return { appends, end: { text: output.text, effects: effects() } };
}

/**
 * A case for each function of workflows: each node is interrupted before, in and after it.
 *
 * @param storeOf - Makes an empty store.
 * @param of - How many kills one drawn kill stands for.
 */
export function workflowKills(
  storeOf: () => RunStore | Promise<RunStore>,
  of: number,
): readonly { readonly name: string; readonly run: () => Promise<void> }[] {
  return Object.entries(flows).map(([name, make]) => ({
    name: `a process that dies before, in or after a node of ${name} repeats no effect, and the run ends as without it [composition.kills]`,
    run: async () => {
      const whole = await play(make, await storeOf(), {});
      const kills: readonly Kill[] = [
        { inWriter: true },
        { inFunction: true },
        ...Array.from({ length: whole.appends }, (_, index) =>
          [true, false].map((isBefore) => ({ at: { append: index + 1, isBefore } })),
        ).flat(),
      ];
      for (const kill of drawn(kills, (one) => `${name} ${JSON.stringify(one)}`, of)) {
        const { end } = await play(make, await storeOf(), kill);
        expect([kill, end]).toEqual([kill, whole.end]);
      }
    },
  }));
}
