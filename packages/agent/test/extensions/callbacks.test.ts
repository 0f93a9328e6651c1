import { eventBus, memoryStore, readJournal, type EventBus, type RunOptions } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { counter, listeningLogger, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", keep));
afterAll(() => void process.off("unhandledRejection", keep));

/** Lets unhandled rejections surface. */
const settleRejections = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

const reject = (): never => Promise.reject(new Error("late")) as never;

test.each<[string, (bus: EventBus) => RunOptions]>([
  ["eventBus.on", (bus) => (bus.on("tool.call", reject), {})],
  ["eventBus.once", (bus) => (bus.once("tool.call", reject), {})],
  ["onStart", () => ({ onStart: reject })],
  ["onComplete", () => ({ onComplete: reject })],
  ["onToken", () => ({ onToken: reject })],
  ["onToken.onDone", () => ({ onToken: { onToolExecutionStart: reject, onDone: reject } })],
])(
  "a rejected promise of %s is logged and changes nothing [hooks.one-call] [hooks.one-call.unawaited]",
  async (_name, prepare) => {
    const logger = listeningLogger();
    const bus = eventBus({ logger });
    const options = prepare(bus);
    const { write, ran } = counter();
    const agent = new Agent({
      name: "agent",
      logger,
      eventBus: bus,
      flow: "off",
      model: scriptedModel([writeCall(), "Done."]),
      tools: [write],
    });
    const output = await agent.run("go", options);
    await settleRejections();
    expect([output.text, ran]).toEqual(["Done.", ["a"]]);
    expect(unhandled).toEqual([]);
    expect(logger.lines.filter((line) => line.includes("failed")).length).toBeGreaterThan(0);
  },
);

test("a logger that throws or rejects does not fail the run [hooks.one-call.logger]", async () => {
  const bad = (): never => {
    throw new Error("disk full");
  };
  for (const level of [bad, reject]) {
    const logger = { debug: level, info: level, warn: level, error: level };
    const agent = new Agent({ name: "agent", logger, model: scriptedModel(["Done."]), hooks: { beforeRun: bad } });
    expect((await agent.run("go", { verbose: true })).text).toBe("Done.");
  }
  await settleRejections();
  expect(unhandled).toEqual([]);
});

/** Overwrites everything that can be reached in a value. */
function scribble(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > 12) return;
  for (const key of Reflect.ownKeys(value)) {
    let member: unknown;
    try {
      member = Reflect.get(value, key);
    } catch {
      continue;
    }
    if (typeof member === "string") Reflect.set(value, key, `scribbled ${member.length}`);
    else if (typeof member !== "function") scribble(member, depth + 1);
  }
}

test("an observer that edits its event changes neither the arguments of the tool nor those that the approver sees [events.copies]", async () => {
  const store = memoryStore();
  const seen: unknown[] = [];
  const bus = eventBus();
  for (const name of ["run.start", "tool.call", "model.result", "tool.approval.requested", "tool.result"] as const)
    bus.on(name, (data) => scribble(data));
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    eventBus: bus,
    store,
    flow: "off",
    model: scriptedModel([writeCall("card 4711"), "Done."]),
    tools: [write],
    hooks: { onToolCall: (_ctx, _name, args) => scribble(args), afterRun: (_ctx, output) => scribble(output) },
    loopHooks: { beforeLLMCall: (messages) => scribble(messages) },
    prepareStep: ({ messages }) => scribble(messages),
    approval: {
      onApproval: (request) => {
        seen.push(structuredClone(request.args));
        scribble(request);
        return { approved: true };
      },
    },
  });
  const handle = agent.stream("go", {
    onToken: (_name, event) => scribble(event),
    onComplete: (_name, out) => scribble(out),
  });
  for await (const event of handle) scribble(event);
  const output = await handle.result;
  expect(ran).toEqual(["card 4711"]);
  expect(seen).toEqual([{ line: "card 4711" }]);
  expect(output.messages[0]?.content).toBe("go");
  const events = await readJournal(store, handle.runId, { hasher: defaultHasher() });
  expect(JSON.stringify(events)).not.toContain("scribbled");
  expect(JSON.stringify(output)).not.toContain("scribbled");
  scribble(events);
  scribble(output);
  expect(JSON.stringify(await readJournal(store, handle.runId, { hasher: defaultHasher() }))).not.toContain(
    "scribbled",
  );
});
