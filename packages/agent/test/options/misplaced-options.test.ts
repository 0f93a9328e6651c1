import { memoryStore, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { pipeline } from "../../src/compose.ts";
import { failureOf, listeningLogger } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const called = (name: string): { toolCalls: { name: string; arguments: object }[] } => ({
  toolCalls: [{ name, arguments: {} }],
});

const look = tool({
  name: "look",
  description: "Looks.",
  inputSchema: z.object({}),
  sideEffectClass: "pure",
  execute: () => "seen",
});

test("an option of a run on an agent is refused with its place, and the other way round", async () => {
  const model = scriptedModel([]);
  for (const name of ["grants", "sessionId", "metadata", "onToken"])
    expect(() => new Agent({ name: "a", model, [name]: [] })).toThrow(
      `"${name}" is not an option of an agent. It is an option of a run: pass it to run() or stream().`,
    );
  for (const name of ["tools", "store", "handoffs"])
    await expect(new Agent({ name: "a", model }).run("go", { [name]: [] })).rejects.toThrow(
      `"${name}" is not an option of a run. It is an option of an agent: pass it to new Agent().`,
    );
});

test.each([[undefined], [5], [{ runId: "r" }], [null]])(
  "a run id that is not a text, %j, is refused by each method",
  async (id) => {
    const agent = new Agent({ name: "a", model: scriptedModel([]) });
    const runId = id as unknown as string;
    const calls: Readonly<Record<string, () => unknown>> = {
      resume: () => agent.resume(runId),
      resumeStream: () => agent.resumeStream(runId).result,
      decide: () => agent.decide(runId, []),
      steer: () => agent.steer(runId, "Hi."),
      followUp: () => agent.followUp(runId, "Hi."),
      cancel: () => agent.cancel(runId),
      interruptions: () => agent.interruptions(runId),
      inspect: () => agent.inspect(runId),
      verifyAudit: () => agent.verifyAudit(runId),
      follow: () => agent.follow(runId).next(),
      fork: () => agent.fork(runId, { atSeq: 1 }),
      replay: () => agent.replay(runId),
      rebuildRequest: () => agent.rebuildRequest(runId, 1),
    };
    for (const [method, call] of Object.entries(calls)) {
      const error = await failureOf(Promise.resolve().then(call));
      expect(error, method).toMatchObject({ code: "INVALID_OPTION" });
      expect((error as Error).message).toContain("The id of a run is a text, such as result.runId");
    }
  },
);

test.each([[5], ["x"], [[]], [() => undefined]])("resume() refuses %j in place of its options", async (wrong) => {
  const store = memoryStore();
  const asks = { ...look, needsApproval: true };
  const agent = new Agent({ name: "a", model: scriptedModel([called("look"), "Done."]), tools: [asks], store });
  const { runId } = await agent.run("go");
  const error = await failureOf(agent.resume(runId, [], wrong as unknown as object));
  expect(error).toMatchObject({ code: "INVALID_OPTION" });
  expect((error as Error).message).toContain("Write resume(runId, decisions, { signal })");
});

test("asTool() refuses a misspelt or an invalid option at once", () => {
  const agent = new Agent({ name: "a", model: scriptedModel([]) });
  const wrong = { nam: "x" } as object;
  expect(() => agent.asTool(wrong)).toThrow('there is no field "nam" (did you mean "name"?)');
  expect(() => pipeline({ name: "p" }, agent).asTool(wrong)).toThrow('there is no field "nam"');
  expect(() => agent.asTool({ name: "two words" })).toThrow("name must be 1 to 128 of A-Z");
  for (const field of ["sideEffectClass", "sandboxPolicy", "cache", "retry", "execute"])
    expect(() => agent.asTool({ [field]: "read-only" })).toThrow(`asTool() takes no "${field}"`);
});

test.each([
  [{ toolChoice: { toolName: "lookup" } }, 'toolChoice of agent "a"', 'Did you mean "look"?'],
  [{ approval: { policy: ["pay"] } }, 'approval.policy of agent "a"', 'The tools are: "look".'],
  [{ toolUseBehavior: { stopAtToolNames: ["pay"] } }, 'toolUseBehavior of agent "a"', 'The tools are: "look".'],
])("an option that names no tool, %j, is refused with the option and the tools", async (options, where, hint) => {
  const agent = new Agent({ name: "a", model: scriptedModel([]), tools: [look], ...options });
  const { message } = (await failureOf(agent.run("go"))) as Error;
  expect(message).toContain(where);
  expect(message).toContain(hint);
});

test("a preferred tier without a model warns with the line to add, once; a run with a model for it does not [options.model-tiers]", async () => {
  const logger = listeningLogger();
  const model = scriptedModel([called("look"), called("look"), "Done.", called("look"), "Done."]);
  const fast = scriptedModel(["Fast."]);
  const agent = new Agent({ name: "a", model, tools: [{ ...look, preferredModel: "fast" }], logger });
  await agent.run("go", { modelTiers: { fast } });
  expect(logger.lines).toEqual([]);
  for (const _ of [1, 2]) await agent.run("go");
  expect(logger.lines).toEqual([expect.stringContaining("Add modelTiers: { fast: model } to the agent")]);
});

test("a sessionId without a session warns once, unless the caller passes the conversation [messages.run-defaults]", async () => {
  const logger = listeningLogger();
  const agent = new Agent({ name: "a", model: scriptedModel(() => "Hello."), logger });
  await agent.run("go", { sessionId: "s", messages: [{ role: "user", content: "Hi." }] });
  await agent.run("go");
  await new Agent({ name: "b", model: scriptedModel(["Hi."]), logger, session: memoryStore().sessions }).run("go", {
    sessionId: "s",
  });
  expect(logger.lines).toEqual([]);
  await agent.run("go", { sessionId: "s" });
  await agent.run("go", { sessionId: "s" });
  expect(logger.lines).toEqual([
    expect.stringContaining('agent "a" has no session: no later run reads its messages. Add session:'),
  ]);
});

test("ctx.dependencies is an object, also for an agent without dependencies [messages.run-context]", async () => {
  let read: unknown;
  const asks = tool({
    name: "ask",
    description: "Asks.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, ctx) => {
      read = ctx.dependencies;
      return "x";
    },
  });
  await new Agent({ name: "a", model: scriptedModel([called("ask"), "Done."]), tools: [asks] }).run("go");
  expect(read).toEqual({});
});

test("contextCompactor needs both a strategy and maxContextTokens", () => {
  const of =
    (contextCompactor: object): (() => Agent) =>
    () =>
      new Agent({ name: "a", model: scriptedModel([]), contextCompactor: contextCompactor as never });
  expect(of({ strategy: "trim" })).toThrow("contextCompactor needs maxContextTokens");
  expect(of({ maxContextTokens: 1000 })).toThrow("contextCompactor needs a strategy");
});
