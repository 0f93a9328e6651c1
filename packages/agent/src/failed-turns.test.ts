import { Agent, memoryStore, tool } from "@bailiwick/agent";
import type { Message } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const shown = (message: Message): string =>
  `${message.role}: ${typeof message.content === "string" ? message.content : message.content.map((part) => (part.type === "text" ? part.text : part.type)).join(" ")}`;

/** An agent whose model fails while `state.broken` is set, with its session as texts. */
function make(...failing: readonly object[]) {
  const store = memoryStore();
  const state = { broken: true, looked: 0 };
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => `looked ${(state.looked += 1)}`,
  });
  const model = scriptedModel((request) => {
    const last = request.messages.at(-1);
    if (last?.role === "user" && request.lastUserText === "look") return { toolCalls: [{ name: "look" }] };
    if (state.broken) return failing[0] ?? { faults: { error: { status: 400 } } };
    return "It is 42.";
  });
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    model,
    tools: [look],
    store,
    session: store.sessions,
    retry: { maxRetries: 0 },
  });
  const session = async () => (await store.sessions.load("s")).messages.map(shown);
  const fail = async (input: string): Promise<string> => {
    const handle = agent.stream(input, { sessionId: "s" });
    await expect(handle.result).rejects.toMatchObject({ output: { status: "failed" } });
    return handle.runId;
  };
  return { agent, model, state, session, fail };
}

const marker = expect.stringMatching(
  /^assistant: \[This turn failed \([A-Z_]+\) before it was answered\.\]$/u,
) as string;

test("a failed run leaves the user's message with a marker, and the next run has it as context [memory.failed-run]", async () => {
  const { agent, model, state, session, fail } = make();
  await fail("What is 6 times 7?");
  expect(await session()).toEqual(["user: What is 6 times 7?", marker]);
  state.broken = false;
  expect((await agent.run("Please try again.", { sessionId: "s" })).text).toBe("It is 42.");
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("What is 6 times 7?");
});

test("a resumed run adds only messages that the session does not have yet, after any number of failures [memory.failed-run]", async () => {
  const { agent, state, session, fail } = make();
  const runId = await fail("look");
  const left = ["user: look", "assistant: tool_call", "tool: looked 1", marker];
  expect(await session()).toEqual(left);
  await expect(agent.resume(runId)).rejects.toMatchObject({ output: { status: "failed" } });
  expect(await session()).toEqual(left);
  state.broken = false;
  expect((await agent.resume(runId)).text).toBe("It is 42.");
  expect(await session()).toEqual([...left.slice(0, -1), "assistant: It is 42."]);
  expect(state.looked).toBe(1);
});

test("the session contains only the complete answer, not the interrupted one [memory.failed-run]", async () => {
  const { agent, state, session, fail } = make({ text: "It is 4 or so, I think.", faults: { cutAfterEvents: 2 } });
  const runId = await fail("What is 6 times 7?");
  expect(await session()).toEqual(["user: What is 6 times 7?", marker]);
  state.broken = false;
  await agent.resume(runId);
  expect(await session()).toEqual(["user: What is 6 times 7?", "assistant: It is 42."]);
});
