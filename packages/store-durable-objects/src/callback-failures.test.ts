import { createAgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { driveDue } from "@bailiwick/worker";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { storeObject, type StoreObjectOptions } from "./index.ts";
import { fakeState } from "./object-state.fixture.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => {
  process.off("unhandledRejection", keep);
  logged.mockRestore();
});

const boom = (): never => {
  throw new Error("boom");
};
const never = (): Promise<never> => new Promise(() => undefined);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** An object with a member that throws when it is read. */
const trap = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: boom });

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "never settles": never,
  "returns nonsense": () => 7,
  "returns nothing": () => undefined,
  "returns a then that throws": () => trap("then"),
};

async function unhandledRejections(): Promise<readonly unknown[]> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return unhandled.splice(0);
}

/** An object with a run that is due, and what its functions have to leave alone. */
async function dueObject(options: StoreObjectOptions) {
  const state = fakeState("tenant-1");
  const object = storeObject(state, options);
  const add = (id: string) =>
    object.store.create({ id, agentId: "gone", definitionHash: "d", sessionId: id, input: "" });
  await add("r1");
  return { state, object, add };
}

/** Each function of the options: one without a row does not compile. */
const rows: { readonly [Name in keyof Required<StoreObjectOptions>]: (bad: never) => StoreObjectOptions } = {
  drive: (drive) => ({ drive, onError: () => undefined }),
  onError: (onError) => ({ drive: boom, onError }),
};

test.each(
  Object.entries(rows).flatMap(([name, made]) =>
    Object.entries(behaviours).map(([how, bad]) => [name, how, made, bad] as const),
  ),
)(
  "%s of an object that %s keeps the runs, and the alarm fires again [hooks.one-call.unawaited]",
  async (name, how, made, bad) => {
    const { state, object, add } = await dueObject(made(bad as never));
    logged.mockClear();
    const rung = object.alarm();
    if (name === "drive" && how === "never settles") {
      // The host bounds the time of an alarm. Until then, a run that becomes due gets a separate round.
      let rounds = 0;
      const { object: held } = await dueObject({
        drive: (store) => {
          rounds += 1;
          return rounds === 1 ? never() : driveDue({ agents: [agent], store, logger: quiet });
        },
      });
      const agent = createAgentRuntime({
        name: "clerk",
        model: scriptedModel(["Done."]),
        store: held.store,
        logger: quiet,
      });
      void held.alarm();
      const { runId } = await agent.enqueue("hello");
      await expect.poll(async () => (await held.store.getRun(runId))?.state).toBe("completed");
    } else {
      await rung;
      expect((await object.store.getRun("r1"))?.state).toBe("queued");
      expect(state.alarms.at(-1)).toBeGreaterThan(Date.now() - 1_000);
    }
    // An error that the listener could not take is in the log.
    if (name === "onError" && /throws|rejects/u.test(how) && !how.includes("then"))
      expect(logged.mock.calls.flat().map(String)).toEqual(["Error: boom", expect.stringContaining("boom")]);
    await add("r3");
    expect(await unhandledRejections()).toEqual([]);
  },
);

test("a value that is not a function is refused when it is given", () => {
  for (const name of Object.keys(rows))
    expect(() => storeObject(fakeState("tenant-1"), { [name]: 7 as never })).toThrow(`a function as "${name}"`);
});
