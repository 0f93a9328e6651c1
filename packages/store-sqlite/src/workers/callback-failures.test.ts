import { memoryStore } from "@bailiwick/core";
import { deliverWebhook, driveDue, worker, type WebhookOptions, type WorkerOptions } from "@bailiwick/worker";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clerk, quiet, receiver, secret } from "./webhook-world.fixture.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => void process.off("unhandledRejection", keep));

const boom = (): never => {
  throw new Error("boom");
};

/** An object with a member that throws when it is read. */
const trap = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: boom });

/** Overwrites everything that can be reached in a value. */
function scribble(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    scribble(Reflect.get(value, key), seen);
    Reflect.deleteProperty(value, key);
  }
}

const behaviours: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  "throws no error": () => {
    throw "boom";
  },
  rejects: () => Promise.reject(new Error("boom")),
  "never settles": () => new Promise(() => undefined),
  "returns nonsense": () => 7,
  "returns a getter that throws": () => trap("href"),
  "returns a then that throws": () => trap("then"),
};
const cases = Object.entries(behaviours);

/** Names of the functions that options take: a function without a row does not compile. */
type FunctionsOf<Options> = {
  [Name in keyof Options]-?: [Extract<NonNullable<Options[Name]>, (...given: never[]) => unknown>] extends [never]
    ? never
    : Name;
}[keyof Options] &
  string;

async function unhandledRejections(): Promise<readonly unknown[]> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
  return unhandled.splice(0);
}

const ofWorkers: Readonly<Record<FunctionsOf<WorkerOptions>, true>> = { onRun: true };

test.each([...cases, ["overwrites what it gets", (run: unknown) => scribble(run)] as const])(
  "callbacks of a worker that %s stop no run and no process [hooks.one-call.unawaited] [events.copies]",
  async (_, bad) => {
    const failing = Object.fromEntries(Object.keys(ofWorkers).map((name) => [name, bad]));
    for (const drive of ["driveDue", "worker"] as const) {
      const store = memoryStore();
      const agent = clerk(store);
      const { runId } = await agent.enqueue("hello");
      const options = { agents: [agent], store, logger: quiet, ...failing };
      if (drive === "driveDue") await driveDue(options);
      else {
        const one = worker({ ...options, pollMs: 10 });
        await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
        await one.drain();
      }
      expect((await store.getRun(runId))?.state).toBe("completed");
      expect(await unhandledRejections()).toEqual([]);
    }
  },
);

/** Effect of a failing function: the event waits for its next try, or nothing. */
const ofWebhooks: Readonly<Record<FunctionsOf<WebhookOptions>, "retried" | "none">> = {
  url: "retried",
  secret: "retried",
  fetch: "retried",
  onGivenUp: "none",
};

test.each(
  Object.entries(ofWebhooks).flatMap(([name, effect]) => cases.map(([how, bad]) => [name, how, effect, bad] as const)),
)(
  "%s of a webhook that %s loses no event, ends no process, and is logged [hooks.one-call.unawaited] [webhook.failed]",
  async (name, _how, effect, bad) => {
    const store = memoryStore();
    await using target = await receiver(() => (effect === "none" ? 500 : 204));
    const given = { store, secret, url: target.url, allowHosts: [target.host], timeoutMs: 1_000, logger: quiet };
    const warnings: string[] = [];
    const logger = { ...quiet, warn: (text: string) => void warnings.push(text) };
    await deliverWebhook({ ...given, url: "http://127.0.0.1:1/" });
    const agent = clerk(store);
    await agent.run("hello");
    const failed = await deliverWebhook({ ...given, retryMs: effect === "none" ? [] : [60_000], logger, [name]: bad });
    expect(await unhandledRejections()).toEqual([]);
    if (effect === "none") {
      // It was given up: the receiver refused it.
      expect([failed.count, target.received.length]).toEqual([0, 1]);
      return;
    }
    expect([failed.count, target.received.length]).toEqual([1, 0]);
    expect(warnings).toEqual([
      expect.stringMatching(/^The webhook "default" could not deliver "run.completed" of run /),
    ]);
  },
);
