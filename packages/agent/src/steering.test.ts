import { memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { add, addCall, counter, failureOf, quiet, waiting, writeCall } from "./fixtures.test.helper.ts";
import { Agent } from "./index.ts";

const base = { name: "agent", logger: quiet } as const;

test("[run.steer] a steering message is put in after the current results", async () => {
  const model = scriptedModel([addCall(), "Done."]);
  const handle = new Agent({ ...base, model, tools: [add] }).stream("go");
  for await (const event of handle) if (event.type === "tool.call") handle.steer("Be brief.");
  const { messages } = await handle.result;
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: "Be brief." });
});

test("[run.follow-up] a follow-up goes on after the answer", async () => {
  const model = scriptedModel(["First.", "Second."]);
  const handle = new Agent({ ...base, model }).stream("go");
  handle.followUp("And then?");
  const result = await handle.result;
  expect(result.text).toBe("Second.");
  expect(result.messages.map(({ content }) => content)).toMatchObject([
    "go",
    [{ text: "First." }],
    "And then?",
    [{ text: "Second." }],
  ]);
});

test("[run.steer] [run.follow-up] a message to a run that is completed is refused, not lost; one that was stopped takes it", async () => {
  const store = memoryStore();
  const agent = new Agent({ ...base, model: scriptedModel(["One.", addCall(), "Two."]), tools: [add], store });
  const handle = agent.stream("go");
  const { runId } = await handle.result;
  expect(() => handle.steer("More.")).toThrow(/has ended here/);
  expect(() => handle.followUp("More.")).toThrow(/has ended here/);
  expect(await failureOf(agent.steer(runId, "More."))).toMatchObject({ code: "RUN_OVER", runId });
  expect(await failureOf(agent.followUp(runId, "More."))).toMatchObject({ code: "RUN_OVER", runId });
  const stopped = await agent.run("go", { maxTurns: 1 });
  await agent.steer(stopped.runId, "Be brief.");
  const { messages } = await agent.resume(stopped.runId);
  expect(messages.map(({ content }) => content)).toContain("Be brief.");
});

test("follow-ups are bounded by the turn limit", async () => {
  const handle = new Agent({ ...base, model: scriptedModel(() => "Again."), maxTurns: 2 }).stream("go");
  for (let index = 0; index < 5; index += 1) handle.followUp("More.");
  expect((await handle.result).stopReason).toBe("max_turns");
});

test("[seams.surface.any-process] [seams.surface.cancel] another agent object on the same store steers and cancels", async () => {
  const store = memoryStore();
  const { wait, open } = waiting("through");
  const model = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "Done.", { faults: { hangAfterEvents: 0 } }]);
  const here = new Agent({ ...base, model, tools: [wait], store });
  const there = new Agent({ ...base, model: scriptedModel([]), tools: [wait], store });
  const handle = here.stream("go");
  for await (const event of handle) {
    if (event.type !== "tool.call") continue;
    await there.steer(handle.runId, "From elsewhere.");
    open();
  }
  expect((await handle.result).messages.some(({ content }) => content === "From elsewhere.")).toBe(true);
  const second = here.stream("hang");
  for await (const event of second) if (event.type === "model.intent") await there.cancel(second.runId, "enough");
  expect(await second.result).toMatchObject({ status: "cancelled" });
  expect(
    (await there.inspect(second.runId)).events.some(
      (event) => event.type === "signal.taken" && event.signal.name === "cancel",
    ),
  ).toBe(true);
});

test("cancelling a run that waits for a person ends it", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({ ...base, model: scriptedModel([writeCall()]), tools: [write], store: memoryStore() });
  const { runId } = await agent.run("go");
  await agent.cancel(runId);
  const { output } = await agent.inspect(runId);
  expect(output).toMatchObject({ status: "cancelled", stopReason: "aborted" });
  expect(output.toolCalls).toHaveLength(1);
  expect(ran).toEqual([]);
});

test("[run.not-found] an unknown run is an error that names the store", async () => {
  const agent = new Agent({ ...base, model: scriptedModel([]), store: memoryStore({ name: "my-store" }) });
  for (const call of [
    agent.resume("r"),
    agent.steer("r", "x"),
    agent.cancel("r"),
    agent.interruptions("r"),
    agent.inspect("r"),
    agent.replay("r"),
    agent.fork("r", { atSeq: 1 }),
  ]) {
    expect(await failureOf(call)).toMatchObject({
      code: "RUN_NOT_FOUND",
      message: expect.stringContaining("my-store") as string,
    });
  }
});
