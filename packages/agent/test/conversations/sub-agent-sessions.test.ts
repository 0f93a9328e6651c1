import { memoryStore, tool, type SessionStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { pipeline } from "../../src/compose.ts";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const userId = "ada";

/** An outer agent and a sub-agent of an application that gives its session store to every agent. */
function agents(kind: "tool" | "handoff" | "started", own: "shared" | "separate", named?: string) {
  const store = memoryStore();
  const sessions = own === "shared" ? store.sessions : memoryStore().sessions;
  const read: number[] = [];
  const inner = new Agent({
    name: "inner",
    description: "Helps.",
    logger: quiet,
    flow: "off",
    session: sessions,
    model: scriptedModel(({ messages }) => (read.push(messages.length), "Helped.")),
  });
  const delegate = tool({
    name: "delegate",
    description: "Delegates.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) =>
      (await inner.run("help", { ...ctx.runOptions, ...(named !== undefined && { sessionId: named }) })).text,
  });
  const name = { tool: "inner", handoff: "transfer_to_inner", started: "delegate" }[kind];
  const args = kind === "tool" ? { input: "help" } : {};
  const outer = new Agent({
    name: "outer",
    logger: quiet,
    flow: "off",
    store,
    session: store.sessions,
    tools: kind === "tool" ? [inner.asTool()] : kind === "started" ? [delegate] : [],
    ...(kind === "handoff" && { handoffs: [inner] }),
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "user" ? { toolCalls: [{ name, arguments: args }] } : "Done.",
    ),
  });
  return { outer, store, sessions, read };
}

const idsOf = async (sessions: SessionStore): Promise<readonly string[]> =>
  (await sessions.list({ userId })).map(({ id }) => id);

test.each(
  (["tool", "handoff", "started"] as const).flatMap((kind) =>
    (["shared", "separate"] as const).map((own) => [kind, own] as const),
  ),
)(
  "a run inside a call keeps no session, although its agent has one (%s, %s store) [run.inside.session]",
  async (kind, own) => {
    const { outer, store, sessions } = agents(kind, own);
    for (let turn = 0; turn < 3; turn += 1) await outer.run("x", { sessionId: "chat", userId });
    expect(await idsOf(store.sessions)).toEqual(["chat"]);
    expect(await idsOf(sessions)).toEqual(own === "shared" ? ["chat"] : []);
  },
);

test("a run inside a call keeps the session that its caller names [run.inside.session]", async () => {
  const { outer, store, read } = agents("started", "shared", "notes");
  for (let turn = 0; turn < 2; turn += 1) await outer.run("x", { sessionId: "chat", userId });
  expect((await idsOf(store.sessions)).toSorted()).toEqual(["chat", "notes"]);
  expect(read).toEqual([1, 3]);
});

test("the nodes of a workflow keep no sessions [run.inside.session]", async () => {
  const store = memoryStore();
  const step = (name: string) =>
    new Agent({ name, logger: quiet, flow: "off", session: store.sessions, model: scriptedModel(() => name) });
  const workflow = pipeline({ name: "flow", store, session: store.sessions }, step("first"), step("second"));
  await workflow.run("x", { sessionId: "chat", userId });
  expect(await idsOf(store.sessions)).toEqual(["chat"]);
});
