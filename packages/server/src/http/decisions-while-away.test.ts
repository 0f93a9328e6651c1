import { Agent, tool, type AgentOptions } from "@bailiwick/agent";
import { BailiwickError, memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { runRoutes } from "../index.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Routes of an agent whose tool server can go away, and a run that waits for an approval. */
async function waiting() {
  let isAway = false;
  const store = memoryStore();
  const tools: readonly never[] = [];
  const server: NonNullable<AgentOptions["mcp"]>[number] = {
    source: { kind: "mcp", serverIdentity: "tracker" },
    serve: () => {
      if (isAway) throw new BailiwickError("MCP_UNAVAILABLE", "The server cannot be reached.");
      return { tools, warnings: [] };
    },
  };
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ amount: z.number().max(9) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: ({ amount }) => `paid ${amount}`,
  });
  const agent = new Agent({
    name: "clerk",
    logger: quiet,
    flow: "off",
    store,
    session: store.sessions,
    mcp: [server],
    tools: [pay],
    model: scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: "pay", arguments: { amount: 3 } }] } : "Done.",
    ),
  });
  const { runId, interruptions } = await agent.run("Pay.", { userId: "ada", sessionId: "chat" });
  const errors: unknown[] = [];
  const app = runRoutes({ agent, store, authorize: () => ({ userId: "ada" }), onError: (error) => errors.push(error) });
  isAway = true;
  const post = async (path: string, body: object): Promise<Response> =>
    app.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    app,
    store,
    agent,
    runId,
    errors,
    post,
    question: interruptions[0]!,
    mend: () => (isAway = false),
  };
}

test("a decision is accepted with 202 while a server of the agent is away, and applied when the run continues [server.decisions.kept]", async () => {
  const { post, runId, question, app, errors, mend, agent, store } = await waiting();
  const decided = await post(`/runs/${runId}/decisions`, { decisions: [question.approve({ args: { amount: 2 } })] });
  expect([decided.status, await decided.json()]).toEqual([202, { runId, accepted: 1 }]);
  expect(errors).toMatchObject([{ code: "MCP_UNAVAILABLE" }]);
  expect((await store.getRun(runId))?.state).toBe("queued");
  // The stream says why nothing comes, and ends.
  const stream = await (await app.request(`/runs/${runId}/stream`)).text();
  expect(stream).toContain("MCP_UNAVAILABLE");
  expect(stream).toContain("[DONE]");

  mend();
  // The same decision is accepted again, and wakes the run.
  const again = await post(`/runs/${runId}/decisions`, { decisions: [question.approve({ args: { amount: 2 } })] });
  expect(again.status).toBe(202);
  await (await app.request(`/runs/${runId}/stream`)).text();
  expect((await agent.inspect(runId)).output).toMatchObject({
    status: "completed",
    toolCalls: [{ output: "paid 2" }],
  });
});

test("words are accepted with 202 while a server of the agent is away, and the response says where they are kept [server.decisions.kept]", async () => {
  const { post, runId, question, mend, agent, app } = await waiting();
  const steered = await post(`/runs/${runId}/steer`, { text: "Be brief." });
  expect([steered.status, await steered.json()]).toEqual([202, { runId, kept: "run" }]);
  mend();
  expect((await post(`/runs/${runId}/decisions`, { decisions: [question.approve()] })).status).toBe(202);
  await (await app.request(`/runs/${runId}/stream`)).text();
  const { output } = await agent.inspect(runId);
  expect(output?.messages.filter(({ content }) => content === "Be brief.")).toHaveLength(1);
});

test("an edit that the tool does not accept is refused with 409 while a server of the agent is away [server.decisions.kept]", async () => {
  const { post, runId, question, errors, store } = await waiting();
  const response = await post(`/runs/${runId}/decisions`, { decisions: [question.approve({ args: { amount: 10 } })] });
  expect([response.status, await response.json()]).toMatchObject([409, { error: { code: "EDIT_INVALID" } }]);
  expect([errors, (await store.getRun(runId))?.state]).toEqual([[], "suspended"]);
});
