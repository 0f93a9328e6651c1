import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { restateRuns, type RestateOptions } from "./index.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => void process.off("unhandledRejection", keep));

const boom = (): never => {
  throw new Error("boom");
};

/** An object with a member that throws when it is read. */
const trap = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: boom });

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "never settles": () => new Promise(() => undefined),
  "returns nonsense": () => 7,
  "returns nothing": () => undefined,
  "returns a list": () => [],
  "returns a getter that throws": () => trap("ok"),
  "returns a then that throws": () => trap("then"),
};

/** Names of the functions that options take: a function without a row does not compile. */
type FunctionsOf<Options> = {
  [Name in keyof Options]-?: [Extract<NonNullable<Options[Name]>, (...given: never[]) => unknown>] extends [never]
    ? never
    : Name;
}[keyof Options] &
  string;

const covered: Readonly<Record<FunctionsOf<RestateOptions>, true>> = { fetch: true };

type Wake = (options: RestateOptions) => Promise<unknown>;
const setUp = () => {
  const store = memoryStore();
  const agent = createAgentRuntime({ name: "clerk", model: scriptedModel(["Done."]), store });
  return { store, agent };
};

test.each(Object.entries(behaviours))(
  "fetch that %s fails enqueue() and wake() with a typed error, and the run stays stored [hooks.one-call.unawaited]",
  async (how, bad) => {
    const { store, agent } = setUp();
    const options = { agents: [agent], store, ingressUrl: "http://127.0.0.1:1/" };
    const runs = restateRuns({ ...options, fetch: bad as never });
    const calls: readonly Wake[] = [
      () => runs.enqueue(agent, "hello", { idempotencyKey: "k" }),
      async () => runs.wake((await store.listRuns({ agentId: "clerk" }))[0]?.id ?? ""),
      () => runs.wakeDue(),
    ];
    for (const call of calls) {
      if (how === "never settles") vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const outcome = call(options).catch((error: unknown) => error);
      if (how === "never settles") await vi.advanceTimersByTimeAsync(31_000);
      vi.useRealTimers();
      expect(await outcome).toMatchObject({ code: "RESTATE_UNAVAILABLE" });
    }
    expect(await store.listRuns({ agentId: "clerk" })).toMatchObject([{ state: "queued" }]);
    for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  },
);

test("a value that is not a function is refused when it is given", () => {
  const { store, agent } = setUp();
  const options = { agents: [agent], store, ingressUrl: "http://127.0.0.1:1" };
  for (const name of Object.keys(covered))
    expect(() => restateRuns({ ...options, [name]: 7 as never })).toThrow(`"${name}" must be a function`);
});
