import { spawn } from "node:child_process";
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { lookup } from "node:dns";
import { lookup as lookupLater } from "node:dns/promises";
import { get, request } from "node:https";
import { connect } from "node:net";
import { setImmediate as nodeImmediate, setTimeout as nodeTimeout } from "node:timers";
import { scheduler, setInterval as everyLater, setTimeout as later } from "node:timers/promises";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { Agent } from "@bailiwick/agent";
import { component, receiver, simulate, simulatedModel, simulation } from "@bailiwick/testing/simulation";
import { guardedFetch } from "@bailiwick/security/net";
import { expect, test } from "vitest";
import { payTool, paying } from "./payments.test.helper.ts";

const clock = receiver("https://clock.example", {
  "GET /time": () => ({ now: Date.now() }),
  "POST /echo": ({ text, headers }) => ({ text, type: headers["content-type"] }),
});

/** Calls a function in a worker of a simulation, in each play, and returns its results. */
async function inSimulation<Result>(call: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  const tool = payTool(async () => {
    results.push(await call());
    return "ok";
  });
  const model = simulatedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "pay", arguments: { invoice: "1" } }] },
  );
  await simulate(paying(tool, { receivers: [clock], work: ["Go."] }, { model }), { seeds: 0, single: false });
  return results;
}

const elapsed = async (wait: () => Promise<unknown>): Promise<number> => {
  const began = Date.now();
  await wait();
  return Date.now() - began;
};
const minute = 60_000;
const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));

test.each<[string, () => Promise<unknown>, number]>([
  ["setTimeout", () => new Promise((resolve) => void setTimeout(resolve, minute)), minute],
  ["node:timers", () => new Promise((resolve) => void nodeTimeout(resolve, minute)), minute],
  ["node:timers/promises", () => later(minute), minute],
  ["an interval of node:timers/promises", async () => everyLater(minute).next(), minute],
  ["scheduler.wait", () => scheduler.wait(minute), minute],
  ["promisify(setTimeout)", () => promisify(setTimeout)(minute), minute],
  ["AbortSignal.timeout", () => aborted(AbortSignal.timeout(minute)), minute],
  ["setImmediate", () => new Promise((resolve) => void setImmediate(resolve)), 0],
  ["setImmediate of node:timers", () => new Promise((resolve) => void nodeImmediate(resolve)), 0],
  ["crypto.subtle", () => crypto.subtle.digest("SHA-256", new Uint8Array(100_000)), 0],
])("%s takes virtual time in a simulated process [simulation.routing]", async (_, wait, ms) => {
  const times = await inSimulation(() => elapsed(wait));
  expect(times.length).toBeGreaterThan(1);
  expect(new Set(times)).toEqual(new Set([ms]));
});

test("an interval fires until it is cleared, and a timer that is cleared does not fire [simulation.routing]", async () => {
  const counts = await inSimulation(async () => {
    let count = 0;
    const interval = setInterval(() => (count += 1), 1_000);
    const never = setTimeout(() => (count += 100), 2_000);
    clearTimeout(never);
    await later(3_500);
    clearInterval(interval);
    await later(3_500);
    return count;
  });
  expect(new Set(counts)).toEqual(new Set([3]));
});

test("time and random values of a simulated process are the same in each play, and the platform's outside [simulation.routing]", async () => {
  const values = await inSimulation(async () =>
    JSON.stringify([
      Date.now(),
      new Date().toISOString(),
      performance.now(),
      Math.random(),
      crypto.randomUUID(),
      randomUUID(),
      randomInt(1_000_000),
      randomBytes(8).toString("hex"),
      [...crypto.getRandomValues(new Uint8Array(8))],
    ]),
  );
  expect(new Set(values).size).toBe(1);
  expect(values[0]).toContain("2026-01-01T");
  expect(new Date() instanceof Date && new Date().constructor === Date).toBe(true);
  expect(Math.random()).not.toBe(Math.random());
  expect(Math.abs(Date.now() - new Date().getTime())).toBeLessThan(60_000);
});

test("fetch, node:https and the guarded fetch reach the receivers, whose hosts have public addresses [simulation.routing]", async () => {
  const call = async (): Promise<unknown> => {
    const body = JSON.stringify({ a: 1 });
    const echo = await fetch("https://clock.example/echo", { method: "POST", body });
    const guarded = await guardedFetch()("https://clock.example/time");
    const native = await new Promise<number | undefined>((resolve, reject) => {
      get("https://clock.example/time", (answer) => resolve(answer.statusCode)).on("error", reject);
    });
    const posted = await new Promise<string>((resolve, reject) => {
      const sent = request("https://clock.example/echo", { method: "POST" }, (answer) => {
        answer.on("data", (chunk: Uint8Array) => resolve(Buffer.from(chunk).toString()));
      });
      sent.on("error", reject);
      sent.end("hello");
    });
    const missing = await fetch("https://clock.example/nothing");
    const address = await promisify(lookup)("clock.example");
    return [
      await echo.json(),
      guarded.status,
      native,
      JSON.parse(posted),
      missing.status,
      address,
      await lookupLater("clock.example"),
    ];
  };
  const [result] = await inSimulation(call);
  const address = { address: "93.184.215.14", family: 4 };
  expect(result).toMatchObject([{ text: '{"a":1}' }, 200, 200, { text: "hello" }, 404, address.address, address]);
});

test.each<[string, () => unknown, string]>([
  ["a host without a receiver", () => fetch("https://elsewhere.example/"), 'Add receiver("https://elsewhere.example"'],
  ["a lookup of another host", () => lookupLater("elsewhere.example"), 'Add receiver("https://elsewhere.example"'],
  ["a socket", () => connect(5432, "127.0.0.1"), "fetch: (...given) => fetch(...given)"],
  ["a child process", () => spawn("true"), "component(name, object)"],
  ["a worker thread", () => new Worker("1", { eval: true }), "thread: false"],
])("%s is refused with the call and the remedy [simulation.escapes]", async (_, call, remedy) => {
  await expect(inSimulation(async () => call())).rejects.toMatchObject({
    code: "SIMULATION_ESCAPE",
    message: expect.stringContaining(remedy) as string,
  });
});

test("each method of a component is a choice point, and an object made by a function begins again in each play", async () => {
  const counter = component("counter", () => {
    let count = 0;
    return { next: async () => (count += 1) };
  });
  const counts = await inSimulation(() => counter.next());
  expect(new Set(counts)).toEqual(new Set([1]));
  expect(await counter.next()).toBe(1);
  const tool = payTool(async () => String(await counter.next()));
  const { broken, warnings } = await simulate(paying(tool), { history: "w1/counter.next#1=lost" });
  expect([broken, warnings]).toEqual([[], []]);
});

test("what simulated processes print is a part of the history, and not of the report [simulation.routing]", async () => {
  const printed: unknown[] = [];
  const { log } = console;
  console.log = (...given: readonly unknown[]) => void printed.push(given);
  try {
    await inSimulation(async () => console.info("inside"));
  } finally {
    console.log = log;
  }
  expect(printed).toEqual([]);
});

test("without a worker the web process runs the agent, and repeats the call until the run ends", async () => {
  const model = simulatedModel(() => "Done.");
  const served = simulation({
    app: ({ store }) => ({ agents: [new Agent({ name: "a", model, store, leaseMs: 3_000 })] }),
    work: ["One.", "Two."],
  });
  const { broken, text } = await simulate(served, { seeds: 30, single: false });
  expect(broken, text).toEqual([]);
});
