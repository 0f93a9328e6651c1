import { Agent, memoryStore, type Interruption } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { readMessage } from "../ui-stream/ui-message.fixture.ts";
import type { UiChunk } from "../ui-stream/index.ts";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";

const headers = { "content-type": "application/json", "x-ai-sdk-major": "7" };

async function chunksOf(response: Response | Promise<Response>): Promise<UiChunk[]> {
  const lines = (await (await response).text()).split("\n\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)) as UiChunk);
}

test.each(["decisions", "chat"])(
  "an approval inside an agent used as a tool is asked on the outer call, answered over %s",
  async (way) => {
    const { pay, paid } = payTool();
    const base = { flow: "off", store: memoryStore() } as const;
    const inner = new Agent({
      ...base,
      name: "cashier",
      description: "Pays.",
      model: scriptedModel([{ toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }, "Paid."]),
      tools: [pay],
    });
    const model = scriptedModel([
      { toolCalls: [{ name: "cashier", arguments: { input: "Pay 5." } }] },
      "The cashier paid.",
    ]);
    const agent = new Agent({ ...base, name: "clerk", model, tools: [inner.asTool()] });
    const app = runRoutes({ agent, store: base.store });
    const post = async (path: string, body: unknown) =>
      app.request(path, { method: "POST", headers, body: JSON.stringify(body) });

    const asked = await chunksOf(
      post("/chat", { id: "c", messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "Pay." }] }] }),
    );
    const request = asked.find(({ type }) => type === "tool-approval-request");
    expect(request).toMatchObject({ reason: expect.stringMatching(/clerk › cashier, pay: /) });
    expect(paid).toEqual([]);

    const { message } = await readMessage(asked);
    const runId = message?.id ?? "";
    const { interruptions } = (await (await app.request(`/runs/${runId}/interruptions`)).json()) as {
      interruptions: Interruption[];
    };
    expect(interruptions).toMatchObject([{ runId, toolName: "pay", args: { amount: 5 } }]);
    if (way === "decisions") {
      expect(
        (await post(`/runs/${runId}/decisions`, { decisions: [{ id: interruptions[0]?.id, type: "approve" }] })).status,
      ).toBe(202);
    } else {
      const parts = message?.parts.map((part) =>
        "approval" in part && part.approval !== undefined
          ? { ...part, state: "approval-responded", approval: { id: part.approval.id, approved: true } }
          : part,
      );
      await chunksOf(post("/chat", { id: "c", messages: [{ ...message, parts }] }));
    }
    const done = await readMessage(await chunksOf(app.request(`/runs/${runId}/stream`, { headers })));
    expect(done.errors).toEqual([]);
    expect(done.message?.parts).toMatchObject([
      { type: "step-start" },
      { type: "tool-cashier", state: "output-available", input: { input: "Pay 5." }, approval: { approved: true } },
      { type: "step-start" },
      { type: "text", text: "The cashier paid." },
    ]);
    expect(paid).toEqual([5]);
  },
);
