import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, memoryStore, tool } from "./index.ts";

test("a run's grants are journaled before its first model call, so a recovering process has them", async () => {
  const send = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({ to: z.string() }),
    sideEffectClass: "external-stateful",
    flow: { authority: ["to"] },
    execute: () => "sent",
  });
  const store = memoryStore();
  const agent = new Agent({ name: "clerk", model: scriptedModel(["Done."]), tools: [send], store, flow: "enforce" });
  const grant = { tool: "send", args: { to: { eq: "ada" } } };
  const { runId } = await agent.run("Go.", { grants: [grant] });
  const { events } = await agent.inspect(runId);
  const at = events.findIndex(({ type }) => type === "flow.grants");
  expect(events[at]).toMatchObject({ source: "user", grants: [grant] });
  expect(at).toBeLessThan(events.findIndex(({ type }) => type === "model.intent"));
});
