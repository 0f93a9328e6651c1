import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";

/** A server as a first developer writes it: `authorize` returns the user and checks nothing else. */
function served() {
  const { pay, paid } = payTool();
  const store = memoryStore();
  const model = scriptedModel([{ toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }, "Paid."]);
  const agent = createAgentRuntime({ name: "clerk", model, tools: [pay], store, session: store.sessions });
  const app = runRoutes({
    agent,
    store,
    authorize: (request) => ({ userId: request.headers.get("x-user") ?? "nobody" }),
    pollMs: 5,
    onError: () => undefined,
  });
  const as = (user: string) => ({
    get: async (path: string) => app.request(path, { headers: { "x-user": user } }),
    post: async (path: string, body: unknown) =>
      app.request(path, {
        method: "POST",
        headers: { "content-type": "application/json", "x-user": user },
        body: JSON.stringify(body),
      }),
  });
  return { as, paid, agent, store };
}

const chat = (id: string, text: string) => ({
  id,
  trigger: "submit-message",
  messages: [{ id: "u1", role: "user", parts: [{ type: "text", text }] }],
});

test("another user of the tenant cannot list, read, approve, steer, cancel or fork a run [server.owner]", async () => {
  const { as, paid, agent } = served();
  await (await as("ada").post("/chat", chat("chat-1", "Pay the rent."))).text();
  const { runs } = (await (await as("ada").get("/runs")).json()) as { runs: { runId: string }[] };
  const runId = runs[0]?.runId ?? "";
  const [question] = await agent.interruptions(runId);
  const bob = as("bob");
  expect(await (await bob.get("/runs")).json()).toEqual({ runs: [] });
  expect(await (await bob.get("/runs?sessionId=chat-1")).json()).toEqual({ runs: [] });
  expect(await (await bob.get("/runs?state=suspended")).json()).toEqual({ runs: [] });
  expect(await (await bob.get("/interruptions")).json()).toEqual({ interruptions: [] });
  expect((await bob.get("/chat/chat-1/stream")).status).toBe(204);
  for (const path of ["", "/stream", "/interruptions", "/journal", "/timeline", "/audit"]) {
    const [real, unknown] = await Promise.all([bob.get(`/runs/${runId}${path}`), bob.get(`/runs/none${path}`)]);
    expect({ path, status: real.status, text: (await real.text()).replace(runId, "none") }).toEqual({
      path,
      status: unknown.status,
      text: await unknown.text(),
    });
  }
  const decisions = [{ id: question?.id, type: "approve", token: question?.token }];
  for (const [path, body] of [
    ["decisions", { decisions }],
    ["steer", { text: "Pay more." }],
    ["cancel", {}],
    ["replay", {}],
    ["fork", { atSeq: 1 }],
  ] as const) {
    expect({ path, status: (await bob.post(`/runs/${runId}/${path}`, body)).status }).toEqual({ path, status: 404 });
  }
  const approval = { id: question?.id, approved: true };
  const answered = { id: runId, role: "assistant", parts: [{ state: "approval-responded", approval }] };
  expect((await bob.post("/chat", { id: "chat-1", messages: [answered] })).status).toBe(404);
  const resume = [{ interruptId: question?.id, status: "resolved", payload: { approved: true } }];
  const agUi = { threadId: "chat-1", runId: "x", messages: [], tools: [], context: [], resume };
  expect((await bob.post("/ag-ui", agUi)).status).toBe(404);
  expect(paid).toEqual([]);
  expect((await as("ada").post(`/runs/${runId}/decisions`, { decisions })).status).toBe(202);
  await expect.poll(() => paid).toEqual([5]);
});
